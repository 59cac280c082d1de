"""Originals of a SQLite store: one file for each content, named by its digest, beside the database.

A file is complete under its name or not there at all. It is written before the row that names it, so that a process
that dies in between leaves a file that nobody names, never a name without its file.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from hashlib import sha256 as digest_of
from typing import Final

from treering.errors import Damaged, StorageFailed

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_USUAL_DATABASE: Final = "memory.db"


def folder_of(database: str) -> str:
    """Return the folder for the originals of a database; a store with a name of its own does not share it."""
    folder, name = os.path.split(database)
    return os.path.join(folder, "originals" if name == _USUAL_DATABASE else f"{os.path.splitext(name)[0]}-originals")


class FileOriginals:
    """Originals in a folder, which only the user can open; it is made with the first of them."""

    def __init__(self, folder: str) -> None:
        """Use ``folder``, which need not be there."""
        self._folder = folder

    def put(self, sha256: str, raw: bytes) -> None:
        """Keep bytes under their digest."""
        path = self._path(sha256)
        try:
            if os.path.exists(path) and digest_of(_read(path)).hexdigest() == sha256:
                return
            for folder in (self._folder, os.path.dirname(path)):
                os.makedirs(folder, mode=0o700, exist_ok=True)
            _write(path, raw)
        except OSError as error:
            raise StorageFailed(f"the original cannot be kept in {self._folder}: {error.strerror}") from error

    def get(self, sha256: str) -> bytes:
        """Return the bytes of a digest."""
        path = self._path(sha256)
        try:
            raw = _read(path)
        except OSError as error:
            raise Damaged(f"the original {path} cannot be read: {error.strerror}", hint="restore a backup") from error
        if digest_of(raw).hexdigest() != sha256:
            raise Damaged(f"the original {path} holds other bytes than were kept", hint="restore a backup")
        return raw

    def remove(self, sha256: str) -> None:
        """Remove the bytes of a digest."""
        path = self._path(sha256)
        try:
            with suppress(FileNotFoundError):
                os.unlink(path)
        except OSError as error:
            raise StorageFailed(f"the original {path} cannot be removed: {error.strerror}") from error
        with suppress(OSError):  # others lie beside it
            os.rmdir(os.path.dirname(path))

    def kept(self) -> list[str]:
        """Return the digest of everything that is kept, in order."""
        if not os.path.isdir(self._folder):
            return []
        names = [name for _, _, files in os.walk(self._folder) for name in files]
        return sorted(name for name in names if _DIGEST.fullmatch(name))

    def _path(self, sha256: str) -> str:
        """Return the file of a digest; a folder of its own for each first byte keeps listings short."""
        if not _DIGEST.fullmatch(sha256):
            raise ValueError(f"{sha256!r} is no SHA-256")
        return os.path.join(self._folder, sha256[:2], sha256)


class MemoryOriginals:
    """Originals of a store that dies with its object."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held: dict[str, bytes] = {}

    def put(self, sha256: str, raw: bytes) -> None:
        """Keep bytes under their digest."""
        self._held.setdefault(sha256, raw)

    def get(self, sha256: str) -> bytes:
        """Return the bytes of a digest."""
        try:
            return self._held[sha256]
        except KeyError:
            raise Damaged(f"the original {sha256} is not there") from None

    def remove(self, sha256: str) -> None:
        """Remove the bytes of a digest."""
        self._held.pop(sha256, None)

    def kept(self) -> list[str]:
        """Return the digest of everything that is kept, in order."""
        return sorted(self._held)


def _read(path: str) -> bytes:
    """Return a file's bytes."""
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, raw: bytes) -> None:
    """Write a file that is whole under its name, on the disk, and only the user's."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600), "wb"
        ) as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
    _sync_folder(os.path.dirname(path))


def _sync_folder(folder: str) -> None:
    """Bring a new name onto the disk, where the system can."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
