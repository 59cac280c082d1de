"""``treering context``: one question, the assembled, cited answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import (
    CLIENT,
    Command,
    Request,
    declare_depth,
    fraction,
    open_memory,
    whole_number,
)
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_NOTHING: Final = 1


def _declare(parser: ArgumentParser) -> None:
    """Add what narrows and sizes the answer."""
    parser.add_argument("--project", metavar="P", help="only memories about this project")
    parser.add_argument("--participants", metavar="A,B", help="only memories about one of these people")
    parser.add_argument("--as-of", metavar="D", help="what was true on a day or at an instant: 2026-10-15")
    parser.add_argument("--known-at", metavar="D", help="only what was recorded and decided by then")
    parser.add_argument("--from", metavar="D", dest="from_", help="only what held or was told from this day on")
    parser.add_argument("--to", metavar="D", help="only what held or was told up to the end of this day")
    parser.add_argument("--history", action="store_true", help="show what was superseded, too")
    parser.add_argument("--max-tokens", metavar="N", type=whole_number(50, 100_000), help="size of the answer")
    parser.add_argument("--mode", choices=("hybrid", "keyword", "semantic"), help="which lists take part")
    declare_depth(parser)
    parser.add_argument("--empty-gate", metavar="X", type=fraction, help="least confidence, 0 to 1; 0 for none")
    parser.add_argument("--explain", action="store_true", help="print what each step did")


def _run(request: Request) -> int:
    """Answer the question."""
    options = request.options
    question = printable(" ".join(request.words))
    if not question.strip():
        raise InputError("there is no question", hint="treering context 'which database does staging use?'")
    people = [name.strip() for name in (options.participants or "").split(",") if name.strip()]
    with open_memory(options) as memory:
        answer = memory.context(
            question,
            project=printable(options.project or ""),
            participants=[printable(name) for name in people],
            as_of=options.as_of or "",
            known_at=options.known_at or "",
            from_=options.from_ or "",
            to=options.to or "",
            history=options.history,
            max_tokens=options.max_tokens,
            mode=options.mode,
            empty_gate=options.empty_gate,
            depth=options.depth,
        )
        scope = memory.place.scope
        memory.hand_out(CLIENT, answer.tokens)
    from treering.surfaces import views_context, views_text

    if options.json:
        say_json(views_context.context_json(answer, scope))
    else:
        say(views_context.context_text(answer))
        if options.explain:
            say(views_text.trace_text(answer.trace))
    return _NOTHING if answer.insufficient_evidence else 0


COMMAND: Final = Command(
    "context",
    "QUESTION… [options]",
    "Answer a question from everything that is known: what is in force, disputed, open and unknown, with quotes and "
    "citations, inside a budget. Exit status 1 when the evidence does not suffice.",
    (
        "treering context why did we not choose option B",
        "treering context when does project A launch --as-of 2026-10-15",
        "treering context launch date --project 'Project A' --history --max-tokens 400",
    ),
    _declare,
    _run,
)
