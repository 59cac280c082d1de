"""Chunks and keyword rows from versions: written with them, and made again from them alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.domain import trusted
from treering.domain.letters import letters_of
from treering.domain.memory import IN_SEARCH, LONG_CHARS, indexed_title
from treering.domain.query import Filter
from treering.domain.text import ANALYSIS_VERSION, head_text, search_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from treering.domain.chunk import Chunk, Chunked
    from treering.domain.ids import Kind
    from treering.domain.operation import Labels
    from treering.intake import Changes, KeptText, NewVersion
    from treering.ports import Transaction
    from treering.records import StoredChunk, StoredMemory, StoredSource

_FRONT_MATTER_KEY: Final = re.compile(r"(?m)^\s*(?:-\s+)?(?:[\w.-]+:)?|^---\s*$")
_PAGE: Final = 500
_ALL: Final = 2**31
ANALYSIS: Final = "analysis"
"""Setting of a store: the analysis that its keyword index was made by."""
_OF_NOW: Final = str(ANALYSIS_VERSION)


def apply(tx: Transaction, changes: Changes, at: str, make_id: Callable[[Kind], str]) -> tuple[NewVersion, ...]:
    """Carry one batch of an index run into the store.

    Args:
        tx: a transaction that may write.
        changes: the batch.
        at: now, ISO 8601.
        make_id: returns a new identifier of the named kind.

    Returns:
        Files that were left as they are, because the version that they grew from is no longer the current one.
    """
    lost = tuple(new for new in changes.versions if new.base and not _stands_on_current(tx, new))
    if lost:
        keys = {new.key for new in lost}
        changes = changes._replace(versions=tuple(new for new in changes.versions if new.key not in keys))
    # All keyword rows at the end: between other writes, FTS5 would close a segment for each file (a tenth of a run).
    versions = _with_trust(tx, changes.versions)
    texts = [entry for new in versions for entry in _put_version(tx, new, at, make_id)]
    tx.keywords.add(texts)
    for tracked in changes.touched:
        tx.sources.put_tracked(tracked)
    for tracked, metadata in changes.refreshed:
        tx.sources.put_tracked(tracked)
        tx.sources.put_metadata(tracked.source, metadata)
    if changes.gone:
        known = tx.sources.sources([tracked.source for tracked in changes.gone])
        for source in known.values():
            drop(tx, source)
        tx.changes.depart([source.key for source in known.values()], at)
    return lost


def _with_trust(tx: Transaction, versions: Sequence[NewVersion]) -> Sequence[NewVersion]:
    """Return files with the trust of the folders that they lie in."""
    folders = trusted.read(tx.setting(trusted.SETTING))
    return [new._replace(trust=trusted.of_key(folders, new.key)) for new in versions] if folders else versions


def _stands_on_current(tx: Transaction, new: NewVersion) -> bool:
    """Tell whether the version that a file grew from is still the current one."""
    known = tx.sources.source_by_key(new.key)
    return known is not None and new.base is not None and known.version == new.base.version


def _put_version(
    tx: Transaction, new: NewVersion, at: str, make_id: Callable[[Kind], str]
) -> Iterator[tuple[int, str, str]]:
    """Store one file's content and yield its keyword rows."""
    known = tx.sources.source_by_key(new.key)
    here = known is not None and known.custody == "tracked"
    if known is not None and here and not new.base and (known.sha256, known.title) == (new.document.sha256, new.title):
        # Another process, or a run over another root, has stored it meanwhile.
        tx.sources.put_tracked(new.tracked._replace(source=known.id))
        tx.sources.put_metadata(known.id, new.metadata)
        return
    if known is not None:
        _remove_keywords(tx, known, new.base.chunks if new.base else 0)
    if new.base:
        entries = tx.sources.grow_version(new, make_id("ver"), at)
    else:
        entries = tx.sources.put_version(new, make_id("src"), make_id("ver"), at)
    texts = entry_texts(new.title, new.key, new.document.text, new.chunks, new.base.start if new.base else 0)
    for entry, (head, body) in zip(entries, texts, strict=True):
        yield entry, head, body


def put_kept(tx: Transaction, new: KeptText, source: str, version: str, at: str) -> None:
    """Keep a text with its chunks and their keyword rows, in place of what its key held before.

    Args:
        tx: a transaction that may write.
        new: the text.
        source: id for the source, used when the key has none yet.
        version: id for the version.
        at: now, ISO 8601.
    """
    tx.keywords.add(put_unindexed(tx, new, source, version, at))


def put_unindexed(tx: Transaction, new: KeptText, source: str, version: str, at: str) -> list[tuple[int, str, str]]:
    """Keep a text as ``put_kept`` does and return its keyword rows, for the caller to add in the same transaction.

    Until then nothing else may be kept under its key: what is not in the index cannot be taken out.
    """
    known = tx.sources.source_by_key(new.key)
    if known is not None:
        _remove_keywords(tx, known)
    entries = tx.sources.put_kept(new, source, version, at)
    texts = entry_texts(new.title, new.key, new.document.text, new.chunks)
    return [(entry, head, body) for entry, (head, body) in zip(entries, texts, strict=True)]


def erase(tx: Transaction, source: StoredSource) -> None:
    """Remove a source with every version and everything derived from it; nothing may quote it any more.

    The bytes of originals that no version names afterwards are the caller's to remove, once this is committed.
    """
    _remove_keywords(tx, source)
    tx.sources.remove_source(source.id)


def drop_version(
    tx: Transaction, source: StoredSource, version: str, rechunk: Callable[[StoredSource, str], Chunked]
) -> None:
    """Remove one of several versions of a source; the newest one that is left is the current one afterwards.

    Args:
        tx: a transaction that may write.
        source: the source.
        version: the version; nothing may quote it any more.
        rechunk: cuts the text that is shown again.
    """
    if version != source.version:
        tx.sources.drop_version(source.id, version)
        return
    _remove_keywords(tx, source)
    tx.sources.drop_chunks(version)
    tx.sources.drop_version(source.id, version)
    earlier = tx.sources.sources([source.id])[source.id]
    text = tx.sources.text(earlier.version, 0, earlier.chars)
    chunks = rechunk(earlier, text).chunks
    entries = tx.sources.put_chunks(earlier.version, text, chunks)
    texts = entry_texts(earlier.title, earlier.key, text, chunks)
    tx.keywords.add([(entry, head, body) for entry, (head, body) in zip(entries, texts, strict=True)])


def turn_back(tx: Transaction, source: StoredSource, former: str, title: str, chunks: Sequence[Chunk]) -> None:
    """Put a former version in the place of a source's current one, which stays for what memories quote of it alone.

    Args:
        tx: a transaction that may write.
        source: the source.
        former: the version.
        title: what the source was called then.
        chunks: of that version.
    """
    _remove_keywords(tx, source)
    tx.sources.drop_chunks(source.version)
    tx.sources.make_current(source.id, former, title)
    text = tx.sources.text(former, 0, tx.sources.length(former))
    entries = tx.sources.put_chunks(former, text, chunks)
    texts = entry_texts(title, source.key, text, chunks)
    tx.keywords.add((entry, head, body) for entry, (head, body) in zip(entries, texts, strict=True))
    if not tx.claims.citing([source.version]):
        digests = set(tx.sources.digests())
        tx.sources.remove_version(source.version)
        for digest in digests.difference(tx.sources.digests()):
            tx.originals.remove(digest)


def drop(tx: Transaction, source: StoredSource) -> None:
    """Remove a source with everything derived from it, but for versions that memories quote."""
    _remove_keywords(tx, source)
    tx.sources.retire_source(source.id)


def _remove_keywords(tx: Transaction, source: StoredSource, first: int = 0) -> None:
    """Take the chunks of a source's current version, from ordinal ``first`` on, out of the keyword index."""
    chunks = tx.sources.chunks_of(source.version, first)
    start = chunks[0].start if chunks else source.chars
    text = tx.sources.text(source.version, start, source.chars)
    texts = entry_texts(source.title, source.key, text, chunks, start)
    tx.keywords.remove((chunk.entry, head, body) for chunk, (head, body) in zip(chunks, texts, strict=True))


def entry_texts(
    title: str, key: str, text: str, chunks: Sequence[Chunk] | Sequence[StoredChunk], start: int = 0
) -> Iterator[tuple[str, str]]:
    """Return head and body of each chunk as the keyword index gets them.

    The head holds the document's title, the headings above the chunk and the words of its path. A
    pure function of its arguments: an entry is removed from the index by giving the same texts again.

    Args:
        title: of the document.
        key: of its source.
        text: the document's text from ``start`` on.
        chunks: those that are wanted; none begins before ``start``.
        start: offset of ``text``.
    """
    letters = letters_of(text)
    above = letters_of("\n".join([title, key, *{heading.title for chunk in chunks for heading in chunk.path}]))
    last_path, head = None, ""
    for chunk in chunks:
        if last_path is None or chunk.path != last_path:
            last_path, head = chunk.path, head_text(title, [heading.title for heading in chunk.path], key, above)
        body = text[chunk.start - start : chunk.stop - start]
        if chunk.kind == "front_matter":
            body = _FRONT_MATTER_KEY.sub("", body)
        yield head, search_text(body, letters)


class Following:
    """Keeps the keyword rows of memories true to what is done with them.

    ``touch`` a memory before it is changed, made or removed; ``finish`` when all is done.
    """

    def __init__(self, tx: Transaction) -> None:
        """Follow what one transaction does."""
        self._tx = tx
        self._before: dict[str, list[tuple[int, str, str]]] = {}
        self._new: dict[str, tuple[StoredMemory, Labels]] = {}

    def touch(self, id: str) -> None:
        """Take down the rows of a memory as they are."""
        if id not in self._before:
            self._before[id] = _rows_of(self._tx, self._tx.memories.memories([id]))
        self._new.pop(id, None)

    def add(self, memory: StoredMemory, labels: Labels) -> None:
        """Note a memory that is new, with its labels: it has no rows yet."""
        if memory.id not in self._before:
            self._before[memory.id] = []
            self._new[memory.id] = memory, labels

    def finish(self) -> None:
        """Write the rows that differ; what was removed makes room first."""
        # A new memory without a slot has one claim or several with its words; mostly they are short.
        short = [(memory, labels) for memory, labels in self._new.values() if _is_short(memory)]
        after = [(memory.entry, *memory_texts(memory, labels)) for memory, labels in short]
        if len(short) == len(self._before):
            self._tx.keywords.add(after)
            return
        seen = {memory.id for memory, _ in short}
        ids = [id for id in self._before if id not in seen]
        memories = self._tx.memories.memories(ids)
        _cut_notes(self._tx, memories, ids)
        before = {row for rows in self._before.values() for row in rows}
        after += _rows_of(self._tx, memories)
        self._tx.keywords.remove(before.difference(after))
        self._tx.keywords.add([row for row in after if row not in before])


def _is_short(memory: StoredMemory) -> bool:
    """Tell whether no note of a new memory has pieces, and it is in searches itself."""
    return not memory.slot and len(memory.content) <= LONG_CHARS // 2 and memory.status in IN_SEARCH


def _cut_notes(tx: Transaction, memories: Mapping[str, StoredMemory], ids: Sequence[str]) -> None:
    """Let long notes of memories that are shown have chunks, one for each memory, and no others."""
    shown = {id: memory for id, memory in memories.items() if memory.status in IN_SEARCH}
    for id, claims in tx.claims.of_memories(ids).items() if ids else ():
        worded = shown[id].source if id in shown else ""
        notes = [claim.note for claim in claims if claim.note and len(claim.content) > LONG_CHARS]
        for note in tx.sources.sources(notes).values() if notes else ():
            cut = bool(tx.sources.chunks_of(note.version))
            if note.id == worded and not cut:
                from treering.chunkers import chunk  # it loads the Markdown parser

                text = tx.sources.text(note.version, 0, note.chars)
                tx.sources.put_chunks(note.version, text, chunk(text, "note.md", front_matter_chars=0).chunks)
            elif note.id != worded and cut:
                tx.sources.drop_chunks(note.version)


def _rows_of(tx: Transaction, memories: Mapping[str, StoredMemory]) -> list[tuple[int, str, str]]:
    """Return the keyword row of each of the memories that is there and not archived, and those of its pieces."""
    shown = [memory for memory in memories.values() if memory.status in IN_SEARCH]
    labels = tx.memories.labels([memory.id for memory in shown])
    rows = [(memory.entry, *memory_texts(memory, labels[memory.id])) for memory in shown]
    long = [memory.source for memory in shown if len(memory.content) > LONG_CHARS]
    own = tx.memories.by_sources(long) if long else {}
    for note in tx.sources.sources(list(own)).values() if own else ():
        chunks = tx.sources.chunks_of(note.version)
        texts = entry_texts(note.title, note.key, tx.sources.text(note.version, 0, note.chars), chunks)
        rows += [(chunk.entry, head, body) for chunk, (head, body) in zip(chunks, texts, strict=True)]
    return rows


def memory_texts(memory: StoredMemory, labels: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Return head and body of a memory as the keyword index gets them: title, tags and slot, summary and content."""
    head = search_text(indexed_title(memory.title, labels.get("tags", ()), memory.slot))
    return head, search_text(f"{memory.summary}\n{memory.content}" if memory.summary else memory.content)


def is_current(tx: Transaction) -> bool:
    """Tell whether the keyword index was made by this program's analysis."""
    return is_of_now(tx.setting(ANALYSIS))


def is_of_now(analysis: str | None) -> bool:
    """Tell whether the analysis that a store names is this program's."""
    return analysis == _OF_NOW


def bring_up_to_date(tx: Transaction, rechunk: Callable[[StoredSource, str], Chunked]) -> None:
    """Make chunks and keyword rows again where another analysis made them."""
    if not is_current(tx):
        rebuild(tx, rechunk)


def is_of_memory(source: StoredSource) -> bool:
    """Tell whether a source is the note of a memory, which stands for it in searches as long as it is short."""
    return source.key.startswith("note:mem_")


def _is_hidden(tx: Transaction, note: StoredSource) -> bool:
    """Tell whether a note's pieces are in no search: its memory is archived, erased or worded by another note."""
    memory = tx.memories.by_sources([note.id]).get(note.id)
    if memory is None:
        return tx.memories.forgotten_at(note.key.partition(":")[2]) is not None
    return memory.status not in IN_SEARCH or memory.source != note.id


def rebuild(
    tx: Transaction, rechunk: Callable[[StoredSource, str], Chunked], progress: Callable[[int, int], None] | None = None
) -> None:
    """Make all chunks and keyword rows again from the stored text.

    Args:
        tx: a transaction that may write; the whole rebuild is one, so that searches see the old state until it ends.
        rechunk: cuts a source's text into chunks.
        progress: called with sources done and sources in all.
    """
    tx.keywords.clear()
    total = tx.sources.count(Filter()).sources
    after, done = "", 0
    while page := tx.sources.list_sources(Filter(), _PAGE, after):
        for source in page:
            text = tx.sources.text(source.version, 0, source.chars)
            if source.custody == "kept" and not is_of_memory(source):
                # Whoever kept it has cut it, a conversation by its turns: that cannot be made again from the text.
                chunks = tuple(tx.sources.chunks_before(source.version, _ALL, _ALL))
            elif is_of_memory(source) and _is_hidden(tx, source):
                chunks = ()
            else:
                chunks = rechunk(source, text).chunks
            tx.sources.drop_chunks(source.version)
            entries = tx.sources.put_chunks(source.version, text, chunks)
            texts = entry_texts(source.title, source.key, text, chunks)
            tx.keywords.add((entry, head, body) for entry, (head, body) in zip(entries, texts, strict=True))
            done += 1
            if progress is not None:
                progress(done, total)
        after = page[-1].key
    index_memories(tx)
    tx.put_setting(ANALYSIS, _OF_NOW)


def index_all(tx: Transaction, rechunk: Callable[[StoredSource, str], Chunked], cut: Iterable[str]) -> None:
    """Write the keyword rows of a store that was filled table by table.

    Args:
        tx: a transaction that may write.
        rechunk: cuts the text of a kept source that has no chunks.
        cut: ids of the kept sources; notes of memories among them only where they are long.
    """
    tx.keywords.clear()
    for source in tx.sources.sources(list(cut)).values():
        text = tx.sources.text(source.version, 0, source.chars)
        chunks = tx.sources.chunks_of(source.version)
        if not chunks and not (is_of_memory(source) and _is_hidden(tx, source)):
            tx.sources.put_chunks(source.version, text, rechunk(source, text).chunks)
            chunks = tx.sources.chunks_of(source.version)
        texts = entry_texts(source.title, source.key, text, chunks)
        tx.keywords.add((chunk.entry, head, body) for chunk, (head, body) in zip(chunks, texts, strict=True))
    index_memories(tx)
    tx.put_setting(ANALYSIS, _OF_NOW)


def index_memories(tx: Transaction) -> None:
    """Write the keyword rows of all memories into an index that has none of them."""
    after = ""
    while memories := tx.memories.list_memories(IN_SEARCH, _PAGE, after):
        labels = tx.memories.labels([memory.id for memory in memories])
        tx.keywords.add([(memory.entry, *memory_texts(memory, labels[memory.id])) for memory in memories])
        after = memories[-1].id
