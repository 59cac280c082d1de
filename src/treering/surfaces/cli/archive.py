"""``treering archive``: hide memories; nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from treering.api import MemoryStore
    from treering.domain.operation import Outcome


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: only ids are needed."""


def _run(request: Request) -> int:
    """Hide what was named."""
    return each_memory(request, lambda memory, id: memory.archive(id), "Archived", "treering restore-memory {}")


def each_memory(request: Request, change: Callable[[MemoryStore, str], Outcome], word: str, following: str) -> int:
    """Change every memory that was named, or none when one of them is not there.

    Args:
        request: with the ids as words.
        change: changes one memory.
        word: says what was done, in front of an id.
        following: the next command, with ``{}`` for the id.

    Raises:
        InputError: if none was named, or something else than a memory.
    """
    names = tuple(dict.fromkeys(map(printable, request.words)))
    if not names:
        raise InputError("no memory was named", hint="treering list memories")
    with open_memory(request.options) as memory, memory.lock:
        for name in names:
            if not name.startswith("mem_"):
                raise InputError(f"{name[:80]!r} is no memory: their ids are mem_…", hint="treering list memories")
            memory.show(name)
        outcomes = [change(memory, name) for name in names]
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.outcomes_json(outcomes))
    else:
        say("".join(views_memory.outcome_text(one, word, following.format(one.id)) for one in outcomes))
    return 0


COMMAND: Final = Command(
    "archive",
    "ID…",
    "Hide memories from searches and lists; restore-memory brings them back.",
    ("treering archive mem_…",),
    _declare,
    _run,
)
