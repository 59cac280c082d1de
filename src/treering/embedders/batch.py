"""Embedding many texts at once with numpy: one scaled row for each piece of the vocabulary met so far.

A text's vector is the sum of its pieces' rows. Rows hold whole numbers. float32 adds them without rounding up to
2**24, which 80 words do not come near.
"""

from __future__ import annotations

from array import array
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from treering.embedders.wordpiece import pieces, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from treering.embedders.table import Table

# Some 120 bytes a word: 5 MB. A thousand files of prose and code have 30,000 different words.
_MAX_WORDS: Final = 40_000
# 1 KB a piece: 30 MB when all are met.
_FIRST_ROWS: Final = 4_096
# Texts at once: their sums and the pieces of the last one fit into the cache. Smaller groups are slower by a tenth.
_GROUP: Final = 256


class _Places(dict[int, int]):
    """Where the row of each piece lies; a new piece gets the next place."""

    def __missing__(self, row: int) -> int:
        """Return the next free place for the piece that has this row in the table."""
        place = self[row] = len(self)
        return place


class _Words(dict[str, bytes]):
    """The places of each word's pieces, packed as 64-bit numbers: joined, they are those of a text."""

    def __init__(self, find: Callable[[str, int], int], longest: int, places: _Places) -> None:
        """Begin without any word.

        Args:
            find: returns the row of a piece, or its second argument.
            longest: characters of the longest piece.
            places: gives places to pieces.
        """
        super().__init__()
        self._find = find
        self._longest = longest
        self._place = places.__getitem__

    def __missing__(self, word: str) -> bytes:
        """Return the places of the pieces of ``word``, and remember them."""
        rows = pieces(word, self._find, self._longest)
        packed = self[word] = array("q", map(self._place, rows)).tobytes()
        return packed


class PieceRows:
    """Rows of the pieces met so far. For one thread at a time."""

    def __init__(self, table: Table) -> None:
        """Begin without any piece; reads the table's whole vocabulary (10 ms)."""
        self._matrix: NDArray[np.int8] = np.frombuffer(table.rows, np.int8).reshape(-1, table.dimension)
        self._scales: NDArray[np.float32] = np.frombuffer(table.scales, np.uint8).astype(np.float32)
        self._rows: NDArray[np.float32] = np.empty((_FIRST_ROWS, table.dimension), np.float32)
        self._places = _Places()
        self._words = _Words(table.pieces().get, table.longest, self._places)

    def embed(self, texts: Sequence[str]) -> bytes:
        """Return ``len(texts) × d`` little-endian float32, rows of unit length or all zeros."""
        groups = [self._embed_group(texts[at : at + _GROUP]) for at in range(0, len(texts), _GROUP)]
        return b"".join(groups)

    def _embed_group(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of at most ``_GROUP`` texts."""
        sums = np.zeros((len(texts), self._rows.shape[1]), np.float32)
        # A loop: add.reduceat over all texts takes 14 times as long.
        for position, places in enumerate(self._placed(texts)):
            if places:
                np.add.reduce(self._rows.take(np.frombuffer(places, np.int64), 0), 0, None, sums[position])
        exact = sums.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", exact, exact))
        lengths[lengths == 0] = 1.0
        unit: NDArray[np.float32] = (exact / lengths[:, None]).astype("<f4")
        return unit.tobytes()

    def _placed(self, texts: Sequence[str]) -> list[bytes]:
        """Return the places of all pieces of each text, after making rows for new ones."""
        if len(self._words) > _MAX_WORDS:
            self._words.clear()
        known = len(self._places)
        try:
            placed = [b"".join(map(self._words.__getitem__, words(text))) for text in texts]
            if len(self._places) > known:
                self._learn(list(islice(self._places, known, None)), known)
        except BaseException:  # an interrupt: places without rows must not stay
            self._words.clear()
            self._places.clear()
            raise
        return placed

    def _learn(self, new: Sequence[int], first: int) -> None:
        """Make rows for ``new`` pieces, from place ``first`` on."""
        last = first + len(new)
        if last > len(self._rows):
            grown = np.empty((min(max(last, 2 * len(self._rows)), len(self._matrix)), self._rows.shape[1]), np.float32)
            grown[:first] = self._rows[:first]
            self._rows = grown
        self._rows[first:last] = self._matrix.take(new, 0) * self._scales.take(new)[:, None]
