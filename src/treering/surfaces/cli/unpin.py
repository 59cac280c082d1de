"""``treering unpin``: end a briefing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_: ArgumentParser) -> None:
    """Add nothing."""


def _run(request: Request) -> int:
    """End the briefing that was named."""
    if len(request.words) != 1:
        raise InputError(f"unpin takes one briefing, got {len(request.words)}", hint="treering briefings")
    with open_memory(request.options) as memory:
        outcome = memory.unpin(printable(request.words[0]))
    from treering.surfaces.views_briefings import pinned_text
    from treering.surfaces.views_memory import outcome_json

    if request.options.json:
        say_json(outcome_json(outcome))
    else:
        say(pinned_text(outcome, "Unpinned", "treering briefings"))
    return 0


COMMAND: Final = Command(
    "unpin",
    "ID",
    "End a briefing before its time; its memories stay as they are.",
    ("treering unpin mem_…",),
    _declare,
    _run,
)
