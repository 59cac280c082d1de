"""``treering briefings``: what is pinned now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_: ArgumentParser) -> None:
    """Add nothing."""


def _run(request: Request) -> int:
    """Show what is pinned."""
    no_words(request, "briefings")
    with open_memory(request.options) as memory:
        found = memory.briefings()
        zone = memory.zone
    from treering.surfaces.views_briefings import briefings_json, briefings_text

    if request.options.json:
        say_json(briefings_json(found))
    else:
        say(briefings_text(found, zone))
    return 0


COMMAND: Final = Command(
    "briefings",
    "",
    "What is pinned now, the oldest first, with when it ends. What has ended is an ordinary memory again.",
    ("treering briefings", "treering briefings --json"),
    _declare,
    _run,
)
