"""The boundary between Treering and what can be exchanged: storage, keyword search, embedders, readers, extractors.

The relational half stands in ``sources`` and ``curated``; here the indexes, embedders and the database itself. Read it
as a contract. Every adapter passes the same suite in ``tests/contract``.

A ``Transaction`` belongs to one thread. Everything read through it is one consistent state;
everything written becomes visible to others at once, when the ``with`` block ends, or not at all.
``space`` (a number) leads every key; a transaction works in one space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from treering.domain.operation import Create
    from treering.domain.query import Filter, Term
    from treering.domain.source import Extract
    from treering.ports.changes import Changes
    from treering.ports.curated import Attention, Claims, Entities, Journal, Memories
    from treering.ports.erasures import Erasures
    from treering.ports.mirrored import Mirrored
    from treering.ports.originals import Originals
    from treering.ports.sources import Sources
    from treering.ports.tree import Tree
    from treering.records import KeywordHit, Unembedded


class Keywords(Protocol):
    """BM25 over entries. An entry is a number with a head (title, headings, path) and a body."""

    def add(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Add ``(entry, head, body)``, both as ``domain.text.search_text`` returns them."""
        ...

    def remove(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Remove entries; head and body must be what was added, byte for byte."""
        ...

    def size(self) -> int:
        """Return the number of entries."""
        ...

    def frequencies(self, terms: Sequence[Term]) -> list[int]:
        """Return for each term in how many entries it occurs; words side by side count where they are."""
        ...

    def rank(self, terms: Sequence[Term], frequencies: Sequence[int], limit: int, filter: Filter) -> list[KeywordHit]:
        """Return good entries that contain any of the terms and pass the filter, best first.

        Args:
            terms: what to look for.
            frequencies: what ``frequencies`` says of them.
            limit: how many entries at the most.
            filter: what narrows the corpus before ranking.
        """
        ...

    def holding(self, terms: Sequence[Term], most: int) -> list[int]:
        """Return entries that contain every one of the terms, ``most`` at the most, in no order.

        A backend that keeps a very long entry in parts may miss it where no part contains them all.
        """
        ...

    def beginning(self, letters: str, most: int) -> list[tuple[str, int]]:
        """Return words of the index, as it compares them, that begin with some letters, in the order of letters.

        Args:
            letters: at least one; small letters without accents.
            most: how many at the most.

        Returns:
            Each with the number of entries that hold it.
        """
        ...

    def stems(self, text: str) -> list[str]:
        """Return the words of a text, which ``domain.text.search_text`` returned, as the index compares them."""
        ...

    def erase(self) -> None:
        """Leave no word of a removed entry in the index; takes time that grows with the index."""
        ...

    def has_words(self) -> bool:
        """Tell whether there is any word in the index; does not count them."""
        ...

    def remake(self) -> None:
        """Make the empty index itself again, where what it is kept in may be gone or damaged."""
        ...

    def clear(self) -> None:
        """Remove everything, in time that does not depend on the number of entries."""
        ...


class Vectors(Protocol):
    """A vector for each entry and model, as ``domain.vector`` stores it. ``model`` is a name with its revision.

    A vector leaves with its chunk or memory, and when a memory's words or status change.
    """

    def models(self) -> list[str]:
        """Return the models that have vectors, or had some that left one by one."""
        ...

    def lacking(self, model: str, limit: int, before: int = 0) -> list[Unembedded]:
        """Return entries without a vector of the model, the newest first.

        Args:
            model: the model.
            limit: how many at the most.
            before: only entries with a lower number; 0 for all.
        """
        ...

    def put(self, model: str, rows: Sequence[tuple[int, int, bytes]]) -> int:
        """Store ``(entry, revision, row)`` and return how many were stored.

        Entries that have a vector by now, are gone or have another revision are passed over.
        """
        ...

    def mark(self, model: str) -> tuple[int, int]:
        """Return how many vectors the model has and the number of its last change; both alike: nothing changed."""
        ...

    def rows(self, model: str, after: int = 0, most: int = 0) -> list[tuple[int, bytes]]:
        """Return entries and rows that were stored after the change of that number, in no order.

        Args:
            model: the model.
            after: the change; 0 for all rows.
            most: how many at the most; 0 for all.
        """
        ...

    def entries(self, model: str) -> list[int]:
        """Return the entries that have a vector of the model, in no order."""
        ...

    def of(self, model: str, entries: Sequence[int]) -> dict[int, bytes]:
        """Return the rows of those among the entries that have one."""
        ...

    def passing(self, filter: Filter) -> list[int]:
        """Return the entries that pass a filter, in no order."""
        ...

    def nearest(self, model: str, question: bytes, limit: int, filter: Filter) -> dict[int, float]:
        """Return the entries with the highest cosines above 0 among those that pass a filter, best first.

        Where the backend ``compares``, nearly all that are nearest in milliseconds; else all, by reading every row.

        Args:
            model: the model.
            question: a unit vector as little-endian float32.
            limit: how many at the most.
            filter: what narrows the corpus.
        """
        ...

    def drop(self, model: str) -> None:
        """Remove all vectors of a model."""
        ...


class Embedder(Protocol):
    """Turns text into vectors whose cosine says how near two meanings are.

    May be called from several threads at once and never inside a transaction. It adds any prefix
    that its model wants by itself. A failure raises ``EmbedderFailed`` and leaves nothing behind;
    a row that cannot be embedded (no word in it) is all zeros and matches nothing.
    """

    @property
    def id(self) -> str:
        """Name of the model and how it is run, e.g. ``static/potion-base-8M``."""
        ...

    @property
    def revision(self) -> str:
        """Changes whenever the same text may get another vector."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def english_only(self) -> bool:
        """Whether vectors of other scripts than Latin mean nothing."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return stored texts as ``len(texts) × dimension`` little-endian float32, rows of unit length."""
        ...

    def embed_query(self, text: str) -> bytes:
        """Return a question as ``dimension`` little-endian float32 of unit length."""
        ...


class Reader(Protocol):
    """What takes the text out of one kind of document; see ``treering.ingest.readers.register``.

    It is called in a process of its own that is killed when it takes too long or too much memory. It sees one
    document at a time, keeps nothing, and opens no file and no connection. It must be reachable as a name of its
    module, because that other process imports it.
    """

    def __call__(self, raw: bytes, name: str) -> Extract:
        """Return the text of the document ``raw``, whose file is called ``name``.

        Raises:
            Unread: when there is no text, or it cannot be had, with the reason for people.
                Anything else that is raised counts as a damaged document.
        """
        ...


class Extractor(Protocol):
    """What takes memories out of a document without a model; one is passed to ``treering.open``."""

    def operations(
        self, text: str, source_id: str, document_date: str, metadata: Mapping[str, tuple[str, ...]]
    ) -> Sequence[Create]:
        """Return the memories that a document states, as operations; none for a document that states none.

        Each is an agent's claim with the document's trust, whatever it says of itself.

        Args:
            text: the whole decoded text, front matter included.
            source_id: what the quotes cite.
            document_date: the document's own date as dates are stored; empty for none.
            metadata: its front matter.
        """
        ...


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
            wait: False gives up at once when others keep the store locked.

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
