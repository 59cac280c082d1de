"""Scores: numbers in, numbers out. Each constant names the measurement that chose it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

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
