"""Pieces become chunks: neighbours in a section are packed up to a target size.

A piece is the least that may stand alone: a block, an item of a long list, a paragraph. It reaches to
the start of the next one, so chunks made of pieces cover the text without gap or overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from treering.domain.chunk import Chunk, Chunked, ChunkKind, Heading, Lead
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Span(NamedTuple):
    """A stretch of the text: offset of its first character and after its last."""

    start: int
    stop: int


WHOLE: Final = 4
"""So many target sizes long what belongs together stays whole: a paragraph of lines, a procedure, an entry in parts."""

Joint = Literal["", "inside", "apart"]


class Piece(NamedTuple):
    """The least part of a text that may stand alone.

    Attributes:
        start: offset of its first character; it reaches to the next piece.
        kind: what it is; ``blank`` lines join what follows them.
        heading: set for a heading alone.
        leads: earlier lines that make it readable, in document order.
        joint: ``inside`` is never parted from the piece before it, ``apart`` joins none before it but its heading.
    """

    start: int
    kind: ChunkKind
    heading: Heading | None = None
    leads: tuple[Span, ...] = ()
    joint: Joint = ""


class Open(NamedTuple):
    """A heading that the current place stands under, and the chunk that holds it."""

    heading: Heading
    ordinal: int


class Position(NamedTuple):
    """Where the chunks of a text, or of its end, begin.

    Attributes:
        ordinal: of the first chunk.
        line: number of its first line.
        above: the headings that it stands under, outermost first.
    """

    ordinal: int = 0
    line: int = 1
    above: tuple[Open, ...] = ()


BEGINNING: Final = Position()


def pack(
    text: str, pieces: Sequence[Piece], *, target_chars: int, max_leaf_tokens: int, position: Position = BEGINNING
) -> Chunked:
    """Return the chunks that ``pieces`` of ``text`` make.

    Args:
        text: the whole text, or its end.
        pieces: in document order, the first at 0; empty only for an empty text.
        target_chars: size up to which neighbours share a chunk.
        max_leaf_tokens: estimated LLM tokens from which a chunk is flagged as oversized.
        position: where in the document ``text`` begins; offsets count from there all the same.

    Returns:
        A chunk's kind passes over its headings: ``heading`` says that it holds nothing else.
    """
    chunks: list[Chunk] = []
    starts: list[int] = []
    headings: list[tuple[Heading, int]] = []
    above = list(position.above)
    standing = tuple([over.heading for over in above])
    lead_lines: dict[int, int] = {}
    line = position.line
    groups = [*_groups(pieces, len(text), target_chars), [Piece(len(text), "blank")]]
    for ordinal, (group, following) in enumerate(pairwise(groups), position.ordinal):
        start, stop = group[0].start, following[0].start
        opens = 0
        has_content = False
        path = standing
        for piece in group:
            if piece.heading:
                headings.append((piece.heading, line + text.count("\n", start, piece.start)))
                above = [over for over in above if over.heading.level < piece.heading.level]
                above.append(Open(piece.heading, ordinal))
                standing = tuple([over.heading for over in above])
                if not has_content:  # one within an entry is not above all of its chunk
                    opens += 1
                    path = standing
            else:
                has_content |= piece.kind != "blank"
        for span in group[0].leads:  # counted once each: a list's introduction leads to all its parts
            if span.start not in lead_lines:
                lead_lines[span.start] = line - text.count("\n", span.start, start)
        lead = tuple([Lead(*span, lead_lines[span.start]) for span in group[0].leads])
        led_by = position.ordinal + bisect_right(starts, lead[-1].start) - 1 if lead else -1
        parent = led_by if lead else _parent_section(above, ordinal)
        last_line = line + text.count("\n", start, stop - 1)
        oversized = _is_oversized(text, start, stop, max_leaf_tokens)
        chunks.append(
            Chunk(
                ordinal,
                start,
                stop,
                line,
                last_line,
                _kind(group),
                path,
                parent,
                lead,
                oversized=oversized,
                opens=opens,
            )
        )
        starts.append(start)
        line = last_line + (text[stop - 1] == "\n")
    return Chunked(_title(pieces), tuple(chunks), tuple(headings))


def _groups(pieces: Sequence[Piece], stop: int, target_chars: int) -> Iterator[list[Piece]]:
    """Yield the pieces of each chunk."""
    group: list[Piece] = []
    for piece, following in pairwise([*pieces, Piece(stop, "blank")]):
        if group and not joins(group, piece, following.start, target_chars):
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def joins(group: list[Piece], piece: Piece, stop: int, target_chars: int) -> bool:
    """Say whether ``piece``, which ends at ``stop``, belongs to the chunk of ``group``."""
    last = group[-1]
    if piece.joint == "inside" or last.kind == "blank":
        return True
    if piece.joint == "apart" and not last.heading:
        return False
    if piece.heading:  # a heading without content of its own joins the deeper one below it
        return last.heading is not None and last.heading.level < piece.heading.level
    if last.heading:  # and is never parted from its first block
        return True
    return last.kind != "front_matter" and stop - group[0].start <= target_chars


def _kind(group: list[Piece]) -> ChunkKind:
    """Return what a chunk consists of, its headings and the blank lines above them aside."""
    if len(group) == 1:
        return "heading" if group[0].heading else group[0].kind
    if group[-1].kind == "blank":
        return "blank"
    kinds = {piece.kind for piece in group if not piece.heading and piece.kind != "blank"}
    if len(kinds) > 1:
        return "mixed"
    return kinds.pop() if kinds else "heading"


def _parent_section(above: list[Open], ordinal: int) -> int | None:
    """Return the first chunk of the nearest outer section that begins in another chunk."""
    for over in above[-2::-1]:
        if over.ordinal != ordinal:
            return over.ordinal
    return None


def _is_oversized(text: str, start: int, stop: int, max_leaf_tokens: int) -> bool:
    """Say whether a chunk is long; counts tokens only where the length leaves it open."""
    length = stop - start
    if 3 * length <= max_leaf_tokens:  # no character is estimated at more than 3 tokens
        return False
    part = text[start:stop]
    # And at 1 within the basic plane, where a character takes two bytes of UTF-16 and not four.
    most_tokens = length if part.isascii() else len(part.encode("utf-16-le", "surrogatepass")) - length
    return most_tokens > max_leaf_tokens and llm_tokens(part) > max_leaf_tokens


def _title(pieces: Sequence[Piece]) -> str | None:
    """Return the first heading of level 1 if no earlier heading has content, else the first heading."""
    first = None
    for piece in pieces:
        if piece.heading and piece.heading.title:
            if piece.heading.level == 1:
                return piece.heading.title
            first = first or piece.heading.title
        elif first and not piece.heading:
            break
    return first
