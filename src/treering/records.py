"""What a store returns: rows as values. Apart from the ports, which a cold search need not load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.chunk import Heading, Lead
from treering.domain.named import NamedTuple
from treering.domain.source import Trust

if TYPE_CHECKING:
    from treering.domain.memory import MemoryKind, MemoryStatus, Verification


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


class Unembedded(NamedTuple):
    """An entry that lacks a vector, with what is embedded of it.

    Attributes:
        entry: its number.
        revision: of a memory; 0 for a chunk, whose text never changes under its number.
        title: of the document or memory; may be empty.
        headings: titles of the headings above it.
        text: the beginning of its text.
    """

    entry: int
    revision: int
    title: str
    headings: tuple[str, ...]
    text: str
