"""Long output made short: its first lines, what failed, errors with what stands around them, totals, its last lines.

What a reader acts on comes first: the names of failed tests and the totals are never given up for anything else.
Lines that differ in numbers alone count as one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import llm_tokens
from treering.workbench import runners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_TOKENS: Final = 1500
"""Of a digest: what a failed run of 5 MB needs for the names of forty tests, four errors and both ends."""

_HEAD: Final = 5
_TAIL: Final = 10
_BEFORE: Final = 2
_AFTER: Final = 3
_WIDEST: Final = 240
_CUT: Final = "[…]"
_LINE_TOKENS: Final = 8
"""For the mark with the numbers of the lines that follow."""

# Colours and movements of the cursor, titles of windows, and the rest of what a terminal obeys.
_CONTROL: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\-_]|[\x00-\x08\x0b-\x1f\x7f]"
)
_NUMBER: Final = re.compile(r"0x[0-9a-f]+|\d+", re.IGNORECASE)


class Digest(NamedTuple):
    """Output, condensed.

    Attributes:
        text: what is shown.
        lines: lines of the whole output.
        tokens: estimated LLM tokens of the whole output.
        failures: every test that failed, in the order of the output.
        shown: how many of them the text names.
        totals: the lines that count tests.
        errors: how many different lines speak of an error.
    """

    text: str
    lines: int
    tokens: int
    failures: tuple[str, ...]
    shown: int
    totals: tuple[str, ...]
    errors: int


def cleaned(text: str) -> list[str]:
    """Return the lines of output as a terminal would have left them: no colours, the last state of a progress bar."""
    lines = []
    for drawn in text.replace("\r\n", "\n").split("\n"):
        line = drawn
        if "\r" in line:
            line = next((part for part in reversed(line.split("\r")) if part.strip()), "")
        lines.append((_CONTROL.sub("", line) if not line.isprintable() else line).rstrip())
    while lines and not lines[-1]:
        lines.pop()
    return lines


def digest(text: str, max_tokens: int = MAX_TOKENS) -> Digest:
    """Return output condensed to at most ``max_tokens`` estimated LLM tokens; short output as it is.

    Args:
        text: the output; control sequences and carriage returns are resolved.
        max_tokens: upper bound of the text.
    """
    lines = cleaned(text)
    tokens = llm_tokens(text)
    failures, totals, errors = _scanned(lines)
    whole = "\n".join(lines)
    if llm_tokens(whole) <= max_tokens:
        return Digest(whole, len(lines), tokens, failures, len(failures), totals, len(errors))
    room = max_tokens
    named, shown = _named(failures, room * 9 // 10)
    parts = [named] if named else []
    if totals:
        parts.append("Totals:\n" + "\n".join(f"  {_short(line.strip())}" for line in totals[-6:]))
    room -= sum(llm_tokens(part) + 1 for part in parts)
    kept = _kept(lines, errors, room)
    excerpt = _excerpt(lines, kept)
    parts.append(f"Lines ({len(lines):,} in all):\n{excerpt}")
    return Digest("\n".join(parts), len(lines), tokens, failures, shown, totals, len(errors))


def _scanned(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], list[int]]:
    """Return the failed tests, the lines with totals, and the first of each kind of line about an error."""
    failures: dict[str, None] = {}
    totals: dict[str, None] = {}
    errors: dict[str, int] = {}
    for number, line in enumerate(lines):
        if not line:
            continue
        if name := runners.failed_test(line):
            failures[name] = None
        elif runners.is_total(line):
            totals.pop(line, None)
            totals[line] = None
        elif runners.is_error(line):
            errors.setdefault(_NUMBER.sub("0", line[:_WIDEST]), number)
    return tuple(failures), tuple(totals), list(errors.values())


def _named(failures: Sequence[str], room: int) -> tuple[str, int]:
    """Return the names of failed tests below what they have in common, and how many of them fit."""
    if not failures:
        return "", 0
    groups: dict[str, list[str]] = {}
    for name in failures:
        group, mark, own = _parted(name)
        groups.setdefault(group + mark, []).append(own)
    lines = [f"Failed tests ({len(failures):,}):"]
    room -= llm_tokens(lines[0]) + 12
    shown = 0
    for group, names in groups.items():
        cost = llm_tokens(group) + 2
        taken: list[str] = []
        for own in names:
            if cost + llm_tokens(own) + 1 > room:
                break
            cost += llm_tokens(own) + 1
            taken.append(own)
        if taken:
            shown += len(taken)
            room -= cost
            lines.append(f"  {group} {', '.join(taken)}" if group else f"  {', '.join(taken)}")
    if shown < len(failures):
        lines.append(f"  {_CUT} {len(failures) - shown:,} more")
    return "\n".join(lines), shown


def _parted(name: str) -> tuple[str, str, str]:
    """Return what a test's name shares with others, what joins the two, and what is its own."""
    for mark in ("::", " › ", " > "):
        group, joined, own = name.partition(mark)
        if joined:
            return group, mark, own
    return "", "", name


def _kept(lines: Sequence[str], errors: Sequence[int], room: int) -> list[int]:
    """Return the numbers of the lines that fit: both ends, then each error with its neighbours, the last ones first."""
    room -= _LINE_TOKENS
    kept: set[int] = set()
    last = [at for at in range(max(0, len(lines) - 4 * _TAIL), len(lines)) if not runners.failed_test(lines[at])]
    ends = [*range(min(2, len(lines))), *reversed(last[-_TAIL:]), *range(2, _HEAD)]  # failed tests are named above
    wanted: list[list[int]] = [[number] for number in ends[:6]]
    # The first error mostly causes the others, the last one ended the run.
    ordered = [*errors[:2], *reversed(errors[2:])]
    wanted += [list(range(max(0, at - _BEFORE), min(len(lines), at + _AFTER + 1))) for at in ordered[:2]]
    wanted += [[number] for number in ends[6:]]
    wanted += [list(range(max(0, at - 1), min(len(lines), at + _AFTER))) for at in ordered[2:]]
    for group in wanted:
        new = [number for number in group if number not in kept and 0 <= number < len(lines)]
        gap = 0 if not new or {new[0] - 1, new[-1] + 1} & kept else _LINE_TOKENS
        cost = sum(llm_tokens(_short(lines[number])) + 1 for number in new) + gap
        if cost <= room:
            kept.update(new)
            room -= cost
    return sorted(kept)


def _excerpt(lines: Sequence[str], kept: Iterable[int]) -> str:
    """Return some lines in order, with a mark where others are left out."""
    out: list[str] = []
    for before, number in pairwise([-1, *kept]):
        if number > before + 1:
            out.append(f"{_CUT} L{number + 1}")
        out.append(_short(lines[number]))
    if out and number < len(lines) - 1:
        out.append(_CUT)
    return "\n".join(out)


def _short(line: str) -> str:
    """Return a line cut to what is read of it."""
    return line if len(line) <= _WIDEST else f"{line[: _WIDEST - 60]}{_CUT}{line[-50:]}"
