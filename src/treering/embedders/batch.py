"""Embedding many texts at once with numpy: one finished row for each word met so far.

A word's row is the sum of its pieces; a text's vector is the sum of its words' rows. Rows hold
whole numbers. float32 adds them without rounding up to 2**24, which 80 words do not come near.
"""

from __future__ import annotations

from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, Final

import numpy as np

from treering.embedders.wordpiece import pieces, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from treering.embedders.table import Table

# 1 KB a word: 40 MB at most. A thousand files of prose and code have 50,000 different words.
_MAX_ROWS: Final = 40_000
_FIRST_ROWS: Final = 4_096
# Its words fit into the rows: 256 × 80. Smaller groups are slower by a tenth.
_GROUP: Final = 256


class _Numbers(dict[str, int]):
    """The row of each word; a new word gets the next one."""

    def __missing__(self, word: str) -> int:
        """Return the next free number for ``word``."""
        number = self[word] = len(self)
        return number


class _Vocabulary(dict[str, int]):
    """The row of each piece, −1 for what is none."""

    def __missing__(self, piece: str) -> int:
        """Return −1 and remember nothing."""
        return -1


class WordRows:
    """Rows of the words met so far; starts anew when there are too many. For one thread at a time."""

    def __init__(self, table: Table) -> None:
        """Begin without any word; reads the table's whole vocabulary (10 ms)."""
        self._find = _Vocabulary(table.pieces()).__getitem__
        self._longest = table.longest
        self._matrix: NDArray[np.int8] = np.frombuffer(table.rows, np.int8).reshape(-1, table.dimension)
        self._scales: NDArray[np.float32] = np.frombuffer(table.scales, np.uint8).astype(np.float32)
        self._rows: NDArray[np.float32] = np.empty((_FIRST_ROWS, table.dimension), np.float32)
        self._numbers = _Numbers()

    def embed(self, texts: Sequence[str]) -> bytes:
        """Return ``len(texts) × d`` little-endian float32, rows of unit length or all zeros."""
        groups = [self._embed_group(texts[at : at + _GROUP]) for at in range(0, len(texts), _GROUP)]
        return b"".join(groups)

    def _embed_group(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of at most ``_GROUP`` texts."""
        split = [words(text) for text in texts]
        flat = self._numbered(split)
        sums = np.zeros((len(texts), self._rows.shape[1]), np.float32)
        # A loop: add.reduceat over all texts takes 14 times as long.
        start = 0
        for position, stop in enumerate(accumulate(map(len, split))):
            if stop > start:
                np.add.reduce(self._rows.take(flat[start:stop], 0), 0, None, sums[position])
            start = stop
        exact = sums.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))
        lengths[lengths == 0] = 1.0
        unit: NDArray[np.float32] = (exact / lengths[:, None]).astype("<f4")
        return unit.tobytes()

    def _numbered(self, split: Sequence[Sequence[str]]) -> NDArray[np.intp]:
        """Return the row numbers of all words, after making rows for new ones."""
        numbers = self._numbers
        known = len(numbers)
        try:
            flat = list(map(numbers.__getitem__, chain.from_iterable(split)))
            if len(numbers) > _MAX_ROWS:
                numbers.clear()
                known = 0
                flat = list(map(numbers.__getitem__, chain.from_iterable(split)))
            if len(numbers) > known:
                self._learn(list(islice(numbers, known, None)), known)
        except BaseException:  # an interrupt: numbers without rows must not stay
            numbers.clear()
            raise
        return np.array(flat, np.intp)

    def _learn(self, new: Sequence[str], first: int) -> None:
        """Make rows for ``new`` words, from row ``first`` on."""
        last = first + len(new)
        if last > len(self._rows):
            grown = np.empty((min(max(last, 2 * len(self._rows)), _MAX_ROWS), self._rows.shape[1]), np.float32)
            grown[:first] = self._rows[:first]
            self._rows = grown
        self._rows[first:last] = self._summed([pieces(word, self._find, self._longest) for word in new])

    def _summed(self, parts: Sequence[tuple[int, ...]]) -> NDArray[np.float32]:
        """Return the sum of each word's pieces; a word without pieces is all zeros."""
        sums = self._scaled([rows[0] if rows else 0 for rows in parts])
        sums[[at for at, rows in enumerate(parts) if not rows]] = 0
        longer = [at for at, rows in enumerate(parts) if len(rows) > 1]
        nth = 1
        while longer:
            sums[longer] += self._scaled([parts[at][nth] for at in longer])
            nth += 1
            longer = [at for at in longer if len(parts[at]) > nth]
        return sums

    def _scaled(self, rows: list[int]) -> NDArray[np.float32]:
        """Return the vectors of pieces, as whole numbers."""
        return self._matrix.take(rows, 0) * self._scales.take(rows)[:, None]
