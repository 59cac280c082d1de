"""The file that a store is: whether it is one, where it lies, and SQLite's failures on it in words."""

from __future__ import annotations

import os
from contextlib import contextmanager

import apsw

from treering.errors import Damaged, NotAStore, NotFound, ReadOnlyStore, StorageFailed, StoreBusy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

LOCKS: Final = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
"""What another process' lock is met as; the last where SQLite has tried for ten seconds by itself to begin to read."""

_HEADER: Final = b"SQLite format 3\0"
_MOUNTS: Final = "/proc/self/mountinfo"


def shared_kind(path: str) -> str:
    """Return the kind of the file system that holds a store, if machines may share it; else empty."""
    from treering.domain.mounts import is_shared, kind_of

    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            kind = kind_of(os.path.realpath(folder(path)), file.read())
    except OSError:  # no Linux: nobody tells
        return ""
    return kind if is_shared(kind) else ""


def check_file(path: str, *, create: bool) -> None:
    """Refuse an absent file that must exist, and a file that is no database."""
    try:
        with open(path, "rb") as file:
            header = file.read(len(_HEADER))
    except FileNotFoundError:
        if create:
            return
        raise NotFound(f"there is no store at {path}", hint="treering index DIR") from None
    except IsADirectoryError:
        raise NotAStore(f"{path} is a folder, not a Treering store") from None
    except OSError as error:
        raise StorageFailed(f"the store {path} cannot be read: {error.strerror}") from error
    if header and header != _HEADER:
        raise NotAStore(f"{path} is not a Treering store", hint="name another with --store, or move the file away")


def opened(path: str, *, create: bool) -> tuple[apsw.Connection, bool]:
    """Return a connection to a file and whether it can only read."""
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    try:
        connection = apsw.Connection(path, flags=flags)
    except apsw.CantOpenError:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    # A writer makes its log beside the file.
    if path == ":memory:" or (not connection.readonly("main") and os.access(folder(path), os.W_OK)):
        return connection, False
    connection.close()
    return open_read_only(path), True


def open_read_only(path: str) -> apsw.Connection:
    """Open a file that cannot be written; where even the log's index cannot be made, as immutable."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.execute("pragma user_version").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError) as error:
        connection.close()
        if size(f"{path}-wal"):  # reading without it would give an old state
            raise ReadOnlyStore(
                f"the last changes to {path} are in its log, which cannot be read where nothing may be written",
                hint="copy the whole folder to a place that can be written",
            ) from error
        uri = f"file:{path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return connection


def folder(path: str) -> str:
    """Return the folder that a file really lies in."""
    return os.path.dirname(os.path.realpath(path))


def size(path: str) -> int:
    """Return the size of a file; 0 when it is absent."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def identity(path: str) -> tuple[int, int] | None:
    """Return what tells one file from another at the same path; None when there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def in_words(path: str) -> Iterator[None]:
    """Turn SQLite's failures into Treering's errors; nothing else is caught."""
    try:
        yield
    except apsw.NotADBError as error:
        raise NotAStore(f"{path} is not a Treering store") from error
    except (apsw.CorruptError, UnicodeDecodeError) as error:
        raise Damaged(f"the store {path} is damaged: {error}", hint="restore a backup") from error
    except apsw.SQLError as error:
        if not str(error).startswith(("no such table", "no such fts5 table")):
            raise
        raise Damaged(f"the store {path} is damaged: {error}", hint="treering reindex, or restore a backup") from error
    except apsw.FullError as error:
        raise StorageFailed(f"the disk is full: nothing was changed in {path}", hint="free some space") from error
    except apsw.ReadOnlyError as error:
        raise ReadOnlyStore(f"the store {path} cannot be written here") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.PermissionsError) as error:
        raise StorageFailed(f"the store {path} cannot be used: {error}") from error
    except LOCKS as error:
        raise StoreBusy(f"another process keeps the store {path} locked", hint="try again") from error
