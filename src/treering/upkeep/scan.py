"""Scan: every byte of a store's files, looked through for stretches of erased text.

A stretch of eleven bytes or more covers eight bytes that begin at a multiple of four, wherever it lies. So one look at
every fourth position, against a table of all stretches at once, finds each of them, however many there are.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from treering.domain.named import NamedTuple
from treering.domain.store_files import VERSION_CONTROL, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_BLOCK: Final = 1 << 20
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_SMALL: Final = 1 << 16
_PACKED: Final = frozenset({b"PK\x03\x04", b"%PDF"})
_PIECE: Final = 24
"""Bytes of a stretch: a rest of 47 bytes of erased text, anywhere, has a whole one in it."""
_LEAST: Final = 11
_FEW_BYTES: Final = 4
"""Different bytes that a stretch must have: rules and blanks stand in every file."""
_MOST_UNPACKED: Final = 64 << 20
_ENCODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be")
_STREAM: Final = re.compile(rb"stream\r?\n")
_FACTOR: Final = 0x9E3779B97F4A7C15


class Found(NamedTuple):
    """What a scan came to.

    Attributes:
        files: files that were read.
        size_bytes: bytes that were looked through, unpacked ones too.
        pieces: stretches that were looked for.
        hits: by file, the stretches that stand there.
    """

    files: int
    size_bytes: int
    pieces: int
    hits: Mapping[str, frozenset[bytes]]


class Pieces:
    """Stretches of texts, and where to look for them."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Cut texts into stretches, as UTF-8 and UTF-16 have them."""
        import numpy as np

        every = {piece for text in texts for raw in written(text) for piece in _cut(raw)}
        self._count = len(every)
        self._by_key: dict[int, list[tuple[bytes, int]]] = {}
        for piece in every:
            for at in range(4):
                key = int.from_bytes(piece[at : at + 8], "little")
                self._by_key.setdefault(key, []).append((piece, at))
        # A table that stays in the processor's cache, and behind it a second look at the few places that are left.
        bits = max(16, min(21, (8 * len(self._by_key)).bit_length()))
        self._shift = np.uint64(64 - bits)
        self._keys = np.sort(np.fromiter(self._by_key, np.uint64, len(self._by_key)))
        self._table = np.zeros(1 << bits, np.bool_)
        self._table[self._places(self._keys)] = True

    def __len__(self) -> int:
        """Return how many stretches there are."""
        return self._count

    def _places(self, keys: Any) -> Any:  # noqa: ANN401  numpy's arrays
        """Return where in the table eight bytes each belong."""
        import numpy as np

        return ((keys * np.uint64(_FACTOR)) >> self._shift).view(np.int64)

    def within(self, block: bytes) -> Iterator[tuple[bytes, Iterator[int]]]:
        """Yield the stretches that stand in a block, each with where it begins; one may come twice."""
        import numpy as np

        for start in (0, 4):
            size = (len(block) - start) // 8
            if size <= 0:
                continue
            keys = np.frombuffer(block, "<u8", size, start)
            at = np.flatnonzero(self._table[self._places(keys)])
            if not len(at):
                continue
            near = keys[at]
            known = self._keys[np.minimum(np.searchsorted(self._keys, near), len(self._keys) - 1)] == near
            at, near = at[known], near[known]
            for key in np.unique(near).tolist():
                places = (at[near == key] * 8 + start).tolist()
                for piece, offset in self._by_key[key]:
                    yield piece, _starts(block, piece, places, offset)


def _starts(block: bytes, piece: bytes, places: Sequence[int], offset: int) -> Iterator[int]:
    """Yield where a stretch begins whose bytes from ``offset`` on may stand at some places."""
    return (place - offset for place in places if place >= offset and block.startswith(piece, place - offset))


def pieces_of(text: str) -> frozenset[bytes]:
    """Return the stretches of a text, as UTF-8 has it."""
    return frozenset(_cut(text.encode("utf-8", "surrogatepass")))


def written(text: str) -> tuple[bytes, ...]:
    """Return a text as files may hold it."""
    return tuple(text.encode(encoding, "surrogatepass") for encoding in _ENCODINGS)


def _cut(raw: bytes) -> Iterator[bytes]:
    """Yield stretches that cover a text, the last one up to its end."""
    for at in range(0, max(1, len(raw) - _PIECE + 1), _PIECE):
        yield from _telling(raw[at : at + _PIECE])
    yield from _telling(raw[-_PIECE:])


def _telling(piece: bytes) -> Iterator[bytes]:
    """Yield a stretch if it is long enough to be found and varied enough to say something."""
    if len(piece) >= _LEAST and len(set(piece)) >= _FEW_BYTES:
        yield piece


def owned(folder: str, database: str) -> Iterator[tuple[str, str]]:
    """Yield path and kind's reach of each file that Treering owns in a store's folder.

    Args:
        folder: of the store.
        database: name of the database file.
    """
    waiting = [""]
    while waiting:
        below = waiting.pop()
        inner, files = [], []
        try:
            with os.scandir(os.path.join(folder, below)) as entries:
                for entry in entries:  # fifty thousand times round for the mirror of a large memory
                    if entry.is_dir(follow_symlinks=False) or (not below and _leads_to_ours(entry, database)):
                        inner += [] if entry.name in VERSION_CONTROL else [f"{below}{entry.name}/"]
                    elif not entry.is_symlink():
                        files.append(below + entry.name)
        except FileNotFoundError:  # gone meanwhile
            continue
        waiting += inner
        for path in files:
            kind = kind_of(path, database)
            if kind is not None:
                yield f"{folder}{os.sep}{path}", kind.reach


def _leads_to_ours(entry: os.DirEntry[str], database: str) -> bool:
    """Tell whether a link in a store's folder stands for one of its own: somebody keeps the mirror elsewhere."""
    return entry.is_symlink() and entry.is_dir() and kind_of(f"{entry.name}/any", database) is not None


def scan(paths: Iterable[str], texts: Iterable[str]) -> Found:
    """Look through files for texts.

    Args:
        paths: the files; one that is gone meanwhile is passed over.
        texts: what to look for.
    """
    pieces = Pieces(texts)
    hits: dict[str, set[bytes]] = {}
    files = size = 0
    several: list[tuple[str, bytes]] = []
    waiting = 0
    for path in paths:
        try:
            raw = _head(path)
            if len(raw) < _SMALL and raw[:4] not in _PACKED:
                several.append((path, raw))
                waiting += len(raw)
            else:
                for block in _blocks(path):
                    size += len(block)
                    for piece, starts in pieces.within(block) if len(pieces) else ():
                        if any(True for _ in starts):
                            hits.setdefault(path, set()).add(piece)
        except FileNotFoundError:
            continue
        files += 1
        if waiting > _BLOCK:
            size += _look_through(several, pieces, hits)
            several, waiting = [], 0
    size += _look_through(several, pieces, hits)
    return Found(files, size, len(pieces), {path: frozenset(found) for path, found in hits.items()})


def _head(path: str) -> bytes:
    """Return the first bytes of a file; all of a small one."""
    descriptor = os.open(path, _READ)
    try:
        return os.read(descriptor, _SMALL)
    finally:
        os.close(descriptor)


def _look_through(several: Sequence[tuple[str, bytes]], pieces: Pieces, hits: dict[str, set[bytes]]) -> int:
    """Note the stretches that stand in small files, all looked through at once; return how many bytes those were."""
    block = b"".join(raw for _, raw in several)
    if not len(pieces):
        return len(block)
    ends = list(accumulate(len(raw) for _, raw in several))
    for piece, starts in pieces.within(block):
        for start in starts:
            file = bisect_right(ends, start)
            if start + len(piece) <= ends[file]:  # else it is made of two files
                hits.setdefault(several[file][0], set()).add(piece)
    return len(block)


def _blocks(path: str) -> Iterator[bytes]:
    """Yield a file's bytes in blocks that overlap by a stretch, and behind them what is packed in it."""
    packed = False
    with open(path, "rb") as file:
        rest = b""
        while read := file.read(_BLOCK):
            packed = packed or (not rest and read[:4] in _PACKED)
            yield rest + read
            rest = (rest + read)[-64:]
        if packed:
            file.seek(0)
            yield from _unpacked(file.read())


def _unpacked(raw: bytes) -> Iterator[bytes]:
    """Yield what a document's compressed parts hold, as far as it can be had."""
    if raw[:2] == b"PK":
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                for member in archive.infolist():
                    if member.file_size <= _MOST_UNPACKED:
                        yield archive.read(member)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error, EOFError):
            return
        return
    for found in _STREAM.finditer(raw):
        try:
            yield zlib.decompressobj().decompress(raw[found.end() :], _MOST_UNPACKED)
        except zlib.error:
            continue
