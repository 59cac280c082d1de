"""Memories and what became of them, as JSON objects and as compact text; ``views`` and ``views_text`` for the rest."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from treering.domain.dates import plain
from treering.surfaces.views import SCHEMA, JsonObject, metadata_json, quotes_json
from treering.surfaces.views_dates import period_text
from treering.surfaces.views_text import clean, clean_line, of_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from treering.api.duplicating import Duplicates
    from treering.domain.evidence import Quoted
    from treering.domain.operation import Outcome
    from treering.domain.report import Remembered

_LONGEST_LINE = 100


def outcome_json(outcome: Outcome) -> JsonObject:
    """Return what became of one change."""
    return {"schema": SCHEMA, **_outcome_json(outcome)}


def outcomes_json(outcomes: Sequence[Outcome]) -> JsonObject:
    """Return what became of changes: of one as for ``outcome_json``, of several as a batch in order."""
    return outcome_json(outcomes[0]) if len(outcomes) == 1 else batch_json(outcomes)


def batch_json(outcomes: Sequence[Outcome]) -> JsonObject:
    """Return what became of a batch, in order, however many changes it had."""
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
        "proposal": outcome.proposal or None,
        "similar": [one._asdict() for one in outcome.similar],
    }


def memory_json(memory: Remembered) -> JsonObject:
    """Return one memory, whole, with the keys that results have."""
    return {
        "id": memory.id,
        "type": "memory",
        "scope": memory.scope or None,
        "kind": memory.kind,
        "title": memory.title,
        "text": memory.content,
        "summary": memory.summary,
        "status": memory.status,
        "verification": memory.verification,
        "trust": memory.trust,
        "slot": memory.slot or None,
        "value": memory.value or None,
        "valid_from": memory.valid_from or None,
        "valid_to": memory.valid_to or None,
        "superseded_by": memory.superseded_by or None,
        **({} if memory.supersedes is None else {"supersedes": list(memory.supersedes)}),
        "why": memory.why or None,
        "tags": list(memory.tags),
        "metadata": metadata_json(memory.metadata),
        "quotes": quotes_json(memory.quotes),
        "entities": list(memory.entities),
        "links": [{"from_id": start, "type": name, "to_id": end} for start, name, end in memory.links],
        "revision": memory.revision,
        "recorded_at": memory.recorded_at,
        "changed_at": memory.changed_at,
        "history": [{"revision": number, "text": text, "until": until} for number, text, until in memory.history],
    }


_BECAME: Final = {
    "merged": "{done} with {id}, which says the same: the new evidence stands beside the old",
    "superseded": "{done} {id}; it takes the place of what held before",
    "backfilled": "{done} {id}, in the past: it is not what holds now",
    "disputed": "{done} {id}, disputed: the owner decides ({proposal})",
    "queued": "Not done yet: {proposal} waits for the owner",
    "exists": "Already there: {id}",
}
"""What became of a change, where it is not simply done."""


def outcome_text(outcome: Outcome, done: str, following: str = "") -> str:
    """Return what became of one change, which other memories it moved and why, and the next command.

    Args:
        outcome: of the change.
        done: says what was done, in front of the id.
        following: the next command; empty for none.
    """
    shape = _BECAME.get(outcome.outcome, "{done} {id}")
    if outcome.outcome == "exists" and done != "Remembered":
        shape = "Nothing changed: {id}"
    text = shape.format(done=done, id=outcome.id, proposal=outcome.proposal or outcome.id) + "\n"
    for change in outcome.changed:
        moved = change.before if change.before == change.after else f"{change.before} → {change.after}"
        text += f"  {change.id}: {moved} ({clean_line(change.why)})\n"
    text += "".join(f"note: {clean_line(notice)}\n" for notice in outcome.notices)
    for one in outcome.similar:
        says = "says the same and may be merged" if one.same else "is about the same"
        text += f"note: {one.id} {says} (likeness {one.likeness:.2f})\n"
    return text + (f"next: {following}\n" if following else "")


def memory_text(memory: Remembered, *, history: bool = False, zone: tzinfo = UTC) -> str:
    """Return one memory, whole: what it is, what it says, what that rests on; with ``history`` what it said before."""
    changed = f", revision {memory.revision} of {memory.changed_at}" if memory.revision > 1 else ""
    text = (
        f"{memory.id}  {memory.recorded_at[:10]}  {clean_line(memory.title)}".rstrip()
        + f"\n({memory.kind}, {memory.status}, {memory.verification}, trust {memory.trust},"
        f" recorded {memory.recorded_at}{changed})\n"
    )
    text += _standing_text(memory, zone)
    if memory.tags:
        text += f"tags: {clean_line(', '.join(memory.tags))}\n"
    text += "".join(f"{clean_line(key)}: {clean_line(', '.join(values))}\n" for key, values in memory.metadata.items())
    if memory.summary:
        text += f"summary: {clean_line(memory.summary)}\n"
    text += f"\n{clean(memory.content)}\n\n" + "".join(_quote_text(quote, memory) for quote in memory.quotes)
    if history:
        text += "".join(_former_text(number, content, until) for number, content, until in memory.history)
    return text


def duplicates_json(found: Duplicates) -> JsonObject:
    """Return groups of memories that say the same, and what became of merging them."""
    return {
        "schema": SCHEMA,
        "items": [{"keep": group[0].id, "memories": [memory_json(one) for one in group]} for group in found.groups],
        "total": len(found.groups),
        "next": None,
        "outcomes": [_outcome_json(outcome) for outcome in found.outcomes],
    }


def duplicates_text(found: Duplicates, scope: str = "") -> str:
    """Return groups of memories that say the same, each with what became of merging it.

    Args:
        found: the groups.
        scope: of the store that was asked; a group of another one names it.
    """
    if not found.groups:
        return "No two memories say the same.\n"
    text = ""
    for number, group in enumerate(found.groups):
        first = memory_line(group[0]).rstrip("\n") + of_store(group[0].scope, scope)
        text += f"{number + 1}. stays: {first}\n" + "".join(f"   again: {memory_line(one)}" for one in group[1:])
        if found.outcomes:
            text += f"   {outcome_text(found.outcomes[number], 'Merged')}"
    return f"{text}{len(found.groups)} group{'s' if len(found.groups) > 1 else ''}\n"


def _standing_text(memory: Remembered, zone: tzinfo) -> str:
    """Return which topic a memory answers, when, what follows it, why it waits, and whom it speaks of."""
    text = ""
    if memory.slot:
        value = f" = {clean_line(memory.value)}" if memory.value else ""
        text += f"slot: {clean_line(memory.slot)}{value}\n"
    if memory.valid_from or memory.valid_to:
        text += f"valid: {clean_line(period_text(memory.valid_from, memory.valid_to, zone))}\n"
    if memory.superseded_by:
        text += f"superseded by: {memory.superseded_by}\n"
    if memory.supersedes:
        text += f"supersedes: {', '.join(memory.supersedes)}\n"
    if memory.why:
        text += f"{memory.status}: {clean_line(memory.why)}\n"
    if memory.entities:
        text += f"entities: {clean_line(', '.join(memory.entities))}\n"
    return text + "".join(f"link: {start} {name} {end}\n" for start, name, end in memory.links)


def _quote_text(quote: Quoted, memory: Remembered) -> str:
    """Return where a quote stands, with its words where they are not the memory's own."""
    words = "" if quote.text == memory.content else f": “{clean_line(quote.text)}”"
    since = "; the source has changed since" if quote.changed_since else ""
    return f"quoted from {quote.source}:{quote.lines[0]}-{quote.lines[1]}{words} (trust {quote.trust}{since})\n"


def _former_text(number: int, content: str, until: str) -> str:
    """Return what a memory said before."""
    return f"\nrevision {number}, until {until}:\n{clean(content)}\n"


def memory_line(memory: Remembered, zone: tzinfo = UTC) -> str:
    """Return one memory on a line: its title, else the beginning of what it says; its status where it is not active."""
    said = clean_line(memory.title or memory.content)
    shown = said if len(said) <= _LONGEST_LINE else f"{said[:_LONGEST_LINE].rstrip()} …"
    tags = f"  [{clean_line(', '.join(memory.tags))}]" if memory.tags else ""
    slot = f"  {clean_line(memory.slot)}:" if memory.slot else ""
    status = "" if memory.status == "active" else f"  {_status_text(memory, zone)}"
    return f"{memory.id}  {memory.recorded_at[:10]}  {memory.kind}{status}{slot}  {shown}{tags}\n"


def _status_text(memory: Remembered, zone: tzinfo) -> str:
    """Return the status of a memory that is not active, since when, and what holds instead."""
    since = f" {clean_line(plain(memory.valid_to, zone))}" if memory.status == "superseded" else ""
    successor = f" by {memory.superseded_by}" if memory.superseded_by else ""
    return f"{memory.status}{since}{successor}"
