"""Where it is noted which files there are: in the store, or, of a folder that is written once, nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.ports.mirrored import MirrorFile


class State(Protocol):
    """Where it is noted which files there are: in the store, or nowhere."""

    def files(self, ids: Sequence[str] | None = None) -> dict[str, MirrorFile]:
        """Return the files of some objects, or all."""
        ...

    def files_below(self, folder: str) -> dict[str, MirrorFile]:
        """Return the files in a folder and those below it, by the object's id."""
        ...

    def put_files(self, files: Iterable[MirrorFile]) -> None:
        """Note files as they are now."""
        ...

    def drop_files(self, ids: Iterable[str]) -> None:
        """Note that objects have no file."""
        ...


class Unnoted:
    """Files of a folder that is written once, as an export is."""

    def __init__(self) -> None:
        """Begin with none."""
        self._files: dict[str, MirrorFile] = {}

    def files(self, ids: Sequence[str] | None = None) -> dict[str, MirrorFile]:
        """Return the files of some objects, or all."""
        return self._files if ids is None else {id: self._files[id] for id in ids if id in self._files}

    def files_below(self, folder: str) -> dict[str, MirrorFile]:
        """Return the files in a folder and those below it, by the object's id."""
        return {id: file for id, file in self._files.items() if file.path.startswith(f"{folder}/")}

    def put_files(self, files: Iterable[MirrorFile]) -> None:
        """Note files as they are now."""
        self._files |= {file.id: file for file in files}

    def drop_files(self, ids: Iterable[str]) -> None:
        """Forget files."""
        for id in ids:
            self._files.pop(id, None)
