"""Waiting: the proposals that follow from a slot's history, made to agree with the claims that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.claim import WHY_DISPUTED
from treering.journal import StoredProposal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from treering.curate.curator import Curator
    from treering.domain.claim import History
    from treering.journal import StoredClaim
    from treering.ports import Transaction
    from treering.records import StoredMemory


def settle_proposals(
    tx: Transaction,
    curator: Curator,
    stored: Sequence[StoredClaim],
    found: History,
    before: Mapping[str, StoredMemory],
    changed: Collection[str],
) -> dict[str, str]:
    """Make the proposals agree with the claims that wait; return the proposal about each of those.

    Args:
        tx: a transaction that may write.
        curator: who changed the slot.
        stored: its claims, with the memories that they were in before.
        found: its history.
        before: those memories.
        changed: claims that are new, or were changed or decided on.
    """
    disputed = {id for id, memory in before.items() if memory.status == "disputed"}
    # Of a thousand claims few wait; those that did were disputed.
    concerned = [one.id for one in stored if one.id in found.why or one.id in changed or one.memory in disputed]
    known = tx.journal.about(concerned) if concerned else {}
    waiting: dict[str, str] = {}
    authors = {one.id: one.author for one in stored}
    for claim in found.proposals:
        old = known.get(claim)
        why = WHY_DISPUTED[found.why[claim]]
        if old is None or old.state != "waiting":
            new = StoredProposal(curator.make_id("prp"), "waiting", claim, "", why, authors[claim], curator.at)
            tx.journal.put_proposal(new)
            waiting[claim] = new.id
        else:
            waiting[claim] = old.id
            if old.why != why:
                tx.journal.put_proposal(old._replace(why=why))
    for claim, old in known.items():
        if old.state == "waiting" and claim not in waiting:
            tx.journal.put_proposal(old._replace(state="closed", decided_at=curator.at))
    return waiting
