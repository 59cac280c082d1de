"""What changed since when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.searching import Searching
from treering.api.stamping import now
from treering.api.trees import Trees

if TYPE_CHECKING:
    from treering.domain.tree_report import Changed


class Changing(Searching, Trees):
    """What is new to somebody who was away."""

    def changes(self, since: str, *, limit: int = 100) -> Changed:
        """Return what changed from an instant on, the last first: memories, sources, indexed files.

        What follows from the present alone, such as a memory whose time ran out, is no change.

        Args:
            since: a date or an instant, a length of time such as ``7d``, or words such as "last week".
            limit: how many at the most, 1..1000.

        Raises:
            NotFound: if there is no store.
            InputError: if ``since`` says no time, or ``limit`` is out of range.
        """
        from datetime import UTC, datetime

        from treering.domain.dates import stamped
        from treering.domain.lately import beginning
        from treering.recall.changed import changed

        limit = arguments.within("limit", limit, 1, 1000)
        present = datetime.fromisoformat(now()).astimezone(UTC)
        start = stamped(beginning(arguments.question(since), present, self.zone))
        with self._reading() as tx:
            return changed(tx, start, limit, self._place_of)
