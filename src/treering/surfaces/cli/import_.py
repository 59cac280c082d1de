"""``treering import``: originals into the store, whole, with every version that they had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, key_values, open_memory
from treering.surfaces.cli.terminal import printable, progress_bar, read_bytes, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from treering.domain.keeping import Imported

_NOTHING: Final = 1


def declare_original(parser: ArgumentParser) -> None:
    """Add what can be said about an original, for ``import`` and ``note``."""
    parser.add_argument(
        "--extract", action="store_true",
        help="also take out what meeting notes and plain statements say, as memories with their quotes",
    )  # fmt: skip
    parser.add_argument(
        "--kind", metavar="K",
        help="file, document, note, meeting, chat, ticket, pull_request, web, code or transcript",
    )  # fmt: skip
    parser.add_argument(
        "--trust", metavar="T", help="whose word it is: owner (yours, the usual one), agent or external"
    )
    parser.add_argument("--url", metavar="U", help="the page that it is a copy of; all forms of a link are one source")
    parser.add_argument("--key", metavar="KEY", help="a stable name for its source, instead of its path")
    parser.add_argument("--source-time", metavar="D", help="the document's own date, when it does not say it itself")
    parser.add_argument("--domain", metavar="D", help="the same as --metadata domain=D")
    parser.add_argument("--type", metavar="T", help="the same as --metadata type=T")
    parser.add_argument("--tag", metavar="T", action="append", help="a word to filter by; may be repeated")
    parser.add_argument("--metadata", metavar="KEY=VALUE", action="append", help="a fact about it; may be repeated")


def said(options: Namespace) -> dict[str, Any]:
    """Return what was typed about an original, by the names that the memory has for it."""
    names = ("kind", "trust", "url", "key", "source_time", "domain", "type")
    return {
        **{name: printable(getattr(options, name) or "") for name in names},
        "tags": [printable(tag) for tag in options.tag or ()],
        "metadata": key_values("--metadata", options.metadata or ()),
        "extract": options.extract,
    }


def show_imported(imported: Sequence[Imported], options: Namespace, notices: Sequence[str]) -> int:
    """Say what became of originals and return the exit status: 1 when none of them was kept."""
    from treering.surfaces import views_import

    if notices and imported:
        imported = [*imported[:-1], imported[-1]._replace(notices=(*imported[-1].notices, *notices))]
    kept = [one for one in imported if one.outcome != "skipped"]
    if options.json:
        say_json(views_import.imported_json(imported))
    else:
        ids = f"treering show {kept[0].id}" if len(kept) == 1 else "treering search 'your question'"
        say(f"{views_import.imported_text(imported)}next: {ids if kept else 'treering import --help'}\n")
    return 0 if kept or not imported else _NOTHING


def _declare(parser: ArgumentParser) -> None:
    """Add what can be said about an original, and of which tool the file is."""
    declare_original(parser)
    parser.add_argument(
        "--from", dest="tool", metavar="TOOL", choices=("treering", "okf"),
        help="treering: the file that `treering export` wrote, into an empty store; okf: a folder in the Open "
        "Knowledge Format, each concept as a memory",
    )  # fmt: skip
    parser.add_argument(
        "--force",
        action="store_true",
        help="also a folder that is the mirror or an export of a store: its files as texts",
    )


def _take_in(request: Request) -> int:
    """Take an export in and say how much it held."""
    if len(request.words) != 1:
        raise InputError("an export is one file", hint="treering import all.jsonl --from treering")
    with open_memory(request.options) as memory:
        rows = memory.take_in(request.words[0])
        place = memory.place.database
    if request.options.json:
        say_json({"schema": 1, "outcome": "accepted", "store": place, "rows": rows})
    else:
        say(f"Taken in: {rows:,} rows into {printable(place)}\nnext: treering status\n")
    return 0


def _take_bundle(request: Request) -> int:
    """Take in a bundle of the Open Knowledge Format and say what became of each concept."""
    from treering.surfaces import views_mirror

    if len(request.words) != 1:
        raise InputError("a bundle is one folder", hint="treering import DIR --from okf")
    with open_memory(request.options) as memory:
        report = memory.import_bundle(request.words[0], force=request.options.force)
    if request.options.json:
        say_json(views_mirror.synced_json(report))
    else:
        say(views_mirror.synced_text(report))
    return 0 if any(one.outcome != "refused" for one in report.files) else _NOTHING


def _run(request: Request) -> int:
    """Import what was named and say what became of each file."""
    from treering.surfaces.cli.remember import embed

    options = request.options
    if options.tool:
        return _take_bundle(request) if options.tool == "okf" else _take_in(request)
    if not request.words:
        raise InputError("no file or folder was named", hint="treering import PATH, or - for standard input")
    if "-" in request.words and len(request.words) > 1:
        raise InputError("- is standard input, and stands alone", hint="treering import -")
    with open_memory(options) as memory:
        if request.words == ("-",):
            imported = [memory.import_bytes(read_bytes("treering import PATH"), **said(options))]
        else:
            bar = None if options.json else progress_bar("importing")
            imported = list(memory.import_(list(request.words), force=options.force, progress=bar, **said(options)))
        notices = embed(memory) if any(one.outcome != "skipped" for one in imported) else []
    return show_imported(imported, options, notices)


COMMAND: Final = Command(
    "import",
    "PATH… | - [options]",
    "Keep files as originals: Markdown, text, PDF, Word, HTML and more, in UTF-8 and other encodings. A folder is gone "
    "through whole; what is hidden or has no reader is listed with the reason. The same content is kept once, and a "
    "file that has changed becomes a new version beside the old one.",
    (
        "treering import ~/Documents/prds",
        "treering import meeting.md --extract",
        "treering import notes/ --trust external --domain research",
        "treering --store new import all.jsonl --from treering",
        "treering import team-knowledge/ --from okf",
        "curl -s https://example.org/page.html | treering import - --url https://example.org/page.html",
    ),
    _declare,
    _run,
)
