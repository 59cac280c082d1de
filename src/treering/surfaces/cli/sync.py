"""``treering sync``: edits of the mirror's files taken into the memory, and the files brought up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_REFUSED: Final = 1


def _declare(parser: ArgumentParser) -> None:
    """Add whose word the edits are."""
    parser.add_argument("--as-owner", action="store_true", help="the edits are your own word, not an agent's")


def _run(request: Request) -> int:
    """Take edits in and say what became of each file."""
    no_words(request, "sync")
    options = request.options
    with open_memory(options) as memory:
        report = memory.sync(as_owner=options.as_owner, progress=None if options.json else progress_bar("writing"))
    from treering.surfaces import views_mirror

    if options.json:
        say_json(views_mirror.synced_json(report))
    else:
        say(views_mirror.synced_text(report))
    return 0 if report.clean else _REFUSED


COMMAND: Final = Command(
    "sync",
    "[--as-owner]",
    "Bring the readable files in `mirror/` and the memory together: what was edited, added, renamed or removed there, "
    "by hand or by version control, is taken in as an agent's change; what the memory changed is written. Trust and "
    "confirmation are never taken from a file. Exit status 1 when a file was refused.",
    ("treering sync", "git pull && treering sync", "treering sync --as-owner"),
    _declare,
    _run,
)
