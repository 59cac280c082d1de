"""``treering remember``: one statement into the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, key_values, open_memory
from treering.surfaces.cli.terminal import printable, read_text, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from treering.api import MemoryStore

_HINT: Final = "treering remember 'one sentence'"


def declare_statement(parser: ArgumentParser) -> None:
    """Add what can be said about a statement, for ``remember`` and ``update``."""
    parser.add_argument(
        "--kind", metavar="K",
        help="episodic, semantic, project, person, decision, procedure, preference or question (default: semantic)",
    )  # fmt: skip
    parser.add_argument("--title", metavar="T", help="a few words")
    parser.add_argument("--summary", metavar="S", help="the same in one sentence")
    parser.add_argument("--tag", metavar="T", action="append", help="a word to filter by; may be repeated")
    parser.add_argument("--metadata", metavar="KEY=VALUE", action="append", help="a fact about it; may be repeated")
    parser.add_argument("--value", metavar="V", help="the short answer, by which statements of a slot are compared")
    parser.add_argument(
        "--valid-from", metavar="D", help="since when it holds: 2026, 2026-03, 2026-03-10 or an instant"
    )
    parser.add_argument("--valid-to", metavar="D", help="until when it holds; the last day counts")


def _declare(parser: ArgumentParser) -> None:
    """Add what can be said about a statement."""
    declare_statement(parser)
    parser.add_argument("--category", metavar="C", help="the same as --metadata category=C")
    parser.add_argument(
        "--slot", metavar="S",
        help="the topic that it answers, such as project-a/launch-date; a later answer supersedes an earlier one",
    )  # fmt: skip
    parser.add_argument(
        "--entity", metavar="E", action="append", default=[], help="whom or what it speaks of; may be repeated"
    )
    parser.add_argument(
        "--replaces", metavar="WORDS", action="append", default=[],
        help="the memory that it corrects: its id, or a few words that only one fits; may be repeated",
    )  # fmt: skip
    parser.add_argument("--source", metavar="ID", help="a source that it rests on, with --quote")
    parser.add_argument("--quote", metavar="Q", help="the words of that source, verbatim")


def embed(memory: MemoryStore) -> list[str]:
    """Embed what was just saved, and whatever else lacks a vector; return notices. What is saved stays saved."""
    from treering.errors import TreeringError

    try:
        memory.ensure_embeddings()
    except TreeringError as error:
        return [f"saved; found by its words, not yet by its meaning: {error}"]
    return []


def _run(request: Request) -> int:
    """Save the statement and say what became of it."""
    options = request.options
    text = read_text(_HINT) if request.words in ((), ("-",)) else " ".join(request.words)
    metadata = key_values("--metadata", options.metadata or ())
    if options.category is not None:
        metadata.setdefault("category", []).append(printable(options.category))
    with open_memory(options) as memory:
        outcome = memory.remember(
            printable(text),
            kind=options.kind or "semantic",
            title=printable(options.title or ""),
            summary=printable(options.summary or ""),
            slot=printable(options.slot or ""),
            value=printable(options.value or ""),
            valid_from=printable(options.valid_from or ""),
            valid_to=printable(options.valid_to or ""),
            entities=[printable(name) for name in options.entity],
            replaces=[printable(words) for words in options.replaces],
            source=printable(options.source or ""),
            quote=printable(options.quote or ""),
            tags=[printable(tag) for tag in options.tag or ()],
            metadata=metadata,
        )
        notices = embed(memory)
        outcome = memory.with_similar(outcome)
    from treering.surfaces import views_memory
    from treering.surfaces.cli.archive import next_step

    outcome = outcome._replace(notices=(*outcome.notices, *notices))
    if options.json:
        say_json(views_memory.outcome_json(outcome))
        return 0
    say(views_memory.outcome_text(outcome, "Remembered", next_step(outcome, "treering show {}")))
    return 0


COMMAND: Final = Command(
    "remember",
    "[TEXT… | -] [options]",
    "Save one memory; it is found at once, and what is there already is not saved twice. "
    "Without TEXT, or with -, it is read from a pipe.",
    (
        "treering remember staging runs PostgreSQL 17 --tag staging --tag database",
        "treering remember --kind decision --title 'Queue' 'We keep one queue: ordering matters more than speed.'",
        "treering remember the launch moved to November --slot project-a/launch-date --value 2026-11",
        "treering remember we deploy on Fridays again --replaces 'no deploys on Fridays'",
        "git log -1 --format=%B | treering remember --metadata branch=main",
    ),
    _declare,
    _run,
)
