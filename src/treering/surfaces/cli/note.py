"""``treering note``: a piece of text into the store, as a source that memories can quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.import_ import declare_original, said, show_imported
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.remember import embed
from treering.surfaces.cli.terminal import printable, read_text

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what can be said about a text."""
    parser.add_argument("--title", metavar="T", help="what it is called; else its title or first line")
    declare_original(parser)


def _run(request: Request) -> int:
    """Keep the text and say where it is."""
    options = request.options
    text = read_text("treering note 'some text'") if request.words in ((), ("-",)) else " ".join(request.words)
    given = {**said(options), "kind": printable(options.kind or "note"), "title": printable(options.title or "")}
    with open_memory(options) as memory:
        imported = memory.note(text, **given)
        notices = embed(memory)
    return show_imported([imported], options, notices)


COMMAND: Final = Command(
    "note",
    "[TEXT… | -] [options]",
    "Keep a piece of text as a source; unlike what `treering remember` saves, it is no statement, but what statements "
    "quote. Without TEXT, or with -, it is read from a pipe.",
    (
        'treering note "Project A\'s release window moves to Thursdays"',
        "pbpaste | treering note - --kind document --title 'Some PRD' --url 'https://example.org/prd' --trust external",
    ),
    _declare,
    _run,
)
