"""Telling: a context as the text that an agent is shown, and what it costs.

External words stand between marks that carry a number made from them: no text can hold the mark that ends it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from treering.domain.citation import closing, headline, marked
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.context import Context, ContextQuery
    from treering.domain.evidence import Quoted
    from treering.domain.query import Result

INSUFFICIENT: Final = "INSUFFICIENT EVIDENCE: the memory does not answer this."
_TITLES: Final = (
    ("current", "## In force"),
    ("disputed", "## Disputed, waiting for the owner"),
    ("open_questions", "## Open questions"),
    ("history", "## Before"),
    ("briefings", "## Pinned"),
)
_NO_EVIDENCE: Final = "## Near, but no evidence"
_MOST_QUOTES: Final = 2
_VERIFIED: Final = {
    "user_confirmed": "confirmed by the owner",
    "source_backed": "quotes a source",
    "inferred": "unconfirmed",
}
_PASSAGES: Final = "## Passages"
_TERSE: Final = 100
"""With fewer tokens a memory's words are told with its id and status alone; the rest is in the data."""

_LABEL: Final = 40
"""A quote of the memory's own words with a label before them, such as ``[slot: launch-date]``, says nothing more."""
_NOTES_SHARE: Final = 3
_ROUNDS: Final = 4
_SLACK: Final = 2
"""Tokens by which the digits of a price may differ."""


def frame_tokens(asked: ContextQuery, notices: Sequence[str], *, insufficient: bool) -> int:
    """Return what the lines cost that stand around the sections."""
    lines = [INSUFFICIENT, _NO_EVIDENCE, ""] if insufficient else []
    notes = _notes(notices, asked)
    lines += [*notes, ""] if notes else []
    return llm_tokens("\n".join([*lines, closing(99, asked.query.max_tokens), ""])) + _SLACK


def _notes(notices: Sequence[str], asked: ContextQuery) -> list[str]:
    """Return the notices of the whole as lines, as many as leave room for an answer."""
    room = 0 if _is_terse(asked) else asked.query.max_tokens // _NOTES_SHARE
    notes = []
    for notice in notices:
        line = f"note: {_line(notice)}"
        room -= llm_tokens(line) + 1
        if room >= 0:
            notes.append(line)
    return notes


def memory_tokens(one: Result, section: str, asked: ContextQuery) -> int:
    """Return what a memory costs, with the title of a section if it is the first there; empty for no section.

    Every line break is a token of its own, so that costs of whole lines add up.
    """
    return llm_tokens(memory_text(one, terse=_is_terse(asked))) + 1 + (_title_tokens(section) if section else 0)


def _is_terse(asked: ContextQuery) -> bool:
    """Tell whether there is room for little more than words."""
    return asked.query.max_tokens < _TERSE


@cache
def _title_tokens(section: str) -> int:
    """Return what the title of a section costs, with its line end and the blank line before."""
    return llm_tokens(dict(_TITLES)[section]) + 2


def passage_tokens(number: int, one: Result) -> int:
    """Return what a passage costs under its headline, with the title of the section if it is the first."""
    return llm_tokens(_passage_text(number, one)) + 1 + (llm_tokens(_PASSAGES) + 2 if number == 1 else 0)


def text_of(answer: Context, asked: ContextQuery) -> tuple[str, int]:
    """Return the whole text and its estimated LLM tokens, which the text itself names."""
    parts = [INSUFFICIENT] if answer.insufficient_evidence else []
    notes = _notes(answer.notices, asked)
    parts += ["\n".join(notes)] if notes else []
    for name, title in _TITLES:
        section: tuple[Result, ...] = getattr(answer, name)
        unsure = name == "current" and answer.insufficient_evidence
        if section:
            told = (memory_text(one, terse=_is_terse(asked)) for one in section)
            parts.append("\n".join([_NO_EVIDENCE if unsure else title, *told]))
    if answer.passages:
        parts.append(_passages_text(answer.passages))
    number = sum(len(getattr(answer, name)) for name, _ in _TITLES) + len(answer.passages)
    body = "\n\n".join(parts)
    spent = llm_tokens(f"{body}\n\n") if body else 0
    tokens = spent
    for _ in range(_ROUNDS):  # the line that names the price has a price
        tokens = spent + llm_tokens(f"{closing(number, tokens)}\n")
    last = f"{closing(number, tokens)}\n"
    return f"{body}\n\n{last}" if body else last, tokens


def memory_text(one: Result, *, terse: bool = False) -> str:
    """Return a memory: what it says, since when, and what it rests on."""
    lines = [f"- {marked(one.text, one.trust)}"]
    if terse:
        return "\n".join([*lines, *(f"  {notice}" for notice in one.notices), f"  ({one.id}, {one.status})"])
    lines += [f"  {notice}" for notice in one.notices]
    lines.append(f"  {_facts(one)}")
    quotes = [quote for quote in one.quotes if not (quote.key.startswith("note:") and quote.text == one.text)]
    lines += [f"  {_quote(quote, one)}" for quote in quotes[:_MOST_QUOTES]]
    if len(quotes) > _MOST_QUOTES:
        lines.append(f"  and {len(quotes) - _MOST_QUOTES} more quotes: show {one.id}")
    return "\n".join(lines)


def _facts(one: Result) -> str:
    """Return how a memory is named and how far it can be relied on."""
    dates = f"from {one.valid_from}" if one.valid_from else f"recorded {one.recorded_at[:10]}"
    until = f" to {one.valid_to}" if one.valid_to else ""
    known = _VERIFIED.get(one.verification or "", one.verification or "")
    # Who is named in words from outside is their word, too.
    about = f", about {', '.join(one.entities[:3])}" if one.entities and one.trust != "external" else ""
    known = f"{known}, " if known else ""
    return f"({one.id}, {one.kind}, {one.status}, {dates}{until}, {known}trust {one.trust}{about})"


def _quote(quote: Quoted, one: Result) -> str:
    """Return where a quote stands, with its words where they are not the memory's own."""
    said, own = quote.text.strip(), one.text.strip()
    is_same = own in said and len(said) <= len(own) + _LABEL
    words = "" if is_same else f" {marked(f'“{_line(quote.text)}”', quote.trust)}"
    since = ", changed since" if quote.changed_since else ""
    last = f"-{quote.lines[1]}" if quote.lines[1] > quote.lines[0] else ""
    return (
        f"{quote.key.removeprefix('file:')}:{quote.lines[0]}{last}{words} ({quote.source}, trust {quote.trust}{since})"
    )


def _passages_text(passages: Sequence[Result]) -> str:
    """Return passages under their headlines."""
    return "\n".join([_PASSAGES, *(_passage_text(number, one) for number, one in enumerate(passages, 1))])


def _passage_text(number: int, one: Result) -> str:
    """Return one passage under its headline."""
    head = headline(number, one.citation, one.score, one.tokens, one.restatements)
    notes = "".join(f"\nnote: {notice}" for notice in one.notices)
    return f"{_line(head)}\n{marked(one.text.rstrip(), one.trust)}{notes}"


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
