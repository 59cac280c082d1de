"""Erasures: the journal that they are finished by, and the rows that words of something stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.journal import StoredCopy, StoredErasure

    Rows = Mapping[str, Sequence[Mapping[str, Any]]]


class Erasures(Protocol):
    """What is erased, how far that is, and what copies of the store are known."""

    def put(self, erasure: StoredErasure) -> None:
        """Store an erasure, new or further on."""
        ...

    def remove(self, id: str) -> None:
        """Remove an erasure that came to nothing."""
        ...

    def unfinished(self) -> Sequence[StoredErasure]:
        """Return the erasures that are not done, the oldest first."""
        ...

    def list_erasures(self, limit: int, before: str = "") -> Sequence[StoredErasure]:
        """Return erasures, newest first, those older than an id."""
        ...

    def rows_of(self, ids: Sequence[str]) -> Rows:
        """Return by table every row whose words belong to one of some memories, claims, sources, versions and so on."""
        ...

    def words(self) -> Mapping[str, Sequence[str]]:
        """Return the tables with a user's words, each with the columns that have them."""
        ...

    def sweep(self, ids: Sequence[str]) -> None:
        """Remove the rows of erased owners from the tables that leave it to the erasure."""
        ...

    def note_copy(self, copy: StoredCopy) -> None:
        """Remember that the store was copied to some place."""
        ...

    def copies(self) -> Sequence[StoredCopy]:
        """Return the copies that were made, by their paths."""
        ...
