"""Likeness: how nearly two statements say the same, from their words.

Meaning as a model sees it is no part of it: a model knows no number from another, and statements that differ by a digit
lie nearer to one another than those that are worded anew. (Measured: ``docs/decisions/0076-near-duplicates.md``.)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.domain.particulars import NUMBERS, particulars

if TYPE_CHECKING:
    from collections.abc import Sequence

_IRREGULAR: Final = re.compile(r"\b(?:can't|cannot|won't|shan't)\b", re.IGNORECASE)
_WHOLE: Final = {"can": "can", "won": "will", "sha": "shall"}
_NOT: Final = re.compile(r"n't\b", re.IGNORECASE)
_ARE: Final = re.compile(r"'re\b", re.IGNORECASE)
_ORDER: Final = 0.3
"""What the order of the words counts beside the words; "the queue feeds the ledger" has one."""

_LONGEST: Final = 300
"""Words of a statement that are compared: the cost grows with their square."""

_SMALL: Final = frozenset(
    """a an the is are be been being am it it's this that these those there also just so then now
    very veri really realli please pleas
    el la lo los las un una es son 的 了 吗 呢 吧 啊""".split()
)
"""Words without which a statement says the same; "from" and "to", "and" and "or", "my" and "your" are none."""


class Shape(NamedTuple):
    """A statement as it is compared.

    Attributes:
        words: its telling words as stems, in order.
        particulars: what of it may not differ.
    """

    words: tuple[str, ...]
    particulars: tuple[str, ...]


class Alike(NamedTuple):
    """Another memory that says nearly the same.

    Attributes:
        id: the memory.
        likeness: from 0 to 1.
        same: whether it says the same, so that the two may be merged.
    """

    id: str
    likeness: float
    same: bool


def shape(text: str, stems: Sequence[str]) -> Shape:
    """Return a statement as it is compared.

    Args:
        text: the statement.
        stems: its words as an index compares them.
    """
    words = (NUMBERS.get(word, word) for word in stems[:_LONGEST] if word not in _SMALL)
    return Shape(tuple(words), particulars(text))


def in_full(text: str) -> str:
    """Return a text in which what is drawn together in English is written in full: ``do not`` for ``don't``."""
    if "'" not in text and "’" not in text and "annot" not in text:
        return text
    text = _IRREGULAR.sub(lambda match: f"{_WHOLE[match[0][:3].lower()]} not", text.replace("’", "'"))
    return _NOT.sub(" not", _ARE.sub(" are", text))


def likeness(one: Shape, other: Shape, least: float = 0.0) -> float:
    """Return how nearly two statements say the same, 0..1; 0 where their words alone tell that it is below ``least``.

    Twice the shared words by all words, and the longest run of words in the same order, with gaps.
    """
    total = len(one.words) + len(other.words)
    if not total:
        return 0.0
    shared = _shared(one.words, other.words)
    words = 2 * shared / total
    if (1 - _ORDER) * words + _ORDER * words < least or not shared:
        return 0.0
    return (1 - _ORDER) * words + _ORDER * 2 * _in_order(one.words, other.words) / total


def are_same(one: Shape, other: Shape, value: float, same: float) -> bool:
    """Tell whether two statements may stand for one another.

    No particular of them differs, and one has all the words of the other in their order: a word in place of another,
    or two that changed places, may be all that matters.

    Args:
        one: a statement.
        other: another one.
        value: how alike they are.
        same: from what likeness on they may be the same.
    """
    if value < same or one.particulars != other.particulars:
        return False
    return _in_order(one.words, other.words) == min(len(one.words), len(other.words))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two statements share, each as often as both have it."""
    left = list(other)
    shared = 0
    for word in one:
        if word in left:
            left.remove(word)
            shared += 1
    return shared


def _in_order(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words stand in the same order in both."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, another in enumerate(other, 1):
            above = row[place]
            row[place] = before + 1 if word == another else max(above, row[place - 1])
            before = above
    return row[-1]
