"""``treering update``: a memory says something else from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, key_values, open_memory, whole_number
from treering.surfaces.cli.remember import declare_statement
from treering.surfaces.cli.terminal import printable, read_text, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what can be changed."""
    declare_statement(parser)
    parser.add_argument(
        "--revision", metavar="N", type=whole_number(1, 1_000_000_000), help="only if it is still at this revision"
    )


def _run(request: Request) -> int:
    """Change what was given and say so."""
    options = request.options
    if not request.words:
        raise InputError("no memory was named", hint="treering list memories")
    name, *words = request.words
    given = read_text(f"treering update {name} 'new text'") if words == ["-"] else " ".join(words)
    with open_memory(options) as memory:
        outcome = memory.update(
            printable(name),
            text=printable(given) if words else None,
            kind=options.kind,
            title=_printable(options.title),
            summary=_printable(options.summary),
            tags=options.tag and [printable(tag) for tag in options.tag],
            metadata=options.metadata and key_values("--metadata", options.metadata),
            value=_printable(options.value),
            valid_from=_printable(options.valid_from),
            valid_to=_printable(options.valid_to),
            revision=options.revision,
        )
    from treering.surfaces import views_memory
    from treering.surfaces.cli.archive import next_step

    if options.json:
        say_json(views_memory.outcome_json(outcome))
        return 0
    say(views_memory.outcome_text(outcome, "Changed", next_step(outcome, "treering show {} --history")))
    return 0


def _printable(text: str | None) -> str | None:
    """Return an option's text as valid Unicode; None where it was not given."""
    return None if text is None else printable(text)


COMMAND: Final = Command(
    "update",
    "ID [TEXT… | -] [options]",
    "Change what a memory says, or what is said about it; what it said before is kept. "
    "Tags and metadata replace the former ones; --tag '' and --metadata '' leave none.",
    (
        "treering update mem_… staging runs PostgreSQL 18",
        "treering update mem_… --tag database --kind decision",
        "treering update mem_… --valid-to 2026-12-31",
    ),
    _declare,
    _run,
)
