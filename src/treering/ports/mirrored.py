"""What the mirror needs of a store: which objects changed since it was written, and the files that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from treering.domain.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Due(NamedTuple):
    """An object whose file no longer says what the store does.

    Attributes:
        kind: ``memory``, ``source``, ``entity``, ``proposal``, ``act``, ``erased`` (all that was erased) or ``store``.
        id: the object; of an act its number, padded with zeros; empty for the last two.
    """

    kind: str
    id: str


class MirrorFile(NamedTuple):
    """A file of the mirror as it was last written or read.

    Attributes:
        id: what it holds.
        path: below the mirror's folder, with ``/``.
        sha256: of its bytes, hexadecimal.
        size_bytes: its length.
        mtime_ns: when it was written, by the file system's clock.
    """

    id: str
    path: str
    sha256: str
    size_bytes: int
    mtime_ns: int


Stamp: TypeAlias = tuple[str, int, int, bool]
"""A file of the mirror as a plain tuple: path, size, time, and that it is no link. There are many of them."""


class Mirrored(Protocol):
    """The list of what the mirror has to catch up with, and of its files."""

    def due(self, limit: int) -> list[Due]:
        """Return some of what has changed, in a fixed order."""
        ...

    def start_anew(self) -> None:
        """Note that there is no file: everything is to be written, as beside a store that came without its mirror."""
        ...

    def add_due(self, due: Iterable[Due]) -> None:
        """Note objects whose files change in a way that the store does not notice by itself."""
        ...

    def due_among(self, ids: Sequence[str]) -> list[Due]:
        """Return what has changed of some objects, whatever their kind, in a fixed order."""
        ...

    def files_below(self, folder: str) -> dict[str, MirrorFile]:
        """Return the files in a folder and those below it, by the object's id."""
        ...

    def count_due(self) -> int:
        """Return how much has changed."""
        ...

    def done(self, written: Iterable[Due]) -> None:
        """Take what was written off the list."""
        ...

    def files(self, ids: Sequence[str] | None = None) -> dict[str, MirrorFile]:
        """Return the files of some objects, or all, by the object's id."""
        ...

    def stamps(self) -> list[Stamp]:
        """Return every file in the quickest form, but for those that only say how a text was cut."""
        ...

    def files_at(self, paths: Sequence[str]) -> list[MirrorFile]:
        """Return the files that are noted at some paths, by path."""
        ...

    def put_files(self, files: Iterable[MirrorFile]) -> None:
        """Note files as they are now."""
        ...

    def drop_files(self, ids: Iterable[str]) -> None:
        """Note that objects have no file."""
        ...
