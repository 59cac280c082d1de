"""Alone: memories that answer no slot, made to agree with their claims and with what was said to replace them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.curate import stating
from treering.curate.recorded import standing
from treering.curate.stating import Held, InTime
from treering.domain.dates import instant, micros, span
from treering.domain.decided import UNDECIDED
from treering.records import FOREVER, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from treering.curate.curator import Curator
    from treering.curate.stating import Facts
    from treering.domain.decided import Decided
    from treering.domain.memory import MemoryStatus, Verification
    from treering.domain.operation import Change, Labels
    from treering.journal import StoredClaim
    from treering.ports import Transaction


def settle_new(
    tx: Transaction, curator: Curator, claim: StoredClaim, first_source: str, fingerprint: int, labels: Labels
) -> StoredMemory:
    """Return the memory of a claim that is its first; nothing was decided on it, and nothing replaces it.

    Args:
        tx: a transaction that may write.
        curator: who changed it, and when.
        claim: the claim.
        first_source: the source that it quotes first besides its own note; empty for none.
        fingerprint: of what it says.
        labels: its tags and metadata.
    """
    status: MemoryStatus = "active"
    starts, stops = -FOREVER, FOREVER
    if claim.valid_from:
        starts = micros(instant(claim.valid_from, curator.zone))
    if claim.valid_to:
        stops = micros(span(claim.valid_to, curator.zone).stop)
        status = "superseded" if stops <= curator.now else "active"
    verification: Verification = "source_backed" if first_source else "inferred"
    row = StoredMemory(
        claim.memory, tx.memories.next_entry(), claim.kind, claim.title, claim.content, claim.summary,
        claim.note or first_source, status, verification, claim.trust, 1, fingerprint, claim.recorded_at, curator.at,
        claim.slot, claim.value, "", claim.valid_from, claim.valid_to, starts, stops,
    )  # fmt: skip
    curator.add(row, labels)
    tx.memories.put(row)
    if labels:
        tx.memories.add_labels(row.id, labels)
    return row


def settle_memory(tx: Transaction, curator: Curator, memory: str) -> tuple[StoredMemory, tuple[Change, ...]] | None:
    """Make a memory agree with its claims and return it as it is now; None when it has none."""
    stored = tx.claims.of_memories([memory])[memory]
    if not stored:
        return None
    before = tx.memories.memories([memory])
    made = tx.claims.decisions([one.id for one in stored])
    verdicts = standing(made, curator.zone)
    shown = [one for one in stored if not _is_hidden(verdicts, one.id)]
    held = Held(memory, tuple(shown or stored), (shown or stored)[-1])
    successor = _successor(tx, [one.id for one in stored], curator.zone)
    facts = stating.facts_of(tx, stored, made)
    row = _row(tx, curator, held, before.get(memory), facts, verdicts, successor)
    stating.put(tx, curator, before, {memory: row})
    return row, stating.changes(before, {memory: row}, {}, curator.zone)


def _row(
    tx: Transaction,
    curator: Curator,
    held: Held,
    known: StoredMemory | None,
    facts: Facts,
    verdicts: Mapping[str, Decided],
    successor: StoredClaim | None,
) -> StoredMemory:
    """Return the row of a memory whose claims are all hidden, or none of them."""
    status: MemoryStatus = "archived" if _is_hidden(verdicts, held.wording.id) else "active"
    ends = next((one.valid_to for one in reversed(held.claims) if one.valid_to), "")
    stops = micros(span(ends, curator.zone).stop) if ends else FOREVER
    valid_from = next((one.valid_from for one in held.claims if one.valid_from), "")
    if successor is not None and status == "active":
        since = successor.valid_from or successor.recorded_at
        begins = micros(instant(since, curator.zone))
        ends, stops = (since, begins) if begins < stops else (ends, stops)
    if status == "active" and stops < FOREVER and stops <= curator.now:
        status = "superseded"
    in_time = InTime(
        status,
        starts=micros(instant(valid_from, curator.zone)) if valid_from else -FOREVER,
        stops=stops,
        superseded_by=successor.memory if successor else "",
        why="rejected" if status == "archived" and any(one.rejected for one in verdicts.values()) else "",
        valid_from=valid_from,
        valid_to=ends,
    )
    return stating.stated(tx, held, known, facts, in_time)


def _is_hidden(verdicts: Mapping[str, Decided], claim: str) -> bool:
    """Say whether a claim was archived or rejected."""
    verdict = verdicts.get(claim, UNDECIDED)
    return verdict.rejected or verdict.state != "stated"


def _successor(tx: Transaction, claims: Sequence[str], zone: tzinfo) -> StoredClaim | None:
    """Return the last claim that was said to replace one of a memory's, unless it was rejected or is gone."""
    replacing = sorted({one for ones in tx.claims.replacing(claims).values() for one in ones})
    if not replacing:
        return None
    verdicts = standing(tx.claims.decisions(replacing), zone)
    known = tx.claims.claims([one for one in replacing if not verdicts.get(one, UNDECIDED).rejected])
    alive = [one for one in known.values() if not one.erased_at]
    return max(alive, key=lambda one: (one.recorded_at, one.id), default=None)
