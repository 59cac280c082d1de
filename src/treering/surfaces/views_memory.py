"""Memories and what became of them, as JSON objects and as compact text; ``views`` and ``views_text`` for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.surfaces.views import SCHEMA, JsonObject, metadata_json, quotes_json
from treering.surfaces.views_text import clean, clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.evidence import Quoted
    from treering.domain.operation import Outcome
    from treering.domain.report import Remembered

_LONGEST_LINE = 100


def outcome_json(outcome: Outcome) -> JsonObject:
    """Return what became of one change."""
    return {"schema": SCHEMA, **_outcome_json(outcome)}


def outcomes_json(outcomes: Sequence[Outcome]) -> JsonObject:
    """Return what became of changes: of one as for ``outcome_json``, of several as a batch in order."""
    if len(outcomes) == 1:
        return outcome_json(outcomes[0])
    return {"schema": SCHEMA, "outcomes": [_outcome_json(outcome) for outcome in outcomes]}


def _outcome_json(outcome: Outcome) -> JsonObject:
    """Return what became of one change, without the schema."""
    return {
        "outcome": outcome.outcome,
        "id": outcome.id,
        "changed": [
            {"id": change.id, "from": change.before, "to": change.after, "why": change.why}
            for change in outcome.changed
        ],
        "notices": list(outcome.notices),
    }


def memory_json(memory: Remembered) -> JsonObject:
    """Return one memory, whole, with the keys that results have."""
    return {
        "id": memory.id,
        "type": "memory",
        "kind": memory.kind,
        "title": memory.title,
        "text": memory.content,
        "summary": memory.summary,
        "status": memory.status,
        "verification": memory.verification,
        "trust": memory.trust,
        "slot": None,
        "value": None,
        "valid_from": None,
        "valid_to": None,
        "superseded_by": None,
        "tags": list(memory.tags),
        "metadata": metadata_json(memory.metadata),
        "quotes": quotes_json(memory.quotes),
        "entities": [],
        "revision": memory.revision,
        "recorded_at": memory.recorded_at,
        "changed_at": memory.changed_at,
        "history": [{"revision": number, "text": text, "until": until} for number, text, until in memory.history],
    }


def outcome_text(outcome: Outcome, word: str, following: str) -> str:
    """Return what became of one change.

    Args:
        outcome: of the change.
        word: says what was done, in front of the id.
        following: the next command.
    """
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in outcome.notices)
    return f"{word} {outcome.id}\n{notices}next: {following}\n"


def memory_text(memory: Remembered, *, history: bool = False) -> str:
    """Return one memory, whole: what it is, what it says, what that rests on; with ``history`` what it said before."""
    changed = f", revision {memory.revision} of {memory.changed_at}" if memory.revision > 1 else ""
    text = (
        f"{memory.id}  {memory.recorded_at[:10]}  {clean_line(memory.title)}".rstrip()
        + f"\n({memory.kind}, {memory.status}, {memory.verification}, trust {memory.trust},"
        f" recorded {memory.recorded_at}{changed})\n"
    )
    if memory.tags:
        text += f"tags: {clean_line(', '.join(memory.tags))}\n"
    text += "".join(f"{clean_line(key)}: {clean_line(', '.join(values))}\n" for key, values in memory.metadata.items())
    if memory.summary:
        text += f"summary: {clean_line(memory.summary)}\n"
    text += f"\n{clean(memory.content)}\n\n" + "".join(_quote_text(quote, memory) for quote in memory.quotes)
    if history:
        text += "".join(_former_text(number, content, until) for number, content, until in memory.history)
    return text


def _quote_text(quote: Quoted, memory: Remembered) -> str:
    """Return where a quote stands, with its words where they are not the memory's own."""
    words = "" if quote.text == memory.content else f": “{clean_line(quote.text)}”"
    since = "; the source has changed since" if quote.changed_since else ""
    return f"quoted from {quote.source}:{quote.lines[0]}-{quote.lines[1]}{words} (trust {quote.trust}{since})\n"


def _former_text(number: int, content: str, until: str) -> str:
    """Return what a memory said before."""
    return f"\nrevision {number}, until {until}:\n{clean(content)}\n"


def memory_line(memory: Remembered) -> str:
    """Return one memory on a line: its title, else the beginning of what it says."""
    said = clean_line(memory.title or memory.content)
    shown = said if len(said) <= _LONGEST_LINE else f"{said[:_LONGEST_LINE].rstrip()} …"
    tags = f"  [{clean_line(', '.join(memory.tags))}]" if memory.tags else ""
    return f"{memory.id}  {memory.recorded_at[:10]}  {memory.kind}  {shown}{tags}\n"
