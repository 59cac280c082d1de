"""A project on one page: its files with their size in tokens, or what each of them declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import llm_tokens
from treering.workbench.symbols import CHARS_OF_A_TOKEN, Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TOKENS: Final = 4000
"""Of a map: some four hundred files, or two hundred symbols; ``subpath`` shows a part in full."""


class Sheet(NamedTuple):
    """One file on the map.

    Attributes:
        file: path to show.
        lines: how many it has.
        tokens: its estimated size in LLM tokens.
        symbols: what it declares; empty unless asked for.
    """

    file: str
    lines: int
    tokens: int
    symbols: tuple[Declared, ...] = ()


class Map(NamedTuple):
    """The map of a project.

    Attributes:
        path: what it is of.
        detail: ``files`` or ``symbols``.
        sheets: its files, by path.
        text: as it is shown.
        left_out: files that are only counted in the text, because of the budget.
        tokens: estimated LLM tokens of the text.
        whole_tokens: of reading every file.
        notices: what a reader should know.
    """

    path: str
    detail: str
    sheets: tuple[Sheet, ...]
    text: str
    left_out: int
    tokens: int
    whole_tokens: int
    notices: tuple[str, ...] = ()


def estimated(chars: int) -> int:
    """Return how many LLM tokens source code of this length is worth."""
    return round(chars / CHARS_OF_A_TOKEN)


def drawn(path: str, detail: str, sheets: Sequence[Sheet], max_tokens: int) -> Map:
    """Return the map of some files; what does not fit is counted.

    Args:
        path: what it is of.
        detail: ``files`` or ``symbols``.
        sheets: its files, by path, with their symbols where these are wanted.
        max_tokens: upper bound of the text.
    """
    whole = sum(sheet.tokens for sheet in sheets)
    head = f"{len(sheets):,} source files, ~{whole:,} tokens to read"
    lines = [head]
    left = max_tokens - llm_tokens(head) - 20
    shown = 0
    for block, files in _with_symbols(sheets) if detail == "symbols" else _folders(sheets):
        cost = llm_tokens(block) + 1
        if cost > left:
            break
        left -= cost
        shown += files
        lines.append(block)
    if shown < len(sheets):
        lines.append(f"[…] {len(sheets) - shown:,} more files; narrow with subpath")
    text = "\n".join(lines)
    return Map(path, detail, tuple(sheets), text, len(sheets) - shown, llm_tokens(text), whole)


def _folders(sheets: Sequence[Sheet]) -> Iterable[tuple[str, int]]:
    """Yield each folder with the sizes of its files on one line, and how many they are."""
    folders: dict[str, list[Sheet]] = {}
    for sheet in sheets:
        folders.setdefault(sheet.file.rpartition("/")[0], []).append(sheet)
    for folder, inside in sorted(folders.items()):
        files = ", ".join(f"{sheet.file.rpartition('/')[2]} {_size(sheet.tokens)}" for sheet in inside)
        yield f"{folder or '.'}/ {files}", len(inside)


def _with_symbols(sheets: Sequence[Sheet]) -> Iterable[tuple[str, int]]:
    """Yield each file with what it declares, members below their class."""
    for sheet in sheets:
        lines = [f"{sheet.file} {_size(sheet.tokens)}"]
        outer = ""
        for one in sheet.symbols:
            inner = one.name.startswith(f"{outer}.") if outer else False
            if not inner:
                outer = one.name
            span = f"{one.first}-{one.last}" if one.last > one.first else f"{one.first}"
            lines.append(f"    .{one.name[len(outer) + 1 :]} {span}" if inner else f"  {one.name} {span}")
        yield "\n".join(lines), 1


def _size(tokens: int) -> str:
    """Return a size as it is read at a glance."""
    return str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k"
