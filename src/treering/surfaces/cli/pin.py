"""``treering pin``: what matters now, for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add for how long."""
    parser.add_argument(
        "--ttl", metavar="TIME", default="", help="for how long: 90m, 12h, 3d, 2w; five years at the most"
    )


def _run(request: Request) -> int:
    """Pin what was named."""
    ids = [printable(word) for word in request.words]
    if not ids:
        raise InputError("no memory was named", hint="treering list memories")
    if not request.options.ttl:
        raise InputError("for how long? --ttl is missing", hint=f"treering pin {' '.join(ids)} --ttl 3d")
    with open_memory(request.options) as memory:
        outcome = memory.pin(ids, ttl=printable(request.options.ttl))
    from treering.surfaces.views_briefings import pinned_text
    from treering.surfaces.views_memory import outcome_json

    if request.options.json:
        say_json(outcome_json(outcome))
    else:
        say(pinned_text(outcome, "Pinned", f"treering unpin {outcome.id} ends it; treering briefings lists them"))
    return 0


COMMAND: Final = Command(
    "pin",
    "ID… --ttl TIME",
    "Pin a memory for a while: it stands higher in every answer and at the start of every session, and ends by "
    "itself. Several memories become one briefing, told as a sentence of each with its id.",
    ("treering pin mem_… --ttl 3d", "treering pin mem_… mem_… mem_… --ttl 2w"),
    _declare,
    _run,
)
