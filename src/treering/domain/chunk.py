"""Chunk: one structural piece of a version.

The chunks of a version, in order, cover its decoded text without gap or overlap: joining them
gives the text back exactly. Offsets count characters (code points) of the decoded text, lines
count from 1.
"""

from __future__ import annotations

from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    ChunkKind = Literal[
        "front_matter", "heading", "prose", "list", "table", "code", "quote", "html", "mixed", "blank", "symbol",
        "imports",
    ]  # fmt: skip
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    ChunkKind = str


class Heading(NamedTuple):
    """A heading above a chunk: its level (1 to 6) and its text without markup hashes."""

    level: int
    title: str


class Lead(NamedTuple):
    """Lines that a reader needs before a chunk: a list's introduction, a parent item.

    Attributes:
        start: offset of the first character.
        stop: offset after the last character.
        line: number of the first line.
    """

    start: int
    stop: int
    line: int


class Chunk(NamedTuple):
    """One leaf piece of a text.

    Attributes:
        ordinal: place among the chunks of the version, from 0.
        start: offset of its first character.
        stop: offset after its last character.
        first_line: number of its first line.
        last_line: number of its last line.
        kind: what it consists of; ``mixed`` for several kinds of block. Source code is ``symbol``, ``imports``
            or ``code``.
        path: headings above it from the outermost to the nearest, its own ones included; in source code the names
            of the symbols.
        parent: ordinal of the chunk that introduces it; None at the top.
        lead: lines outside it that make it readable, in document order.
        oversized: longer than ``leaf.max_tokens``, because a logical block is never cut.
        opens: how many of the last headings of ``path`` it begins with.
    """

    ordinal: int
    start: int
    stop: int
    first_line: int
    last_line: int
    kind: ChunkKind
    path: tuple[Heading, ...] = ()
    parent: int | None = None
    lead: tuple[Lead, ...] = ()
    oversized: bool = False
    opens: int = 0


class Chunked(NamedTuple):
    """A text cut into chunks.

    Attributes:
        title: the document's own title; None when it has none.
        chunks: all chunks in order; empty only for an empty text.
        headings: every heading with its line, in document order.
    """

    title: str | None
    chunks: tuple[Chunk, ...]
    headings: tuple[tuple[Heading, int], ...] = ()
