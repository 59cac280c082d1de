"""All rows of one model as numpy arrays: what a process that stays compares questions with.

First by signs (``domain.signs``), a bit for each number, then the likeliest exactly. Rows are added in place and
blanked when they leave; everything is copied only when the room is used up.
(Measured: ``docs/decisions/0021-signs.md``.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.domain.signs import WORD, flips, padded
from treering.domain.vector import SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from treering.ports import Transaction

# Compared exactly after the signs: .997 of the ten nearest of 60,000 rows are among them, and of a million.
_EXACT: Final = 2000
# Fewer rows are compared whole.
_FEW: Final = 4000
# Rows whose signs are compared at once: what is made of them stays in the processor's cache.
_BLOCK: Final = 32_768
# The bound for the signs is taken from as many rows.
_SAMPLE: Final = 8192
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
        self._signs: NDArray[np.uint64] = np.zeros((padded(self._dimension) // WORD, room), np.uint64)
        for start in range(0, self._used, _BLOCK):
            rows_now = self._rows[start : min(start + _BLOCK, self._used)]
            self._signs[:, start : start + len(rows_now)] = signs_of(rows_now).T

    def _put(self, entry: int, row: bytes) -> None:
        """Add a row, or replace the one that the entry has."""
        place = self._places.setdefault(entry, self._used)
        self._used += place == self._used
        self._entries[place] = entry
        self._rows[place] = self._np.frombuffer(row, self._np.int8)
        self._signs[:, place] = signs_of(self._rows[place : place + 1])[0]

    def _remove(self, entry: int) -> None:
        """Take a row out; its place stays empty and is near to nothing."""
        place = self._places.pop(entry)
        self._entries[place] = 0
        self._rows[place] = 0
        self._signs[:, place] = 0

    def nearest(self, question: NDArray[np.float32], limit: int, allowed: Sequence[int] | None) -> dict[int, float]:
        """Return the entries with the highest cosines.

        Args:
            question: a unit vector.
            limit: how many at the most.
            allowed: the only entries that count; None for all.
        """
        np = self._np
        places: Any = None
        if allowed is not None:
            places = np.array([self._places[entry] for entry in allowed if entry in self._places], np.intp)
        count = self._used if places is None else len(places)
        most = max(_EXACT, limit)
        if count <= max(_FEW, most):
            chosen: Any = np.arange(count) if places is None else places
        else:
            chosen = self._likely(question, most, places)
        cosines = _products(self._rows[chosen], question) / SCALE
        if len(chosen) > limit:  # sorting all of them takes longer than comparing them
            likely = cosines >= np.partition(cosines, -limit)[-limit]
            chosen, cosines = chosen[likely], cosines[likely]
        best = np.lexsort((self._entries[chosen], -cosines))[:limit]
        found = zip(self._entries[chosen[best]].tolist(), cosines[best].tolist(), strict=True)
        return {entry: cosine for entry, cosine in found if cosine > 0}

    def _likely(self, question: NDArray[np.float32], most: int, places: NDArray[Any] | None) -> NDArray[Any]:
        """Return the places of about ``most`` rows whose signs are most like a question's, up to twice as many.

        Args:
            question: a unit vector.
            most: how many are wanted.
            places: the only ones that count; None for all.
        """
        np = self._np
        wanted = signs_of(question[None])[0]
        count = self._used if places is None else len(places)
        # 256 different bits out of 256 read as 0: the opposite of the question is compared exactly, too.
        different: NDArray[Any] = np.empty(count, np.uint8 if len(wanted) * WORD <= 256 else np.uint16)
        for start in range(0, count, _BLOCK):
            stop = min(start + _BLOCK, count)
            block = slice(start, stop) if places is None else places[start:stop]
            part = bit_count(self._signs[0, block] ^ wanted[0]).astype(different.dtype, copy=False)
            for row, word in zip(self._signs[1:], wanted[1:], strict=True):
                part += bit_count(row[block] ^ word)
            different[start:stop] = part
        sample = different[:: max(1, count // _SAMPLE)]
        # A few more than their share of the sample: the bound is a guess, and too few would be worse than too many.
        place = min(len(sample) - 1, most * len(sample) // count + 2)
        near: NDArray[Any] = np.flatnonzero(different <= np.partition(sample, place)[place])
        if len(near) < most:
            near = np.argpartition(different, most - 1)[:most]
        elif len(near) > 2 * most:
            near = near[np.argpartition(different[near], 2 * most - 1)[: 2 * most]]
        return near if places is None else places[near]

    def cosines(self, question: NDArray[np.float32], entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those among the entries whose rows are not all zeros."""
        np = self._np
        places = {entry: place for entry in entries if (place := self._places.get(entry)) is not None}
        if not places:
            return {}
        rows = self._rows[np.fromiter(places.values(), np.intp, len(places))]
        cosines = _products(rows, question) / SCALE
        found = zip(places, cosines.tolist(), rows.any(1).tolist(), strict=True)
        return {entry: cosine for entry, cosine, means in found if means}


def _products(rows: NDArray[np.int8], question: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product of each row with the question, in this thread alone.

    ``rows @ question`` is as quick in one thread, but starts others: 8 to 16 ms of CPU time on a busy machine. Rows
    that were made float32 as a whole before took twice as long.
    """
    import numpy as np

    products: NDArray[np.float32] = np.einsum("ij,j->i", rows, question)
    return products


def signs_of(rows: NDArray[np.int8] | NDArray[np.float32]) -> NDArray[np.uint64]:
    """Return the signs of stored rows, or of questions, as ``domain.signs`` gives them for one question."""
    import numpy as np

    size = padded(rows.shape[1])
    # Sums of stored rows stay below 2**15: no sum of d numbers of a row of length 127 is above 127 × √d.
    kind = np.int16 if rows.dtype == np.int8 else np.float64
    turned: NDArray[Any] = np.zeros((len(rows), size), kind)
    turned[:, : rows.shape[1]] = rows * np.array(flips(rows.shape[1]), kind)
    for _ in range(size.bit_length() - 1):
        first, second = turned[:, : size // 2], turned[:, size // 2 :]
        turned = np.stack((first + second, first - second), 2).reshape(-1, size)
    packed: NDArray[np.uint64] = np.packbits(turned > 0, axis=1, bitorder="little").view("<u8")
    return packed


def bit_count(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return how many bits of each word are set."""
    import numpy as np

    if hasattr(np, "bitwise_count"):  # numpy 2
        counted: NDArray[np.uint8] = np.bitwise_count(words)
        return counted
    bytes_ = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 8)
    counts: NDArray[np.uint8] = np.array([value.bit_count() for value in range(256)], np.uint8)
    total: NDArray[np.uint8] = counts[bytes_].sum(1, dtype=np.uint8)
    return total
