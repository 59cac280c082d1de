"""Blocks by braces, where no grammar is installed or it cannot read a file.

Comments and strings are blanked first. Each pair of braces belongs to the words before it, back to the
statement or block before: words like those of a class hold members, words like those of a function are one
symbol, anything else is a statement.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from treering.chunkers.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.chunkers.languages import Language

# A quote of one letter alone: elsewhere it is a lifetime, a digit separator or an apostrophe.
_MASKED: Final = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\[^\n]{1,8}?|[^'\\\n])'|`(?:\\.|[^`\\])*`", re.DOTALL
)
_SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx", "php"})
_PREPROCESSED: Final = frozenset({"c", "cpp", "csharp"})
_DIRECTIVE: Final = re.compile(r"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*[^\n\r]", re.MULTILINE)
_QUOTED: Final = re.compile(r"'(?:\\.|[^'\\\n])*'|#[^\n\[][^\n]*", re.DOTALL)
_INK: Final = re.compile(r"[^\n]")
_CLASS: Final = re.compile(
    r"(?:^|[\s;}])(?:class|interface|struct|enum|union|trait|impl|namespace|mod|module|object|protocol|extension|"
    r"record|actor)\b(?:\s*<[^{]*?>)?\s*([\w:.$\\]*)"
)
_EXTERN: Final = re.compile(r"\bextern\s*$")
_FUNCTION: Final = re.compile(r"([\w$~.:]+)\s*(?:<[^<>()]*>)?\s*\([^{}]*$", re.DOTALL)
_ASSIGNED: Final = re.compile(r"([\w$.]+)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\(|\w+\s*=>)")
_CONTROL: Final = frozenset("if for while switch catch else do try return match when guard with using lock".split())
_IMPORT: Final = re.compile(r"\s*(?:import|using|use|package|#\s*include|extern\s+crate|namespace\s[\w\\.]+;)\b")
_CUTS: Final = re.compile(r"[{};]")
_DEEPEST: Final = 60
_LONGEST_HEADER: Final = 2000


def blocks(text: str, language: Language) -> tuple[Block, ...]:
    """Return the blocks of ``text`` as far as its braces tell."""
    return tuple(_Scan(text, language).inside(0, len(text), top=True))


class _Scan:
    """One text with its braces matched."""

    def __init__(self, text: str, language: Language) -> None:
        """Blank comments and strings, and match braces."""
        masked = _MASKED.sub(lambda found: _INK.sub(" ", found[0]), text)
        if language.name in _SCRIPTS:
            masked = _QUOTED.sub(lambda found: _INK.sub(" ", found[0]), masked)
        if language.name in _PREPROCESSED:  # such a line ends like a statement
            masked = _DIRECTIVE.sub(lambda found: f"{found[0][:-1]};", masked)
        self._masked = masked
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._rows = text.split("\n")
        self._closing = _matched(masked)

    def inside(self, start: int, stop: int, *, top: bool = False, depth: int = 0) -> Iterator[Block]:
        """Yield the blocks of a stretch of the text; statements alone at the top."""
        at = begun = start
        while (found := _CUTS.search(self._masked, at, stop)) is not None:
            closing = self._closing.get(found.start()) if found[0] == "{" else None
            at = found.end() if closing is None else min(closing + 1, stop)
            if found[0] == "{":
                header = self._masked[max(begun, found.start() - _LONGEST_HEADER) : found.start()]
                begins = self._ink(begun, found.start())
                yield from self._block(header, begins, found.start(), at, top=top, depth=depth)
            elif top and found[0] == ";":
                yield from self._statement(self._ink(begun, found.start()), at)
            begun = at
        if top and self._masked[begun:stop].strip():
            yield from self._statement(self._ink(begun, stop), stop)

    def _block(self, header: str, start: int, brace: int, stop: int, *, top: bool, depth: int) -> Iterator[Block]:
        """Yield what a pair of braces with the words before it is."""
        first, last, opens = self._above(self._row(start)), self._row(stop - 1), self._row(start)
        declared = _CLASS.search(header)
        if declared and not _ASSIGNED.search(header) and depth < _DEEPEST:
            members = tuple(self.inside(brace + 1, stop - 1, depth=depth + 1))
            yield Block(first, last, "class", declared[1].rstrip(":"), opens, self._row(brace), members)
        elif name := _function(header):
            yield Block(first, last, "function", name, opens, opens)
        elif _EXTERN.search(header.rstrip(' "')) or header.strip().startswith("#"):
            yield from self.inside(brace + 1, stop - 1, top=top, depth=depth + 1)
        elif top:
            yield Block(first, last, "code", "", opens, opens)

    def _statement(self, start: int, stop: int) -> Iterator[Block]:
        """Yield a statement."""
        words = self._masked[start:stop]
        if words.strip("; \n\t\r"):
            first = self._above(self._row(start))
            kind = "imports" if _IMPORT.match(words) else "code"
            yield Block(first, self._row(max(stop - 1, start)), kind, "", first, first)  # type: ignore[arg-type]

    def _ink(self, start: int, stop: int) -> int:
        """Return where the first word of a stretch stands."""
        words = self._masked[start:stop]
        return start + len(words) - len(words.lstrip())

    def _row(self, at: int) -> int:
        """Return the row of an offset."""
        return bisect_right(self._starts, at) - 1

    def _above(self, row: int) -> int:
        """Return the first row of the comments and attributes right above a row."""
        while row > 0 and self._rows[row - 1].lstrip().startswith(("//", "/*", "*", "@", "#[", "[")):
            row -= 1
        return row


def _matched(masked: str) -> dict[int, int]:
    """Return where each opening brace is closed; those that never are, are absent."""
    closing: dict[int, int] = {}
    waiting: list[int] = []
    for found in re.finditer("[{}]", masked):
        if found[0] == "{":
            waiting.append(found.start())
        elif waiting:
            closing[waiting.pop()] = found.start()
    return closing


def _function(header: str) -> str:
    """Return the name of the function that the words before a brace declare; empty where they declare none."""
    assigned = _ASSIGNED.search(header)
    if assigned:
        return assigned[1]
    found = _FUNCTION.search(header)
    if found is None:
        return ""
    name = _first_called(header)
    return "" if name.rpartition(".")[2] in _CONTROL or "=" in header.partition("(")[0] else name


def _first_called(header: str) -> str:
    """Return the name before the first parenthesis, a receiver of Go aside."""
    receiver = re.match(r"\s*func\s*\(\s*\w*\s*\*?(\w+)[^)]*\)\s*(\w+)", header)
    if receiver:
        return f"{receiver[1]}.{receiver[2]}"
    named = re.search(r"([\w$~.:]+)\s*(?:<[^<>()]*>)?\s*\(", header)
    return named[1] if named else ""
