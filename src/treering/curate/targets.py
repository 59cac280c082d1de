"""Targets: the memories that operations are done to, as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.curate.recorded import standing
from treering.domain.memory import same_as
from treering.domain.operation import (
    Archive,
    Citation,
    Confirm,
    Create,
    Link,
    Merge,
    Operation,
    Restore,
    Supersede,
    Update,
)
from treering.domain.policy import Target
from treering.domain.validity import check_validity
from treering.errors import Conflict, InputError, NotFound, StaleRevision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from treering.curate.curator import Curator
    from treering.ports import Transaction
    from treering.records import StoredMemory


def get(tx: Transaction, id: str) -> StoredMemory:
    """Return a memory by its id, or by that of one of its claims.

    Raises:
        NotFound: if there is none, or it was forgotten.
    """
    found = tx.memories.memories([id]).get(id)
    if found is not None:
        return found
    claim = tx.claims.claims([id]).get(id)
    if claim is not None and claim.memory:
        return tx.memories.memories([claim.memory])[claim.memory]
    forgotten = tx.memories.forgotten_at(id)
    what = f"{id} was forgotten on {forgotten[:10]}" if forgotten else f"there is no memory {id}"
    raise NotFound(what, hint="treering list memories")


def ids(operation: Operation) -> tuple[str, ...]:
    """Return the ids of memories that an operation names."""
    match operation:
        case Create(memory=draft):
            return draft.replaces
        case Supersede(old_ids=olds, memory=draft):
            return (*olds, *draft.replaces)
        case Link(from_id=start, to_id=end):
            return (start, end)
        case Merge(ids=several):
            return several
        case Update(id=id) | Archive(id=id) | Restore(id=id) | Confirm(id=id):
            return (id,)


def memories_of(tx: Transaction, operation: Operation) -> tuple[StoredMemory, ...]:
    """Return the memories that an operation names, each once.

    Raises:
        NotFound: if one is not there.
    """
    return tuple(dict.fromkeys(get(tx, id) for id in ids(operation)))


def citations(operation: Operation) -> tuple[Citation, ...]:
    """Return the evidence that an operation brings."""
    match operation:
        case Create(memory=draft) | Supersede(memory=draft):
            return draft.evidence
        case Update(evidence=evidence):
            return evidence
    return ()


def common_slot(operation: Supersede | Create, memories: Sequence[StoredMemory]) -> str:
    """Return the slot in which something takes the place of memories: its own, else the one that all of them have."""
    slots = {memory.slot for memory in memories}
    return operation.memory.slot or (slots.pop() if len(slots) == 1 else "")


def require_sense(tx: Transaction, curator: Curator, operation: Operation, memories: Sequence[StoredMemory]) -> None:
    """Refuse what cannot be done to the memories as they are.

    Raises:
        StaleRevision: if a memory has changed since the caller saw it.
        Conflict: if it is not in a state for it.
        InputError: if the memories do not go together.
    """
    match operation:
        case Update(revision=seen) | Archive(revision=seen) | Restore(revision=seen) | Confirm(revision=seen):
            _require_revision(memories[0], seen)
            if isinstance(operation, Update):
                _require_update(tx, operation, memories[0], curator.zone)
        case Create() | Supersede():
            _require_one_topic(operation, memories)
        case Link():
            _require_two(memories)
        case Merge():
            _require_several(memories)
    # In a slot the same may be said of two times, and claims that meet again are one memory.
    if isinstance(operation, Restore) and not memories[0].slot:
        _require_unsaid(tx, memories[0].content, memories[0])


def _require_revision(memory: StoredMemory, seen: int | None) -> None:
    """Refuse a change to a memory that is no longer what the caller saw."""
    if seen is not None and seen != memory.revision:
        raise StaleRevision(
            f"{memory.id} has revision {memory.revision} by now, not {seen}",
            hint=f"treering show {memory.id} --history",
        )


def _require_update(tx: Transaction, update: Update, memory: StoredMemory, zone: tzinfo) -> None:
    """Refuse an update to what another memory says, or to dates that contradict each other."""
    given = update.changes
    if "content" in given:
        _require_unsaid(tx, given["content"], memory)
    if "valid_from" in given or "valid_to" in given:
        claims = {claim.id: claim for claim in tx.claims.of_memories([memory.id])[memory.id]}
        lead = claims.get(memory.id, next(iter(claims.values())))
        check_validity(given.get("valid_from", lead.valid_from), given.get("valid_to", lead.valid_to), zone)


def _require_unsaid(tx: Transaction, content: str, memory: StoredMemory) -> None:
    """Refuse words that another memory of the same topic says now."""
    for other in tx.memories.by_fingerprint(same_as(content)):
        if other.id != memory.id and other.slot == memory.slot and other.status == "active":
            raise Conflict(f"{other.id} says the same already", hint=f"treering show {other.id}")


def _require_one_topic(operation: Create | Supersede, memories: Sequence[StoredMemory]) -> None:
    """Refuse a memory that would replace answers to other questions."""
    wanted = common_slot(operation, memories)
    for memory in memories:
        if memory.slot and memory.slot != wanted:
            raise InputError(
                f"{memory.id} answers the slot {memory.slot}; what replaces it answers it too, not {wanted or 'none'}"
            )


def _require_two(memories: Sequence[StoredMemory]) -> None:
    """Refuse to link what is one memory."""
    if len(memories) == 1:
        raise InputError(f"a memory is not linked with itself: {memories[0].id}")


def _require_several(memories: Sequence[StoredMemory]) -> None:
    """Refuse to merge what is one memory, or answers different questions."""
    if len(memories) == 1:
        raise InputError(f"two memories are merged, not one: {memories[0].id}")
    slots = {memory.slot for memory in memories} - {""}
    if len(slots) > 1:
        raise InputError(f"the memories answer different slots: {', '.join(sorted(slots))}")


def protections(tx: Transaction, zone: tzinfo, memories: Sequence[StoredMemory]) -> list[Target]:
    """Return what the policy must know of memories."""
    claims = tx.claims.of_memories([memory.id for memory in memories])
    made = tx.claims.decisions([claim.id for several in claims.values() for claim in several])
    verdicts = standing(made, zone)
    found = []
    for memory in memories:
        mine = {claim.id for claim in claims[memory.id]}
        hidden = [one for one in made if one.claim in mine and one.kind in {"archive", "reject"} and not one.undone_at]
        found.append(
            Target(
                own=all(claim.actor == "agent" for claim in claims[memory.id]),
                confirmed=any(verdicts[id].first is not None for id in mine if id in verdicts),
                trust=memory.trust,
                hidden_by_owner=bool(hidden) and hidden[-1].actor == "owner",
            )
        )
    return found
