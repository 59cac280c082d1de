"""Reviewing: what waits for the owner, and the owner's word on it; the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.memories import Memories

if TYPE_CHECKING:
    from treering.domain.operation import Outcome
    from treering.domain.report import Waiting
    from treering.journal import StoredAct


class Reviewing(Memories):
    """What the owner decides."""

    def review(self, *, limit: int = 50, after: str = "") -> tuple[Waiting, ...]:
        """Return what waits for the owner, the oldest first, with both sides of each.

        Args:
            limit: how many at the most, 1..1000.
            after: the id of the last one that was seen.
        """
        from treering.api.deciding import waiting
        from treering.curate import review

        limit = arguments.within("limit", limit, 1, 1000)
        with self._viewing() as (tx, curator):
            found = tx.journal.list_proposals("waiting", limit, after)
            return tuple(waiting(tx, review.sides(tx, curator, one)) for one in found)

    def review_show(self, id: str) -> Waiting:
        """Return one proposal with both sides.

        Args:
            id: the proposal, or the memory that waits.

        Raises:
            NotFound: if there is none.
        """
        from treering.api.deciding import waiting
        from treering.curate import review

        with self._viewing() as (tx, curator):
            return waiting(tx, review.sides(tx, curator, review.get(tx, arguments.one_id("id", id))))

    def approve(self, id: str) -> Outcome:
        """Let what waits take effect, confirmed; rivals that were shown beside it are rejected.

        Args:
            id: the proposal, or the memory that waits.

        Raises:
            NotFound: if there is none.
            NotAllowed: if the caller is not the owner.
            Conflict: if it was decided already.
        """
        from treering.curate import review

        with self._curating() as (tx, curator):
            return review.approve(tx, curator, arguments.one_id("id", id))

    def reject(self, id: str, *, reason: str = "") -> Outcome:
        """Turn down what waits; the memory stays readable as rejected.

        Args:
            id: the proposal, or the memory that waits.
            reason: why, for the record.

        Raises:
            NotFound: if there is none.
            NotAllowed: if the caller is not the owner.
            Conflict: if it was decided already.
        """
        from treering.curate import review
        from treering.domain.memory import one_line

        with self._curating() as (tx, curator):
            return review.reject(tx, curator, arguments.one_id("id", id), one_line("reason", reason))

    def audit(self, *, limit: int = 50, before: int = 0, target: str = "") -> tuple[StoredAct, ...]:
        """Return who did what to which memory, newest first; the log holds ids and never what they say.

        Args:
            limit: how many lines at the most, 1..1000.
            before: only lines with a lower number; 0 for all.
            target: only lines about this id.
        """
        limit = arguments.within("limit", limit, 1, 1000)
        with self._reading() as tx:
            return tuple(tx.journal.acts(limit, before, target))

    def audit_size(self, *, target: str = "") -> int:
        """Return how many lines the audit log has, all or those about an id."""
        with self._reading() as tx:
            return tx.journal.count_acts(target)
