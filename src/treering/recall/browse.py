"""One source or chunk, whole: what ``show`` gives."""

from __future__ import annotations

import unicodedata
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING

from treering.domain import ids
from treering.domain.query import Filter
from treering.domain.report import Remembered, Shown
from treering.errors import InputError, NotFound
from treering.recall.quotes import quotes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.journal import StoredRevision
    from treering.ports import Transaction
    from treering.records import StoredChunk, StoredMemory, StoredSource

_PAGE = 500


def find_source(tx: Transaction, name: str, keys: Sequence[str]) -> tuple[StoredSource, int | None]:
    """Return the source that ``name`` means, and a chunk's ordinal if it names one.

    Args:
        tx: the store.
        name: an id as the user gave it.
        keys: keys that ``name`` may stand for when it is no id, likeliest first.

    Raises:
        NotFound: if the store has nothing of that name.
    """
    if name[:4] in {"src_", "ver_"}:
        kind, identifier, ordinal = ids.parse(name)
        source = identifier if kind == "src" else tx.sources.source_of(identifier)
        found = tx.sources.sources([source] if source else [])
        if found:
            return found[identifier if kind == "src" else source or ""], ordinal
    else:
        for key in keys:
            if (exact := tx.sources.source_by_key(key)) is not None:
                return exact, None
        if (alike := _by_composed_key(tx, keys)) is not None:
            return alike, None
    raise NotFound(f"{name!r} is not in the memory", hint="treering list sources")


def _by_composed_key(tx: Transaction, keys: Sequence[str]) -> StoredSource | None:
    """Return the source whose key differs only in how accents are written."""
    wanted = {unicodedata.normalize("NFC", key) for key in keys}
    if all(key.isascii() for key in wanted):
        return None
    after = ""
    while page := tx.sources.list_sources(Filter(), _PAGE, after):
        for source in page:
            if unicodedata.normalize("NFC", source.key) in wanted:
                return source
        after = page[-1].key
    return None


def show(tx: Transaction, name: str, keys: Sequence[str], first_line: int, lines: int | None) -> Shown:
    """Return a source, or one chunk of it, with its exact text.

    Args:
        tx: the store.
        name: id, key or path as the user gave it.
        keys: keys that ``name`` may stand for.
        first_line: where to begin in the source, from 1.
        lines: how many lines at the most; None for all.

    Raises:
        NotFound: if the store has nothing of that name.
        InputError: if the source ends before ``first_line``.
    """
    source, ordinal = find_source(tx, name, keys)
    versions = tx.sources.stored_versions(source.id)
    wanted = name.partition("#")[0] if name.startswith("ver_") else source.version
    version = next(one for one in versions if one.id == wanted)
    chunks = tx.sources.chunks_of(source.version) if version.id == source.version else []
    if ordinal is None:
        # Lines end where chunks count them, at line feeds alone; str.splitlines knows ten more signs.
        whole = StringIO(tx.sources.text(version.id, 0, version.chars), newline="\n").readlines()
        if first_line > max(len(whole), 1):
            raise InputError(
                f"{name} has {len(whole):,} line{'' if len(whole) == 1 else 's'}: none to show from {first_line:,} on",
                hint=f"treering show {source.id} --outline",
            )
        stop = len(whole) if lines is None else first_line - 1 + lines
        text = "".join(whole[first_line - 1 : stop])
        span = (first_line, max(first_line, min(stop, len(whole))))
    elif ordinal < len(chunks):
        chunk = chunks[ordinal]
        text = tx.sources.text(source.version, chunk.start, chunk.stop)
        span = (chunk.first_line, chunk.last_line)
    else:
        raise NotFound(f"{name!r}: that version has {len(chunks)} chunks", hint=f"treering show {source.id} --outline")
    return Shown(
        id=name,
        kind="source" if ordinal is None else "chunk",
        title=source.title,
        key=source.key,
        source=source.id,
        version=version.id,
        lines=span,
        text=text,
        outline=outline(chunks),
        metadata=tx.sources.metadata([source.id])[source.id],
        trust=source.trust,
        custody=source.custody,
        recorded_at=version.recorded_at,
        source_kind=source.kind,
        url=source.url,
        source_time=version.source_time,
        versions=tuple(one.id for one in versions),
    )


def outline(chunks: Sequence[StoredChunk]) -> tuple[tuple[int, str, int], ...]:
    """Return every heading as level, title and the first line of the chunk that it begins."""
    seen: list[tuple[int, str, int]] = []
    above: tuple[object, ...] = ()
    for chunk in chunks:
        common = 0
        while common < min(len(above), len(chunk.path)) and above[common] == chunk.path[common]:
            common += 1
        seen += [(heading.level, heading.title, chunk.first_line) for heading in chunk.path[common:]]
        above = chunk.path
    return tuple(seen)


def remembered(tx: Transaction, id: str) -> Remembered:
    """Return a memory with its quotes and history.

    Raises:
        NotFound: if there is none, or it was forgotten.
    """
    found = tx.memories.memories([id]).get(id)
    if found is None and (claim := tx.claims.claims([id]).get(id)) and claim.memory:
        found = tx.memories.memories([claim.memory])[claim.memory]
    if found is None:
        at = tx.memories.forgotten_at(id)
        raise NotFound(
            f"{id} was forgotten on {at[:10]}" if at else f"there is no memory {id}", hint="treering list memories"
        )
    return remembered_all(tx, [found])[0]._replace(supersedes=_superseded(tx, found))


def _superseded(tx: Transaction, one: StoredMemory) -> tuple[str, ...]:
    """Return the memories that one follows: those that it was said to replace, and the one before it in its slot."""
    claims = [claim.id for claim in tx.claims.of_memories([one.id])[one.id]]
    olds = sorted({old for several in tx.claims.replaced(claims).values() for old in several})
    found = {claim.memory for claim in tx.claims.claims(olds).values()} if olds else set()
    if one.slot:
        found |= {old.memory for old, new in pairwise(tx.claims.stretches(one.slot)) if new.memory == one.id}
    rows = tx.memories.memories(sorted(found - {"", one.id})).values()
    followed = sorted((row.starts, row.id) for row in rows if row.superseded_by == one.id)
    return tuple(id for _, id in followed)


def list_memories(
    tx: Transaction, statuses: Sequence[str], limit: int, after: str, filter: Filter
) -> tuple[Remembered, ...]:
    """Return memories of some statuses that pass a filter, newest first, behind the id ``after``."""
    return remembered_all(tx, tx.memories.list_memories(statuses, limit, after, filter))


def remembered_all(tx: Transaction, memories: Sequence[StoredMemory]) -> tuple[Remembered, ...]:
    """Return memories with what hangs on them."""
    ids = [memory.id for memory in memories]
    labels, quotes = tx.memories.labels(ids), quotes_of(tx, ids)
    mentions = tx.entities.mentions(ids)
    entities = tx.entities.entities(sorted({one for ones in mentions.values() for one in ones}))
    links = tx.entities.links(ids)
    return tuple(
        Remembered(
            id=one.id,
            kind=one.kind,
            title=one.title,
            content=one.content,
            summary=one.summary,
            status=one.status,
            verification=one.verification,
            trust=one.trust,
            revision=one.revision,
            recorded_at=one.recorded_at,
            changed_at=one.changed_at,
            tags=labels[one.id].get("tags", ()),
            metadata={key: values for key, values in labels[one.id].items() if key != "tags"},
            quotes=quotes[one.id],
            history=_worded_before(one, tx.claims.revisions([one.id])),
            slot=one.slot,
            value=one.value,
            valid_from=one.valid_from,
            valid_to=one.valid_to,
            superseded_by=one.superseded_by,
            why=one.why,
            entities=tuple(entities[entity].name for entity in mentions.get(one.id, ())),
            links=tuple(
                (link.from_id, link.type, link.to_id) for link in links if one.id in {link.from_id, link.to_id}
            ),
        )
        for one in memories
    )


def _worded_before(memory: StoredMemory, revisions: Sequence[StoredRevision]) -> tuple[tuple[int, str, str], ...]:
    """Return number, words and end of former revisions, less those of which only labels changed."""
    words = [(one.content, one.title, one.summary, one.value, one.kind) for one in revisions]
    words.append((memory.content, memory.title, memory.summary, memory.value, memory.kind))
    return tuple(
        (one.revision, one.content, one.changed_at)
        for one, said, later in zip(revisions, words, words[1:], strict=False)
        if said != later
    )
