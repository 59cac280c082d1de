"""Blocks by indentation, where no grammar is installed: Python and Ruby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.chunkers.blocks import Block, BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.chunkers.languages import Language

_SYMBOL: Final = {
    "python": re.compile(r"([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)"),
    "ruby": re.compile(r"([ \t]*)(def|class|module)[ \t]+((?:self\.)?[\w:]+[?!=]?)"),
}
_IMPORT: Final = re.compile(r"(?:import|from|require|require_relative|load)\b")
_STRING: Final = re.compile(r'"""|\'\'\'')
_CLOSES: Final = (")", "]", "}", "end", "else", "elif", "except", "finally", "rescue", "ensure")
_DEEPEST: Final = 60


def blocks(text: str, language: Language) -> tuple[Block, ...]:
    """Return the blocks of ``text``; what stands in no function or class is a statement by itself."""
    rows = _rows(text)
    return tuple(_between(rows, 0, len(rows), _SYMBOL[language.name], top=True))


def _rows(text: str) -> list[str]:
    """Return the lines; those within a long string are made to look like the inside of a block."""
    rows: list[str] = []
    inside = ""
    for line in text.split("\n"):
        rows.append(f"{' ' * 1000}." if inside and line.strip() else line)
        for mark in _STRING.findall(line):
            inside = "" if inside == mark else inside or mark
    return rows


def _between(
    rows: Sequence[str], first: int, stop: int, symbol: re.Pattern[str], *, top: bool = False, depth: int = 0
) -> Iterator[Block]:
    """Yield the blocks of some rows."""
    row = first
    above = first  # where the comments and decorators begin that may belong to the next symbol
    while row < stop:
        line = rows[row]
        found = symbol.match(line)
        if found and depth < _DEEPEST:
            last = _last(rows, row, stop, len(found[1]))
            is_class = found[2] in {"class", "module"}
            members = tuple(_between(rows, row + 1, last + 1, symbol, depth=depth + 1)) if is_class else ()
            yield Block(above, last, "class" if is_class else "function", found[3], row, row, members)
            row = above = last + 1
            continue
        row += 1
        if line.lstrip().startswith(("#", "@")):
            continue
        if top and line.strip():
            kind: BlockKind = "imports" if _IMPORT.match(line) else "code"
            yield Block(above, row - 1, kind, "", above, above)
        above = row


def _last(rows: Sequence[str], first: int, stop: int, indent: int) -> int:
    """Return the last row of the block that begins at a row: the last that is indented more, or closes it."""
    last = first
    for row in range(first + 1, stop):
        line = rows[row]
        if not line.strip():
            continue
        inner = line.lstrip()
        own = len(line) - len(inner)
        if own > indent:
            if not (inner.startswith("#") and own <= indent):
                last = row
        elif own == indent and inner.startswith(_CLOSES):
            last = row
            if inner.startswith("end"):
                break
        else:
            break
    return last
