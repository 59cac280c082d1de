"""The boundary between Treering and what can be exchanged: storage, keyword search, embedders.

One page, read as a contract. Every adapter passes the same suite in ``tests/contract``.

A ``Transaction`` belongs to one thread. Everything read through it is one consistent state;
everything written becomes visible to others at once, when the ``with`` block ends, or not at all.
``space`` (a number) leads every key; a transaction works in one space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from treering.domain.chunk import Chunk, Heading, Lead
from treering.domain.memory import MemoryKind, MemoryStatus, Verification
from treering.domain.query import EVERYTHING, Filter, Term
from treering.domain.source import Document, Metadata, Root, Skip, Tracked, Trust


class StoredChunk(NamedTuple):
    """A chunk with its exact text and what an answer needs of its source; see ``domain.chunk`` for the fields."""

    entry: int
    source: str
    version: str
    ordinal: int
    start: int
    stop: int
    first_line: int
    last_line: int
    kind: str
    path: tuple[Heading, ...]
    lead: tuple[Lead, ...]
    fingerprint: int
    text: str


class StoredSource(NamedTuple):
    """A source with its current version."""

    id: str
    key: str
    title: str
    kind: str
    trust: str
    custody: str
    version: str
    sha256: str
    encoding: str
    chars: int
    lines: int
    recorded_at: str


class NewVersion(NamedTuple):
    """One file's content on its way into the store.

    Attributes:
        tracked: the file; its ``source`` is empty when the store has none under ``key`` yet.
        key: stable key of the source.
        title: what the source is called.
        document: the decoded text.
        chunks: the text's pieces, in order.
        metadata: what front matter and path rules say.
    """

    tracked: Tracked
    key: str
    title: str
    document: Document
    chunks: Sequence[Chunk]
    metadata: Metadata


class Changes(NamedTuple):
    """One batch of an index run: applied whole, in one transaction.

    Attributes:
        versions: files to store with their new content.
        touched: files whose content is as before under a new stamp.
        refreshed: files whose metadata alone changed.
        gone: files that left the disk.
    """

    versions: tuple[NewVersion, ...] = ()
    touched: tuple[Tracked, ...] = ()
    refreshed: tuple[tuple[Tracked, Metadata], ...] = ()
    gone: tuple[Tracked, ...] = ()


class KeptText(NamedTuple):
    """A text that the store keeps a copy of.

    Attributes:
        key: stable key of the source, e.g. ``note:mem_…``.
        title: what the source is called.
        kind: what it is, e.g. ``note``.
        trust: whose word it is.
        document: the text.
        chunks: its pieces; none where something else stands for it in the keyword index.
    """

    key: str
    title: str
    kind: str
    trust: Trust
    document: Document
    chunks: Sequence[Chunk] = ()


class StoredMemory(NamedTuple):
    """A memory; see the fields of ``MemoryStore.remember``.

    Attributes:
        id: its identifier.
        entry: its keyword row.
        kind: what it is about, e.g. ``decision``.
        title: a few words; may be empty.
        content: what it says.
        summary: the same in one sentence; may be empty.
        source: id of the note that keeps the text as it was said.
        status: ``active`` or ``archived``.
        verification: how far it can be relied on.
        trust: whose word it is.
        revision: counts up with each change of its content, from 1.
        fingerprint: equal for equal content.
        recorded_at: when it was first saved, ISO 8601.
        changed_at: when it last changed, ISO 8601.
    """

    id: str
    entry: int
    kind: MemoryKind
    title: str
    content: str
    summary: str
    source: str
    status: MemoryStatus
    verification: Verification
    trust: Trust
    revision: int
    fingerprint: int
    recorded_at: str
    changed_at: str


class Quote(NamedTuple):
    """Evidence of a memory: the words, and where they stand in which version."""

    version: str
    start: int
    stop: int
    text: str


class Counts(NamedTuple):
    """How much a space, or one root of it, holds."""

    sources: int
    chunks: int
    characters: int
    unparsed: int


class KeywordHit(NamedTuple):
    """An entry that matches, with its BM25 score: higher is better, comparable in one call only."""

    entry: int
    score: float


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

    def put_kept(self, new: KeptText, source: str, version: str, at: str) -> list[int]:
        """Store a kept text as the current version of its source and return the entry numbers of its chunks.

        Former versions stay, without their chunks: memories quote them.
        """
        ...

    def put_chunks(self, version: str, text: str, chunks: Sequence[Chunk]) -> list[int]:
        """Write the chunks of a version whose decoded text is ``text`` and return their entry numbers."""
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

    def chunks_of(self, version: str) -> list[StoredChunk]:
        """Return a version's chunks in order."""
        ...

    def chunks(self, entries: Sequence[int]) -> dict[int, StoredChunk]:
        """Return the known ones among the entries."""
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

    def list_memories(self, status: str, limit: int, after: str) -> list[StoredMemory]:
        """Return memories of a status (empty for all), newest first, starting behind the id ``after``."""
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

    def clear(self) -> None:
        """Remove everything, in time that does not depend on the number of entries."""
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

    def read(self) -> AbstractContextManager[Transaction]:
        """Open a view that sees one state, whatever others commit meanwhile. Never waits."""
        ...

    def write(self) -> AbstractContextManager[Transaction]:
        """Open a transaction that alone may write; waits for others up to ``busy_timeout_s``.

        An exception inside the block leaves everything as it was before.

        Raises:
            StoreBusy: when others kept the store locked for longer.
            ReadOnlyStore: when it cannot be written.
            StorageFailed: when the disk is full or broken; nothing is lost.
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
