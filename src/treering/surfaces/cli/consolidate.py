"""``treering consolidate``: what changed since the last run, digested into the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, again, no_words, open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add whether all is made again."""
    parser.add_argument("--force", action="store_true", help="make the whole tree again, not only what changed")


def _run(request: Request) -> int:
    """Digest and say how much."""
    no_words(request, "consolidate")
    options = request.options
    with open_memory(options) as memory:
        made = memory.consolidate(force=options.force, progress=None if options.json else progress_bar("digesting"))
    if options.json:
        from treering.surfaces.views_tree import consolidated_json

        say_json(consolidated_json(made))
        return 0
    from treering.surfaces.views_tree import consolidated_text

    say(f"{consolidated_text(made)}next: {again(options)} tree\n")
    return 0


COMMAND: Final = Command(
    "consolidate",
    "[options]",
    "Digest what changed since the last run: new and changed texts and memories, and the digests above them. "
    "Interrupted, it goes on the next time.",
    ("treering consolidate", "treering consolidate --force"),
    _declare,
    _run,
)
