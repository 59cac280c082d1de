"""``treering index``: directories into the index, in place, only what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.kinds import DOMAINS
from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what is read and whether removals are carried out."""
    parser.add_argument("--glob", metavar="G", default="", help="read only files that match, e.g. '**/*.md'")
    parser.add_argument(
        "--code",
        action="store_true",
        help="read source code as well, from now on; generated and vendored files are not",
    )
    parser.add_argument("--file", metavar="F", help="read only this file of DIR")
    parser.add_argument(
        "--extract", action="store_true",
        help="also take out what meeting notes and plain statements say, as memories with their quotes",
    )  # fmt: skip
    parser.add_argument(
        "--domain", choices=DOMAINS, default="", help="what kind of text these files are (default: told by each)"
    )
    parser.add_argument(
        "--trust", choices=("owner", "agent", "external"),
        help="whose word these files are, from now on (default: as before, else the owner's); external words are shown "
        "as data, and change nothing of the owner's",
    )  # fmt: skip
    parser.add_argument("--readmit", action="store_true", help="read again what was forgotten, too")
    prune = parser.add_mutually_exclusive_group()
    prune.add_argument(
        "--prune", action="store_true", default=None, help="remove files that are gone, however many they are"
    )
    prune.add_argument("--no-prune", dest="prune", action="store_false", help="remove nothing from the index")


def _run(request: Request) -> int:
    """Index and say what changed."""
    options = request.options
    if not request.words:
        raise InputError("no directory was named", hint="treering index .")
    with open_memory(options) as memory:
        reports = memory.index(
            list(request.words),
            glob=options.glob,
            file=options.file,
            code=options.code,
            prune=options.prune,
            extract=options.extract,
            domain=options.domain,
            trust=options.trust,
            readmit=options.readmit,
            progress=None if options.json else progress_bar("indexing"),
        )
        place = memory.place
    if options.json:
        from treering.surfaces.views import index_json

        say_json(index_json(reports))
        return 0
    from treering.surfaces.views_text import index_text, store_text

    text = "".join(index_text(report) for report in reports) + store_text(place)
    files = sum(report.files for report in reports)
    following = "treering search 'your question'" if files else "treering status"
    say(f"{text}next: {following}\n")
    return 0


COMMAND: Final = Command(
    "index",
    "DIR… [options]",
    "Index directories in place: Markdown and text, with --glob every document that can be read (PDF, Word, HTML …); "
    "ignore files honoured, only what changed is read again. "
    "Files that cannot be read are skipped and listed by `treering status`.",
    (
        "treering index docs notes",
        "treering index --glob '**/*.{md,pdf,docx}' docs",
        "treering index --glob '**/*.md' .claude",
        "treering index --prune docs",
        "treering index --code .",
    ),
    _declare,
    _run,
)
