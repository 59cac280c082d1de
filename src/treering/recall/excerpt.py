"""A chunk's text cut to a number of tokens, around the words that were asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

CUT: Final = "[…]"
_MARKS_TOKENS: Final = 16
"""Two cut marks, an opening and a closing fence."""

_ATX: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_SETEXT: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE: Final = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_TABLE_RULE: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


def own_headings(text: str) -> int:
    """Return how many headings stand at the very start of a chunk's text."""
    count = 0
    lines = [line for line in text[:2000].split("\n") if line.strip()]
    at = 0
    while at < len(lines):
        if _ATX.match(lines[at]):
            at += 1
        elif at + 1 < len(lines) and _SETEXT.match(lines[at + 1]) and not _ATX.match(lines[at + 1]):
            at += 2
        else:
            break
        count += 1
    return count


def excerpt(text: str, most: int, kind: str, words: Sequence[str]) -> str:
    """Return ``text`` without blank ends, cut to at most ``most`` tokens.

    What is left out is marked with ``[…]``. A table keeps its header, a code fence is closed again.

    Args:
        text: the chunk.
        most: estimated LLM tokens.
        kind: the chunk's kind.
        words: lower-case words to cut around; the start is kept when none occurs.
    """
    text = text.strip("\n").rstrip()
    if llm_tokens(text) <= most:
        return text
    lines = text.split("\n")
    head = _table_head(lines) if kind in {"table", "mixed"} else 0
    room = most - _MARKS_TOKENS - llm_tokens("\n".join(lines[:head]))
    if head and room < most // 3:
        head, room = 0, most - _MARKS_TOKENS
    first, last = _window(lines, head, room, words)
    if first == last:
        return "\n".join([*lines[:head], _cut_line(lines[first], room, words)])
    shown = lines[:head] + ([CUT] if first > head else []) + lines[first:last]
    opener = _open_fence(lines[:first])
    if opener:
        shown = [opener.strip(), *shown]
    closer = _open_fence(lines[:last])
    if last < len(lines):
        shown.append(CUT)
        if closer:
            shown.append(_FENCE.match(closer)[1])  # type: ignore[index]  # it is a fence
    return "\n".join(shown)


def _window(lines: list[str], head: int, room: int, words: Sequence[str]) -> tuple[int, int]:
    """Return the stretch of whole lines around the best match that fits ``room``; empty when one line does not."""
    costs = [llm_tokens(line) + 1 for line in lines]
    first = max(range(head, len(lines)), key=lambda i: (_matches(lines[i], words), -i))
    last, left = first, room
    before = room // 4
    while first > head and costs[first - 1] <= before:
        first -= 1
        before -= costs[first]
        left -= costs[first]
    while last < len(lines) and costs[last] <= left:
        left -= costs[last]
        last += 1
    while first > head and costs[first - 1] <= left and last > first:
        first -= 1
        left -= costs[first]
    return first, max(first, last)


def _matches(line: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in a line."""
    lower = line.lower()
    return sum(word in lower for word in words)


def _cut_line(line: str, room: int, words: Sequence[str]) -> str:
    """Return the part of one long line around its first match that fits ``room`` tokens."""
    lower = line.lower()
    places = [place for word in words if (place := lower.find(word)) >= 0]
    start = max(0, min(places, default=0) - 2 * room)
    # Two characters a token at the least; grown until it is full.
    size = max(1, room)
    while size * 2 <= 8 * room and llm_tokens(line[start : start + size * 2]) <= room:
        size *= 2
    step = size
    while step:
        if llm_tokens(line[start : start + size + step]) <= room:
            size += step
        step //= 2
    stop = min(len(line), start + size)
    return f"{CUT if start else ''}{line[start:stop]}{CUT if stop < len(line) else ''}"


def _table_head(lines: list[str]) -> int:
    """Return how many lines a table's header takes at the start: two, or none when it is no table."""
    return 2 if len(lines) > 2 and "|" in lines[0] and _TABLE_RULE.match(lines[1]) else 0


def _open_fence(lines: Sequence[str]) -> str:
    """Return the line that opened the fence which is still open after the lines; empty when none is."""
    opener, mark = "", ""
    for line in lines:
        found = _FENCE.match(line)
        if found and not mark:
            opener, mark = line, found[1]
        elif found and found[1][0] == mark[0] and len(found[1]) >= len(mark) and not line.strip(" \t>" + mark[0]):
            opener, mark = "", ""
    return opener
