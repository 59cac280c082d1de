"""The sentences of a chunk that a question is about, where the whole chunk is too much to show."""

from __future__ import annotations

import math

from treering.domain.named import NamedTuple
from treering.domain.sentences import sentences
from treering.domain.text import llm_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

BESIDE: Final = 0.5
"""What the sentences beside one count for it; .25 and 1 show .01 and .03 less of what answers in 200 tokens."""

# ``[…]`` with its line end.
_GAP_TOKENS: Final = 5


class Sentence(NamedTuple):
    """A sentence, or the part of one in a line: number of the line, text, estimated LLM tokens."""

    line: int
    text: str
    cost: int


class Window(NamedTuple):
    """Neighbouring sentences: places of the first and after the last, text, numbers of the first and the last line."""

    start: int
    stop: int
    text: str
    first: int
    last: int


def split(lines: Sequence[str]) -> list[Sentence]:
    """Return the sentences of lines in order."""
    return [
        Sentence(number, part, llm_tokens(part) + 1)
        for number, line in enumerate(lines)
        for part in (sentences(line) or [""])
    ]


def choose(found: Sequence[Sentence], room: int, words: Mapping[str, float]) -> list[Window]:
    """Return the stretches that hold most of what was asked, in order, in at most ``room`` tokens.

    A word counts by how rare it is in the store and in this chunk: what every sentence of a chunk is about
    does not tell them apart. 136 paragraphs of up to 17,000 characters: 200 tokens then show .82 of what answers
    instead of .79; one stretch around the best sentence .73.

    Args:
        found: the sentences of a chunk.
        room: estimated LLM tokens, marks for gaps included.
        words: lower-case words with how telling each is.
    """
    worth = _smoothed(_worth([one.text.lower() for one in found], words))
    taken: set[int] = set()
    for place in sorted(range(len(found)), key=lambda place: (-worth[place], place)):
        gap = 0 if {place - 1, place + 1} & taken else _GAP_TOKENS
        if found[place].cost + gap <= room:
            taken.add(place)
            room -= found[place].cost + gap
        if room <= _GAP_TOKENS:
            break
    return _windows(found, sorted(taken))


def _worth(lower: Sequence[str], words: Mapping[str, float]) -> list[float]:
    """Return how much of the question each sentence holds."""
    worth = [0.0] * len(lower)
    for word, weight in words.items():
        holders = [place for place, sentence in enumerate(lower) if word in sentence]
        for place in holders:
            worth[place] += weight * math.log1p(len(lower) / (1 + len(holders)))
    return worth


def _smoothed(worth: Sequence[float]) -> list[float]:
    """Return the worth of each with a share of what its neighbours are worth; at an edge its own."""
    last = len(worth) - 1
    return [own + BESIDE * (worth[max(0, place - 1)] + worth[min(last, place + 1)]) for place, own in enumerate(worth)]


def _windows(found: Sequence[Sentence], places: Sequence[int]) -> list[Window]:
    """Return sentences as stretches without a gap."""
    windows: list[Window] = []
    for place in places:
        one = found[place]
        if windows and windows[-1].stop == place:
            joined = windows[-1].text + ("" if one.line == windows[-1].last else "\n") + one.text
            windows[-1] = windows[-1]._replace(stop=place + 1, text=joined, last=one.line)
        else:
            windows.append(Window(place, place + 1, one.text, one.line, one.line))
    return windows
