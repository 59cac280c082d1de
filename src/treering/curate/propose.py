"""Propose: the one way in which memories change.

A batch is looked at whole before any of it is carried out: whatever is wrong with it is said at once, and then nothing
has changed. Each operation is ruled on (``domain.policy``), carried out or put before the owner, and the histories that
it touches are settled.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from treering.curate import carry, targets
from treering.curate.alike import stands_in
from treering.curate.gate import admitted, require_worth
from treering.curate.quoting import Quoted, Shelf, find_quotes
from treering.curate.writing import write_operation
from treering.domain.instructions import reads_like_instructions
from treering.domain.memory import same_as
from treering.domain.operation import (
    Archive,
    Confirm,
    Create,
    Link,
    Merge,
    Operation,
    Outcome,
    Restore,
    Supersede,
    Update,
)
from treering.domain.policy import APPLIES, Brought, Ruling, Target, allowed, together
from treering.errors import BadOperations, NotAllowed, TreeringError
from treering.journal import StoredProposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.curate.curator import Curator
    from treering.domain.policy import Act
    from treering.ports import Transaction
    from treering.records import StoredMemory

_ACTS: Final[dict[type, Act]] = {
    Create: "create",
    Supersede: "supersede",
    Update: "update",
    Link: "link",
    Archive: "archive",
    Restore: "restore",
    Confirm: "confirm",
    Merge: "merge",
}


class Looked(NamedTuple):
    """An operation whose ids and quotes are there.

    Attributes:
        operation: with the ids of memories as they are now.
        quoted: its evidence, where it stands.
        memories: those that it is done to.
        ruling: whether it applies.
    """

    operation: Operation
    quoted: Quoted
    memories: tuple[StoredMemory, ...]
    ruling: Ruling


def propose(tx: Transaction, curator: Curator, operations: Sequence[Operation]) -> tuple[Outcome, ...]:
    """Carry out operations, all of them or none.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        operations: in order; a later one sees what an earlier one did.

    Returns:
        What became of each.

    Raises:
        TreeringError: what is wrong; of several mistakes in a batch one error that says all.
    """
    # What is done to memories is looked at again one by one: an earlier operation may have moved them.
    return tuple(
        _done(tx, curator, look(tx, curator, looked.operation) if place and looked.memories else looked)
        for place, looked in enumerate(_look_at_all(tx, curator, operations))
    )


def save(tx: Transaction, curator: Curator, create: Create, *, said: bool) -> Outcome:
    """Add one memory; with ``said`` its content is the caller's own word, which it quotes.

    Raises:
        TreeringError: as for ``propose``.
    """
    looked = look(tx, curator, create, said=said)
    if looked.ruling.verdict == "review":
        return queue(tx, curator, create, looked.ruling.why)
    return apply(tx, curator, looked, said=said)


def _look_at_all(tx: Transaction, curator: Curator, operations: Sequence[Operation]) -> list[Looked]:
    """Return what was looked at, or raise what is wrong with a batch: the one mistake, or several as one error."""
    seen: list[Looked] = []
    wrong: list[tuple[int, TreeringError]] = []
    shelf = Shelf(tx)
    for number, operation in enumerate(operations, 1):
        try:
            seen.append(look(tx, curator, operation, shelf=shelf))
        except TreeringError as error:
            wrong.append((number, error))
    if not wrong:
        return seen
    if len(operations) == 1 or len(wrong) == 1:
        number, only = wrong[0]
        if len(operations) > 1:
            only.args = (f"operation {number}: {only}; nothing was changed", *only.args[1:])
        raise only
    said = "; ".join(f"operation {number}: {error}" for number, error in wrong)
    raise BadOperations(f"{said}; nothing was changed", hint=wrong[0][1].hint)


def look(
    tx: Transaction, curator: Curator, operation: Operation, *, said: bool = False, shelf: Shelf | None = None
) -> Looked:
    """Return an operation with what it names, and whether it applies.

    Args:
        tx: the store.
        curator: on whose behalf.
        operation: what is asked for.
        said: whether it quotes the note that will keep its own words.
        shelf: where its quotes are looked up, shared by a batch of which nothing is carried out yet.

    Raises:
        NotFound: if a memory or source is not there.
        QuoteNotFound: if a quote does not stand in its source.
        StaleRevision: if a memory has changed since the caller saw it.
        NotAllowed: if the caller may not do it.
        SecretFound: if it would store a secret.
        NothingSaid: if an agent would store what says nothing.
        Echo: if an agent would store what it was shown.
    """
    operation = admitted(operation)
    memories = targets.memories_of(tx, operation)
    quoted = find_quotes(shelf or Shelf(tx), targets.citations(operation))
    targets.require_sense(tx, curator, operation, memories)
    if curator.caller.role == "agent" and not _is_known(tx, operation):
        require_worth(operation, curator.handed)
        if not curator.handed:
            _require_unstored(tx, operation)
    ruling = _ruling(tx, curator, operation, memories, quoted, said=said)
    _require_allowed(operation, ruling)
    return Looked(operation, quoted, memories, ruling)


def _is_known(tx: Transaction, operation: Operation) -> bool:
    """Tell whether a memory says the same already: it is answered with, whoever says it again."""
    return isinstance(operation, Create | Supersede) and bool(
        tx.memories.by_fingerprint(same_as(operation.memory.content))
    )


def _require_unstored(tx: Transaction, operation: Operation) -> None:
    """Refuse what stands here already: this process showed its agent nothing, and another may have."""
    if isinstance(operation, Create | Supersede) and not operation.memory.evidence:
        require_worth(operation, stands_in(tx, operation.memory.content))


def _require_allowed(operation: Operation, ruling: Ruling) -> None:
    """Refuse what the caller may not do."""
    if ruling.verdict == "deny":
        raise NotAllowed(f"{_ACTS[type(operation)]}: {ruling.why}", hint="the owner can, at the command line")


def _ruling(
    tx: Transaction,
    curator: Curator,
    operation: Operation,
    memories: Sequence[StoredMemory],
    quoted: Quoted,
    *,
    said: bool,
) -> Ruling:
    """Return whether an operation applies."""
    if curator.caller.role == "owner":
        return APPLIES
    suspicious = any(reads_like_instructions(words) for words in quoted.external)
    brought = Brought(
        sourced=said or bool(quoted.quotes),
        trust=quoted.trust or "agent",
        suspicious=suspicious,
        identical=len({same_as(memory.content) for memory in memories}) <= 1,
    )
    act = _done_to(tx, operation, memories)
    target = together(targets.protections(tx, curator.zone, memories)) if memories else Target()
    return allowed(curator.caller, act, target, brought, inferred=curator.inferred)


def _done_to(tx: Transaction, operation: Operation, memories: Sequence[StoredMemory]) -> Act:
    """Return what an operation does to memories, whatever it is called.

    What replaces an answer to the same slot is a claim like any other, and the slot's history protects what is there;
    nothing else protects a memory without that slot.
    """
    if isinstance(operation, Create | Supersede) and memories:
        slot = targets.common_slot(operation, memories)
        return "create" if slot and all(memory.slot == slot for memory in memories) else "supersede"
    if isinstance(operation, Update) and not (operation.changes or operation.evidence):
        former = tx.memories.labels([memories[0].id])[memories[0].id]
        if all(set(former.get(key, ())) <= set(values) for key, values in operation.labels.items()):
            return "label"
    return act_of(operation)


def act_of(operation: Operation) -> Act:
    """Return what an operation is called."""
    return _ACTS[type(operation)]


def _done(tx: Transaction, curator: Curator, looked: Looked) -> Outcome:
    """Carry out one operation, or put it before the owner."""
    if looked.ruling.verdict == "review":
        return queue(tx, curator, looked.operation, looked.ruling.why)
    return apply(tx, curator, looked)


def apply(tx: Transaction, curator: Curator, looked: Looked, *, said: bool = False) -> Outcome:
    """Carry out an operation that was looked at.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        looked: the operation.
        said: whether its content is the caller's own word, to be kept as a note that it quotes.
    """
    operation, act = looked.operation, act_of(looked.operation)
    match operation:
        case Create(memory=draft) | Supersede(memory=draft):
            return carry.create(tx, curator, draft, looked.quoted, looked.memories, said=said, act=act)
        case Update():
            return carry.update(tx, curator, operation, looked.memories[0], looked.quoted)
        case Link():
            return carry.link(tx, curator, operation)
        case Archive() | Restore() | Confirm():
            reason = operation.reason if isinstance(operation, Archive) else ""
            return carry.decide(tx, curator, looked.memories[0], act, reason)
        case Merge():
            return carry.merge(tx, curator, looked.memories)
        case _:
            assert_never(operation)


def queue(tx: Transaction, curator: Curator, operation: Operation, why: str) -> Outcome:
    """Put an operation before the owner; one that waits already is not put there twice."""
    written = json.dumps(write_operation(operation), ensure_ascii=False)
    if known := tx.journal.waiting(written):
        return Outcome("exists", known, notices=("it waits for the owner already",), proposal=known)
    id = curator.make_id("prp")
    tx.journal.put_proposal(StoredProposal(id, "waiting", "", written, why, curator.caller.name, curator.at))
    curator.record(tx, _ACTS[type(operation)], id, "queued", [["close", id]])
    notice = f"{why}: the owner decides (treering review show {id})"
    return Outcome("queued", id, notices=(notice,), proposal=id)
