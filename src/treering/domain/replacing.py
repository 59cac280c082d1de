"""Replacing: which memory a few words mean, when a save corrects one; of several, none is taken by guess."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_LISTED: Final = 5
_SHORTEST_STEM: Final = 4
"""Letters that forms of one word share at least: ``likes`` and ``liked``, but not ``port`` and ``post``."""

_SHOWN: Final = 80


class Candidate(NamedTuple):
    """A memory that the words may mean.

    Attributes:
        id: the memory.
        text: what it says, title included.
    """

    id: str
    text: str


class Choice(NamedTuple):
    """What a few words mean.

    Attributes:
        id: the one memory that they mean; empty when that is not plain.
        listed: memories of which they may mean one, likeliest first; the writer chooses.
    """

    id: str = ""
    listed: tuple[Candidate, ...] = ()


def choose(words: str, candidates: Sequence[Candidate]) -> Choice:
    """Return which candidate a few words mean, if that is plain.

    It is plain when one candidate has at least half of the words, and all of those that any other such candidate has,
    and more. Whatever has less than half is no rival, and is listed only when nothing has half.

    Args:
        words: how the memory was described, or its id.
        candidates: current memories that a search brought for these words, best first.
    """
    for candidate in candidates:
        if candidate.id == words.strip():
            return Choice(candidate.id)
    wanted = content_words(words)
    held = {one.id: frozenset(word for word in wanted if _has(content_words(one.text), word)) for one in candidates}
    close = [one for one in candidates if held[one.id] and 2 * len(held[one.id]) >= len(wanted)]
    best = [one for one in close if not any(held[one.id] < held[other.id] for other in close)]
    if len(best) == 1:
        return Choice(best[0].id)
    return Choice(listed=tuple(best or candidates)[:_MOST_LISTED])


def is_like(words: str, candidate: Candidate) -> bool:
    """Tell whether a candidate has any of a few words, or a form of it."""
    said = content_words(candidate.text)
    return any(_has(said, word) for word in content_words(words))


def unplain(words: str, choice: Choice) -> str:
    """Return what to tell a writer whose words do not name one memory."""
    if not choice.listed:
        return f"nothing here is what {words[:_SHOWN]!r} describes: nothing was replaced"
    named = "; ".join(f"{one.id} {' '.join(one.text.split())[:_SHOWN]!r}" for one in choice.listed)
    return f"{words[:_SHOWN]!r} may describe {named}: nothing was replaced; name the id of the one that is meant"


def _has(words: Iterable[str], wanted: str) -> bool:
    """Tell whether a word or another form of it is among the words; of numbers there are no forms."""
    return any(word == wanted or _is_form(word, wanted) for word in words)


def _is_form(one: str, other: str) -> bool:
    """Tell whether two words are forms of one: alike but for their last letters."""
    if not (one.isalpha() and other.isalpha()):
        return False
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return shared >= max(_SHORTEST_STEM, min(len(one), len(other)) - 1)
