"""Vectors as signs: one bit for each number of a rotated vector, enough to find what is worth comparing exactly.

Rotated by flipped signs and a Hadamard transform (Ailon and Chazelle 2006), every number of a vector says about as much
as any other, so few different bits mean a small angle. All in whole numbers: plain Python and numpy give the same bits.

Here too: the layout of a file of signs, which a process without numpy reads in place. All numbers are little-endian:

    0    8   magic ``TREEBIT1``
    8    16  token, which the store knows too: signs of another store or another moment are not used
    24   8   rows n
    32   8   the last change that they know
    40   4   words w: 64 bits each
    44   4   CRC-32 of the bytes before
    48       firsts: n × the first word
    …        entries: n × 8 bytes
    …        rests: n × the other w − 1 words
"""

from __future__ import annotations

import struct
from array import array
from functools import cache
from heapq import nsmallest
from operator import add, mul, sub
from zlib import crc32

from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Final

MAGIC: Final = b"TREEBIT1"
_HEADER: Final = struct.Struct("<8s16sQQI")
_CHECK: Final = struct.Struct("<I")
HEADER_BYTES: Final = _HEADER.size + _CHECK.size
TOKEN_BYTES: Final = 16
WORD: Final = 64
_MASK: Final = (1 << 64) - 1

# By 64 bits .88 of the ten nearest of 60,000 are among 8,000, by all bits nearly all of these among 300.
_BY_FIRST: Final = 8_000
BY_ALL: Final = 300
"""Rows that are worth an exact comparison in plain Python: 2 ms."""


def padded(dimension: int) -> int:
    """Return how many numbers a vector is rotated as: a power of two, whole words."""
    return max(WORD, 1 << (dimension - 1).bit_length())


@cache
def flips(dimension: int) -> tuple[int, ...]:
    """Return the signs that the numbers of a vector are multiplied with, the same in every process."""
    state, found = dimension, []
    for _ in range(dimension):
        # SplitMix64 (Steele et al. 2014); importing random would cost a cold search 5 ms.
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & _MASK
        found.append(1 if (mixed ^ mixed >> 31) & 1 else -1)
    return tuple(found)


def signs(question: bytes) -> tuple[int, ...]:
    """Return a question's signs as words of 64 bits, the first number in the lowest bit.

    Args:
        question: its vector as little-endian float32.
    """
    numbers = struct.unpack(f"<{len(question) // 4}f", question)
    size = padded(len(numbers))
    row = [*map(mul, numbers, flips(len(numbers))), *(0.0,) * (size - len(numbers))]
    # The first and the second half are added and subtracted, side by side: the same sums as in place, in C.
    for _ in range(size.bit_length() - 1):
        first, second = row[: size // 2], row[size // 2 :]
        row = [number for pair in zip(map(add, first, second), map(sub, first, second), strict=True) for number in pair]
    bits = [number > 0 for number in row]
    return tuple(sum(bit << at for at, bit in enumerate(bits[word : word + WORD])) for word in range(0, size, WORD))


class Header(NamedTuple):
    """What a file of signs says of itself.

    Attributes:
        token: what the store knows it by.
        rows: how many rows there are.
        change: the last change that they know.
        words: words of a row.
    """

    token: bytes
    rows: int
    change: int
    words: int

    def packed(self) -> bytes:
        """Return the bytes that a file begins with."""
        head = _HEADER.pack(MAGIC, self.token, self.rows, self.change, self.words)
        return head + _CHECK.pack(crc32(head))

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return HEADER_BYTES + self.rows * 8 * (1 + self.words)


class SignFile:
    """The signs of one model's rows, read in place.

    Attributes:
        header: what the file says of itself.
    """

    def __init__(self, view: memoryview) -> None:
        """Read the header.

        Raises:
            ValueError: if this is no file of signs, or it is cut short.
        """
        if len(view) < HEADER_BYTES:
            raise ValueError("too short for a header")
        magic, token, rows, change, words = _HEADER.unpack_from(view)
        self.header = Header(token, rows, change, words)
        (check,) = _CHECK.unpack_from(view, _HEADER.size)
        if magic != MAGIC or check != crc32(view[: _HEADER.size]) or self.header.size != len(view) or not words:
            raise ValueError("no file of signs, or cut short")
        at = HEADER_BYTES
        self._firsts = view[at : at + 8 * rows].cast("Q")
        self._entries = view[at + 8 * rows : at + 16 * rows].cast("q")
        self._rests = view[at + 16 * rows :]

    def nearest(self, question: tuple[int, ...], allowed: Collection[int] | None) -> list[int]:
        """Return the entries whose signs are most like the question's, ``BY_ALL`` at the most.

        Plain Python: 0.15 µs a row.

        Args:
            question: its signs.
            allowed: the only entries that count; None for all.
        """
        entries = self._entries
        if allowed is None:
            places, distances = self._by_first(question[0])
        else:
            places = [place for place, entry in enumerate(entries) if entry in allowed]
            distances = [(self._firsts[place] ^ question[0]).bit_count() for place in places]
        size = 8 * (self.header.words - 1)
        rest = int.from_bytes(array("Q", question[1:]).tobytes(), "little")
        rests, read = self._rests, int.from_bytes
        whole = [
            (distance + (read(rests[size * place : size * (place + 1)], "little") ^ rest).bit_count(), place)
            for place, distance in zip(places, distances, strict=True)
        ]
        return [entries[place] for _, place in nsmallest(BY_ALL, whole)]

    def _by_first(self, word: int) -> tuple[list[int], list[int]]:
        """Return the places of some ``_BY_FIRST`` rows whose first word is most like a question's, with the bits."""
        distances = bytes([(first ^ word).bit_count() for first in self._firsts])
        most, known = 0, distances.count(0)
        while known < _BY_FIRST and most < WORD:
            most += 1
            known += distances.count(most)
        places = [place for place, distance in enumerate(distances) if distance <= most]
        return places, [distances[place] for place in places]


def without(raw: bytes, entries: Collection[int]) -> bytes:
    """Return a file of signs without some rows; empty when it has none of them.

    Raises:
        ValueError: if this is no file of signs, or it is cut short.
    """
    header = SignFile(memoryview(raw)).header
    rows, rest = header.rows, 8 * (header.words - 1)
    at = HEADER_BYTES
    numbers = array("q", raw[at + 8 * rows : at + 16 * rows])
    gone = set(entries)
    places = [place for place, entry in enumerate(numbers) if entry in gone]
    if not places:
        return b""
    parts = [header._replace(rows=rows - len(places)).packed()]
    for start, size in ((at, 8), (at + 8 * rows, 8), (at + 16 * rows, rest)):
        begin = start
        for place in places:
            parts.append(raw[begin : start + place * size])
            begin = start + (place + 1) * size
        parts.append(raw[begin : start + rows * size])
    return b"".join(parts)
