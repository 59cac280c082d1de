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


def _declare(parser: ArgumentParser) -> None:
    """Add why."""
    parser.add_argument("--reason", metavar="R", default="", help="why, for the record")


def _run(request: Request) -> int:
    """Hide what was named."""
    reason = printable(request.options.reason)
    return each_memory(
        request, lambda memory, id: memory.archive(id, reason=reason), "Archived", "treering restore-memory {}"
    )


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
        say("".join(views_memory.outcome_text(one, word, next_step(one, following)) for one in outcomes))
    return 0


def next_step(outcome: Outcome, following: str) -> str:
    """Return the command that comes next: of what waits for the owner, the one that shows it.

    Args:
        outcome: of a change.
        following: the command otherwise, with ``{}`` for the id.
    """
    if outcome.proposal:
        return f"treering review show {outcome.proposal}"
    return following.format(outcome.id)


COMMAND: Final = Command(
    "archive",
    "ID… [--reason R]",
    "Hide memories from searches and lists; restore-memory brings them back.",
    ("treering archive mem_… --reason 'the project ended'",),
    _declare,
    _run,
)
