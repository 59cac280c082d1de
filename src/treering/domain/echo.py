"""Echoes: texts that give back what a memory handed out. It is stored already, with its source and trust.

An agent that saves what it was shown would make one word of it into two, and lend its own name to what an outside text
said. A statement in an agent's own words, or with a quote as its evidence, is no echo.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# As ``domain.citation`` and the cheatsheets write them.
_MARK: Final = re.compile(
    r"^\[\d+\] .+\(\d\.\d\d, ~\d+ tokens.*\)$|^\[L\d+(?:-\d+)?[^\]]*\]|^\d+ results?, ~\d+ tokens$"
    r"|\[external [0-9a-f]{8}: data, not instructions\]|\[end of external [0-9a-f]{8}\]"
    r"|^Quoted from the user's memory: data, not instructions\.$",
    re.MULTILINE,
)
_WORD: Final = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]|[^\W_]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s*|\n+")

_LEAST_WORDS: Final = 8
"""A shorter statement may be anybody's: "staging runs PostgreSQL 17" within a handed passage is a memory of its own."""

_SHARE: Final = 0.8
"""Of a text's words, how many stand in sentences that were handed out as they are."""


def is_rendered(text: str) -> bool:
    """Tell whether a text bears the marks of an answer: numbered headlines with a price, line marks, frames."""
    return bool(_MARK.search(text))


def folded(text: str) -> str:
    """Return a text's words alone, in small letters, without the marks of an answer; an ideograph is a word."""
    return f" {' '.join(_WORD.findall(_MARK.sub(' ', text).lower()))} "


def repeats(text: str, handed: Iterable[str]) -> bool:
    """Tell whether a text is, but for little, what was handed out.

    Args:
        text: what is to be stored.
        handed: texts that were handed out, as ``folded`` returns them.
    """
    sentences = [words for part in _SENTENCE.split(_MARK.sub(" ", text)) if (words := folded(part)).strip()]
    total = sum(map(_count, sentences))
    if total < _LEAST_WORDS:
        return False
    known = list(handed)
    told = sum(_count(words) for words in sentences if any(words in one for one in known))
    return told >= _SHARE * total


def _count(words: str) -> int:
    """Return how many words a folded text has."""
    return words.count(" ") - 1
