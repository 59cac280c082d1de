"""Fitting: as much of a text as its budget allows, by whole lines, and how to go on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.domain.report import Remembered, Shown
from treering.domain.text import llm_tokens
from treering.surfaces.mcp.replies import called

if TYPE_CHECKING:
    from treering.domain.report import Waiting

AROUND_TOKENS: Final = 120
"""For what stands around a shown text: the line above it, labels, a quote, how to go on."""

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")  # as lines are counted everywhere: other breaks are letters
_CUT: Final = "[…] cut; next: more with max_tokens\n"
_CUT_TOKENS: Final = llm_tokens(_CUT) + 1
_LETTERS_AT_WORST: Final = 3
"""Tokens of a letter at worst."""

LEAST_ROOM: Final = 2
ATTEMPTS: Final = 4
"""At fitting a text with what stands around it, of which only the whole tells the price."""

WORTH_SHOWING: Final = 60
"""With less left, nothing more is begun."""

_LETTERS_OF_A_TOKEN: Final = 2
"""At least so many has a token of most scripts; a line that is cut shall not exceed the budget."""


def fitted(
    shown: Shown | Remembered | Waiting, name: str, room: int, *, outline: bool
) -> tuple[Shown | Remembered | Waiting, str]:
    """Return what is shown with as many lines of its text as fit, and how to go on."""
    if not isinstance(shown, Shown | Remembered):
        return shown, ""
    text = shown.content if isinstance(shown, Remembered) else shown.text
    if outline or llm_tokens(text) <= room:
        return shown, ""
    lines = _LINE.findall(text)
    kept = _lines_that_fit(lines, room)
    part = "".join(lines[:kept]) or lines[0][: room * _LETTERS_OF_A_TOKEN]
    if isinstance(shown, Remembered):
        return shown._replace(content=part, quotes=()), _CUT
    first, count = shown.lines[0], max(kept, 1)
    last, end = first + count - 1, first + len(lines) - 1
    cut = "" if kept else f"line {first} is cut; "
    following = "more with max_tokens" if last == end else called("memory_get", ids=[name], start_line=last + 1)
    part_shown = shown._replace(text=part, lines=(first, last))
    return part_shown, f"[…] {cut}lines {first}-{last} of {end}; next: {following}\n"


def not_shown(names: list[str], left: int) -> str:
    """Return how to get at what no longer fits, as far as that fits."""
    for said in (called("memory_get", ids=names), "ask for the rest by itself"):
        text = f"[…] {len(names)} more; next: {said}\n"
        if llm_tokens(text) < left:
            return text
    return ""


def cut(text: str, left: int) -> str:
    """Return a text that fits: of one that is too long its beginning, and how to get more."""
    if llm_tokens(text) < left:
        return text
    room = left - _CUT_TOKENS
    lines = _LINE.findall(text)
    kept = _lines_that_fit(lines, room)
    part = "".join(lines[:kept])
    if not part.strip():  # not even the first line: as many of its letters as surely fit
        part = lines[0][: room // _LETTERS_AT_WORST] + "\n" if room >= _LETTERS_AT_WORST else ""
    return part + _CUT


def _lines_that_fit(lines: list[str], room: int) -> int:
    """Return how many of the first lines fit."""
    for kept, line in enumerate(lines):
        room -= llm_tokens(line)
        if room < 0:
            return kept
    return len(lines)
