"""Which known entities a text names.

A name in letters that words are made of stands between other characters than those; one in a script without spaces
stands anywhere. Time is linear in the text, however many names there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from treering.domain.entity import Entity, name_key

_SHORTEST: Final = 2
"""Fewest characters of a name that is looked for: single ones stand everywhere."""

_LONGEST_RUN: Final = 6
_MOST_BEGINNINGS: Final = 200

# Scripts written without spaces: Thai and its neighbours, Khmer, Chinese, Japanese, Korean with its glued particles.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"


class Named(NamedTuple):
    """A name that stands in a text.

    Attributes:
        key: the name, as names are compared.
        ids: the entities that have it: several when the text alone does not tell which.
    """

    key: str
    ids: tuple[str, ...]


class Names:
    """The names of entities, ready to be looked for in many texts.

    Args:
        known: the entities.
    """

    def __init__(self, known: Iterable[Entity]) -> None:
        ids: dict[str, list[str]] = {}
        for entity in known:
            for key in entity.keys:
                if len(key) >= _SHORTEST:
                    ids.setdefault(key, []).append(entity.id)
        self._ids = {key: tuple(dict.fromkeys(found)) for key, found in ids.items()}
        lengths: dict[str, set[int]] = {}
        for key in self._ids:
            lengths.setdefault(_tokens().findall(key)[0], set()).add(len(key))
        self._lengths = {beginning: sorted(found, reverse=True) for beginning, found in lengths.items()}

    def standing_in(self, text: str) -> tuple[Named, ...]:
        """Return the names that stand in a text, by first appearance; where names overlap, the first and longest."""
        found: dict[str, None] = {}
        looked_at = name_key(text)
        end = 0
        for token in _tokens().finditer(looked_at):
            if token.start() >= end and (key := self._at(looked_at, token.start(), token[0])):
                found[key] = None
                end = token.start() + len(key)
        return tuple(Named(key, self._ids[key]) for key in found)

    def _at(self, text: str, start: int, beginning: str) -> str:
        """Return the longest name that stands at a place without a word that goes on behind it; empty for none."""
        for length in self._lengths.get(beginning, ()):
            key, behind = text[start : start + length], text[start + length : start + length + 1]
            if key in self._ids and not (behind and _spaced().match(key[-1]) and _spaced().match(behind)):
                return key
        return ""


def entities_in(text: str, names: Names | Iterable[Entity]) -> tuple[Named, ...]:
    """Return the names of known entities that stand in a text, by first appearance.

    Args:
        text: what is looked through.
        names: the entities; made into ``Names`` once, they serve many texts.
    """
    return (names if isinstance(names, Names) else Names(names)).standing_in(text)


def keys_within(text: str) -> list[str]:
    """Return all that may be a name in a text: runs of words or characters, as names are compared, each once.

    Runs are of at most ``_LONGEST_RUN`` tokens, and begin within the first ``_MOST_BEGINNINGS``.
    """
    looked_at = name_key(text)
    tokens = list(_tokens().finditer(looked_at))[:_MOST_BEGINNINGS]
    runs = (
        looked_at[first.start() : last.end()]
        for place, first in enumerate(tokens)
        for last in tokens[place : place + _LONGEST_RUN]
    )
    return list(dict.fromkeys(run for run in runs if len(run) >= _SHORTEST))


@cache
def _tokens() -> re.Pattern[str]:
    """Return a pattern of where names can begin: a run of word letters, or any other single character."""
    return re.compile(rf"[^\W_{_UNSPACED}]+|\S")


@cache
def _spaced() -> re.Pattern[str]:
    """Return a pattern of the letters that words with spaces between them are made of."""
    return re.compile(rf"[^\W_{_UNSPACED}]")
