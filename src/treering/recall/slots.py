"""Slots: what was in force when, by both clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.claim import WHY_DISPUTED, Claim, Decision, History, Stretch
from treering.domain.dates import instant
from treering.domain.entity import name_key
from treering.domain.report import SlotHistory, SlotStretch
from treering.domain.slot import slot_key
from treering.domain.timeline import history
from treering.errors import InputError, NoSlots, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, tzinfo

    from treering.journal import StoredClaim, StoredRevision
    from treering.ports import Transaction

_PAGE = 500


def all_slots(tx: Transaction, under: str = "") -> list[str]:
    """Return the names of slots, all or those of one subject such as ``project-a``."""
    found: list[str] = []
    after = ""
    while page := tx.claims.slots(_PAGE, after):
        found += [slot for slot in page if not under or slot == under or slot.startswith(f"{under}/")]
        after = page[-1]
    return found


def slots_about(tx: Transaction, name: str) -> list[str]:
    """Return the slots that a name means: a slot, those of a subject, those whose memories speak of an entity.

    Raises:
        NoSlots: if what it names has none, or may be several things.
        NotFound: if it names nothing.
    """
    key = _key(name)
    if key and tx.claims.of_slot(key):
        return [key]
    if key and (under := all_slots(tx, key)):
        return under
    found = tx.entities.entities([name])
    ids = list(found) or list(tx.entities.by_keys([name_key(name)]).get(name_key(name), ()))
    if len(ids) > 1:
        raise NoSlots(f"{name} may be {' or '.join(ids)}", hint="treering entity list")
    memories = tx.memories.memories(tx.entities.memories_of(ids[0])) if ids else {}
    slots = sorted({memory.slot for memory in memories.values()} - {""})
    if slots:
        return slots
    if ids:
        raise NoSlots(f"no slot speaks of {name}", hint="treering list slots")
    raise NotFound(f"there is no slot and no entity {name}", hint="treering list slots")


def _key(name: str) -> str:
    """Return the key of a slot of that name; empty where it can be none."""
    try:
        return slot_key(name)
    except InputError:
        return ""


def slot_history(tx: Transaction, slot: str, at: str, zone: tzinfo, known_at: str = "") -> SlotHistory:
    """Return what a slot says at an instant, and its whole history.

    Args:
        tx: the store.
        slot: its key.
        at: the instant that is asked about.
        zone: where dates without an offset are meant.
        known_at: only what was recorded and decided by then; empty for all.

    Raises:
        NotFound: if nothing was ever said of it.
    """
    found = slot_histories(tx, [slot], at, zone, known_at)
    if slot not in found:
        raise NotFound(f"there is no slot {slot}", hint="treering list slots")
    return found[slot]


def slot_histories(
    tx: Transaction, slots: Sequence[str], at: str, zone: tzinfo, known_at: str = ""
) -> dict[str, SlotHistory]:
    """Return what each of some slots says at an instant; of those that something was ever said of.

    Args:
        tx: the store.
        slots: their keys.
        at: the instant that is asked about.
        zone: where dates without an offset are meant.
        known_at: only what was recorded and decided by then; empty for all.
    """
    return {
        slot: _told(slot, at, known_at, stored, claims, seen)
        for slot, (stored, claims, seen) in _walked(tx, slots, at, zone, known_at).items()
    }


def histories(tx: Transaction, slots: Sequence[str], at: str, zone: tzinfo, known_at: str = "") -> dict[str, History]:
    """Return what follows from the claims of each of some slots, as ``slot_histories`` tells it."""
    return {slot: seen for slot, (_, _, seen) in _walked(tx, slots, at, zone, known_at).items()}


def _walked(
    tx: Transaction, slots: Sequence[str], at: str, zone: tzinfo, known_at: str
) -> dict[str, tuple[list[StoredClaim], list[Claim], History]]:
    """Return each slot's claims, as stored and as values, and what follows from them."""
    of_slot = {slot: stored for slot in slots if (stored := tx.claims.of_slot(slot))}
    ids = [one.id for stored in of_slot.values() for one in stored]
    known = instant(known_at, zone) if known_at else None
    words = _former(tx.claims.revisions(ids), known) if known else {}
    replaced = tx.claims.replaced(ids)
    decisions: dict[str, list[Decision]] = {}
    for one in tx.claims.decisions(ids):
        if not one.undone_at or (known and instant(one.undone_at) > known):
            counted = Decision(one.kind, one.claim, one.at, one.until or None, one.number)
            decisions.setdefault(one.claim, []).append(counted)
    found = {}
    for slot, stored in of_slot.items():
        claims = [_claim(one, words.get(one.id), replaced.get(one.id, ())) for one in stored]
        made = [decision for one in stored for decision in decisions.get(one.id, ())]
        seen = history(claims, made, true_at=at, known_at=known_at or None, zone=zone)
        found[slot] = (stored, claims, seen)
    return found


def _told(
    slot: str, at: str, known_at: str, stored: Sequence[StoredClaim], claims: Sequence[Claim], seen: History
) -> SlotHistory:
    """Return a history with the memories that say it."""
    memory_of = {one.id: one.memory for one in stored}
    trust = {one.id: one.trust for one in stored}
    content = {one.id: one.content for one in claims}
    return SlotHistory(
        slot=slot,
        at=at,
        known_at=known_at,
        current=_shown(seen.current, memory_of) if seen.current else None,
        empty=seen.empty or "",
        stretches=tuple(_shown(one, memory_of) for one in seen.stretches),
        disputed=tuple((memory_of[id], content[id], WHY_DISPUTED[seen.why[id]], trust[id]) for id in seen.proposals),
    )


def _claim(stored: StoredClaim, former: StoredRevision | None, replaced: Sequence[str]) -> Claim:
    """Return a claim, worded as it was when it was known."""
    words = former or stored
    return Claim(
        id=stored.id,
        content=words.content,
        trust=stored.trust,
        actor=stored.actor,
        recorded_at=stored.recorded_at,
        value=words.value or None,
        valid_from=stored.valid_from or None,
        valid_to=stored.valid_to or None,
        replaces=tuple(replaced),
        erased_at=stored.erased_at or None,
    )


def _former(revisions: Sequence[StoredRevision], known: datetime) -> Mapping[str, StoredRevision]:
    """Return how claims were worded at an instant, where they were reworded since."""
    found: dict[str, StoredRevision] = {}
    for one in revisions:
        if instant(one.changed_at) > known:
            found.setdefault(one.claim, one)
    return found


def _shown(stretch: Stretch, memory_of: Mapping[str, str]) -> SlotStretch:
    """Return a stretch with the memory that says it."""
    return SlotStretch(
        start=stretch.start or "",
        stop=stretch.stop or "",
        memory=memory_of.get(stretch.ids[-1], "") if stretch.ids else "",
        value=stretch.value or "",
        content=stretch.content or "",
        state=stretch.state,
        contested_since=stretch.contested_since or "",
        claims=len(stretch.ids),
    )
