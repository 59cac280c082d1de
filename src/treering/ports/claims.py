"""The claims and decisions that memories follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from treering.journal import Near, StoredClaim, StoredDecision, StoredRevision, StoredStretch
    from treering.records import Quote


class Claims(Protocol):
    """What was said, what it rests on, what was decided on it: what histories are computed from."""

    def put(self, claim: StoredClaim) -> None:
        """Store a claim, new or changed."""
        ...

    def claims(self, ids: Sequence[str]) -> dict[str, StoredClaim]:
        """Return the known ones among ``ids``, tombstones too."""
        ...

    def of_slot(self, slot: str) -> list[StoredClaim]:
        """Return all claims of a slot, tombstones too, by id."""
        ...

    def of_memories(self, memories: Sequence[str]) -> dict[str, list[StoredClaim]]:
        """Return the claims that each given memory holds, by id."""
        ...

    def slots(self, limit: int, after: str = "") -> list[str]:
        """Return the names of slots in order, from behind ``after``."""
        ...

    def count_slots(self) -> int:
        """Return the number of slots."""
        ...

    def put_replaced(self, claim: str, olds: Collection[str]) -> None:
        """Add claims that one was said to replace."""
        ...

    def drop_replaced(self, claim: str, olds: Iterable[str]) -> None:
        """Take back that a claim was said to replace others."""
        ...

    def replaced(self, claims: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return what each given claim was said to replace; one that replaces nothing is left out."""
        ...

    def replacing(self, olds: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the claims that were said to replace each given one; one that nothing replaces is left out."""
        ...

    def add_evidence(self, claim: str, quotes: Sequence[Quote], since: int) -> None:
        """Add evidence from a revision on."""
        ...

    def evidence(self, claims: Sequence[str]) -> dict[str, list[Quote]]:
        """Return what each given claim rests on now."""
        ...

    def end_evidence(self, claim: str, revision: int) -> None:
        """Let all evidence of a claim count until a revision, and no longer."""
        ...

    def resume_evidence(self, claim: str, revision: int) -> None:
        """Take ``end_evidence`` back, and remove what was added since that revision."""
        ...

    def drop_evidence(self, versions: Sequence[str]) -> None:
        """Remove all evidence that stands in the versions, former one too."""
        ...

    def drop_former_evidence(self, versions: Sequence[str]) -> None:
        """Remove what claims quoted of versions at an earlier revision and do so no more."""
        ...

    def move_evidence(self, version: str, onto: str) -> None:
        """Let evidence that stands in one version stand at the same places in another with the same text there."""
        ...

    def citing(self, versions: Sequence[str]) -> list[str]:
        """Return the claims whose present evidence stands in one of the versions, by id."""
        ...

    def put_revision(self, revision: StoredRevision) -> None:
        """Keep what a claim said before."""
        ...

    def revisions(self, claims: Sequence[str]) -> list[StoredRevision]:
        """Return what the claims said before, oldest first."""
        ...

    def decide(self, decision: StoredDecision) -> int:
        """Record a decision and return its number; the one given is not looked at."""
        ...

    def decisions(self, claims: Sequence[str]) -> list[StoredDecision]:
        """Return the decisions on claims by number, those that were taken back too."""
        ...

    def decided_on(self, number: int) -> str:
        """Return the claim that a decision is about."""
        ...

    def withdraw(self, number: int, at: str) -> None:
        """Take a decision back."""
        ...

    def put_stretches(self, slot: str, stretches: Sequence[StoredStretch]) -> None:
        """Replace the history of a slot.

        Raises:
            StorageFailed: if two of them overlap; on PostgreSQL when the transaction ends.
        """
        ...

    def stretches(self, slot: str) -> list[StoredStretch]:
        """Return the history of a slot by time."""
        ...

    def near(self, slot: str, at: int, now: int, each: int) -> Near:
        """Return up to so many stretches on each side of an instant, and what decides whether they suffice."""
        ...

    def dated(self, slot: str, since: str, until: str) -> list[tuple[str, str, str]]:
        """Return id, memory and date of a slot's claims whose dates, as they are written, begin in some years.

        Args:
            slot: which.
            since: the first year, in four digits.
            until: the year behind the last one.
        """
        ...

    def move_stretches(self, slot: str, known: Sequence[StoredStretch], wanted: Sequence[StoredStretch]) -> None:
        """Put stretches in the place of others that are there; what stands in both is not written."""
        ...

    def erase(self, claim: str, at: str) -> None:
        """Leave of a claim its tombstone: slot, dates, trust and confirmation, and no word."""
        ...
