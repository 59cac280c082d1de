"""``treering search``: one question, one cited answer within a token budget."""

from __future__ import annotations

from treering.surfaces.cli.options import (
    CLIENT,
    Command,
    Request,
    declare_depth,
    fraction,
    key_values,
    open_for_search,
    whole_number,
)
from treering.surfaces.cli.terminal import printable, read_input, say, say_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from typing import Final

    from treering.domain.query import Answer

_QUOTED_QUERY: Final = 80
"""A longer question is not repeated in the command that is proposed."""


def _declare(parser: ArgumentParser) -> None:
    """Add what narrows, sizes and explains an answer."""
    parser.add_argument("--path", metavar="DIR", help="only what lies under this directory or file")
    parser.add_argument(
        "--where", metavar="KEY=VALUE", action="append", default=[],
        help="only sources with this metadata; several keys must all hold, several values of one key are alternatives",
    )  # fmt: skip
    parser.add_argument(
        "--tag", metavar="T", action="append", default=[], help="only what has this tag; several must all be there"
    )
    parser.add_argument(
        "--in", dest="in_", choices=("memories", "sources", "code", "all"), default="all",
        help="only memories, only sources, or of these only source code",
    )  # fmt: skip
    parser.add_argument("--source", metavar="ID", help="only this source")
    parser.add_argument(
        "--kind", metavar="K", action="append", default=[],
        help="only memories or sources of this kind, such as decision or meeting; several are alternatives",
    )  # fmt: skip
    parser.add_argument(
        "--status", metavar="S", action="append", default=[], choices=("active", "superseded", "disputed"),
        help="only memories that are active, superseded or disputed; several are alternatives",
    )  # fmt: skip
    parser.add_argument(
        "--entity", metavar="E", action="append", default=[],
        help="only memories about this person, project or thing; several are alternatives",
    )  # fmt: skip
    parser.add_argument("--as-of", metavar="D", help="what was in force on a day or at an instant: 2026-10-15")
    parser.add_argument("--known-at", metavar="D", help="only what was recorded by then")
    parser.add_argument("--from", metavar="D", dest="from_", help="only what held or was told from this day on")
    parser.add_argument("--to", metavar="D", help="only what held or was told up to the end of this day")
    parser.add_argument("-k", "--limit", metavar="N", type=whole_number(1, 100), help="results, 1 to 100 (default: 8)")
    parser.add_argument(
        "--max-tokens", metavar="N", type=whole_number(50, 100_000),
        help="LLM tokens of the whole answer, 50 to 100000 (default: 900)",
    )  # fmt: skip
    declare_depth(parser)
    parser.add_argument(
        "--empty-gate", metavar="X", type=fraction,
        help="least evidence for an answer, 0 to 1; 0 answers always (default: calibrated)",
    )  # fmt: skip
    parser.add_argument(
        "--mode", choices=("keyword", "hybrid", "semantic", "tree"),
        help="find passages by their words, by their meaning, by both, or going down the tree of digests "
        "(default: both where entries have vectors)",
    )  # fmt: skip
    parser.add_argument("--clue", metavar="TEXT", default="", help="a few more words: which of several things is meant")
    parser.add_argument(
        "--syntax", choices=("plain", "web"), default="",
        help='web: "exact phrase", -word and this OR that in the question are conditions (default: plain text)',
    )  # fmt: skip
    parser.add_argument("--explain", action="store_true", help="show what each step of the search decided")


def _run(request: Request) -> int:
    """Ask and show the answer; 1 when nothing answers."""
    options = request.options
    question = printable(read_input() if request.words in ((), ("-",)) else " ".join(request.words))
    where = key_values("--where", options.where)
    with open_for_search(options) as memory:
        answer = memory.search(
            question,
            path=options.path and printable(options.path),
            where=where or None,
            tags=[printable(tag) for tag in options.tag],
            in_=options.in_,
            kind=options.kind,
            status=options.status,
            entity=[printable(name) for name in options.entity],
            as_of=options.as_of or "",
            known_at=options.known_at or "",
            from_=options.from_ or "",
            to=options.to or "",
            source=options.source and printable(options.source),
            limit=options.limit,
            max_tokens=options.max_tokens,
            empty_gate=options.empty_gate,
            mode=options.mode,
            clue=printable(options.clue),
            depth=options.depth,
            syntax=options.syntax,
        )
        scope = memory.place.scope
        memory.hand_out(CLIENT, answer.tokens)
    if options.json:
        from treering.surfaces.views import answer_json

        say_json(answer_json(answer, scope))
    else:
        from treering.surfaces.views_text import answer_text, trace_text

        next_step = "" if answer.found else _next_step(answer, "--syntax web " if options.syntax == "web" else "")
        trace = f"\n{trace_text(answer.trace)}" if options.explain else ""
        say(f"{answer_text(answer)}{next_step}{trace}")
    return 0 if answer.found or answer.ambiguous else 1


def _next_step(answer: Answer, syntax: str) -> str:
    """Return the command that may bring more when nothing answers; ``syntax`` is the option that reads it again."""
    if answer.ambiguous:
        from shlex import quote

        from treering.surfaces.views_text import clean_line

        query = clean_line(quote(answer.query)) if len(answer.query) <= _QUOTED_QUERY else "QUERY"
        return f"next: treering search {syntax}--clue 'a place, a date, a project' -- {query}\n"
    if answer.reason == "empty_store":
        return "next: treering index DIR\n"
    if answer.reason == "filtered_out":
        return "next: treering list sources\n"
    if answer.reason == "empty_gate":
        from shlex import quote

        from treering.surfaces.views_text import clean_line

        query = clean_line(quote(answer.query)) if len(answer.query) <= _QUOTED_QUERY else "QUERY"
        return f"next: treering search {syntax}--empty-gate 0 -- {query}  # shows the best passages all the same\n"
    if answer.reason == "over_budget":
        return "next: allow more with --max-tokens\n"
    return "next: ask with other words, or see what is there: treering list sources\n"


COMMAND: Final = Command(
    "search",
    "[QUERY… | -] [options]",
    "Ask a question; answers are cited and fit a token budget. Without QUERY, or with -, it is read from a pipe. "
    "Exit status 1 when nothing answers.",
    (
        "treering search how are removed files handled",
        "treering search --path docs --where topic=billing -k 3 refunds",
        "treering search --in memories --kind decision --as-of 2026-10-15 launch date",
        "treering search --syntax web '\"blue green\" deploy OR release -staging'",
        "git log -1 --format=%s | treering search --json",
    ),
    _declare,
    _run,
)
