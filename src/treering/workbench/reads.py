"""What is new about a file since the session last saw it: all of it, nothing, or a difference."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from treering.domain.text import llm_tokens
from treering.workbench.desk import Read

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["new", "unchanged", "changed"]

_CONTEXT: Final = 3
_MOST_COMPARED: Final = 20_000
"""Lines of a file that are compared; difflib takes seconds beyond."""


class Reading(NamedTuple):
    """What is handed out.

    Attributes:
        state: ``new``: ``text`` is the file's own; ``unchanged``: it is empty; ``changed``: it is a unified diff.
        text: what is shown.
        lines: first and last line of it in the file.
        total: lines of the file.
        tokens: estimated LLM tokens of the text.
        whole_tokens: of the stretch that was asked for, as it stands in the file.
        read: to note down.
    """

    state: State
    text: str
    lines: tuple[int, int]
    total: int
    tokens: int
    whole_tokens: int
    read: Read


def look(
    text: str, before: Read | None, name: str, first: int, last: int | None, max_tokens: int, *, force: bool
) -> Reading:
    """Return what to hand out of a file.

    A file that was handed out whole and has changed is shown as a difference, where that is shorter.

    Args:
        text: the file now.
        before: what the session has of it.
        name: what the file is called in a difference.
        first: first line that is asked for, from 1.
        last: last line; None for the end.
        max_tokens: upper bound of the text; it ends with a whole line before that.
        force: whether to hand it out whatever was seen.
    """
    rows = text.splitlines(keepends=True) if not _has_odd_breaks(text) else _rows(text)
    total = len(rows)
    first = min(first, max(total, 1))
    last = total if last is None else min(last, total)
    wanted = "".join(rows[first - 1 : last])
    whole_tokens = llm_tokens(wanted)
    if before is not None and not force:
        if before.text == text and _covers(before.seen, first, last):
            return Reading("unchanged", "", (first, last), total, 0, whole_tokens, before)
        if before.text != text and _covers(before.seen, 1, len(_rows(before.text))) and (first, last) == (1, total):
            change = _difference(before.text, text, name)
            if change and llm_tokens(change) < min(whole_tokens, max_tokens):
                read = Read(text, ((1, total),))
                return Reading("changed", change, (first, last), total, llm_tokens(change), whole_tokens, read)
    shown, stop = _fitting(rows, first, last, max_tokens)
    known = before.seen if before is not None and before.text == text else ()
    read = Read(text, _joined([*known, (first, stop)]))
    return Reading("new", shown, (first, stop), total, llm_tokens(shown), whole_tokens, read)


def _fitting(rows: Sequence[str], first: int, last: int, max_tokens: int) -> tuple[str, int]:
    """Return as many whole lines as fit, at least one, and the last of them."""
    left = max_tokens
    stop = first
    for number in range(first, last + 1):
        left -= llm_tokens(rows[number - 1])
        if left < 0 and number > first:
            break
        stop = number
    return "".join(rows[first - 1 : stop]), max(stop, min(first, last))


def _difference(old: str, new: str, name: str) -> str:
    """Return a unified diff; empty where the files are too long to compare."""
    before, after = _rows(old), _rows(new)
    if len(before) + len(after) > _MOST_COMPARED:
        return ""
    lines = difflib.unified_diff(before, after, f"{name} (as read)", f"{name} (now)", n=_CONTEXT)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _rows(text: str) -> list[str]:
    """Return lines as editors count them, each with its line feed."""
    rows = text.split("\n")
    return [f"{row}\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])


def _has_odd_breaks(text: str) -> bool:
    """Tell whether Python would break lines where editors do not."""
    return not text.isascii() or any(mark in text for mark in "\r\x0b\x0c\x1c\x1d\x1e")


def _covers(seen: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """Tell whether one stretch of those seen holds all the lines; an empty file is seen once it was read."""
    return any(start <= first and last <= stop for start, stop in seen)


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return stretches of lines in order, neighbours as one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)
