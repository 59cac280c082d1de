"""The data file of a static embedder: a row of small integers for each piece of a vocabulary.

Read in place through a memory map, without numpy and without building a dictionary of all pieces:
opening it costs nothing that grows with the vocabulary. ``scripts/make_embedder.py`` writes it. All
numbers are little-endian:

    0    8   magic ``TREEVEC1``
    8    32  SHA-256 of everything behind the header
    40   4   dimension d
    44   4   rows n
    48   4   buckets b
    52   4   characters of the longest piece
    56   4   bytes of the words section
    60   4   zero
    64       rows: n × d signed bytes
    …        scales: n unsigned bytes; a vector is its row times its scale, up to one common factor
    …        starts: b + 1 numbers of 4 bytes, where each bucket begins in the words section
    …        firsts: b + 1 numbers of 4 bytes, the row of each bucket's first piece
    …        words: the pieces in the order of their rows, in UTF-8, one a line

A piece belongs to the bucket ``crc32(piece) % b``.
"""

from __future__ import annotations

import mmap
import struct
from zlib import crc32

from treering.errors import EmbedderFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MAGIC: Final = b"TREEVEC1"
HEADER: Final = struct.Struct("<8s32s6I")
_REINSTALL: Final = "reinstall treering: pip install --force-reinstall treering"


class Table:
    """A data file, open for reading. Safe to share between threads.

    Attributes:
        sha256: hash of the content in hexadecimal, as the header states it.
        dimension: numbers in a row.
        longest: characters of the longest piece.
        rows: all rows as one view of signed bytes.
        scales: the scale of each row.
    """

    __slots__ = ("_buckets", "_firsts", "_starts", "_words", "dimension", "longest", "rows", "scales", "sha256")

    def __init__(self, path: str) -> None:
        """Map the file at ``path``; the map lives as long as the table.

        Raises:
            EmbedderFailed: if it is absent, cut short or of another format.
        """
        view = _mapped(path)
        if len(view) < HEADER.size or bytes(view[: len(MAGIC)]) != MAGIC:
            raise EmbedderFailed(f"{path} holds no embedder's data", hint=_REINSTALL)
        numbers: tuple[bytes, bytes, int, int, int, int, int, int] = HEADER.unpack_from(view)
        _, digest, self.dimension, rows, buckets, self.longest, size, _ = numbers
        index = 4 * (buckets + 1)
        parts = []
        at = HEADER.size
        for length in (rows * self.dimension, rows, index, index, size):
            parts.append(view[at : at + length])
            at += length
        if at != len(view):
            raise EmbedderFailed(f"{path} is damaged: {len(view)} bytes instead of {at}", hint=_REINSTALL)
        self.sha256 = digest.hex()
        self.rows = parts[0].cast("b")
        self.scales = parts[1]
        self._starts = struct.unpack(f"<{buckets + 1}I", parts[2])
        self._firsts = struct.unpack(f"<{buckets + 1}I", parts[3])
        self._words = parts[4]
        self._buckets: list[dict[str, int] | None] = [None] * buckets

    def find(self, piece: str, absent: int = -1) -> int:
        """Return the row of ``piece``, or ``absent`` when the vocabulary lacks it."""
        number = crc32(piece.encode()) % len(self._buckets)
        bucket = self._buckets[number]
        if bucket is None:
            bucket = self._buckets[number] = self._read(number)
        return bucket.get(piece, absent)

    def pieces(self) -> dict[str, int]:
        """Return the whole vocabulary: the row of each piece."""
        lines = bytes(self._words).decode().split("\n")
        return dict(zip(lines[:-1], range(len(self.scales)), strict=True))

    def _read(self, number: int) -> dict[str, int]:
        """Return the pieces of a bucket with their rows."""
        lines = bytes(self._words[self._starts[number] : self._starts[number + 1]]).decode()
        return {piece: row for row, piece in enumerate(lines.split("\n")[:-1], self._firsts[number])}


def _mapped(path: str) -> memoryview:
    """Return a file's bytes without reading them."""
    try:
        with open(path, "rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise EmbedderFailed(f"{path} cannot be read: {error}", hint=_REINSTALL) from error
