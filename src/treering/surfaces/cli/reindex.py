"""``treering reindex``: everything that is derived made again from the stored text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what is made."""
    parser.add_argument("--vectors", action="store_true", help="only the vectors that are missing")


def _run(request: Request) -> int:
    """Make derived data again and say of how much."""
    no_words(request, "reindex")
    if request.options.vectors:
        return _embed(request)
    with open_memory(request.options) as memory:
        status = memory.reindex(progress=None if request.options.json else progress_bar("reindexing"))
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
        return 0
    from treering.surfaces.views_text import counted

    made = f"{counted(status.chunks, 'chunk')} of {counted(status.sources, 'source')}"
    say(f"Made the keyword index again: {made}.\nnext: treering status\n")
    return 0


def _embed(request: Request) -> int:
    """Make missing vectors and say how many."""
    with open_memory(request.options) as memory:
        embedded = memory.ensure_embeddings(progress=None if request.options.json else progress_bar("embedding"))
        status = memory.status()
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
        return 0
    from treering.surfaces.views_text import counted

    model = f" by {status.model}" if status.model else ""
    say(f"Embedded {counted(embedded, 'entry')}{model}.\nnext: treering status\n")
    return 0


COMMAND: Final = Command(
    "reindex",
    "[options]",
    "Make keyword index and vectors again from the stored text. No file is read; `treering index` does that.",
    ("treering reindex", "treering reindex --vectors"),
    _declare,
    _run,
)
