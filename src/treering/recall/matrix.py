"""All rows of one model as numpy arrays: what a process that stays compares questions with.

Rows are added in place and blanked when they leave; everything is copied only when the room is used up.
(Measured: ``docs/decisions/0011-vector-scan.md``.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.domain.vector import SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from treering.ports import Transaction

# Comparing by the numbers that hold two thirds of the rows' squares and then a thousand rows exactly takes two fifths
# of the time of all numbers (1.1 and 2.6 ms for 60,000 rows of 256) and finds .98 of the ten nearest.
_SHARE: Final = 0.65
_EXACT: Final = 1000
# Fewer rows are compared whole.
_FEW: Final = 4000
# Room for rows that come later, so that few changes copy everything.
_SPARE: Final = 1.1


class Matrix:
    """All rows of one model in memory, kept true to the store. For one thread at a time."""

    def __init__(self, stored_as: str, dimension: int) -> None:
        """Begin empty; the first ``refresh`` reads all rows.

        Args:
            stored_as: what the rows of the model are stored under.
            dimension: numbers in a row.
        """
        self.stored_as = stored_as
        self._dimension = dimension
        self._seen: object = None
        self._mark = (0, 0)
        self._places: dict[int, int] = {}
        self._load([])

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._places)

    def refresh(self, tx: Transaction) -> None:
        """Take over what was stored or removed since the last time."""
        state = tx.state()
        if state == self._seen:
            return
        mark = tx.vectors.mark(self.stored_as)
        if mark != self._mark:
            self._take_over(tx, *mark)
            self._mark = mark
        self._seen = state

    def _take_over(self, tx: Transaction, count: int, change: int) -> None:
        """Read what is new, and find out what is gone."""
        before = self._mark[1]
        new = tx.vectors.rows(self.stored_as, before) if change > before or not before else []
        added = sum(entry not in self._places for entry, _ in new)
        if not before or self._used + added > len(self._entries):
            self._load(tx.vectors.rows(self.stored_as))
            return
        for entry, row in new:
            self._put(entry, row)
        if len(self._places) != count:
            alive = set(tx.vectors.entries(self.stored_as))
            for entry in [entry for entry in self._places if entry not in alive]:
                self._remove(entry)

    def _load(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Hold exactly these rows, with room for more."""
        import numpy as np  # a process that answers one question does without it

        self._np = np
        room = int(len(rows) * _SPARE) + 256
        self._used = len(rows)
        self._entries: NDArray[np.int64] = np.zeros(room, np.int64)
        self._rows: NDArray[np.int8] = np.zeros((room, self._dimension), np.int8)
        joined = b"".join(row for _, row in rows)
        self._rows[: self._used] = np.frombuffer(joined, np.int8).reshape(-1, self._dimension)
        self._entries[: self._used] = [entry for entry, _ in rows]
        self._places = {entry: place for place, (entry, _) in enumerate(rows)}
        self._lead = self._leading()
        self._coarse: NDArray[np.float32] = np.ascontiguousarray(self._rows[:, self._lead], np.float32)

    def _leading(self) -> NDArray[np.intp]:
        """Return the numbers of a row that hold most of all rows' squares."""
        np = self._np
        if self._used <= _FEW:
            every: NDArray[Any] = np.arange(self._dimension, dtype=np.intp)
            return every
        sample = self._rows[: self._used : max(1, self._used // _FEW)].astype(np.float32)
        squares = np.square(sample).sum(0)
        order = np.argsort(-squares)
        held = np.cumsum(squares[order]) / max(float(squares.sum()), 1e-9)
        lead: NDArray[Any] = np.sort(order[: int(np.searchsorted(held, _SHARE)) + 1])
        return lead

    def _put(self, entry: int, row: bytes) -> None:
        """Add a row, or replace the one that the entry has."""
        place = self._places.setdefault(entry, self._used)
        self._used += place == self._used
        self._entries[place] = entry
        self._rows[place] = self._np.frombuffer(row, self._np.int8)
        self._coarse[place] = self._rows[place][self._lead]

    def _remove(self, entry: int) -> None:
        """Take a row out; its place stays empty and is near to nothing."""
        place = self._places.pop(entry)
        self._entries[place] = 0
        self._rows[place] = 0
        self._coarse[place] = 0

    def nearest(self, question: NDArray[np.float32], limit: int, allowed: Sequence[int] | None) -> dict[int, float]:
        """Return the entries with the highest cosines.

        Args:
            question: a unit vector.
            limit: how many at the most.
            allowed: the only entries that count; None for all.
        """
        np = self._np
        if allowed is None:
            places: Any = slice(0, self._used)
            coarse = _products(self._coarse[: self._used], question[self._lead])
        else:
            places = np.array([self._places[entry] for entry in allowed if entry in self._places], np.intp)
            coarse = _products(self._coarse[places], question[self._lead])
        most = max(_EXACT, limit)
        chosen = np.argpartition(coarse, -most)[-most:] if len(coarse) > most else np.arange(len(coarse))
        chosen = chosen if allowed is None else places[chosen]
        cosines = _products(self._rows[chosen].astype(np.float32), question) / SCALE
        best = np.lexsort((self._entries[chosen], -cosines))[:limit]
        found = zip(self._entries[chosen[best]].tolist(), cosines[best].tolist(), strict=True)
        return {entry: cosine for entry, cosine in found if cosine > 0}

    def cosines(self, question: NDArray[np.float32], entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those among the entries whose rows are not all zeros."""
        np = self._np
        known = [entry for entry in entries if entry in self._places]
        if not known:
            return {}
        rows = self._rows[[self._places[entry] for entry in known]]
        cosines = _products(rows.astype(np.float32), question) / SCALE
        found = zip(known, cosines.tolist(), np.count_nonzero(rows, axis=1), strict=True)
        return {entry: cosine for entry, cosine, numbers in found if numbers}


def _products(rows: NDArray[np.float32], question: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product of each row with the question, in this thread alone.

    ``rows @ question`` is as quick in one thread, but starts others: 8 to 16 ms of CPU time on a busy machine.
    """
    import numpy as np

    products: NDArray[np.float32] = np.einsum("ij,j->i", rows, question)
    return products
