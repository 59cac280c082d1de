"""``treering`` alone: where the memory is, what it holds, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.status import next_step
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: the global options name the store."""


def _run(request: Request) -> int:
    """Say in a few lines where everything stands."""
    with open_memory(request.options) as memory:
        status = memory.status()
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
        return 0
    from treering.surfaces.views_text import clean_line, counted, place_text

    roots = "".join(f"  {clean_line(root.path)}  {counted(root.files, 'file')}\n" for root in status.roots)
    say(f"{place_text(status)}{roots}next: {next_step(status)}\n      treering help\n")
    return 0


COMMAND: Final = Command(
    "", "[COMMAND]", "Say where the memory is, what it holds, and what to do next.", ("treering",), _declare, _run
)
