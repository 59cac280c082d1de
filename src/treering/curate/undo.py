"""Undo: the last change is taken back, step by step, as the audit log says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from treering.curate import briefings, naming, notes
from treering.curate.settle import settle
from treering.curate.unkeep import unkeep
from treering.domain.operation import Outcome
from treering.domain.policy import EXTRACTION
from treering.errors import NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.curate.curator import Curator, Inverse
    from treering.curate.unkeep import Shelves
    from treering.journal import StoredAct, StoredClaim
    from treering.ports import Transaction

_PAGE = 100
_NAMED = 5
_NO_CHANGES = frozenset({"undo", "pause", "resume"})


def undo(tx: Transaction, curator: Curator, shelves: Shelves) -> Outcome:
    """Take the last change back that was not taken back yet.

    What was imported together, and what was taken out of it, is one change.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        shelves: what changes what is kept.

    Raises:
        NotAllowed: if the caller is not the owner.
        NotFound: if nothing was changed.
        Refused: if the last change cannot be taken back.
    """
    curator.require_owner("takes changes back", "treering undo")
    acts = _last(tx)
    claims: dict[str, StoredClaim] = {}
    originals: list[Inverse] = []
    for act in acts:
        for step in reversed(json.loads(act.inverse)):
            if step[0] == "unkeep":
                originals.append(step)
            else:
                claims |= _take_back(tx, curator, step)
        tx.journal.mark_undone(act.number)
    settled = settle(tx, curator, tx.claims.claims(list(claims)).values())
    for _, source, version, former in originals:  # whether something rests on them shows now
        unkeep(tx, curator, shelves, str(source), str(version), str(former))
    for act in acts:
        curator.record(tx, "undo", act.target, "accepted")
    return Outcome("accepted", acts[-1].target, settled.changes, _notices(acts))


def _notices(acts: Sequence[StoredAct]) -> tuple[str, ...]:
    """Return what was taken back, in words."""
    said = [f"taken back: {one.name} of {one.target} by {one.author} at {one.at}" for one in acts[:_NAMED]]
    return (*said, f"and {len(acts) - _NAMED:,} more") if len(acts) > _NAMED else tuple(said)


def _last(tx: Transaction) -> list[StoredAct]:
    """Return the last change that stands, if it can be taken back: one act, or those of one import, newest first."""
    found: list[StoredAct] = []
    for act in _standing(tx):
        if found and not (_is_of_import(act) and act.at == found[0].at):
            break
        if not act.inverse:
            raise Refused(
                f"the last change, {act.name} of {act.target} at {act.at}, cannot be taken back",
                hint="treering audit",
            )
        found.append(act)
        if not _is_of_import(act):
            break
    if not found:
        raise NotFound("there is no change to take back", hint="treering audit")
    return found


def last(tx: Transaction) -> StoredAct | None:
    """Return the last change that stands; None without one."""
    return next(_standing(tx), None)


def _is_of_import(act: StoredAct) -> bool:
    """Tell whether an original was kept, or something was taken out of one."""
    return act.name == "import" or act.author == EXTRACTION


def _standing(tx: Transaction) -> Iterator[StoredAct]:
    """Yield the changes that stand, newest first."""
    before = 0
    while acts := tx.journal.acts(_PAGE, before):
        yield from (act for act in acts if not act.undone and act.name not in _NO_CHANGES)
        before = acts[-1].number


def _take_back(tx: Transaction, curator: Curator, step: Inverse) -> dict[str, StoredClaim]:
    """Take one step back and return the claims that it was about."""
    name, first, *rest = step
    id = str(first)
    match name:
        case "withdraw":
            tx.claims.withdraw(int(first), curator.at)
            return tx.claims.claims([tx.claims.decided_on(int(first))])
        case "reject":
            curator.decide(tx, id, "reject", reason="taken back")
        case "unslot":
            tx.claims.put(tx.claims.claims([id])[id]._replace(slot=""))
        case "redate":
            valid_from, valid_to = map(str, rest)
            tx.claims.put(tx.claims.claims([id])[id]._replace(valid_from=valid_from, valid_to=valid_to))
        case "revise":
            return _former(tx, curator, id, int(rest[0]))
        case "unreplace":
            tx.claims.drop_replaced(id, [str(old) for old in rest])
            return tx.claims.claims([id, *map(str, rest)])
        case _:
            _take_back_beside(tx, curator, str(name), id, rest)
            return {}
    return tx.claims.claims([id])


def _take_back_beside(tx: Transaction, curator: Curator, name: str, id: str, rest: Sequence[str | int]) -> None:
    """Take one step back that was about no claim: links, names, briefings, proposals."""
    match name:
        case "unlink":
            tx.entities.unlink(id, str(rest[0]), str(rest[1]))
        case "unalias":
            naming.drop_alias(tx, curator, id, str(rest[0]))
        case "unpin" | "pin":
            briefings.take_back(tx, curator, id, rest)
        case "close" | "reopen":
            proposal = tx.journal.proposals([id])[id]
            state = "closed" if name == "close" else "waiting"
            tx.journal.put_proposal(proposal._replace(state=state, decided_at="", reason=""))  # type: ignore[arg-type]
        case _:
            raise Refused(f"a newer Treering knows how to take back {name!r}; this one does not")


def _former(tx: Transaction, curator: Curator, claim: str, revision: int) -> dict[str, StoredClaim]:
    """Give a memory the words of a former revision, as a new one."""
    known = tx.claims.claims([claim])[claim]
    memory = tx.memories.memories([known.memory])[known.memory]
    former = next(one for one in tx.claims.revisions([known.memory]) if one.revision == revision)
    curator.touch(memory.id)
    words = {name: getattr(former, name) for name in ("kind", "title", "content", "summary", "value")}
    for one in tx.claims.of_memories([memory.id])[memory.id]:
        tx.claims.put(one._replace(**words))
    tx.claims.resume_evidence(claim, revision + 1)
    if known.note and known.content != former.content:
        [quote] = [one for one in tx.claims.evidence([claim])[claim] if tx.sources.source_of(one.version) == known.note]
        _, again = notes.keep(tx, curator, claim, known._replace(**words), known.trust)
        tx.claims.move_evidence(quote.version, again.version)
    tx.memories.put_labels(memory.id, {key: tuple(values) for key, values in json.loads(former.labels).items()})
    tx.memories.put(memory._replace(revision=memory.revision + 1))
    return tx.claims.claims([one.id for one in tx.claims.of_memories([memory.id])[memory.id]])
