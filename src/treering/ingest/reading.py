"""Bytes of one file below a root: never through a link, never blocking, never half a change."""

from __future__ import annotations

import os
import stat
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.source import FileStamp

if TYPE_CHECKING:
    from io import FileIO

_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_ATTEMPTS: Final = 3
# Kernels stamp files at their timer's tick, at most 10 ms apart: a second write in the same tick
# would leave no trace in the stamp.
_TICK_NS: Final = 12_000_000
_BLOCK: Final = 1 << 20


class Unreadable(Exception):
    """A file's bytes cannot be had; the message says why, for people.

    Attributes:
        vanished: whether the file is no longer there at all.
    """

    def __init__(self, reason: str, *, vanished: bool = False) -> None:
        super().__init__(reason)
        self.vanished = vanished


class Content(NamedTuple):
    """A file's bytes with the stamp that belongs to exactly these bytes.

    Attributes:
        raw: the bytes from ``start`` on.
        stamp: of the file.
        sha256: digest of the whole file.
        start: how many bytes at the beginning are known and left out.
    """

    raw: bytes
    stamp: FileStamp
    sha256: str
    start: int = 0


class Beginning(NamedTuple):
    """Bytes that a file may begin with: how many, and their digest."""

    size_bytes: int
    sha256: str


def stamp_of(status: os.stat_result) -> FileStamp:
    """Return the change check's view of a file."""
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def require_utf8(path: str) -> None:
    """Refuse a file whose name cannot be stored.

    Raises:
        Unreadable: if its path is not valid UTF-8.
    """
    try:
        path.encode()
    except UnicodeEncodeError as error:
        raise Unreadable("its name is not valid UTF-8") from error


def read(real_root: str, path: str, max_bytes: int, known: Beginning | None = None) -> Content:
    """Return the bytes of the regular file at ``path`` below ``real_root``.

    A file that changes while it is read is read again, a few times. The file that was opened must
    be the one that stands at this path without any link on the way, so that a folder swapped for a
    link leads nowhere.

    Args:
        real_root: the root as ``os.path.realpath`` returns it.
        path: path below the root, with ``/``.
        max_bytes: larger files are refused.
        known: what the file was; where it still begins so, only what was added is returned.

    Raises:
        Unreadable: if it is gone, no regular file, too large, behind a link, or keeps changing.
    """
    full = os.path.join(real_root, path)
    for _ in range(_ATTEMPTS):
        try:
            content = _read_once(full, max_bytes, known)
        except OSError as error:
            vanished = isinstance(error, FileNotFoundError | NotADirectoryError)
            reason = "it is gone" if vanished else f"it cannot be read: {error.strerror}"
            raise Unreadable(reason, vanished=vanished) from error
        if content is not None:
            return content
    raise Unreadable("it kept changing while it was read")


def _read_once(full: str, max_bytes: int, known: Beginning | None) -> Content | None:
    """Return the content of ``full``; None when it changed meanwhile."""
    with open(os.open(full, _FLAGS), "rb", buffering=0) as file:
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise Unreadable(not_a_file(before.st_mode))
        if before.st_size > max_bytes:
            raise Unreadable(too_large(max_bytes))
        if os.path.realpath(full) != full:
            raise Unreadable("a folder on the way to it is a link")
        let_the_tick_pass(before)
        start, raw, digest = _hashed(file, known or Beginning(0, ""))
        after = os.fstat(file.fileno())
        standing = os.lstat(full)
    same_file = (standing.st_dev, standing.st_ino) == (after.st_dev, after.st_ino)
    unchanged = stamp_of(before) == stamp_of(after) and start + len(raw) == after.st_size
    return Content(raw, stamp_of(after), digest, start) if same_file and unchanged else None


def _hashed(file: FileIO, known: Beginning) -> tuple[int, bytes, str]:
    """Return where the new bytes of a file begin, these bytes, and the digest of all; 0 where it begins otherwise."""
    digest = sha256()
    left = known.size_bytes
    while left and (block := file.read(min(left, _BLOCK))):
        digest.update(block)
        left -= len(block)
    start = known.size_bytes if not left and digest.hexdigest() == known.sha256 else 0
    if known.size_bytes and not start:
        file.seek(0)
        digest = sha256()
    raw = file.read()
    digest.update(raw)
    return start, raw, digest.hexdigest()


def let_the_tick_pass(status: os.stat_result) -> None:
    """Wait until a later write must show in the stamp; a run over many files waits once."""
    age = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns)
    if 0 <= age < _TICK_NS:
        time.sleep((_TICK_NS - age) / 1e9)


def not_a_file(mode: int) -> str:
    """Return in words what stands where a file was expected."""
    for test, word in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a link"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if test(mode):
            return f"it is {word}, no file"
    return "it is a device, no file"


def too_large(max_bytes: int) -> str:
    """Return the sentence about a file over the limit."""
    return f"it is larger than {max_bytes / 1e6:g} MB (setting index.max_file_mb)"
