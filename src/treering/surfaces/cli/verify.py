"""``treering verify``: whether the store holds what it promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_PROBLEMS: Final = 1


def _declare(parser: ArgumentParser) -> None:
    """Add whether to mend."""
    parser.add_argument("--fix", action="store_true", help="make again what is derived and wrong")


def _run(request: Request) -> int:
    """Check the store and say what is wrong."""
    no_words(request, "verify")
    with open_memory(request.options) as memory:
        checked = memory.verify(fix=request.options.fix)
    from treering.surfaces import views_upkeep

    if request.options.json:
        say_json(views_upkeep.checked_json(checked))
    else:
        say(views_upkeep.checked_text(checked, fix=request.options.fix))
    return 0 if checked.sound else _PROBLEMS


COMMAND: Final = Command(
    "verify",
    "[options]",
    "Check the database, the digests of what is kept, every quote, the chains of revisions, the histories of slots, "
    "the keyword index, and that what was forgotten is gone. Exit status 1 when something is wrong.",
    ("treering verify", "treering verify --fix"),
    _declare,
    _run,
)
