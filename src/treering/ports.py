"""The boundary between Treering and what can be exchanged: storage, keyword search, embedders.

One page, read as a contract. Every adapter passes the same suite in ``tests/contract``.

A ``Transaction`` belongs to one thread. Everything read through it is one consistent state;
everything written becomes visible to others at once, when the ``with`` block ends, or not at all.
``space`` (a number) leads every key; a transaction works in one space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from treering.domain.query import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from treering.domain.chunk import Chunk
    from treering.domain.query import Filter, Term
    from treering.domain.source import Metadata, Root, Skip, Tracked
    from treering.intake import KeptText, NewVersion
    from treering.records import (
        Counts,
        KeywordHit,
        Quote,
        StoredChunk,
        StoredMemory,
        StoredSource,
        Unembedded,
    )


class Sources(Protocol):
    """Roots, sources, versions, their text and metadata: the relational half."""

    def roots(self) -> list[Root]:
        """Return all indexed roots by number."""
        ...

    def put_root(self, path: str, glob: str) -> Root:
        """Return the root at anchored ``path``, making it or giving it ``glob`` as needed."""
        ...

    def finish_root(self, root: int, rules_hash: str, at: str, skips: Iterable[Skip]) -> None:
        """Record that a run over ``root`` ended at ``at``; ``skips`` replaces its list."""
        ...

    def drop_root(self, root: int) -> None:
        """Remove a root's own row and skips. Its sources must have been removed before."""
        ...

    def skips(self) -> list[tuple[int, Skip]]:
        """Return every file left out by the last runs, with its root's number."""
        ...

    def folders(self, root: int) -> dict[str, int]:
        """Return the folders of a root that the last run went through, ``""`` for itself, with their mtime in ns."""
        ...

    def put_folders(self, root: int, folders: Mapping[str, int]) -> None:
        """Replace what ``folders`` returns; writes only what differs."""
        ...

    def stamps(self, root: int) -> list[tuple[str, int, int, int]]:
        """Return path, size, mtime and ctime (ns) of a root's tracked files, by path."""
        ...

    def tracked(self, root: int | None = None) -> list[Tracked]:
        """Return the tracked files of one root, or of all."""
        ...

    def put_tracked(self, tracked: Tracked) -> None:
        """Write a tracked file's stamp, rules and front-matter state; its source must exist."""
        ...

    def put_version(self, new: NewVersion, source: str, version: str, at: str) -> list[int]:
        """Store a file's content as the current version of its source and return entry numbers.

        Makes the source under ``source`` if its key is new. A former version that nothing cites
        leaves with its text and chunks; the caller has taken them out of the keyword index.

        Args:
            new: the content.
            source: id for the source, used when the key has none yet.
            version: id for the version.
            at: now, ISO 8601.
        """
        ...

    def grow_version(self, new: NewVersion, version: str, at: str) -> list[int]:
        """Store a file that has grown and return the entry numbers of its new chunks.

        What stays moves to the new version with its entries; the base leaves, as in ``put_version``.

        Args:
            new: the content; its base must be the current version of its source.
            version: id for the version.
            at: now, ISO 8601.
        """
        ...

    def put_kept(self, new: KeptText, source: str, version: str, at: str) -> list[int]:
        """Store a kept text as the current version of its source and return the entry numbers of its chunks.

        Former versions stay, without their chunks: memories quote them.
        """
        ...

    def put_chunks(self, version: str, text: str, chunks: Sequence[Chunk], start: int = 0) -> list[int]:
        """Write chunks of a version and return their entry numbers.

        Args:
            version: the version.
            text: its decoded text from ``start`` on.
            chunks: in order; none begins before ``start``.
            start: offset of ``text``.
        """
        ...

    def drop_chunks(self, version: str) -> None:
        """Remove a version's chunks; its text stays."""
        ...

    def put_metadata(self, source: str, metadata: Metadata) -> None:
        """Replace the metadata of a source."""
        ...

    def metadata(self, sources: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the metadata of each given source; a source without any has an empty mapping."""
        ...

    def remove_source(self, source: str) -> None:
        """Remove a source, its versions, text, chunks and metadata. Unknown ids are ignored."""
        ...

    def source_by_key(self, key: str) -> StoredSource | None:
        """Return the source with exactly this key."""
        ...

    def source_of(self, version: str) -> str | None:
        """Return the source that a version belongs to."""
        ...

    def sources(self, ids: Sequence[str]) -> dict[str, StoredSource]:
        """Return the known ones among ``ids``."""
        ...

    def list_sources(self, filter: Filter, limit: int, after: str, *, newest_first: bool = False) -> list[StoredSource]:
        """Return sources by key, or the newest versions first.

        Args:
            filter: which sources.
            limit: how many at the most.
            after: the last one of the page before: its key, or ``recorded_at`` and id; empty for the first page.
            newest_first: whether to order by when the version was stored.
        """
        ...

    def count(self, filter: Filter) -> Counts:
        """Return how much passes the filter."""
        ...

    def decoding(self, version: str) -> tuple[str, str]:
        """Return how a version was decoded: its encoding, and a notice where that is not certain."""
        ...

    def chunks_of(self, version: str, first: int = 0) -> list[StoredChunk]:
        """Return a version's chunks in order, from ordinal ``first`` on."""
        ...

    def chunks_before(self, version: str, stop: int, count: int, *, opening: bool = False) -> list[Chunk]:
        """Return the last chunks of a version before an ordinal, as they were put.

        Args:
            version: the version.
            stop: ordinal of the first chunk that is not wanted; any higher number for the end.
            count: how many at the most.
            opening: whether only chunks are wanted that begin with a heading.
        """
        ...

    def chunks(self, entries: Sequence[int]) -> dict[int, StoredChunk]:
        """Return the known ones among the entries."""
        ...

    def conversations(self, entries: Sequence[int]) -> list[list[int]]:
        """Return all turns in order, as entries, of each source of kind ``chat`` that any of the entries belongs to."""
        ...

    def text(self, version: str, start: int, stop: int) -> str:
        """Return a stretch of a version's decoded text; offsets count characters.

        Raises:
            Damaged: if the store does not hold that stretch.
        """
        ...


class Memories(Protocol):
    """Memories with their evidence, labels and former revisions."""

    def put(self, memory: StoredMemory, quotes: Sequence[Quote]) -> None:
        """Store a new memory, or a changed one whose former revision is kept beside it.

        Its evidence is that of its revision. The entry is a number from ``next_entry``.
        """
        ...

    def next_entry(self) -> int:
        """Return a number for a keyword row, never given out before."""
        ...

    def put_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Replace a memory's tags (key ``tags``) and metadata."""
        ...

    def labels(self, memories: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return tags and metadata of each given memory; empty for one without any."""
        ...

    def quotes(self, memories: Sequence[str]) -> dict[str, list[Quote]]:
        """Return the evidence of each given memory's present revision."""
        ...

    def memories(self, ids: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the known ones among ``ids``."""
        ...

    def by_entries(self, entries: Sequence[int]) -> dict[int, StoredMemory]:
        """Return the memories that the keyword rows stand for."""
        ...

    def by_sources(self, sources: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the memories whose own notes the sources are, by source."""
        ...

    def by_fingerprint(self, fingerprint: int) -> StoredMemory | None:
        """Return the active memory with this content."""
        ...

    def revisions(self, memory: str) -> list[tuple[int, str, str]]:
        """Return number, content and end of each former revision, oldest first."""
        ...

    def list_memories(self, status: str, limit: int, after: str, filter: Filter = EVERYTHING) -> list[StoredMemory]:
        """Return memories of a status (empty for all) that pass a filter, newest first, from behind id ``after``."""
        ...

    def count(self, status: str = "", filter: Filter = EVERYTHING) -> int:
        """Return how many memories have a status (empty for all) and pass a filter."""
        ...

    def remove(self, memory: str, at: str) -> None:
        """Remove a memory with all that hangs on it; a tombstone without content remains."""
        ...

    def forgotten_at(self, id: str) -> str | None:
        """Return when something of this id was forgotten; None when it was not."""
        ...


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

    def stems(self, text: str) -> list[str]:
        """Return the words of a text, which ``domain.text.search_text`` returned, as the index compares them."""
        ...

    def erase(self) -> None:
        """Leave no word of a removed entry in the index; takes time that grows with the index."""
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


class Transaction(Protocol):
    """One consistent view of one space of a store."""

    @property
    def sources(self) -> Sources:
        """The relational half."""
        ...

    @property
    def memories(self) -> Memories:
        """What was distilled."""
        ...

    @property
    def keywords(self) -> Keywords:
        """The keyword index."""
        ...

    @property
    def vectors(self) -> Vectors:
        """What the entries mean."""
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

    def purge(self) -> bool:
        """Take what was removed out of whatever the database keeps beside its data, such as a write-ahead log.

        Never inside a transaction. May be called again; whoever closes the store last does the same.

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

    def replaced(self) -> bool:
        """Tell whether the data at the location is no longer what was opened."""
        ...

    def info(self) -> Mapping[str, str | int]:
        """Return facts for ``status``: engine, version, size in bytes, schema version."""
        ...

    def close(self) -> None:
        """Release the database; a second call does nothing."""
        ...
