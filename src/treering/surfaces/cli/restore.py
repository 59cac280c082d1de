"""``treering restore``: a store from a backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_HINT: Final = "treering restore ARCHIVE --to DIR"


def _declare(parser: ArgumentParser) -> None:
    """Add where to."""
    parser.add_argument("--to", metavar="DIR", help="the folder of the new store; empty, or not there yet")


def _run(request: Request) -> int:
    """Restore the store and say how to use it."""
    if len(request.words) != 1 or not request.options.to:
        raise InputError("one archive and a folder to restore it to are needed", hint=_HINT)
    import treering.api
    from treering.surfaces import views_upkeep

    made = treering.api.restore(request.words[0], request.options.to)
    if request.options.json:
        say_json(views_upkeep.archived_json(made))
    else:
        say(views_upkeep.archived_text(made, "Restored", f"treering --store {printable(made.path)} verify"))
    return 0


COMMAND: Final = Command(
    "restore",
    "ARCHIVE --to DIR",
    "Make a store from a backup, after every digest in it was checked. Never over a store that is there.",
    ("treering restore ~/backups/treering-20261130T101500.tar --to ~/project/.treering",),
    _declare,
    _run,
)
