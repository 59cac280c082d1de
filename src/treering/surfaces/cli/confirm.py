"""``treering confirm``: the owner vouches for memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.archive import each_memory
from treering.surfaces.cli.options import Command, Request

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: only ids are needed."""


def _run(request: Request) -> int:
    """Confirm what was named."""
    return each_memory(request, lambda memory, id: memory.confirm(id), "Confirmed", "treering show {}")


COMMAND: Final = Command(
    "confirm",
    "ID…",
    "Vouch for memories: from now on nothing weaker changes them, and what contradicts them waits for you.",
    ("treering confirm mem_…",),
    _declare,
    _run,
)
