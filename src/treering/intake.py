"""What a store is given: texts on their way in, ready to be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.chunk import Chunk
    from treering.domain.source import Document, Metadata, Tracked, Trust


class Base(NamedTuple):
    """What a text that has grown at its end has in common with the version before.

    Attributes:
        version: id of that version.
        chunks: how many of its chunks, the first ones, stay as they are.
        start: where the next chunk begins.
        line: number of the line that begins there.
    """

    version: str
    chunks: int
    start: int
    line: int


class NewVersion(NamedTuple):
    """One file's content on its way into the store.

    Attributes:
        tracked: the file; its ``source`` is empty when the store has none under ``key`` yet.
        key: stable key of the source.
        title: what the source is called.
        document: the decoded text.
        chunks: the text's pieces, in order.
        metadata: what front matter and path rules say.
        base: set for a file that has grown at its end: ``document`` and ``chunks`` then begin at ``base.start``,
            while offsets count from the start of the file; title and metadata are as they were.
        trust: whose word the file is.
        kind: ``code`` for source code, else ``file``.
    """

    tracked: Tracked
    key: str
    title: str
    document: Document
    chunks: Sequence[Chunk]
    metadata: Metadata
    base: Base | None = None
    trust: Trust = "owner"
    kind: str = "file"


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
        url: where it stands for people to open; empty when unknown.
        source_time: its own date; empty when unknown.
        original: of what was imported, ``text`` where the text is the original byte for byte, ``masked`` where secrets
            were taken out of it, else ``bytes``.
        metadata: what it is filtered by; None to leave that as it is.
    """

    key: str
    title: str
    kind: str
    trust: Trust
    document: Document
    chunks: Sequence[Chunk] = ()
    url: str = ""
    source_time: str = ""
    original: str = ""
    metadata: Metadata | None = None
