"""Where a quote stands in a text, and what stands there instead when it does not.

A quote is compared after canonical composition (NFC) and with every run of white space as one space; case counts.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST: Final = 4
"""Fewest characters of a quote, white space folded: less stands in any text and proves nothing."""

NEAREST: Final = 240
"""Most characters of the nearest text that an error shows."""

# A mark joins the letter before it, and so do the vowels and finals of a Hangul syllable: they compose to one.
_LETTER: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_WORD: Final = re.compile(r"\S+")


class Span(NamedTuple):
    """A stretch of a text in characters.

    Attributes:
        start: the first character.
        stop: the one behind the last.
    """

    start: int
    stop: int


def locate(text: str, quote: str) -> Span | None:
    """Return where a quote stands in a text for the first time; None when it does not.

    Args:
        text: the version's text.
        quote: the words that are claimed to stand in it.

    Raises:
        InputError: if the quote is shorter than ``SHORTEST``.
    """
    words = unicodedata.normalize("NFC", quote).split()
    if len(" ".join(words)) < SHORTEST:
        raise InputError(
            f"the quote {quote[:20]!r} is too short: at least {SHORTEST} characters",
            hint="quote the whole sentence",
        )
    folded = unicodedata.normalize("NFC", " ".join(text.split()))
    if " ".join(words) not in folded:  # one pass; the pattern below may begin again at every word
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    if unicodedata.is_normalized("NFC", text):
        found = pattern.search(text)
        return Span(*found.span()) if found else None
    return _in_composed(text, pattern)


def _in_composed(text: str, pattern: re.Pattern[str]) -> Span | None:
    """Return where a pattern stands in the composed form of a text, in characters of the text as it is."""
    pieces = list(_pieces(text))
    composed = [unicodedata.normalize("NFC", piece) for piece in pieces]
    found = pattern.search("".join(composed))
    if found is None:
        return None
    before = list(accumulate(map(len, composed), initial=0))
    origin = list(accumulate(map(len, pieces), initial=0))
    first = bisect_right(before, found.start()) - 1
    last = bisect_right(before, found.end() - 1) - 1
    return Span(origin[first], origin[last + 1])


def _pieces(text: str) -> Iterable[str]:
    """Cut a text before each character that composes with nothing in front of it."""
    start = 0
    for at, letter in enumerate(text):
        if at and not (unicodedata.category(letter)[0] == "M" or _LETTER.match(letter)):
            yield text[start:at]
            start = at
    yield text[start:]


def nearest(text: str, quote: str) -> str:
    """Return the stretch of a text that shares most words with a quote, cut to ``NEAREST`` characters; empty if none.

    A window as long as the quote is moved over the text, so that it takes one pass.
    """
    wanted = Counter(_plain(quote.split()))
    words = list(_WORD.finditer(text))
    plain = _plain(word[0] for word in words)
    width = min(max(1, wanted.total()), len(words))
    held: Counter[str] = Counter()
    shared = best = 0
    best_at = -2
    for at, word in enumerate(plain):
        held[word] += 1
        shared += held[word] <= wanted[word]
        if at >= width:
            left = plain[at - width]
            shared -= held[left] <= wanted[left]
            held[left] -= 1
        if shared > best or (shared == best and best_at == at - 1):  # an equal one moved on begins with a shared word
            best, best_at = shared, at
    if not best:
        return ""
    first = words[max(0, best_at - width + 1)]
    return " ".join(text[first.start() : words[best_at].end()].split())[:NEAREST]


def _plain(words: Iterable[str]) -> list[str]:
    """Return words as they are compared to find the nearest: without case and the marks around them."""
    return [unicodedata.normalize("NFC", word).casefold().strip(".,;:!?()[]{}\"'`*_…") for word in words]
