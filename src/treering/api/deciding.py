"""Deciding: what waits for the owner, in full, with both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treering.curate.review import Sides
    from treering.domain.report import Remembered, Waiting
    from treering.ports import Transaction


def waiting(tx: Transaction, sides: Sides) -> Waiting:
    """Return what is to be decided, in full."""
    from treering.curate.propose import act_of
    from treering.domain.report import Waiting

    proposal = sides.proposal
    return Waiting(
        id=proposal.id,
        state=proposal.state,
        what="claim" if sides.operation is None else act_of(sides.operation),
        why=proposal.why,
        author=proposal.author,
        made_at=proposal.made_at,
        operation=proposal.operation,
        memory=next(iter(_whole(tx, (sides.memory,))), None),
        against=_whole(tx, sides.against),
        reason=proposal.reason,
    )


def _whole(tx: Transaction, ids: tuple[str, ...]) -> tuple[Remembered, ...]:
    """Return those of the memories that are there, whole."""
    from treering.recall import browse

    known = tx.memories.memories([id for id in ids if id])
    return browse.remembered_all(tx, [known[id] for id in ids if id in known])
