"""Scores: numbers in, numbers out. Each constant names the measurement that chose it."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


class Evidence(NamedTuple):
    """How much of a question an entry explains.

    Attributes:
        coverage: share of the question's rarity that stands in it, 0..1.
        together: the same for its best paragraph alone.
        words: how many of the question's words stand in it.
    """

    coverage: float
    together: float
    words: int


def rarity(frequency: int, entries: int) -> float:
    """Return how telling a term is that occurs in ``frequency`` of ``entries`` (BM25's idf, never below 0)."""
    return math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5))


def evidence(rarities: Sequence[float], held: Collection[int], blocks: Iterable[Collection[int]]) -> Evidence:
    """Return how much of a question an entry explains.

    Args:
        rarities: weight of each term of the question; a term that no entry holds counts like the rarest.
        held: positions of the terms that the entry or its head holds.
        blocks: the same for each of its paragraphs.
    """
    total = sum(rarities)
    if not total:
        return Evidence(0.0, 0.0, 0)
    together = max((sum(rarities[place] for place in block) for block in blocks), default=0.0)
    counted = [place for place in held if rarities[place]]
    return Evidence(sum(rarities[place] for place in counted) / total, together / total, len(counted))


def weighed(score: float, found: Evidence) -> float:
    """Return BM25 raised for entries that explain the question as a whole, and do so in one paragraph.

    BM25 lets one rare word outweigh three others. On 200 questions each to 1,000 and 3,000 Markdown files the
    right file came first for .96 of headings and .90 of paragraphs (.95 and .84 with BM25 alone); a share of .3
    or .7 instead of .5 differs by .01.
    """
    return score * (0.5 + 0.5 * found.coverage) * (0.5 + 0.5 * found.together)


class Signs(NamedTuple):
    """What tells an entry that answers a question from one that shares words with it by chance.

    Attributes:
        explained: share of the question that it holds, more telling the longer the question is.
        size: logarithm of its bytes: a long entry holds many words by chance.
        choice: logarithm of the number of entries: among many, one holds many words by chance.
    """

    explained: float
    size: float
    choice: float


def signs(found: Evidence, words: int, size: int, entries: int) -> Signs:
    """Return the signs that an entry answers a question.

    Args:
        found: how much of the question it explains.
        words: how many words the question has.
        size: bytes of its text in UTF-8, in which a Chinese letter and half an English word weigh the same.
        entries: how many entries it was chosen from.
    """
    return Signs(found.coverage * math.log(1 + words), math.log(1 + size), math.log(1 + entries))


SURENESS: Final = Signs(explained=9.1, size=-1.1, choice=-0.52)
"""Weight of each sign: fitted on nine public question sets, judged on seven others (``bench/gate.py``)."""

SURENESS_BASE: Final = 3.1
"""What is added to the weighted signs; fitted with them."""

# Shares are quotients of sums: "all of it" allows for rounding.
_WHOLE: Final = 0.999999


def confidence(found: Evidence, seen: Signs) -> float:
    """Return how sure it is that an entry answers a question, 0..1.

    A logistic function of the signs; 1 for an entry that holds every word of the question, however short
    the question is. ``docs/decisions/0006-keyword-gate.md`` says what was measured.
    """
    if found.coverage >= _WHOLE:
        return 1.0
    return 1 / (1 + math.exp(-SURENESS_BASE - sum(map(operator.mul, SURENESS, seen))))
