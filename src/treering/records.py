"""What a store returns: rows as values. Apart from the ports, which a cold search need not load."""

from __future__ import annotations

from treering.domain.chunk import Heading, Lead
from treering.domain.named import NamedTuple
from treering.domain.source import Trust

FOREVER = 2**62
"""Later than every instant, in microseconds since 1970; its negative is earlier."""

TYPE_CHECKING = False
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
    """A source with its current version.

    Attributes:
        id: its identifier.
        key: its stable name: ``file:…`` where it is indexed, ``import:…`` of a file that was imported, ``note:…``, or
            that of a page such as ``github:owner/repo#123``.
        title: what it is called.
        kind: what it is, e.g. ``meeting``.
        trust: whose word it is.
        custody: ``tracked`` where it is read in place, ``kept`` where the store has the only copy that counts.
        version: id of its current version.
        sha256: digest of the original bytes of that.
        encoding: how they were read.
        chars: length of the text.
        lines: lines of the text.
        recorded_at: when the version was stored, ISO 8601.
        url: where it stands for people to open; empty when unknown.
        source_time: the document's own date, as it was given; empty when unknown.
        original: of what was imported, ``text`` where the text is the original byte for byte, ``masked`` where secrets
            were taken out of it, else ``bytes``.
        scope: of the store that it stands in; empty where one store was asked.
    """

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
    url: str = ""
    source_time: str = ""
    original: str = ""
    scope: str = ""


class StoredVersion(NamedTuple):
    """One version of a source; see ``StoredSource`` and ``domain.source.Document`` for the fields."""

    id: str
    sha256: str
    size_bytes: int
    encoding: str
    notice: str
    chars: int
    lines: int
    recorded_at: str
    source_time: str
    original: str


class StoredMemory(NamedTuple):
    """A memory; see the fields of ``MemoryStore.remember``.

    Attributes:
        id: its identifier.
        entry: its keyword row.
        kind: what it is about, e.g. ``decision``.
        title: a few words; may be empty.
        content: what it says.
        summary: the same in one sentence; may be empty.
        source: id of the note that keeps the text as it was said, else of the first source that it quotes; empty for
            none.
        status: ``active``, ``superseded``, ``disputed`` or ``archived``, as of ``changed_at``: what is active is
            superseded from ``stops`` on.
        verification: how far it can be relied on.
        trust: whose word it is.
        revision: counts up with each change of its content, from 1.
        fingerprint: equal for equal content.
        recorded_at: when it was first saved, ISO 8601.
        changed_at: when it last changed, ISO 8601.
        slot: the topic that it answers; empty for none.
        value: the short answer.
        why: why it is disputed or archived; empty otherwise.
        valid_from: since when it holds, as it was given; empty when unknown.
        valid_to: until when it holds, as it was given or as its successor begins.
        starts: since when it is in force, in microseconds since 1970.
        stops: when it is in force no more.
        superseded_by: the memory that follows it.
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
    slot: str = ""
    value: str = ""
    why: str = ""
    valid_from: str = ""
    valid_to: str = ""
    starts: int = -FOREVER
    stops: int = FOREVER
    superseded_by: str = ""


class Attended(NamedTuple):
    """What raises a memory in answers.

    Attributes:
        times: how often it was recalled before.
        pinned_until: when its briefing ends, ISO 8601; empty when it is not pinned.
    """

    times: int = 0
    pinned_until: str = ""


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
