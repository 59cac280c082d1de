"""The boundary between Treering and what can be exchanged: storage, keyword search, embedders, readers, extractors.

The relational half stands in ``sources``, ``claims`` and ``curated``, the indexes in ``indexes``, embedders, readers
and extractors in ``adapters``; here the database itself. Read it as a contract. Every adapter passes the same suite
in ``tests/contract``.

A ``Transaction`` belongs to one thread. Everything read through it is one consistent state;
everything written becomes visible to others at once, when the ``with`` block ends, or not at all.
``space`` (a number) leads every key; a transaction works in one space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from treering.ports.adapters import Embedder, Extractor, Reader
from treering.ports.indexes import Keywords, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from treering.ports.changes import Changes
    from treering.ports.claims import Claims
    from treering.ports.curated import Attention, Entities, Journal, Memories
    from treering.ports.erasures import Erasures
    from treering.ports.mirrored import Mirrored
    from treering.ports.originals import Originals
    from treering.ports.sources import Sources
    from treering.ports.tree import Tree


__all__ = ["Backend", "Embedder", "Extractor", "Keywords", "Reader", "Tables", "Transaction", "Vectors"]


class Tables(Protocol):
    """Canonical rows as they are stored: for export, and for taking one in."""

    @property
    def names(self) -> Sequence[str]:
        """The canonical tables, each behind those that it refers to."""
        ...

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table by its key; values are numbers, strings, bytes or None."""
        ...

    def rows_where(self, table: str, column: str, values: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the rows of a table that have one of some values in a column, by its key."""
        ...

    def put(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows to a table that has none of their keys."""
        ...

    def put_texts(self, texts: Iterable[tuple[str, str]]) -> None:
        """Add the texts of versions that have none, each with its version's id."""
        ...

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        ...

    def drop_defaults(self) -> None:
        """Remove what a new store has from the start, before another store's rows come in."""
        ...


class Transaction(Protocol):
    """One consistent view of one space of a store."""

    @property
    def sources(self) -> Sources:
        """The relational half."""
        ...

    @property
    def memories(self) -> Memories:
        """What was distilled, as it stands."""
        ...

    @property
    def claims(self) -> Claims:
        """Who said what, and what was decided."""
        ...

    @property
    def entities(self) -> Entities:
        """What memories speak of, and how they stand to one another."""
        ...

    @property
    def journal(self) -> Journal:
        """What waits for the owner, and what was done."""
        ...

    @property
    def attention(self) -> Attention:
        """What is pinned, and what was recalled before."""
        ...

    @property
    def originals(self) -> Originals:
        """The bytes of what was imported."""
        ...

    @property
    def erasures(self) -> Erasures:
        """What is erased, and how far that is."""
        ...

    @property
    def keywords(self) -> Keywords:
        """The keyword index."""
        ...

    @property
    def vectors(self) -> Vectors:
        """What the entries mean."""
        ...

    @property
    def changes(self) -> Changes:
        """What changed since an instant."""
        ...

    @property
    def tree(self) -> Tree:
        """The tree of digests."""
        ...

    @property
    def tables(self) -> Tables:
        """All canonical rows, table by table."""
        ...

    @property
    def mirrored(self) -> Mirrored:
        """What the mirror has to catch up with, and its files."""
        ...

    def state(self) -> object:
        """Return what is equal as long as nobody changes the store, compared with earlier ones of this adapter."""
        ...

    def setting(self, name: str) -> str | None:
        """Return a value that the store keeps about itself; None when it was never set."""
        ...

    def settings(self, *names: str) -> tuple[str | None, ...]:
        """Return several of these values."""
        ...

    def put_setting(self, name: str, value: str) -> None:
        """Write a value that the store keeps about itself."""
        ...


class Backend(Protocol):
    """A store's database. Safe to share between threads; close it once."""

    @property
    def location(self) -> str:
        """Where the data is, for people."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether writing is impossible here."""
        ...

    @property
    def upgraded(self) -> bool:
        """Whether its layout was brought up to this program's as it was opened; what is derived may be due."""
        ...

    @property
    def compares(self) -> bool:
        """Whether the database itself compares vectors, so that no process need hold them all."""
        ...

    def read(self) -> AbstractContextManager[Transaction]:
        """Open a view that sees one state, whatever others commit meanwhile. Never waits."""
        ...

    def write(self, *, wait: bool = True) -> AbstractContextManager[Transaction]:
        """Open a transaction that alone may write; waits for others up to ``busy_timeout_s``.

        An exception inside the block leaves everything as it was before.

        Args:
            wait: False gives up at once when others keep the store locked, and waits for the disk no longer than
                it must.

        Raises:
            StoreBusy: when others kept the store locked for longer.
            ReadOnlyStore: when it cannot be written.
            StorageFailed: when the disk is full or broken; nothing is lost.
        """
        ...

    def purge(self, *, wait: bool = True) -> bool:
        """Take what was removed out of whatever the database keeps beside its data, such as a write-ahead log.

        Never inside a transaction. May be called again; whoever closes the store last does the same.

        Args:
            wait: False tries once and waits for nobody.

        Returns:
            Whether nothing is left. False when somebody still reads an earlier state, or the disk fails: the data
            itself is clean all the same.
        """
        ...

    def settle(self) -> None:
        """Make what speeds searches up once there is much data; may take minutes while others read and write.

        Never inside a transaction. Nothing to do is found out in a millisecond.
        """
        ...

    def check(self) -> Sequence[str]:
        """Return what the database finds wrong with itself; takes as long as reading it."""
        ...

    def copy_to(self, path: str) -> None:
        """Write the data, as one state, into a new database file; others may go on writing.

        Raises:
            Unavailable: if the data is on a server.
            StorageFailed: if the file cannot be written.
        """
        ...

    def replaced(self) -> bool:
        """Tell whether the data at the location is no longer what was opened."""
        ...

    def info(self) -> Mapping[str, str | int]:
        """Return facts for ``status``: engine, version, size in bytes, schema version."""
        ...

    def close(self) -> None:
        """Release the database; a second call does nothing."""
        ...
