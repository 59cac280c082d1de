"""``treering link``: how one memory stands to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add how they stand to one another."""
    parser.add_argument(
        "--type", metavar="T", default="related",
        help="contradicts, supports, causes, part_of, follows or related (default: related)",
    )  # fmt: skip


def _run(request: Request) -> int:
    """Link the two memories that were named."""
    if len(request.words) != 2:
        raise InputError(f"link takes two memories, got {len(request.words)}", hint="treering link mem_… mem_…")
    first, second = map(printable, request.words)
    with open_memory(request.options) as memory:
        outcome = memory.link(first, second, type=printable(request.options.type))
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.outcome_json(outcome))
    else:
        say(views_memory.outcome_text(outcome, "Linked", f"treering show {outcome.id}"))
    return 0


COMMAND: Final = Command(
    "link",
    "ID ID [--type T]",
    "Say how one memory stands to another: the first one contradicts, supports, causes, is part of or follows "
    "the second, or is related to it.",
    ("treering link mem_… mem_… --type supports",),
    _declare,
    _run,
)
