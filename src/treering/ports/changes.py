"""What changed since an instant, as far as rows tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.digest import VersionChange
    from treering.records import StoredMemory


class Changes(Protocol):
    """Rows by when they were written; instants as the store records them."""

    def memories(self, since: str, limit: int) -> list[StoredMemory]:
        """Return memories that were recorded or changed from an instant on, the last change first."""
        ...

    def versions(self, since: str, limit: int) -> list[VersionChange]:
        """Return versions of sources that were stored from an instant on, the newest first; no notes of memories."""
        ...

    def forgotten(self, since: str, limit: int) -> list[tuple[str, str]]:
        """Return ids that were forgotten from an instant on with when that was, the newest first."""
        ...

    def departed(self, since: str, limit: int) -> list[tuple[str, str]]:
        """Return keys of files that left the index from an instant on with when that was, the newest first."""
        ...

    def depart(self, keys: Sequence[str], at: str) -> None:
        """Note that files have left the index."""
        ...

    def forget_departed(self, keys: Sequence[str]) -> None:
        """Remove what ``depart`` noted of files."""
        ...
