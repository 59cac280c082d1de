"""Saving, changing, hiding and forgetting single memories.

What is saved is kept twice: the text as it was said, as a ``note:`` source, and the memory that quotes
it. A change keeps the former revision with its note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING

from treering.domain.memory import LONG_CHARS, MemoryKind, memory_kind, one_line, same_as, tidy
from treering.domain.named import NamedTuple
from treering.domain.source import Document
from treering.errors import Conflict, NotFound
from treering.intake import KeptText
from treering.records import Quote, StoredMemory

if TYPE_CHECKING:
    from treering.domain.chunk import Chunk
    from treering.ports import Transaction

Labels = Mapping[str, Sequence[str]]


class Saying(NamedTuple):
    """What is to be remembered.

    Attributes:
        text: the statement as it was said.
        kind: what it is about.
        title: a few words; may be empty.
        summary: the same in one sentence; may be empty.
        labels: tags (key ``tags``) and metadata.
    """

    text: str
    kind: MemoryKind = "semantic"
    title: str = ""
    summary: str = ""
    labels: Labels = MappingProxyType({})


class Names(NamedTuple):
    """Fresh identifiers for one save: memory, source and version; and the time."""

    memory: str
    source: str
    version: str
    at: str


def twin(tx: Transaction, text: str) -> StoredMemory | None:
    """Return the active memory that says the same as ``text``, but for case, white space and a final stop.

    Raises:
        InputError: if the text is empty or no text.
    """
    return tx.memories.by_fingerprint(same_as(tidy(text)))


def left_out(known: StoredMemory, saying: Saying) -> tuple[str, ...]:
    """Return, for a memory that is there already, what of a new saying was not taken over."""
    kept = (
        ("kind", saying.kind, known.kind, Saying._field_defaults["kind"]),
        ("title", one_line("title", saying.title), known.title, ""),
        ("summary", one_line("summary", saying.summary), known.summary, ""),
    )
    names = [name for name, new, old, unsaid in kept if new not in {old, unsaid}]
    return (f"its {' and '.join(names)} stayed as before: treering update {known.id}",) if names else ()


def create(tx: Transaction, saying: Saying, names: Names) -> None:
    """Save a statement that no memory says yet.

    Raises:
        InputError: if the text is empty or no text.
    """
    content = tidy(saying.text)
    title = one_line("title", saying.title)
    quote = _keep_note(tx, names.memory, content, title, names)
    memory = StoredMemory(
        id=names.memory,
        entry=tx.memories.next_entry(),
        kind=saying.kind,
        title=title,
        content=content,
        summary=one_line("summary", saying.summary),
        source=names.source,
        status="active",
        verification="inferred",
        trust="owner",
        revision=1,
        fingerprint=same_as(content),
        recorded_at=names.at,
        changed_at=names.at,
    )
    tx.memories.put(memory, [quote])
    tx.memories.put_labels(memory.id, saying.labels)


def add_labels(tx: Transaction, id: str, labels: Labels) -> None:
    """Give a memory more tags and metadata."""
    tx.memories.put_labels(id, _joined(tx.memories.labels([id])[id], labels))


def update(tx: Transaction, id: str, changes: Mapping[str, str], labels: Labels | None, names: Names) -> None:
    """Change what a memory says; its former revision is kept.

    Args:
        tx: a transaction that may write.
        id: the memory.
        changes: new values for some of ``text``, ``kind``, ``title`` and ``summary``.
        labels: new tags and metadata in place of the old ones; None leaves them.
        names: identifiers for a new version of its note; ``memory`` is not used.

    Raises:
        NotFound: if there is no such memory.
        Conflict: if another memory says the same already.
        InputError: if the text is empty or no text, or there is no such kind.
    """
    memory = get(tx, id)
    content = tidy(changes.get("text", memory.content))
    if memory.status == "active":
        _require_unsaid(tx, content, id)
    title = one_line("title", changes.get("title", memory.title))
    quotes = tx.memories.quotes([id])[id]
    if content != memory.content:
        quotes = [_keep_note(tx, id, content, title, names)]
        if memory.status != "active":
            tx.sources.drop_chunks(names.version)
    changed = memory._replace(
        kind=memory_kind(changes.get("kind", memory.kind)),
        title=title,
        content=content,
        summary=one_line("summary", changes.get("summary", memory.summary)),
        revision=memory.revision + 1,
        fingerprint=same_as(content),
        changed_at=names.at,
    )
    tx.memories.put(changed, quotes)
    if labels is not None:
        tx.memories.put_labels(id, labels)


def set_status(tx: Transaction, id: str, *, active: bool, at: str) -> None:
    """Hide a memory or bring it back.

    Raises:
        NotFound: if there is no such memory.
        Conflict: if another active memory says the same.
    """
    memory = get(tx, id)
    if active:
        _require_unsaid(tx, memory.content, id)
    if len(memory.content) > LONG_CHARS and active != (memory.status == "active"):
        [quote] = tx.memories.quotes([id])[id]
        if active:
            tx.sources.put_chunks(quote.version, memory.content, pieces(memory.content))
        else:
            tx.sources.drop_chunks(quote.version)
    changed = memory._replace(status="active" if active else "archived", changed_at=at)
    tx.memories.put(changed, tx.memories.quotes([id])[id])


def forget(tx: Transaction, id: str, at: str) -> None:
    """Remove a memory and the note that was kept for it; only the fact that it was there remains.

    Raises:
        NotFound: if there is no such memory.
    """
    memory = get(tx, id)
    tx.memories.remove(id, at)
    tx.sources.remove_source(memory.source)


def get(tx: Transaction, id: str) -> StoredMemory:
    """Return a memory.

    Raises:
        NotFound: if there is none, or it was forgotten.
    """
    found = tx.memories.memories([id]).get(id)
    if found is None:
        forgotten = tx.memories.forgotten_at(id)
        what = f"{id} was forgotten on {forgotten[:10]}" if forgotten else f"there is no memory {id}"
        raise NotFound(what, hint="treering list memories")
    return found


def _require_unsaid(tx: Transaction, content: str, id: str) -> None:
    """Refuse a statement that another active memory makes."""
    same = twin(tx, content)
    if same is not None and same.id != id:
        raise Conflict(f"{same.id} says the same already", hint=f"treering show {same.id}")


def _keep_note(tx: Transaction, memory: str, content: str, title: str, names: Names) -> Quote:
    """Keep a statement as the note of its memory and return the quote of all of it."""
    raw = content.encode()
    document = Document(content, sha256(raw).hexdigest(), len(raw), "utf-8")
    note = KeptText(f"note:{memory}", title, "note", "owner", document, pieces(content))
    tx.sources.put_kept(note, names.source, names.version, names.at)
    return Quote(names.version, 0, len(content), content)


def pieces(content: str) -> tuple[Chunk, ...]:
    """Return the chunks of a long statement, so that any part of it is found as such; none of a short one."""
    if len(content) <= LONG_CHARS:
        return ()
    from treering.chunkers import chunk  # it loads the Markdown parser

    return chunk(content, "note.md", front_matter_chars=0).chunks


def _joined(old: Labels, new: Labels) -> dict[str, tuple[str, ...]]:
    """Return labels with what is new added; a value that is there stays once."""
    return {key: tuple(dict.fromkeys([*old.get(key, ()), *new.get(key, ())])) for key in {**old, **new}}
