"""Review: what waits for the owner, both sides of it, and the owner's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treering.curate import propose, targets
from treering.curate.reading import read_operations
from treering.curate.recorded import claims_of, decisions_of
from treering.curate.settle import settle
from treering.domain.dates import instant, micros, span
from treering.domain.operation import Create, Operation, Outcome, Supersede, Update
from treering.domain.policy import APPLIES, Caller
from treering.domain.timeline import history
from treering.errors import Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.curate.curator import Curator, Inverse
    from treering.domain.claim import History
    from treering.journal import StoredClaim, StoredProposal
    from treering.ports import Transaction
    from treering.records import StoredMemory


class Sides(NamedTuple):
    """What is to be decided.

    Attributes:
        proposal: the proposal.
        operation: the operation that waits; None for a claim.
        memory: the memory that waits; empty for an operation that would make one.
        against: memories that stand against it, or that it would change.
    """

    proposal: StoredProposal
    operation: Operation | None
    memory: str
    against: tuple[str, ...]


def get(tx: Transaction, id: str) -> StoredProposal:
    """Return a proposal by its id, or by that of the memory that waits.

    Raises:
        NotFound: if there is none.
    """
    found = tx.journal.proposals([id]).get(id)
    if found is None and id.startswith("mem_"):
        claims = [claim.id for claim in tx.claims.of_memories([id])[id]]
        found = next((one for one in tx.journal.about(claims).values() if one.state == "waiting"), None)
    if found is None:
        raise NotFound(f"there is no proposal {id}", hint="treering review list")
    return found


def sides(tx: Transaction, curator: Curator, proposal: StoredProposal) -> Sides:
    """Return what is to be decided, with what stands against it."""
    if proposal.operation:
        [operation] = read_operations(proposal.operation, curator.zone)
        try:
            olds = targets.memories_of(tx, operation)
        except NotFound:
            olds = ()
        against = dict.fromkeys([*(memory.id for memory in olds), *_answering(tx, curator, operation, olds)])
        return Sides(proposal, operation, "", tuple(against))
    claim = tx.claims.claims([proposal.claim]).get(proposal.claim)
    if claim is None or not claim.memory:
        return Sides(proposal, None, "", ())
    stored = tx.claims.of_slot(claim.slot)
    found = _history(tx, curator, stored)
    memory_of = {one.id: one.memory for one in stored}
    rivals = [memory_of[id] for id in _rivals(curator, stored, found, claim)]
    in_force = _in_force(tx, curator, claim.slot, claim.valid_from)
    against = dict.fromkeys(id for id in (*in_force, *rivals) if id and id != claim.memory)
    return Sides(proposal, None, claim.memory, tuple(against))


def approve(tx: Transaction, curator: Curator, id: str) -> Outcome:
    """Let what waits take effect, by the owner's word; what was shown against it and has no more standing is rejected.

    Raises:
        NotFound: if there is no such proposal.
        NotAllowed: if the caller is not the owner.
        Conflict: if it was decided already, or can be done no more.
    """
    proposal = _to_decide(tx, curator, id)
    if proposal.operation:
        return _approve_operation(tx, curator, proposal)
    claim = tx.claims.claims([proposal.claim])[proposal.claim]
    stored = tx.claims.of_slot(claim.slot)
    found = _history(tx, curator, stored)
    inverse: list[Inverse] = [["reopen", proposal.id]]
    inverse += [curator.decide(tx, one.id, "approve") for one in _same_memory(stored, claim)]
    reason = f"{claim.memory} was approved"
    rivals = _rivals(curator, stored, found, claim)
    inverse += [curator.decide(tx, rival, "reject", reason=reason) for rival in rivals]
    _close(tx, curator, proposal, "approved", "")
    settled = settle(tx, curator, [claim])
    curator.record(tx, "approve", proposal.id, "accepted", inverse)
    memory = tx.claims.claims([claim.id])[claim.id].memory
    return Outcome("accepted", memory, tuple(one for one in settled.changes if one.id != memory))


def reject(tx: Transaction, curator: Curator, id: str, reason: str) -> Outcome:
    """Turn down what waits.

    Raises:
        NotFound: if there is no such proposal.
        NotAllowed: if the caller is not the owner.
        Conflict: if it was decided already.
    """
    proposal = _to_decide(tx, curator, id)
    _close(tx, curator, proposal, "rejected", reason)
    if proposal.operation:
        curator.record(tx, "reject", proposal.id, "accepted", [["reopen", proposal.id]])
        return Outcome("accepted", proposal.id)
    claim = tx.claims.claims([proposal.claim])[proposal.claim]
    same = _same_memory(tx.claims.of_slot(claim.slot), claim)
    inverse: list[Inverse] = [["reopen", proposal.id]]
    inverse += [curator.decide(tx, one.id, "reject", reason=reason) for one in same]
    settled = settle(tx, curator, [claim])
    curator.record(tx, "reject", proposal.id, "accepted", inverse)
    memory = tx.claims.claims([claim.id])[claim.id].memory
    return Outcome("accepted", memory, tuple(one for one in settled.changes if one.id != memory))


def _to_decide(tx: Transaction, curator: Curator, id: str) -> StoredProposal:
    """Return a proposal that the caller may decide."""
    curator.require_owner("approves and rejects", "treering review list")
    proposal = get(tx, id)
    if proposal.state != "waiting":
        raise Conflict(f"{proposal.id} was decided already: it is {proposal.state}", hint="treering review list")
    return proposal


def _approve_operation(tx: Transaction, curator: Curator, proposal: StoredProposal) -> Outcome:
    """Carry out an operation that waited, in the name of who asked for it, and vouch for what it made."""
    [operation] = read_operations(proposal.operation, curator.zone)
    unsaid: list[Inverse] = []
    asked = curator._replace(caller=Caller("agent", proposal.author), quiet=True, unsaid=unsaid)
    _close(tx, curator, proposal, "approved", "")
    looked = propose.look(tx, curator, operation)._replace(ruling=APPLIES)
    outcome = propose.apply(tx, asked, looked)
    inverse: list[Inverse] = [["reopen", proposal.id]]
    changes = outcome.changed
    if isinstance(operation, Create | Supersede):
        held = tx.claims.of_memories([outcome.id])[outcome.id]
        made = [one for one in held if one.recorded_at == curator.at]
        inverse += [["reject", one.id] for one in made]
        made = made or held  # somebody had said it already, in vain
    else:
        inverse += unsaid
        # New words are the owner's from now on.
        made = tx.claims.of_memories([outcome.id]).get(outcome.id, []) if isinstance(operation, Update) else []
    inverse += [curator.decide(tx, one.id, "approve") for one in made]
    if made:
        changes = (*changes, *settle(tx, curator, made).changes)
    curator.record(tx, "approve", proposal.id, outcome.outcome, inverse)
    still = tuple(one for one in dict.fromkeys(changes) if one.id != outcome.id)
    name = "accepted" if outcome.outcome == "disputed" else outcome.outcome
    return outcome._replace(outcome=name, changed=still, proposal="")


def _close(tx: Transaction, curator: Curator, proposal: StoredProposal, state: str, reason: str) -> None:
    """Note what was decided."""
    tx.journal.put_proposal(
        proposal._replace(state=state, decided_at=curator.at, reason=reason)  # type: ignore[arg-type]  # it is one
    )


def _history(tx: Transaction, curator: Curator, stored: Sequence[StoredClaim]) -> History:
    """Return the history of a slot as it is now."""
    made = decisions_of(tx.claims.decisions([one.id for one in stored]))
    return history(claims_of(tx, stored), made, true_at=curator.at, zone=curator.zone)


def _same_memory(stored: Sequence[StoredClaim], claim: StoredClaim) -> list[StoredClaim]:
    """Return the claims of a claim's memory."""
    return [one for one in stored if one.memory == claim.memory]


def _rivals(curator: Curator, stored: Sequence[StoredClaim], found: History, claim: StoredClaim) -> list[str]:
    """Return the other claims of a clash that waits: those that differ and whose dates overlap."""
    if found.why.get(claim.id) != "clash" or not claim.valid_from:
        return []
    mine = span(claim.valid_from, curator.zone)
    rivals = []
    for one in stored:
        if one.memory == claim.memory or found.why.get(one.id) != "clash" or not one.valid_from:
            continue
        other = span(one.valid_from, curator.zone)
        if mine.start < other.after and other.start < mine.after:
            rivals.append(one.id)
    return rivals


def _in_force(tx: Transaction, curator: Curator, slot: str, valid_from: str) -> list[str]:
    """Return the memory in force in a slot when a claim begins; of an undated one the memory in force now."""
    at = micros(instant(valid_from, curator.zone)) if valid_from else curator.now
    return [one.memory for one in tx.claims.stretches(slot) if one.start <= at < one.stop and one.memory]


def _answering(tx: Transaction, curator: Curator, operation: Operation, olds: Sequence[StoredMemory]) -> Sequence[str]:
    """Return the memory that answers the slot which a new memory would answer."""
    if not isinstance(operation, Create | Supersede):
        return ()
    slot = targets.common_slot(operation, olds)
    return _in_force(tx, curator, slot, operation.memory.valid_from) if slot else ()
