"""Stating: the row of a memory, as it follows from the claims that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treering.domain.dates import plain
from treering.domain.memory import same_as
from treering.domain.operation import Change
from treering.domain.policy import LEVEL
from treering.records import FOREVER, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from treering.curate.curator import Curator
    from treering.domain.memory import MemoryStatus, Verification
    from treering.journal import StoredClaim, StoredDecision
    from treering.ports import Transaction


class Facts(NamedTuple):
    """What is known of claims besides their words.

    Attributes:
        confirmed: those that the owner confirmed or approved.
        sourced: those that rest on more than their own note.
        first_source: what a claim without a note quotes first.
    """

    confirmed: frozenset[str] = frozenset()
    sourced: frozenset[str] = frozenset()
    first_source: Mapping[str, str] = {}


class Held(NamedTuple):
    """The claims that are one memory.

    Attributes:
        id: the memory.
        claims: by validity.
        wording: the claim whose words it has.
    """

    id: str
    claims: Sequence[StoredClaim]
    wording: StoredClaim


class InTime(NamedTuple):
    """How a memory stands in time; the fields are those of its row."""

    status: MemoryStatus
    starts: int = -FOREVER
    stops: int = FOREVER
    superseded_by: str = ""
    why: str = ""
    valid_from: str = ""
    valid_to: str = ""


def facts_of(tx: Transaction, stored: Sequence[StoredClaim], made: Iterable[StoredDecision]) -> Facts:
    """Return which claims are confirmed, which rest on more than their own note, and what the others quote first."""
    evidence = tx.claims.evidence([one.id for one in stored if not one.erased_at])
    notes = {one.id: bool(one.note) for one in stored}
    sourced = frozenset(claim for claim, quotes in evidence.items() if len(quotes) > notes[claim])
    first = {claim: quotes[0].version for claim, quotes in evidence.items() if quotes and not notes[claim]}
    sources = {version: tx.sources.source_of(version) or "" for version in set(first.values())}
    confirmed = frozenset(one.claim for one in made if one.kind in {"confirm", "approve"} and not one.undone_at)
    return Facts(confirmed, sourced, {claim: sources[version] for claim, version in first.items()})


def stated(tx: Transaction, held: Held, known: StoredMemory | None, facts: Facts, standing: InTime) -> StoredMemory:
    """Return the row of a memory.

    Args:
        tx: a transaction that may write.
        held: its claims.
        known: its row as it is; None for a new one.
        facts: what is known of the claims.
        standing: how it stands in time.
    """
    says, claims = held.wording, held.claims
    quoted = (facts.first_source.get(one.id, "") for one in (says, *claims))
    return StoredMemory(
        id=held.id,
        entry=known.entry if known else tx.memories.next_entry(),
        kind=says.kind,
        title=says.title or next((one.title for one in claims if one.title), ""),
        content=says.content,
        summary=says.summary,
        source=says.note or next(filter(None, quoted), ""),
        status=standing.status,
        verification=_verification(claims, facts),
        trust=max((one.trust for one in claims), key=LEVEL.__getitem__),
        revision=known.revision if known else 1,
        fingerprint=known.fingerprint if known and known.content == says.content else same_as(says.content),
        recorded_at=min(one.recorded_at for one in claims),
        changed_at=known.changed_at if known else "",
        slot=says.slot,
        value=next((one.value for one in (says, *reversed(claims)) if one.value), ""),
        why=standing.why,
        valid_from=standing.valid_from,
        valid_to=standing.valid_to,
        starts=standing.starts,
        stops=standing.stops,
        superseded_by=standing.superseded_by,
    )


def _verification(claims: Sequence[StoredClaim], facts: Facts) -> Verification:
    """Return how far a memory can be relied on."""
    ids = [one.id for one in claims]
    if facts.confirmed.intersection(ids):
        return "user_confirmed"
    return "source_backed" if facts.sourced.intersection(ids) else "inferred"


def put(
    tx: Transaction, curator: Curator, before: Mapping[str, StoredMemory], after: Mapping[str, StoredMemory]
) -> None:
    """Write the rows that differ, and remove those of memories that were joined to others."""
    for id in before:
        if id not in after:
            curator.touch(id)
            tx.memories.remove(id)
    for id, row in after.items():
        known = before.get(id)
        if row is not known and row != known:
            if known:
                curator.touch(id)
            else:
                curator.add(row, {})
            tx.memories.put(row._replace(changed_at=curator.at))


def changes(
    before: Mapping[str, StoredMemory], after: Mapping[str, StoredMemory], leader_of: Mapping[str, str], zone: tzinfo
) -> tuple[Change, ...]:
    """Return the memories whose status or successor is another one than before."""
    found = []
    for id, old in before.items():
        new = after.get(id)
        if new is None:
            found.append(Change(id, old.status, "merged", f"it says the same as {leader_of.get(id, '')}".rstrip()))
        elif (old.status, old.superseded_by, old.stops) != (new.status, new.superseded_by, new.stops):
            found.append(Change(id, old.status, new.status, _reason(new, zone)))
    return tuple(found)


def _reason(new: StoredMemory, zone: tzinfo) -> str:
    """Return in words why a memory has its status."""
    if new.superseded_by:
        return f"{new.superseded_by} holds from {plain(new.valid_to, zone)}"
    if new.why:
        return new.why
    if new.valid_to:
        return f"it ends with {plain(new.valid_to, zone)}"
    return "nothing stands against it" if new.status == "active" else "its claims have changed"
