"""Recorded: claims and decisions as they are stored, as the timeline takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.claim import Claim, Decision
from treering.domain.decided import decided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo

    from treering.domain.decided import Decided
    from treering.journal import StoredClaim, StoredDecision
    from treering.ports import Transaction


def claims_of(tx: Transaction, stored: Sequence[StoredClaim]) -> list[Claim]:
    """Return stored claims as the timeline takes them."""
    replaced = tx.claims.replaced([one.id for one in stored])
    return [
        Claim(
            id=one.id,
            content=one.content,
            trust=one.trust,
            actor=one.actor,
            recorded_at=one.recorded_at,
            value=one.value or None,
            valid_from=one.valid_from or None,
            valid_to=one.valid_to or None,
            replaces=replaced.get(one.id, ()),
            erased_at=one.erased_at or None,
        )
        for one in stored
    ]


def decisions_of(stored: Iterable[StoredDecision], known_at: str = "") -> list[Decision]:
    """Return stored decisions as the timeline takes them, less those taken back, at all or by an instant."""
    return [
        Decision(one.kind, one.claim, one.at, one.until or None, one.number)
        for one in stored
        if not one.undone_at or (known_at and one.undone_at > known_at)
    ]


def standing(stored: Iterable[StoredDecision], zone: tzinfo) -> dict[str, Decided]:
    """Return what the decisions add up to now, for each claim they name."""
    return decided(decisions_of(stored), known_at=None, zone=zone)
