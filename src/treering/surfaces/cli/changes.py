"""``treering changes``: what is new since when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, no_words, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_PAGE: Final = 50


def _declare(parser: ArgumentParser) -> None:
    """Add since when, and how much."""
    parser.add_argument(
        "--since", metavar="D", default="", help="a date, an instant, a length of time (7d), or words: 'last week'"
    )
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(1, 1000), default=_PAGE,
        help=f"changes at the most, 1 to 1000 (default: {_PAGE})",
    )  # fmt: skip


def _run(request: Request) -> int:
    """Show what changed."""
    no_words(request, "changes")
    options = request.options
    if not options.since:
        raise InputError("since when?", hint="treering changes --since 7d")
    with open_memory(options) as memory:
        found = memory.changes(printable(options.since), limit=options.limit)
        zone, scope = memory.zone, memory.place.scope
    if options.json:
        from treering.surfaces.views_tree import changed_json

        say_json(changed_json(found))
        return 0
    from treering.surfaces.views_tree import changed_text

    say(changed_text(found, zone, scope))
    return 0


COMMAND: Final = Command(
    "changes",
    "--since D [options]",
    "Show what changed since a day: memories added, updated, superseded, disputed, archived or forgotten, sources with "
    "new versions, files indexed or gone.",
    ("treering changes --since 7d", "treering changes --since 2026-10-15", 'treering changes --since "last week"'),
    _declare,
    _run,
)
