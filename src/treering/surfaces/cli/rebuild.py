"""``treering rebuild``: the store made again from readable files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_LEFT_OUT: Final = 1


def _declare(parser: ArgumentParser) -> None:
    """Add where from."""
    parser.add_argument(
        "--from", dest="folder", metavar="DIR", help="mirror, for the files beside this store; else any folder of them"
    )


def _run(request: Request) -> int:
    """Fill the store and say what was made and what was left out."""
    no_words(request, "rebuild")
    options = request.options
    if not options.folder:
        raise InputError("nothing says where the files are", hint="treering rebuild --from mirror")
    with open_memory(options) as memory:
        report = memory.rebuild(options.folder, progress=None if options.json else progress_bar("reading"))
    from treering.surfaces import views_mirror

    if options.json:
        say_json(views_mirror.rebuilt_json(report))
    else:
        say(views_mirror.rebuilt_text(report))
    return _LEFT_OUT if report.left_out else 0


COMMAND: Final = Command(
    "rebuild",
    "--from mirror|DIR",
    "Make an empty store again from the readable files of a mirror: memories with their history, quotes, topics, "
    "people, links, decisions, and what was erased stays so. Files that were indexed in place are indexed again "
    "afterwards. Exit status 1 when a file could not be taken.",
    ("treering rebuild --from mirror", "treering --store NEW/FOLDER rebuild --from ~/backup/mirror"),
    _declare,
    _run,
)
