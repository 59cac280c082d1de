"""What readers write: Markdown whose structure is the document's and whose words are left as they are.

Nothing inside a line is escaped, so that a quote from the document stands in the text. Only what would begin a
heading, a fence or a block of HTML at the start of a paragraph is kept from doing so by a backslash.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MISTAKEN: Final = re.compile(r"#{1,6}(?=[ \t]|$)|```|~~~|<(?=[A-Za-z/!?])", re.MULTILINE)
_FENCE: Final = re.compile(r"`{3,}")
_PART_CHARS: Final = 1500
"""A longer table becomes several, each under its header row: a table is never cut afterwards."""


def heading(level: int, title: str) -> str:
    """Return a heading; empty when it has no words."""
    words = " ".join(title.split())
    return f"{'#' * min(max(level, 1), 6)} {words}" if words else ""


def paragraph(text: str) -> str:
    """Return a paragraph, each of its lines without blanks at the ends."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(
        _MISTAKEN.sub(_escaped, line, count=1) if _MISTAKEN.match(line) else line for line in lines if line
    )


def _escaped(found: re.Match[str]) -> str:
    """Return what was found with a backslash before it."""
    return "\\" + found[0]


def item(text: str, depth: int = 0, number: int | None = None) -> str:
    """Return an item of a list; its further lines are indented below its first.

    Args:
        text: what it says.
        depth: how many lists it stands in beyond the outermost.
        number: set in a numbered list.
    """
    mark = "-" if number is None else f"{number}."
    indent = "    " * depth
    first, *others = paragraph(text).split("\n")
    return "\n".join([f"{indent}{mark} {first}", *(f"{indent}{' ' * (len(mark) + 1)}{line}" for line in others)])


def code(text: str, language: str = "") -> str:
    """Return a fenced block with the text as it stands; empty for none."""
    body = text.strip("\n")
    fence = "`" * max([3, *(len(run[0]) + 1 for run in _FENCE.finditer(body))])
    return f"{fence}{language}\n{body}\n{fence}" if body.strip() else ""


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as a table, the first one its header; a long one as several under the same header."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    kept = [row for row in cells if any(row)]
    width = max(map(len, kept), default=0)
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in kept]
    return "\n\n".join("\n".join(part) for part in _parts(lines, "|" + " --- |" * width))


def _cell(text: str) -> str:
    """Return what stands in a cell, on one line."""
    return " ".join(text.split()).replace("|", "\\|")


def _parts(lines: Sequence[str], rule: str) -> Iterator[list[str]]:
    """Yield a table's lines in parts that each begin with its first line."""
    part: list[str] = []
    size = 0
    for line in lines[1:] or lines[:1]:
        if part and size + len(line) > _PART_CHARS:
            yield part
            part = []
        if not part:
            part = [lines[0], rule]
            size = len(lines[0])
        if line is not lines[0]:
            part.append(line)
            size += len(line)
    if part:
        yield part


def join(blocks: Iterable[str]) -> str:
    """Return blocks with a blank line between them, items of one list without."""
    text: list[str] = []
    was_item = False
    for block in blocks:
        if not block:
            continue
        is_item = _ITEM.match(block) is not None
        if text:
            text.append("\n" if is_item and was_item else "\n\n")
        text.append(block)
        was_item = is_item
    return "".join(text)


_ITEM: Final = re.compile(r" *(?:-|\d{1,9}\.) ")
