"""Handle: the lock, the open database and what every use case needs of them."""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Self

from treering import wiring
from treering.api.freshness import Freshness
from treering.api.meanings import Meanings
from treering.domain import ids
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.domain.chunk import Chunked
    from treering.domain.ids import Kind
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.records import StoredSource
    from treering.settings import Settings


class Handle:
    """An open store under one lock.

    Attributes:
        place: where the store is and what its paths are relative to.
        settings: the settings that hold for it.
        lock: re-entrant; every method takes it. Hold it to make several calls one step.
    """

    def __init__(self, place: Place, settings: Settings) -> None:
        """Use the store at ``place``; its database is opened when first needed."""
        self.place = place
        self.settings = settings
        self.lock = threading.RLock()
        self._store: Backend | None = None
        again = partial(wiring.open_backend, place, settings, create=False)
        self._meanings = Meanings(settings, place.database if place.address is None else "", again)
        self._freshness = Freshness(place, settings)
        self._closed = False

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def close(self) -> None:
        """Release the database; a closed memory stays closed."""
        with self.lock:
            self._closed = True
            self._release()

    def _release(self) -> None:
        """Close the database if it is open."""
        if self._store is not None:
            self._store.close()
            self._store = None
            self._meanings.forget_store()

    def _opened(self, *, create: bool) -> Backend:
        """Return the open database; opens it anew when its file was replaced."""
        if self._closed:
            raise InputError("this memory was closed", hint="open another with treering.open()")
        if self._store is not None and self._store.replaced():
            self._release()
        if self._store is None:
            self._store = wiring.open_backend(self.place, self.settings, create=create)
        return self._store

    @contextmanager
    def _reading(self) -> Iterator[Transaction]:
        """Open a view of one state of an existing store."""
        with self.lock, self._opened(create=False).read() as tx:
            yield tx

    def _bring_up_to_date(self, tx: Transaction) -> None:
        """Make the keyword index again where another analysis made it."""
        from treering.derived import rows

        def chunked(source: StoredSource, text: str) -> Chunked:
            from treering.api.indexing import rechunk  # nearly never: it loads the readers

            return rechunk(source, text, self.settings)

        rows.bring_up_to_date(tx, chunked)

    def _roots(self, tx: Transaction) -> dict[int, tuple[Root, str]]:
        """Return the indexed directories with where they are, by number."""
        return {root.number: (root, self.place.resolve(root.path)) for root in tx.sources.roots()}


def make_id(kind: Kind) -> str:
    """Return a new identifier."""
    return ids.make(kind, time.time_ns() // 1_000_000, os.urandom(8))


def now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds."""
    seconds, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{millis:03d}Z"
