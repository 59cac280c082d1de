"""``treering propose``: operations as JSON, from a file or a pipe; all of them or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError, NotFound, Unavailable
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import read_text, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_HINT: Final = "treering propose ops.json"
_MAX_BYTES: Final = 100_000_000


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: all stands in the JSON."""


def _run(request: Request) -> int:
    """Carry the operations out and say what became of each."""
    if len(request.words) > 1:
        raise InputError(f"propose takes one file, got {len(request.words)}", hint=_HINT)
    given = read_text(_HINT) if request.words in ((), ("-",)) else _read_file(request.words[0])
    with open_memory(request.options) as memory:
        outcomes = memory.propose(given)
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.batch_json(outcomes))
        return 0
    waiting = any(outcome.proposal for outcome in outcomes)
    text = "".join(
        f"{number}. {views_memory.outcome_text(outcome, 'Done:')}" for number, outcome in enumerate(outcomes, 1)
    )
    say(f"{text}next: {'treering review list' if waiting else 'treering list memories'}\n")
    return 0


def _read_file(name: str) -> str:
    """Return the text of a file.

    Raises:
        NotFound: if it is not there.
        Unavailable: if it cannot be read.
        InputError: if it is no UTF-8, or too long.
    """
    try:
        with open(name, "rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {name}", hint=_HINT) from error
    except OSError as error:
        raise Unavailable(f"{name} cannot be read: {error.strerror}") from error
    if len(raw) > _MAX_BYTES:
        raise InputError(f"{name} is longer than {_MAX_BYTES:,} bytes", hint="propose it in several files")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is no UTF-8: byte {error.start} fits nothing") from error


COMMAND: Final = Command(
    "propose",
    "[FILE | -]",
    "Carry out operations on memories, a JSON list, all of them or none: create, supersede, update, link, archive, "
    "restore, confirm, merge. Their fields: docs/howto/write-memories.md. Without FILE, or with -, it is read from "
    "a pipe.",
    (
        "treering propose ops.json",
        "treering propose ops.json --as-agent my-bot",
        """echo '{"op": "create", "memory": {"content": "The quay is north."}}' | treering propose""",
    ),
    _declare,
    _run,
)
