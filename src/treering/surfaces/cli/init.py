"""``treering init``: a store made beforehand; otherwise the first write makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: the global options name the store."""


def _run(request: Request) -> int:
    """Make the store and say where it is."""
    no_words(request, "init")
    with open_memory(request.options) as memory:
        status = memory.init()
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
        return 0
    from treering.surfaces.views_text import place_text

    say(f"The store is ready.\n{place_text(status)}next: treering index DIR\n")
    return 0


COMMAND: Final = Command(
    "init",
    "[options]",
    "Make the store of this project (or the one named by --store) beforehand. A store that is there stays as it is.",
    ("treering init", "treering init --store ~/memories"),
    _declare,
    _run,
)
