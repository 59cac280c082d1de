"""Bytes of one file below a root: never through a link, never blocking, never half a change."""

from __future__ import annotations

import os
import stat
import time
from typing import Final, NamedTuple

from treering.domain.source import FileStamp

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


class Unreadable(Exception):
    """A file's bytes cannot be had; the message says why, for people.

    Attributes:
        vanished: whether the file is no longer there at all.
    """

    def __init__(self, reason: str, *, vanished: bool = False) -> None:
        super().__init__(reason)
        self.vanished = vanished


class Content(NamedTuple):
    """A file's bytes with the stamp that belongs to exactly these bytes."""

    raw: bytes
    stamp: FileStamp


def stamp_of(status: os.stat_result) -> FileStamp:
    """Return the change check's view of a file."""
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def read(real_root: str, path: str, max_bytes: int) -> Content:
    """Return the bytes of the regular file at ``path`` below ``real_root``.

    A file that changes while it is read is read again, a few times. The file that was opened must
    be the one that stands at this path without any link on the way, so that a folder swapped for a
    link leads nowhere.

    Args:
        real_root: the root as ``os.path.realpath`` returns it.
        path: path below the root, with ``/``.
        max_bytes: larger files are refused.

    Raises:
        Unreadable: if it is gone, no regular file, too large, behind a link, or keeps changing.
    """
    full = os.path.join(real_root, path)
    for _ in range(_ATTEMPTS):
        try:
            content = _read_once(full, max_bytes)
        except OSError as error:
            vanished = isinstance(error, FileNotFoundError | NotADirectoryError)
            reason = "it is gone" if vanished else f"it cannot be read: {error.strerror}"
            raise Unreadable(reason, vanished=vanished) from error
        if content is not None:
            return content
    raise Unreadable("it kept changing while it was read")


def _read_once(full: str, max_bytes: int) -> Content | None:
    """Return the content of ``full``; None when it changed meanwhile."""
    with open(os.open(full, _FLAGS), "rb", buffering=0) as file:
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise Unreadable(not_a_file(before.st_mode))
        if before.st_size > max_bytes:
            raise Unreadable(too_large(max_bytes))
        if os.path.realpath(full) != full:
            raise Unreadable("a folder on the way to it is a link")
        _let_the_tick_pass(before)
        raw = file.read()
        after = os.fstat(file.fileno())
        standing = os.lstat(full)
    same_file = (standing.st_dev, standing.st_ino) == (after.st_dev, after.st_ino)
    unchanged = stamp_of(before) == stamp_of(after) and len(raw) == after.st_size
    return Content(raw, stamp_of(after)) if same_file and unchanged else None


def _let_the_tick_pass(status: os.stat_result) -> None:
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
