"""``treering show``: memories, sources and chunks, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, declare_depth, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_MOST_LINES: Final = 1_000_000_000


def _declare(parser: ArgumentParser) -> None:
    """Add which part is shown."""
    parser.add_argument("--outline", action="store_true", help="the headings with their lines instead of the text")
    declare_depth(parser)
    parser.add_argument("--history", action="store_true", help="also what a memory said before")
    parser.add_argument(
        "--start-line", metavar="N", type=whole_number(1, _MOST_LINES), default=1, help="first line that is shown"
    )
    parser.add_argument("--limit-lines", metavar="N", type=whole_number(1, _MOST_LINES), help="lines at the most")


def _run(request: Request) -> int:
    """Show everything that was named, or nothing when one of them is not there."""
    options = request.options
    if not request.words:
        raise InputError("nothing was named to show", hint="treering list sources")
    with open_memory(options) as memory:
        shown = [
            memory.show(
                printable(name),
                start_line=options.start_line,
                limit_lines=options.limit_lines,
                depth=options.depth,
            )
            for name in request.words
        ]
        zone = memory.zone
    if options.json:
        from treering.surfaces.views import list_json, shown_json

        say_json(list_json((shown_json(one, outline=options.outline) for one in shown), len(shown)))
        return 0
    from treering.surfaces.views_text import shown_text

    say("\n".join(shown_text(one, outline=options.outline, history=options.history, zone=zone) for one in shown))
    return 0


COMMAND: Final = Command(
    "show",
    "ID… [options]",
    "Show memories, sources and chunks whole. ID is mem_… for a memory, src_… for a source, ver_…#3 for a chunk, "
    "prp_… for what waits for you, a source's key, or a file.",
    (
        "treering show docs/guide.md --outline",
        "treering show docs/guide.md --start-line 40 --limit-lines 20",
        "treering show mem_… --history",
    ),
    _declare,
    _run,
)
