"""The same content in two formats: a report as PDF and as Word, a page as HTML and as Markdown."""

from __future__ import annotations

import os
import re
from typing import Final
from zlib import crc32

_WORD: Final = re.compile(r"\w+")
_CHARS: Final = 40_000
"""How much of a text is looked at."""

_RUN: Final = 5
"""Words in one run: shorter ones are shared by texts about the same thing."""

_KEPT: Final = 128
"""Runs that stand for a text, those with the lowest checksums (Broder 1997): shares are true to about .09."""

_FEWEST: Final = 24
"""Runs that a text must have: forms and title pages are alike without being the same."""

ALIKE: Final = 0.25
"""Share of common runs from which on two texts say much the same. Of 43 real documents a report as Word and its first
pages as PDF share .34, two states of one Word document .94, and no other two more than .02."""


class Formats:
    """The documents of one import, to tell which of them say the same."""

    def __init__(self) -> None:
        """Begin with none."""
        self._sketches: list[tuple[str, frozenset[int]]] = []
        self._by_run: dict[int, list[int]] = {}

    def twin(self, path: str, text: str) -> str:
        """Return the path of an earlier document in another format that says the same; empty for none.

        Args:
            path: where this one stands.
            text: what was read of it.
        """
        sketch = _sketch(text[:_CHARS])
        if len(sketch) < _FEWEST:
            return ""
        shared: dict[int, int] = {}
        for run in sketch:
            for number in self._by_run.get(run, ()):
                shared[number] = shared.get(number, 0) + 1
        found = ""
        for number in sorted(shared, key=shared.__getitem__, reverse=True):
            other, theirs = self._sketches[number]
            if _suffix(other) != _suffix(path) and _resemblance(sketch, theirs) >= ALIKE:
                found = other
                break
        for run in sketch:
            self._by_run.setdefault(run, []).append(len(self._sketches))
        self._sketches.append((path, sketch))
        return found


def _suffix(path: str) -> str:
    """Return what a file name says its format is."""
    return os.path.splitext(path)[1].lower()


def _sketch(text: str) -> frozenset[int]:
    """Return the checksums that stand for a text."""
    words = _WORD.findall(text.casefold())
    runs = {crc32(" ".join(words[i : i + _RUN]).encode("utf-8", "replace")) for i in range(len(words) - _RUN + 1)}
    return frozenset(sorted(runs)[:_KEPT])


def _resemblance(ours: frozenset[int], theirs: frozenset[int]) -> float:
    """Return the share of runs that two texts have in common, 0 to 1."""
    lowest = set(sorted(ours | theirs)[:_KEPT])
    return len(lowest & ours & theirs) / len(lowest)
