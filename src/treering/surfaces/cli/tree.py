"""``treering tree``: the whole memory as a map, from its trunk down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, again, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add how far down, and how much."""
    parser.add_argument(
        "--depth", metavar="N", type=whole_number(1, 100), default=0, help="levels below the trunk (default: what fits)"
    )
    parser.add_argument(
        "--max-tokens", metavar="N", type=whole_number(50, 100_000),
        help="LLM tokens of the map, 50 to 100000 (default: 900)",
    )  # fmt: skip
    parser.add_argument("--path", metavar="DIR", help="deepest at this directory or file (default: where you are)")


def _run(request: Request) -> int:
    """Show the map; 1 where there is none yet."""
    options = request.options
    with open_memory(options) as memory:
        found = memory.tree(
            printable(" ".join(request.words)),
            depth=options.depth,
            max_tokens=options.max_tokens,
            path=options.path and printable(options.path),
        )
    if options.json:
        from treering.surfaces.views_tree import tree_json

        say_json(tree_json(found))
    else:
        from treering.surfaces.views_tree import tree_text

        say(tree_text(found, f"{again(options)} consolidate"))
    return 0 if found.trunk else 1


COMMAND: Final = Command(
    "tree",
    "[QUESTION…] [options]",
    "Show what the memory holds, as digests from the trunk down. It is deepest where the words of QUESTION stand, then "
    "where you are. Exit status 1 where nothing is digested.",
    ("treering tree", "treering tree --max-tokens 300", "treering tree how are backups made"),
    _declare,
    _run,
)
