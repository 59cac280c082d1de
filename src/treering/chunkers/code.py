"""Source code cut by symbol: a function, a method, a small class is one chunk.

A class that is longer than half the target size is divided at its members. Each chunk stands under the names around
it, and a member is led by the header of its class. Comments right above a symbol belong to it. Statements between
symbols are packed up to the target size, imports are one chunk. Chunks join to the text exactly, whatever the
parser made of it. (``docs/decisions/0040-code-parsers.md``)
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.chunkers import braces, indents, syntax
from treering.domain.chunk import Chunk, Chunked, ChunkKind, Heading, Lead
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.chunkers.blocks import Block
    from treering.chunkers.languages import Language

_DEEPEST_HEADING: Final = 6
_DIVIDED_FROM: Final = 4
"""A statement of so many target sizes is a table of data: its lines may part."""

_WHOLE_CLASS: Final = 2
"""A class stays whole up to the target size divided by this; beyond, its members are what one asks for."""

_LEAD_ROWS: Final = 3
"""Rows of a class's header that lead to its members; a longer list of bases says little about them."""

_LETTER: Final = re.compile(r"\w")


class _Part(NamedTuple):
    """Where a chunk begins, and what it is.

    Attributes:
        row: its first row; it reaches to the next part.
        kind: what it consists of.
        path: names of the symbols around it, its own included.
        leads: first and last row of the header of each divided class around it.
        opens: whether it begins with the symbol that the path names last.
    """

    row: int
    kind: ChunkKind
    path: tuple[str, ...] = ()
    leads: tuple[tuple[int, int], ...] = ()
    opens: bool = False


class _Lines:
    """A text by its rows."""

    def __init__(self, text: str) -> None:
        """Find where each row begins."""
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]
        if self.starts[-1] == len(text):
            self.starts.pop()  # what follows the last line feed is no row

    def start(self, row: int) -> int:
        """Return the offset of a row; of the end of the text behind the last one."""
        return self.starts[row] if row < len(self.starts) else len(self.text)

    def chars(self, first: int, last: int) -> int:
        """Return how long some rows are."""
        return self.start(last + 1) - self.start(first)

    def says(self, first: int, last: int) -> bool:
        """Tell whether some rows hold more than blanks and marks."""
        return first <= last and _LETTER.search(self.text, self.start(first), self.start(last + 1)) is not None


def chunk(text: str, language: Language, *, target_chars: int, max_leaf_tokens: int) -> Chunked:
    """Return source code as chunks that join to it exactly.

    Args:
        text: the decoded text.
        language: what it is written in.
        target_chars: size up to which statements share a chunk; a class stays whole up to half of it.
        max_leaf_tokens: estimated LLM tokens from which a chunk is flagged as oversized.

    Returns:
        The chunks, without a title; the headings are the symbols, each with its line.
    """
    if not text:
        return Chunked(None, ())
    lines = _Lines(text)
    found = syntax.blocks(text, language)
    if found is None:
        found = (indents if language.by_indent else braces).blocks(text, language)
    parts = _packed(list(_in_order(_parts(found, lines, target_chars))), lines, target_chars)
    chunks = tuple(_chunks(parts, lines, max_leaf_tokens))
    headings = tuple((one.path[-1], one.first_line) for one in chunks if one.opens)
    return Chunked(None, chunks, headings)


def _parts(
    blocks: Sequence[Block],
    lines: _Lines,
    target_chars: int,
    path: tuple[str, ...] = (),
    leads: tuple[tuple[int, int], ...] = (),
) -> Iterator[_Part]:
    """Yield the parts of some blocks, and what stands between them."""
    firsts = [*(block.first for block in blocks[1:]), 0]
    for block, following in zip(blocks, firsts, strict=False):
        own = (*path, block.name) if block.name else path
        length = lines.chars(block.first, block.last)
        if block.kind == "class" and block.members and length * _WHOLE_CLASS > target_chars:
            yield _Part(block.first, "symbol", own, leads, opens=bool(block.name))
            header = (block.opens, min(block.header, block.opens + _LEAD_ROWS - 1, block.members[0].first - 1))
            inner = (*leads, header) if header[0] <= header[1] and header[0] < block.members[0].first else leads
            yield from _parts(block.members, lines, target_chars, own, inner)
        elif block.kind in {"class", "function"}:
            yield _Part(block.first, "symbol", own, leads, opens=bool(block.name))
        elif block.kind == "imports":
            yield _Part(block.first, "imports", path, leads)
        else:
            yield from _statement(block, lines, target_chars, path, leads)
        if path and lines.says(block.last + 1, following - 1):  # fields between two methods
            yield _Part(block.last + 1, "code", path, leads)


def _statement(
    block: Block, lines: _Lines, target_chars: int, path: tuple[str, ...], leads: tuple[tuple[int, int], ...]
) -> Iterator[_Part]:
    """Yield a statement, or its lines where it is a table of data."""
    yield _Part(block.first, "code", path, leads)
    if lines.chars(block.first, block.last) > _DIVIDED_FROM * target_chars:
        for row in range(block.first + 1, block.last + 1):
            yield _Part(row, "code", path, leads)


def _in_order(parts: Iterator[_Part]) -> Iterator[_Part]:
    """Yield the parts that begin on rows of their own; the first one takes what is above it."""
    row = -1
    for part in parts:
        if part.row > row:
            yield part._replace(row=0) if row < 0 and part.kind != "symbol" else part
            row = part.row


def _packed(parts: list[_Part], lines: _Lines, target_chars: int) -> list[_Part]:
    """Return the parts of the chunks: statements share one up to the target size, imports always do."""
    if not parts or parts[0].row > 0:
        parts.insert(0, _Part(0, "code"))
    if len(parts) > 1 and not lines.says(0, parts[1].row - 1):  # blank lines at the start of the file
        parts[:2] = [parts[1]._replace(row=0)]
    packed: list[_Part] = []
    stops = [*(part.row for part in parts[1:]), len(lines.starts)]
    for part, stop in zip(parts, stops, strict=True):
        before = packed[-1] if packed else None
        if before is not None and before.kind == part.kind and before.path == part.path and not part.opens:
            room = _DIVIDED_FROM * target_chars if part.kind == "imports" else target_chars
            if part.kind != "symbol" and lines.chars(before.row, stop - 1) <= room:
                continue
        packed.append(part)
    return packed


def _chunks(parts: Sequence[_Part], lines: _Lines, max_leaf_tokens: int) -> Iterator[Chunk]:
    """Yield the chunks that begin at the parts."""
    holders: dict[tuple[str, ...], int] = {}
    ends = [*parts, _Part(len(lines.starts), "code")]
    for ordinal, (part, following) in enumerate(pairwise(ends)):
        start, stop = lines.start(part.row), lines.start(following.row)
        outer = part.path[:-1] if part.opens else part.path
        parent = holders.get(outer)
        if part.opens:
            holders[part.path] = ordinal
        leads = tuple(
            Lead(lines.start(first), lines.start(last + 1), first + 1) for first, last in part.leads if last < part.row
        )
        yield Chunk(
            ordinal,
            start,
            stop,
            part.row + 1,
            following.row,
            part.kind,
            tuple(Heading(min(level, _DEEPEST_HEADING), name) for level, name in enumerate(part.path, start=1)),
            parent,
            leads,
            oversized=3 * (stop - start) > max_leaf_tokens and llm_tokens(lines.text[start:stop]) > max_leaf_tokens,
            opens=int(part.opens),
        )
