"""Journals, logs, chats and minutes: an entry is never cut, and entries of two days never share a chunk.

An entry begins at a heading with a date and reaches to the next heading of its level or above, or at a line with a
date or a clock time and reaches to the next such line or heading. Lines of code and of tables begin none. A very long
entry that has headings of its own, as minutes have, is cut at these: each part stands under the date.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.chunkers.packing import WHOLE, Joint, Piece, Span
from treering.domain.written_dates import Order, opening

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.domain.chunk import Chunk

_MOST_INDENT: Final = 3
_DIVIDED: Final = frozenset({"prose", "list", "quote"})
_LONGEST_DATE_LINE: Final = 60


class _Start(NamedTuple):
    """Where an entry begins.

    Attributes:
        at: offset of its line.
        date: the day that it stands under; empty when that is not known.
        leads: the line with the date, where its own says the time alone.
    """

    at: int
    date: str
    leads: tuple[Span, ...]


def pieces(text: str, base: Sequence[Piece], target_chars: int, order: Order = "") -> list[Piece]:
    """Return pieces that join to whole entries.

    Args:
        text: the whole text, or its end from an entry with a date of its own on.
        base: what another splitter found in it.
        target_chars: entries of a day share a chunk up to this size.
        order: of ambiguous dates.
    """
    stops = [*(piece.start for piece in base[1:]), len(text)]
    found: list[Piece] = []
    date = ""
    line: tuple[Span, ...] = ()
    level = 0  # of the heading of the entry under way; 0 when a line began it
    inside = False
    for piece, stop in zip(base, stops, strict=True):
        if piece.heading:
            said = opening(text, _past_blank(text, piece.start, stop), order)
            if said and said.date:
                found.append(piece._replace(joint="apart" if said.date != date else ""))
                date, line, level, inside = said.date, (), piece.heading.level, True
            elif inside and level and piece.heading.level > level:
                found.append(piece._replace(joint="inside"))
            else:
                found.append(piece)
                inside, level = False, 0
            continue
        if level:
            found.append(piece._replace(joint="inside") if inside else piece)
            continue
        starts = list(_starts(text, piece, stop, order, date, line)) if piece.kind in _DIVIDED else []
        if inside and (not starts or starts[0].at > piece.start):
            found.append(piece._replace(joint="inside"))
        elif not starts or starts[0].at > piece.start:
            found.append(piece)
        for start in starts:
            joint: Joint = "apart" if start.date != date or not inside else ""
            leads = start.leads or (piece.leads if start.at == piece.start else ())
            found.append(Piece(start.at, piece.kind, None, leads, joint))
            date, inside = start.date, True
            if not start.leads:
                line = (Span(start.at, _line_stop(text, start.at)),)
    return list(_sized([*_parted(found, len(text), target_chars)], len(text), target_chars))


def entry_date(chunk: Chunk, text: str, order: Order = "") -> str:
    """Return the day that a chunk of dated entries stands under, as ISO 8601; empty when it says none for sure.

    A pure function of the chunk: its first line, else the line that leads it, else the headings above it.

    Args:
        chunk: one of the text's chunks.
        text: the whole text.
        order: of ambiguous dates.
    """
    own = opening(text, _past_blank(text, chunk.start, chunk.stop), order)
    if own and own.date:
        return own.date
    for lead in reversed(chunk.lead):
        said = opening(text, lead.start, order)
        if said and said.date:
            return said.date
    for heading in reversed(chunk.path):
        said = opening(heading.title, 0, order)
        if said and said.date:
            return said.date
    return ""


def begins_entry(text: str, order: Order = "") -> bool:
    """Tell whether a text begins with an entry that has a date of its own."""
    said = opening(text, 0, order)
    return said is not None and bool(said.date)


def _starts(text: str, piece: Piece, stop: int, order: Order, date: str, line: tuple[Span, ...]) -> Iterator[_Start]:
    """Yield the entries that begin in a piece.

    Args:
        text: the text.
        piece: a paragraph, list or quote.
        stop: where it ends.
        order: of ambiguous dates.
        date: the day under way.
        line: the line that says so.
    """
    at = piece.start
    while at < stop:
        end = text.find("\n", at, stop)
        end = stop if end < 0 else end + 1
        indent = end - at - len(text[at:end].lstrip(" \t"))
        said = opening(text, at, order) if indent <= _MOST_INDENT else None
        if said:
            own = bool(said.date) or not said.time
            if own:
                date, line = said.date, (Span(at, _line_stop(text, at)),)
            yield _Start(at, date, () if own else line)
        at = end


def _parted(found: Sequence[Piece], stop: int, target_chars: int) -> Iterator[Piece]:
    """Yield the pieces; those of a very long entry with headings of its own part as in any section, under its date."""
    at = 0
    while at < len(found):
        end = at + 1
        while end < len(found) and found[end].joint == "inside":
            end += 1
        entry = found[at:end]
        size = (found[end].start if end < len(found) else stop) - entry[0].start
        has_parts = entry[0].heading is not None and any(piece.heading for piece in entry[1:])
        if has_parts and size > WHOLE * target_chars:
            yield entry[0]
            yield from (piece._replace(joint="") for piece in entry[1:])
        else:
            yield from entry
        at = end


def _sized(found: Sequence[Piece], stop: int, target_chars: int) -> Iterator[Piece]:
    """Yield the pieces, each entry that is longer than the target apart from the one before it."""
    begins = [at for at, piece in enumerate(found) if piece.joint != "inside"]
    for at, piece in enumerate(found):
        if piece.joint == "" and not piece.heading:
            following = bisect_right(begins, at)
            end = found[begins[following]].start if following < len(begins) else stop
            if end - piece.start > target_chars:
                yield piece._replace(joint="apart")
                continue
        yield piece


def _past_blank(text: str, at: int, stop: int) -> int:
    """Return where the first line with something on it begins."""
    while at < stop:
        end = text.find("\n", at, stop)
        if end < 0 or (not text[at:end].isspace() and end > at):
            return at
        at = end + 1
    return at


def _line_stop(text: str, at: int) -> int:
    """Return where the words of a line end, or of its beginning when it is long."""
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return at + len(text[at : min(end, at + _LONGEST_DATE_LINE)].rstrip())
