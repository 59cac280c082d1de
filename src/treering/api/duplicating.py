"""Duplicating: memories that say nearly the same, named and merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.memories import Memories
from treering.domain.named import NamedTuple
from treering.errors import NotFound

if TYPE_CHECKING:
    from treering.domain.likeness import Alike
    from treering.domain.operation import Outcome
    from treering.domain.report import Remembered


class Duplicates(NamedTuple):
    """Memories that say the same.

    Attributes:
        groups: those that belong together: first the one that stays when they are merged.
        outcomes: what became of merging each group; empty when nobody asked for that.
    """

    groups: tuple[tuple[Remembered, ...], ...]
    outcomes: tuple[Outcome, ...] = ()


class Duplicating(Memories):
    """What is said twice."""

    def similar(self, id: str) -> tuple[Alike, ...]:
        """Return the memories that say nearly what one says, the likest first, five at the most.

        Args:
            id: the memory.

        Raises:
            NotFound: if there is no such memory.
        """
        from treering.curate import alike, targets

        arguments.one_id("id", id)
        with self._reading() as tx:
            memory = targets.get(tx, id)
            return alike.like(tx, memory, self.settings.duplicates_same, self.settings.duplicates_related)

    def duplicates(self, *, merge: bool = False) -> Duplicates:
        """Return the groups of active memories that say the same, and merge them if that is asked for.

        Statements that differ by a number, a unit, a date, a name, an identifier, a negation, or by a word in place of
        another, are never duplicates. Of a group the one stays that is confirmed, trusted most, says most, is oldest;
        the others are superseded by it, with a history, and ``undo`` takes each merge back. An agent merges what is
        identical but for case and white space; the rest waits for the owner.

        Args:
            merge: whether to merge each group.

        Raises:
            NotFound: if there is no store yet.
            Paused: if an agent merges while capture is paused.
        """
        from treering.curate import alike
        from treering.domain.operation import Merge
        from treering.recall import browse

        with self.lock:
            with self._reading() as tx:
                found = list(alike.groups(tx, self.settings.duplicates_same))
                groups = tuple(tuple(browse.remembered(tx, one.id) for one in several) for several in found)
            if not merge or not found:
                return Duplicates(groups)
            from treering.curate import propose

            with self._curating() as (tx, curator):
                merges = [Merge(tuple(one.id for one in several)) for several in found]
                return Duplicates(groups, propose.propose(tx, curator, merges))

    def with_similar(self, outcome: Outcome) -> Outcome:
        """Return the outcome of a save with the memories that say nearly the same; what fails here spoils no save."""
        if outcome.outcome not in {"accepted", "superseded", "backfilled"}:
            return outcome
        try:
            found = self.similar(outcome.id)
        except NotFound:
            return outcome
        return outcome._replace(similar=found)
