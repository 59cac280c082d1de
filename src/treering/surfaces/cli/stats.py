"""``treering stats``: how much the memory holds, of what, and the tokens that it has handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: all is counted."""


def _run(request: Request) -> int:
    """Show the numbers."""
    no_words(request, "stats")
    with open_memory(request.options) as memory:
        found = memory.stats()
    from treering.surfaces import views_stats

    if request.options.json:
        say_json(views_stats.stats_json(found))
    else:
        say(f"{views_stats.stats_text(found)}next: treering status\n")
    return 0


COMMAND: Final = Command(
    "stats",
    "[options]",
    "Show how many memories there are, of which kind, category and status, how much can be found by meaning, and how "
    "many tokens each client was given on each day; JSON has every day.",
    ("treering stats", "treering stats --json"),
    _declare,
    _run,
)
