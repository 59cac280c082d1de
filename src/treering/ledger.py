"""Ledger: which stores were made on this machine by its user, or are trusted by him.

A file in the user's own folder, a line for each store: its random id and its folder. It never lies in a project, so
nothing that comes with a clone can write itself into it.
"""

from __future__ import annotations

import os

from treering.errors import StorageFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

FILE: Final = "trusted"
STORE_ID: Final = "store_id"
"""The name under which a store keeps its id."""

NONE: Final = "-"
"""Stands for a store's id, or a folder, that is not meant."""


class Ledger:
    """What is known of stores on this machine."""

    def __init__(self, folder: str) -> None:
        """Read the ledger in ``folder``, the user's own; there need be none."""
        self._file = os.path.join(folder, FILE)
        self._ids: set[str] = set()
        self._folders: set[str] = set()
        try:
            with open(self._file, encoding="utf-8", errors="surrogateescape") as opened:
                lines = opened.read().split("\n")
        except OSError:
            return
        for line in lines:
            id, _, place = line.partition(" ")
            self._ids.add(id)
            self._folders.add(place)
        self._ids -= {NONE, ""}
        self._folders -= {NONE, ""}

    def knows(self, id: str | None, folder: str) -> bool:
        """Tell whether a store was made here or is trusted; one without an id by its folder."""
        return id in self._ids if id else self.knows_folder(folder)

    def knows_folder(self, folder: str) -> bool:
        """Tell whether what stands in a store's folder, its settings too, is the user's own or trusted."""
        return os.path.realpath(folder) in self._folders

    def add(self, id: str, folder: str) -> None:
        """Write a store into the ledger; ``-`` where its folder, or its id, is not meant.

        Raises:
            StorageFailed: if the ledger cannot be written.
        """
        folder = folder if folder == NONE else os.path.realpath(folder)
        if "\n" in folder:
            raise StorageFailed(f"{folder!r} is no name for a store that is to be trusted", hint="rename the folder")
        if (id == NONE or id in self._ids) and (folder == NONE or folder in self._folders):
            return
        try:
            os.makedirs(os.path.dirname(self._file), mode=0o700, exist_ok=True)
            handle = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, f"{id} {folder}\n".encode("utf-8", "surrogateescape"))
            finally:
                os.close(handle)
        except OSError as error:
            raise StorageFailed(
                f"{self._file}, where trusted stores are written down, cannot be written: {error.strerror}",
                hint="set TREERING_HOME to a folder that can be written",
            ) from error
        self._ids.add(id)
        self._folders.add(folder)
