"""A text that has grown at its end, cut from a place on where that gives the chunks of the whole.

Such a place begins a chunk with a top-level block that a blank line parts from what is above it: nothing
before it can reach over it, whatever follows. What remains is what the end of a document may still change
in its beginning: the title, whether links in headings lead somewhere, and the size of a neighbour. Each
is checked, and in doubt the answer is to cut the whole text (``docs/decisions/0009-append.md``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from treering.chunkers import dated, detection, is_markdown, languages, packing, pieces_of, prose
from treering.chunkers.packing import Open, Piece, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.chunk import Chunk

_LOOKED_AT: Final = 200
"""Chunks from the end among which a place is looked for; beyond, a section is most of its file."""

_TRIED: Final = 4
# Kinds in which what is added may join what stands far above it.
_WHOLE: Final = frozenset({"clinical", "narrative", "process"})
# Enough for a blank line with its blanks.
_BORDER_CHARS: Final = 80
_AFTER_BLANK_LINE: Final = re.compile(r"\n[ \t]*\r?\n\Z")
_BLANK_LINE: Final = re.compile(r"\n\s*\n")
# Not at the start of a list item, of a quote, or of what may be no block of its own; nor indented.
_OWN_BLOCK: Final = re.compile(r"(?![-+*][ \t\r\n]|\d{1,9}[.)]|([-*_])(?:[ \t]*+\1){2}|[>\[<\s])")
_LINK_TARGET: Final = "]:"
_ATX_WITH_LINK: Final = re.compile(r"\n {0,3}#[^\n]*\[")
_SETEXT: Final = re.compile(r"\n {0,3}(?:=+|-+)[ \t]*\r?(?=\n|\Z)")


class Stored(Protocol):
    """The text as it was before, with its chunks."""

    @property
    def chars(self) -> int:
        """Length of the text."""
        ...

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last ``count`` chunks before ordinal ``stop``, in order; ``opening``: that begin with headings."""
        ...

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        ...


class Growth(NamedTuple):
    """The chunks of a grown text from a place on.

    Attributes:
        start: where the first of them begins.
        line: number of its first line.
        text: the text from there on.
        chunks: as the whole text would have them; the first one's ordinal says how many stay as they were.
    """

    start: int
    line: int
    text: str
    chunks: tuple[Chunk, ...]


def chunk_grown(
    stored: Stored,
    appended: str,
    name: str,
    *,
    target_chars: int = 600,
    max_leaf_tokens: int = 3000,
    domain: str = "",
) -> Growth | None:
    """Return the chunks at the end of a text that ``appended`` was added to; None to cut the whole text.

    Args:
        stored: the text before.
        appended: what was added to it.
        name: file name or path, see ``chunk``.
        target_chars: see ``chunk``; as it was for the text before.
        max_leaf_tokens: see ``chunk``.
        domain: see ``chunk``; as it was for the text before.
    """
    if languages.is_code(name):
        return None  # the end of a class may make it one that is divided
    plan = _same_plan(stored, appended, name, domain)
    if plan is None or plan.domain in _WHOLE:
        return None
    markdown = is_markdown(name)
    last = stored.chunks(2**31, _LOOKED_AT)
    tried = 0
    for before, chunk in zip(last[-2::-1], last[:0:-1], strict=True):
        divided = not markdown and _is_in_long_paragraph(stored, last, chunk.start, target_chars)
        if not (divided or _is_below_blank_line(stored, chunk.start)):
            continue
        text = stored.text(chunk.start, stored.chars) + appended
        if plan.dated and not dated.begins_entry(text, plan.order):
            continue
        if markdown and not plan.dated and not _OWN_BLOCK.match(text):
            continue
        pieces = pieces_of(text, name, plan, target_chars, divided=divided)
        if not _joins(before, pieces, chunk.start, len(text), target_chars):
            if markdown and _reaches_back(stored, last, chunk, text, pieces):
                return None
            position = Position(chunk.ordinal, chunk.first_line, _above(stored, before))
            cut = packing.pack(
                text, pieces, target_chars=target_chars, max_leaf_tokens=max_leaf_tokens, position=position
            )
            return Growth(chunk.start, chunk.first_line, text, tuple(_moved(one, chunk.start) for one in cut.chunks))
        tried += 1
        if tried == _TRIED:
            return None
    return None


def _is_below_blank_line(stored: Stored, start: int) -> bool:
    """Tell whether the line above a place is blank."""
    return _AFTER_BLANK_LINE.search(stored.text(max(start - _BORDER_CHARS, 0), start)) is not None


def _is_in_long_paragraph(stored: Stored, last: Sequence[Chunk], start: int, target_chars: int) -> bool:
    """Tell whether a line of plain text stands so deep in a paragraph that the paragraph is divided."""
    first = start - prose.DIVIDED_FROM * target_chars
    if first <= 0 or any(chunk.kind == "front_matter" and chunk.stop > first for chunk in last):
        return False
    above = prose.single_line_feeds(stored.text(first, start))
    return above.endswith("\n") and not above.isspace() and _BLANK_LINE.search(above) is None


def _same_plan(stored: Stored, appended: str, name: str, domain: str) -> detection.Plan | None:
    """Return how a text is cut; None where what was added changes that."""
    front = next((one for one in stored.chunks(1, 1) if one.kind == "front_matter"), None)
    start = front.stop if front else 0
    beginning = stored.text(start, min(start + detection.SAMPLE_CHARS, stored.chars))
    plan = detection.plan(beginning, name, domain)
    if len(beginning) < detection.SAMPLE_CHARS:
        grown = beginning + appended[: detection.SAMPLE_CHARS - len(beginning)]
        return plan if detection.plan(grown, name, domain) == plan else None
    return plan


def _joins(before: Chunk, pieces: list[Piece], start: int, length: int, target_chars: int) -> bool:
    """Tell whether the first piece would share the chunk before it, or does not begin where it should."""
    if not pieces or pieces[0].start:
        return True
    heading = before.path[-1] if before.kind == "heading" else None
    group = [Piece(before.start - start, before.kind, heading)]
    stop = pieces[1].start if len(pieces) > 1 else length
    return packing.joins(group, pieces[0], stop, target_chars)


def _reaches_back(stored: Stored, last: Sequence[Chunk], chunk: Chunk, text: str, pieces: Sequence[Piece]) -> bool:
    """Tell whether the end of a document may change its title or how a heading before it reads, or is read by it."""
    if not any(_settles_title(one) for one in last if one.ordinal < chunk.ordinal) and (
        any(one.opens for one in last if one.ordinal >= chunk.ordinal) or any(piece.heading for piece in pieces)
    ):
        return True
    has_target, has_heading = _LINK_TARGET in text, _has_link_in_heading(text)
    if not (has_target or has_heading):
        return False
    above = stored.text(0, chunk.start)
    return (has_heading and _LINK_TARGET in above) or (has_target and _has_link_in_heading(above))


def _settles_title(chunk: Chunk) -> bool:
    """Tell whether a chunk shows that content stands below a heading, where the search for a title ends."""
    return chunk.kind not in {"heading", "blank", "front_matter"} and any(heading.title for heading in chunk.path)


def _has_link_in_heading(text: str) -> bool:
    """Tell whether a heading may hold a link, which reads differently where its target is known."""
    text = "\n" + prose.single_line_feeds(text)
    if "[" not in text:
        return False
    if _ATX_WITH_LINK.search(text):
        return True
    return any(
        "[" in text[text.rfind("\n\n", 0, found.start()) + 1 : found.start()] for found in _SETEXT.finditer(text)
    )


def _above(stored: Stored, before: Chunk) -> tuple[Open, ...]:
    """Return the headings that are open after a chunk, each with the chunk that holds it."""
    holders: list[int] = []  # from the innermost heading outwards
    stop = before.ordinal + 1
    while len(holders) < len(before.path):
        [holder] = stored.chunks(stop, 1, opening=True)
        outside = len(holder.path) - holder.opens
        holders += [holder.ordinal] * (len(before.path) - len(holders) - outside)
        stop = (holder.parent or 0) + 1
    return tuple(Open(heading, ordinal) for heading, ordinal in zip(before.path, reversed(holders), strict=True))


def _moved(chunk: Chunk, by: int) -> Chunk:
    """Return a chunk whose offsets count from the start of the document."""
    lead = tuple([one._replace(start=one.start + by, stop=one.stop + by) for one in chunk.lead])
    return chunk._replace(start=chunk.start + by, stop=chunk.stop + by, lead=lead)
