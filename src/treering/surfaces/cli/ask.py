"""``treering ask``: a search that asks back where a question may mean several things."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from treering.domain.ambiguity import Choice


def _declare(parser: ArgumentParser) -> None:
    """Add a first clue and what sizes the answer."""
    parser.add_argument("--clue", metavar="TEXT", default="", help="a few more words: which of several things is meant")
    parser.add_argument(
        "--syntax", choices=("plain", "web"), default="", help='web: "exact phrase", -word and OR are conditions'
    )
    parser.add_argument("-k", "--limit", metavar="N", type=whole_number(1, 100), help="results, 1 to 100 (default: 8)")
    parser.add_argument(
        "--max-tokens",
        metavar="N",
        type=whole_number(50, 100_000),
        help="LLM tokens of the whole answer (default: 900)",
    )


def _run(request: Request) -> int:
    """Ask, and ask back as long as it is not plain what is meant; 1 when nothing answers."""
    options = request.options
    question = printable(" ".join(request.words))
    if not question.strip():
        raise InputError("there is no question", hint="treering ask 'who is Luis?'")
    can_ask = not options.json and sys.stdin is not None and sys.stdin.isatty()
    with open_memory(options) as memory:
        answer = memory.ask(
            question,
            clue_provider=_clue if can_ask else None,
            clue=printable(options.clue),
            limit=options.limit,
            max_tokens=options.max_tokens,
            syntax=options.syntax,
        )
        scope = memory.place.scope
    from treering.surfaces import views, views_text

    if options.json:
        say_json(views.answer_json(answer, scope))
    else:
        from shlex import quote

        again = f"next: treering ask --clue 'a place, a date, a project' -- {views_text.clean_line(quote(question))}\n"
        say(views_text.answer_text(answer) + (again if answer.ambiguous else ""))
    return 0 if answer.found or answer.ambiguous else 1


def _clue(candidates: Sequence[Choice]) -> str | None:
    """Show what may be meant and read a clue; None when nothing is typed."""
    from treering.surfaces.views_text import choices_text

    say(choices_text(candidates))
    sys.stdout.write("A clue (a place, a date, a project; empty to give up): ")
    sys.stdout.flush()
    return printable(sys.stdin.readline().strip()) or None


COMMAND: Final = Command(
    "ask",
    "QUESTION… [--clue TEXT]",
    "Search; where the question may mean several things, list them and ask for a clue, at most three times "
    "(search.max_clue_rounds). Nothing is guessed. Without a terminal it lists them once.",
    ("treering ask who is Luis", "treering ask Luis --clue 'holidays in Benidorm'"),
    _declare,
    _run,
)
