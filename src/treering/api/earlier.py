"""A tracked file as the store has it, for whoever reads what was added to it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from treering.ingest.versions import domain_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.domain.chunk import Chunk
    from treering.domain.source import Tracked
    from treering.ports import Backend, Transaction
    from treering.records import StoredSource


class OpenBackend(Protocol):
    """What opens a store's database."""

    def __call__(self, *, create: bool) -> Backend:
        """Return the database; makes it when it is absent and ``create`` is true, else raises NotFound."""
        ...


class Earlier:
    """The current version of a source, inside one transaction; see ``ingest.versions.Earlier``.

    Attributes:
        version: id of the version.
        title: what the source is called.
        encoding: how the version was decoded.
        notice: what is uncertain about that.
        chars: length of its text.
        domain: what kind of text its metadata says that it is; empty when it does not.
    """

    def __init__(self, tx: Transaction, source: StoredSource) -> None:
        """Look at ``source`` through ``tx``."""
        self._sources = tx.sources
        self.version = source.version
        self.title = source.title
        self.encoding, self.notice = tx.sources.decoding(source.version)
        self.chars = source.chars
        self.domain = domain_of(tx.sources.metadata([source.id])[source.id])

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last ``count`` chunks before ordinal ``stop``, in order; ``opening``: that begin with headings."""
        return self._sources.chunks_before(self.version, stop, count, opening=opening)

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        return self._sources.text(self.version, start, stop)


@contextmanager
def earlier(open_backend: OpenBackend, tracked: Tracked) -> Iterator[Earlier | None]:
    """Open a known file as it is stored; None when it has left meanwhile."""
    with open_backend(create=False).read() as tx:
        source = tx.sources.sources([tracked.source]).get(tracked.source)
        yield None if source is None else Earlier(tx, source)
