"""Undoing imports: what leaves the store and its index, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api.cutting import rechunk
from treering.curate.unkeep import Shelves
from treering.derived import rows
from treering.domain.source import Metadata
from treering.ingest import metadata

if TYPE_CHECKING:
    from collections.abc import Collection

    from treering.ports import Backend, Transaction
    from treering.records import StoredSource
    from treering.settings import Settings


def shelves(tx: Transaction, settings: Settings) -> Shelves:
    """Return what takes originals out of the store, and puts former versions back."""

    def take_out(source: StoredSource) -> None:
        """Remove a source, but for what memories quote of it."""
        (rows.drop if tx.claims.citing(tx.sources.versions(source.id)) else rows.erase)(tx, source)

    def turn_back(source: StoredSource, former: str) -> None:
        """Put a former version in the place of the current one, with what it says of itself."""
        now = tx.sources.text(source.version, 0, source.chars)
        then = tx.sources.text(former, 0, tx.sources.length(former))
        front = metadata.parse(then, metadata.split(then))
        said = _said_by_hand(tx.sources.metadata([source.id])[source.id], metadata.parse(now, metadata.split(now)))
        tx.sources.put_metadata(source.id, front._replace(values={**front.values, **said}))
        cut = rechunk(tx, source, then, settings)
        rows.turn_back(tx, source, former, front.title or cut.title or source.title, cut.chunks)

    return Shelves(take_out, turn_back)


def remove_bytes(store: Backend, digests: Collection[str]) -> None:
    """Remove the bytes of originals that no version names any more; an import may have named one since."""
    if not digests:
        return
    with store.write() as tx:
        for digest in set(digests).difference(tx.sources.digests()):
            tx.originals.remove(digest)


def _said_by_hand(labels: dict[str, tuple[str, ...]], own: Metadata) -> dict[str, tuple[str, ...]]:
    """Return the metadata of a source that its text does not say itself."""
    return {key: values for key, values in labels.items() if own.values.get(key) != values}
