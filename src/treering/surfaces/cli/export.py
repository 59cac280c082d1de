"""``treering export``: everything that is kept, as lines of JSON or as a bundle of readable files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add where to, and how."""
    parser.add_argument("--out", metavar="F", help="the file or, for okf, the folder to write; must not exist")
    parser.add_argument(
        "--format", metavar="NAME", default="jsonl", help="jsonl, or okf for a readable file for each memory"
    )


def _run(request: Request) -> int:
    """Write the file and say how much is in it."""
    no_words(request, "export")
    options = request.options
    if not options.out:
        raise InputError("there is no file to write to", hint="treering export --out memory.jsonl")
    with open_memory(options) as memory:
        rows = memory.export(options.out, format=options.format)
    if options.json:
        say_json({"schema": 1, "path": options.out, "rows": rows})
    else:
        okf = options.format == "okf"
        again = f"treering --store NEW/FOLDER {'rebuild --from DIR' if okf else 'import FILE --from treering'}"
        say(f"Exported {rows:,} {'files' if okf else 'rows'} to {printable(options.out)}.\nnext: {again}\n")
    return 0


COMMAND: Final = Command(
    "export",
    "--out F [options]",
    "Write every source, memory, claim, decision and proposal as a line of JSON that another store can take in; or, "
    "with `--format okf`, as a bundle of the Open Knowledge Format: a readable file for each memory and source.",
    ("treering export --out memory.jsonl", "treering export --format okf --out memory/"),
    _declare,
    _run,
)
