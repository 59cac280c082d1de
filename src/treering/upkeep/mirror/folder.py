"""The mirror's folder on disk: files are replaced whole, and nothing is written or read through a link."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from stat import S_IFDIR, S_IFMT, S_IFREG
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.store_files import VERSION_CONTROL
from treering.errors import StorageFailed
from treering.ports.mirrored import MirrorFile
from treering.upkeep.mirror import names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering.ports.mirrored import Stamp

_LONG: Final = 64 * 1024
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_LAST: Final = 4096
_DATABASE: Final = "memory.db"
_ATTRIBUTES: Final = (
    "# Texts stay byte for byte as they are; logs of two copies are joined line by line.\n* -text\nlog.md merge=union\n"
)


class Seen(NamedTuple):
    """A file as it lies there.

    Attributes:
        path: below the folder, with ``/``.
        size_bytes: its length.
        mtime_ns: when it was written.
        link: whether it is a link, or anything else that is no file.
    """

    path: str
    size_bytes: int
    mtime_ns: int
    link: bool = False


def folder_of(database: str) -> str:
    """Return the folder of a store's mirror; a store with a name of its own does not share it."""
    place, file = os.path.split(database)
    return os.path.join(place, "mirror" if file == _DATABASE else f"{os.path.splitext(file)[0]}-mirror")


class Folder:
    """A folder that holds a mirror, or is to."""

    def __init__(self, path: str) -> None:
        """Use a folder, which need not be there."""
        self.path = path
        self._made: set[str] = set()

    def exists(self) -> bool:
        """Tell whether the folder is there."""
        return os.path.isdir(self.path)

    def absolute(self, path: str) -> str:
        """Return where a file of the mirror lies."""
        return f"{self.path}{os.sep}{path if os.sep == '/' else path.replace('/', os.sep)}"

    def stat(self, path: str) -> tuple[int, int] | None:
        """Return size and time of a file; None when it is not there."""
        try:
            found = os.lstat(self.absolute(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return found.st_size, found.st_mtime_ns

    def read(self, path: str) -> bytes:
        """Return the bytes of a file, which is no link."""
        descriptor = os.open(self.absolute(path), _READ)
        try:
            raw = os.read(descriptor, _LONG)
            if len(raw) < _LONG:  # all of it, without the file object that takes as long
                return raw
            with open(descriptor, "rb", closefd=False) as opened:
                return raw + opened.read()
        finally:
            os.close(descriptor)

    def write(self, id: str, path: str, text: str) -> MirrorFile:
        """Put a file in place of what was there, whole or not at all, and return it.

        Raises:
            StorageFailed: if the operating system refuses, or a folder on the way is a link.
        """
        raw = text.encode(errors="surrogatepass")
        target = self.absolute(path)
        folder = os.path.dirname(target)
        if folder not in self._made:
            self._make(folder)
        half = f"{target[: len(folder) + 1]}.{os.getpid()}-{id[-12:] or 'own'}.tmp"
        try:
            descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                os.write(descriptor, raw) if len(raw) < 1 << 20 else _write_all(descriptor, raw)
                found = os.fstat(descriptor)
            finally:
                os.close(descriptor)
            os.replace(half, target)
        except OSError as error:
            raise StorageFailed(f"the mirror's file {target} cannot be written: {error.strerror}") from error
        return MirrorFile(id, path, sha256(raw).hexdigest(), len(raw), found.st_mtime_ns)

    def append(self, path: str, text: str, fits: Callable[[str], bool]) -> bool:
        """Add whole lines to a file that is too long to be written anew each time; tell whether that was done.

        Args:
            path: the file.
            text: the lines.
            fits: tells of the file's last line whether they may follow it.

        Raises:
            StorageFailed: if there is no room for them.
        """
        target = self.absolute(path)
        try:
            descriptor = os.open(target, os.O_RDWR | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return False
        with open(descriptor, "r+b", buffering=0) as opened:
            size = os.fstat(descriptor).st_size
            if size < _LONG:
                return False
            opened.seek(size - _LAST)
            lines = opened.read().decode(errors="replace").split("\n")
            if lines[-1] or not fits(lines[-2]):
                return False
            raw = text.encode(errors="surrogatepass")
            try:
                return opened.write(raw) == len(raw)
            except OSError as error:
                raise StorageFailed(f"the mirror's file {target} cannot be written: {error.strerror}") from error

    def remove(self, path: str) -> None:
        """Take a file away; one that is not there is no matter."""
        target = self.absolute(path)
        try:
            os.unlink(target)
            with suppress(OSError):  # others are in it
                os.rmdir(os.path.dirname(target))
                self._made.discard(os.path.dirname(target))
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageFailed(f"the mirror's file {path} cannot be removed: {error.strerror}") from error

    def _make(self, folder: str) -> None:
        """Make a folder, and refuse one that leads out of the mirror."""
        try:
            fresh = not os.path.isdir(self.path)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            real, root = os.path.realpath(folder), os.path.realpath(self.path)
        except OSError as error:
            raise StorageFailed(f"the mirror's folder {folder} cannot be made: {error.strerror}") from error
        if real != root and os.path.relpath(folder, self.path) != os.path.relpath(real, root):
            raise StorageFailed(f"{folder} is a link: the mirror is not written through it", hint=f"rm {folder}")
        if fresh:
            self._describe()
        self._made.add(folder)

    def _describe(self) -> None:
        """Tell version control how the files are to be merged."""
        place = os.path.join(self.path, ".gitattributes")
        try:
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
                opened.write(_ATTRIBUTES)
        except OSError as error:
            raise StorageFailed(f"the mirror's file {place} cannot be written: {error.strerror}") from error

    def months(self) -> tuple[list[str], list[str]]:
        """Return the months that have memories, and what else is at the top."""
        top = sorted(os.listdir(self.path)) if self.exists() else []
        try:
            months = sorted(one for one in os.listdir(os.path.join(self.path, "memories")) if not one.startswith("."))
        except FileNotFoundError:
            return [], top
        return months, top

    def walk(self) -> Iterator[Stamp]:
        """Yield every file that may say something, as the fields of ``Seen``; hidden ones are passed over."""
        waiting = [""]
        while waiting:
            below = waiting.pop()
            with os.scandir(self.absolute(below[:-1]) if below else self.path) as entries:
                for entry in entries:  # fifty thousand times round for a large memory
                    name = entry.name
                    if name[0] == ".":
                        continue
                    if name[-3:] == ".md" and name not in names.RESERVED:
                        found = entry.stat(follow_symlinks=False)
                        if (kind := S_IFMT(found.st_mode)) != S_IFDIR:
                            yield below + name, found.st_size, found.st_mtime_ns, kind != S_IFREG
                            continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(f"{below}{name}/")

    def everything(self) -> Iterator[tuple[str, int, int]]:
        """Yield path, size and time of every file, hidden ones too, but for those of version control."""
        waiting = [""]
        while waiting:
            below = waiting.pop()
            with os.scandir(self.absolute(below[:-1]) if below else self.path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [] if entry.name in VERSION_CONTROL else [f"{below}{entry.name}/"]
                    elif entry.is_file(follow_symlinks=False):
                        found = entry.stat(follow_symlinks=False)
                        yield below + entry.name, found.st_size, found.st_mtime_ns

    def logs(self) -> Iterator[str]:
        """Yield the logs of days."""
        for folder, _, files in os.walk(os.path.join(self.path, "log")):
            if names.LOG in files:
                yield os.path.relpath(os.path.join(folder, names.LOG), self.path).replace(os.sep, "/")


def _write_all(descriptor: int, raw: bytes) -> None:
    """Write many bytes, in as many goes as it takes."""
    view = memoryview(raw)
    while view:
        view = view[os.write(descriptor, view) :]
