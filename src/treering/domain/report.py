"""Reports: what a run did, and the state that a store is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.evidence import Quoted
from treering.domain.named import NamedTuple
from treering.domain.source import Skip

if TYPE_CHECKING:
    from treering.domain.erasure import Receipt


class IndexReport(NamedTuple):
    """What one run over one root did.

    Attributes:
        root: the indexed directory, as a path to show.
        files: files of the root that are in the index now.
        added: files that are new in the index.
        changed: files whose text was read again.
        unchanged: files that cost a stat.
        removed: files that left the index because they are gone.
        refreshed: files whose metadata alone was read again.
        left_behind: indexed files of the root that this run's narrower glob did not reach.
        chunks: chunks of the root now.
        skipped: files that were left out, with the reason.
        unparsed: files whose front matter could not be read, with the reason.
        took_s: wall time in seconds.
        notices: what the user should know.
        extracted: memories and proposals that were taken out of files, where that was asked for.
    """

    root: str
    files: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    refreshed: int = 0
    left_behind: int = 0
    chunks: int = 0
    skipped: tuple[Skip, ...] = ()
    unparsed: tuple[Skip, ...] = ()
    took_s: float = 0.0
    notices: tuple[str, ...] = ()
    extracted: tuple[str, ...] = ()


class ForgetReport(NamedTuple):
    """What left the index with a directory, or would leave it with ``dry_run``.

    Attributes:
        directory: the directory, as a path to show.
        roots: indexed directories that are none any more: it, or those that lie in it.
        files: files that left the index.
        chunks: their chunks.
        dry_run: whether nothing was touched.
        notices: what the user should know.
        receipt: what went and how that was proved.
    """

    directory: str
    roots: tuple[str, ...]
    files: int
    chunks: int
    dry_run: bool = False
    notices: tuple[str, ...] = ()
    receipt: Receipt | None = None


class RootStatus(NamedTuple):
    """One indexed directory as the store knows it.

    Attributes:
        path: the directory, as a path to show.
        present: whether the directory is there now.
        glob: which of its files are read; empty for every supported one.
        files: files in the index.
        chunks: their chunks.
        scanned_at: end of the last complete run, ISO 8601; empty when none was completed.
        unscanned: files whose metadata was never read.
        stale: files whose metadata comes from an earlier version of the path rules.
        rules_error: why the path rules cannot be read; empty when they can or there are none.
        skipped: files that were left out, with the reason.
        unparsed: files whose front matter could not be read, with the reason.
        behind: files that are changed, new or gone since, and that a run would bring up to date.
        held: files that are gone and that a run keeps until the user decides, because so many went at once.
        closed: why it cannot be opened; empty when it can or is absent.
        trust: whose word its files are.
        scope: of the store that it stands in; empty where one store was asked.
    """

    path: str
    present: bool
    glob: str
    files: int
    chunks: int
    scanned_at: str
    unscanned: int
    stale: int
    rules_error: str
    skipped: tuple[Skip, ...]
    unparsed: tuple[Skip, ...]
    behind: int = 0
    held: tuple[str, ...] = ()
    closed: str = ""
    trust: str = "owner"
    scope: str = ""


class Status(NamedTuple):
    """Where the memory is and what it holds.

    Attributes:
        store: location of the database.
        scope: ``project``, ``global`` or ``named`` (by ``--store``).
        project: root of the project; None when there is none.
        exists: whether the store has been made.
        read_only: whether it cannot be written here.
        sources: number of sources.
        chunks: number of chunks.
        characters: length of all text.
        size_bytes: size of the store on disk.
        schema: version of the database layout.
        memories: number of active memories.
        embedded: chunks and active memories that have a vector of the model.
        model: name of the embedder; empty when there is none.
        roots: the indexed directories.
        notices: what the user should know.
        paused: since when capture is paused; empty when it is not.
        beside: the user's own store, which is read together with a project's; None where it is not.
    """

    store: str
    scope: str
    project: str | None
    exists: bool
    read_only: bool = False
    sources: int = 0
    chunks: int = 0
    characters: int = 0
    size_bytes: int = 0
    schema: int = 0
    memories: int = 0
    embedded: int = 0
    model: str = ""
    roots: tuple[RootStatus, ...] = ()
    notices: tuple[str, ...] = ()
    paused: str = ""
    beside: Status | None = None


class Remembered(NamedTuple):
    """One memory, whole.

    Attributes:
        id: its identifier.
        kind: what it is about.
        title: a few words; may be empty.
        content: what it says.
        summary: the same in one sentence; may be empty.
        status: ``active`` or ``archived``.
        verification: how far it can be relied on.
        trust: whose word it is.
        revision: counts up with each change, from 1.
        recorded_at: when it was first saved, ISO 8601.
        changed_at: when it last changed, ISO 8601.
        tags: its tags.
        metadata: its metadata, without the tags.
        quotes: what it rests on.
        history: former contents with the time of each change, oldest first.
        slot: the topic that it answers; empty for none.
        value: the short answer.
        valid_from: since when it holds; empty when unknown.
        valid_to: until when; empty without an end.
        superseded_by: the memory that follows it.
        why: why it is disputed, rejected or contested; empty otherwise.
        entities: names of what it speaks of.
        links: how it stands to others: from, type, to.
        scope: of the store that it stands in; empty where one store was asked.
        supersedes: the memories that it follows, by time; None in a list, where nobody looked.
    """

    id: str
    kind: str
    title: str
    content: str
    summary: str
    status: str
    verification: str
    trust: str
    revision: int
    recorded_at: str
    changed_at: str
    tags: tuple[str, ...]
    metadata: dict[str, tuple[str, ...]]
    quotes: tuple[Quoted, ...]
    history: tuple[tuple[int, str, str], ...] = ()
    slot: str = ""
    value: str = ""
    valid_from: str = ""
    valid_to: str = ""
    superseded_by: str = ""
    why: str = ""
    entities: tuple[str, ...] = ()
    links: tuple[tuple[str, str, str], ...] = ()
    scope: str = ""
    supersedes: tuple[str, ...] | None = None


class Shown(NamedTuple):
    """One source or chunk, whole.

    Attributes:
        id: what was asked for.
        kind: ``source`` or ``chunk``.
        title: of the document.
        key: key of the source.
        source: id of the source.
        version: id of the version.
        lines: first and last line.
        text: the exact text.
        outline: every heading as (level, title, line).
        metadata: of the source.
        trust: of the source.
        custody: ``tracked`` or ``kept``.
        recorded_at: when this version was stored, ISO 8601.
        source_kind: what the source is, e.g. ``meeting``.
        url: where it stands for people to open; empty when unknown.
        source_time: the document's own date; empty when unknown.
        versions: ids of all its versions that are kept, the oldest first.
        scope: of the store that it stands in; empty where one store was asked.
    """

    id: str
    kind: str
    title: str
    key: str
    source: str
    version: str
    lines: tuple[int, int]
    text: str
    outline: tuple[tuple[int, str, int], ...]
    metadata: dict[str, tuple[str, ...]]
    trust: str
    custody: str
    recorded_at: str
    source_kind: str = ""
    url: str = ""
    source_time: str = ""
    versions: tuple[str, ...] = ()
    scope: str = ""


class SlotStretch(NamedTuple):
    """A time in which one memory answers a slot.

    Attributes:
        start: its first instant in UTC; empty when unknown.
        stop: the instant at which it holds no more; empty without an end.
        memory: the memory that says it; empty once it was erased.
        value: the short answer; empty for none.
        content: the statement; empty once archived or erased.
        state: ``stated``, or ``archived`` or ``erased`` where the place is left empty.
        contested_since: since when equals contradict one another; empty when none do.
        claims: how many claims say it.
    """

    start: str
    stop: str
    memory: str
    value: str
    content: str
    state: str
    contested_since: str
    claims: int


class SlotHistory(NamedTuple):
    """What a slot says at an instant, and its whole history.

    Attributes:
        slot: its key.
        at: the instant that is asked about.
        known_at: by when it was known; empty for now.
        current: what is in force then; None when nothing is.
        empty: why nothing is: unknown, disputed, ended, archived, erased or future; empty when something is.
        stretches: the history by time.
        disputed: claims that wait for the owner: memory, content, why in words, and trust.
        quotes: of a conflict what each side rests on, by its memory.
        scope: of the store that it stands in; empty where one store was asked.
        notices: what a reader must know of the same slot in the other store.
    """

    slot: str
    at: str
    known_at: str
    current: SlotStretch | None
    empty: str
    stretches: tuple[SlotStretch, ...]
    disputed: tuple[tuple[str, str, str, str], ...] = ()
    quotes: tuple[tuple[str, tuple[Quoted, ...]], ...] = ()
    scope: str = ""
    notices: tuple[str, ...] = ()


class Waiting(NamedTuple):
    """What waits for the owner, with both sides.

    Attributes:
        id: the proposal.
        state: waiting, approved, rejected or closed.
        what: ``claim``, or the name of the operation.
        why: why it waits.
        author: who asked for it.
        made_at: when.
        operation: the operation as JSON; empty for a claim.
        memory: the memory that waits; None for an operation.
        against: memories that stand against it, or that it would change.
        reason: the owner's, once decided.
        scope: of the store that it stands in; empty where one store was asked.
    """

    id: str
    state: str
    what: str
    why: str
    author: str
    made_at: str
    operation: str = ""
    memory: Remembered | None = None
    against: tuple[Remembered, ...] = ()
    reason: str = ""
    scope: str = ""
