"""``treering restore-memory``: archived memories come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.archive import each_memory
from treering.surfaces.cli.options import Command, Request

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: only ids are needed."""


def _run(request: Request) -> int:
    """Bring back what was named."""
    return each_memory(request, lambda memory, id: memory.restore_memory(id), "Restored", "treering show {}")


COMMAND: Final = Command(
    "restore-memory",
    "ID…",
    "Bring back memories that were archived.",
    ("treering restore-memory mem_…",),
    _declare,
    _run,
)
