"""``treering duplicates``: memories that say the same, group by group, and made one of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from treering.api.duplicating import Duplicates


def _declare(parser: ArgumentParser) -> None:
    """Add what is done with them."""
    parser.add_argument(
        "--merge", action="store_true",
        help="make one memory of each group; an agent merges what is identical, the rest waits",
    )  # fmt: skip


def _run(request: Request) -> int:
    """List the groups, or merge them."""
    no_words(request, "duplicates")
    with open_memory(request.options) as memory:
        found = memory.duplicates(merge=request.options.merge)
        scope = memory.place.scope
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.duplicates_json(found))
    else:
        say(f"{views_memory.duplicates_text(found, scope)}next: {_next_step(found)}\n")
    return 0 if found.groups else 1


def _next_step(found: Duplicates) -> str:
    """Return the command that goes on from here."""
    if any(one.proposal for one in found.outcomes):
        return "treering review list"
    if found.outcomes:
        return "treering undo, which takes the last merge back"
    return "treering duplicates --merge" if found.groups else "treering list memories"


COMMAND: Final = Command(
    "duplicates",
    "[--merge] [options]",
    "List active memories that say the same, group by group; with --merge the first of each group stays, with the "
    "evidence, tags and entities of all. Texts that differ by a number, unit, date, name, identifier or negation, or "
    "by one word in place of another, are never listed. Exit status 1: there are none.",
    ("treering duplicates", "treering duplicates --merge", "treering duplicates --json"),
    _declare,
    _run,
)
