"""Extractive digests: the sentences that say most of several texts, in any language, the same on every machine."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.domain.sentences import sentences
from treering.domain.text import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

EXTRACTIVE: Final = "extractive/2"
"""What made a digest; the number rises whenever the same texts may get another one."""

MAX_CHARS: Final = 320
"""Length of a digest in bytes: about 80 tokens of English, 100 letters of Chinese."""

_LINE_CHARS: Final = 140
_READ_CHARS: Final = 1200
# A short sentence with one rare word would beat every long one.
_FREE_CHARS: Final = 40
# The first sentence of a text says what it is about more often than any other.
_FIRST: Final = 1.25
# What a page is laid out with, and what is not said in sentences: tags, pictures, blocks in fences, marks of other
# blocks, attributes of headings, bare addresses.
_LAYOUT: Final = re.compile(
    r"</?[A-Za-z][^<>\n]*>|<!--.*?-->|!\[[^\]\n]*\]\([^)\n]*\)"
    r"|^[ \t>]*(?:(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)|(?::{3,}|/{3,})[^\n]*$)"
    r"|\{\s?[#.%:*][^{}\n]*\}|\bhttps?://[^\s)\]>]+",
    re.MULTILINE | re.DOTALL,
)
_LINK: Final = re.compile(r"\[([^\[\]\n]+)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
_MARKUP: Final = re.compile(r"^[\s#>*+|=~`-]+|[|`*]+|\s*\n\s*")
_LETTERS: Final = re.compile(r"[^\W\d_]")


class _Line(NamedTuple):
    """A sentence that may stand in a digest: of which text, its length, its words and how telling its kind is."""

    place: int
    text: str
    size: int
    words: frozenset[str]
    worth: float


def condense(texts: Sequence[str], max_chars: int = MAX_CHARS) -> str:
    """Return the sentences that cover most of what texts say, each as a line, in the order of the texts.

    A word counts more the more of the texts have it, and once: what is said already adds nothing. So a digest names
    what its parts have in common and then the most of what sets each apart. Sentences count more than tables and
    numbers, and how a page is laid out not at all. Deterministic; about 100 µs a text.

    Args:
        texts: chunks, memories, or the digests right below.
        max_chars: how long the digest may be.
    """
    lines = [line for place, text in enumerate(texts) for line in _lines(place, text)]
    weights = _weights(lines)
    return "\n".join(lines[at].text for at in sorted(_chosen(lines, weights, max_chars)))


def _lines(place: int, text: str) -> list[_Line]:
    """Return the sentences of a text without markup, those of a long one at its beginning."""
    found: list[_Line] = []
    for sentence in sentences(_read(text[:_READ_CHARS])):
        plain = " ".join(_MARKUP.sub(" ", sentence).split())
        if not plain:
            continue
        line = _cut(plain)
        # The share of letters, squared: a table's row of figures says little outside its table.
        prose = (0.2 + len(_LETTERS.findall(line)) / len(line.replace(" ", ""))) ** 2
        worth = prose if found else prose * _FIRST
        found.append(_Line(place, line, _size(line), content_words(line), worth))
    return found


def _read(text: str) -> str:
    """Return what a reader of the page would see of a text; all of it where that is nothing."""
    plain = _LINK.sub(r"\1", _LAYOUT.sub("", text))
    return plain if _LETTERS.search(plain) else text


def _size(line: str) -> int:
    """Return the length of a line: a letter of Chinese says as much as three of Latin."""
    return len(line) if line.isascii() else len(line.encode("utf-8", "replace"))


def _cut(line: str) -> str:
    """Return a line that is no longer than one may be, cut at white space where there is any."""
    size = _size(line)
    if size <= _LINE_CHARS:
        return line
    most = _LINE_CHARS * len(line) // size - 1
    kept = line[:most]
    while _size(kept) > _LINE_CHARS - 3:
        kept = kept[: len(kept) * 9 // 10]
    space = kept.rfind(" ", most // 2)
    return f"{kept[:space] if space > 0 else kept}…"


def _weights(lines: Sequence[_Line]) -> dict[str, float]:
    """Return what each word counts: more where several texts have it."""
    texts: dict[int, set[str]] = {}
    for line in lines:
        texts.setdefault(line.place, set()).update(line.words)
    spread = Counter(word for words in texts.values() for word in words)
    return {word: 1 + math.log(count) for word, count in spread.items()}


def _chosen(lines: Sequence[_Line], weights: dict[str, float], max_chars: int) -> list[int]:
    """Return the places of the sentences that together say most."""
    chosen: list[int] = []
    said: set[str] = set()
    left = max_chars
    gains = [line.worth * sum(weights[word] for word in line.words) for line in lines]
    waiting = [at for at, line in enumerate(lines) if line.size <= left]
    while waiting:
        best = max(waiting, key=lambda at: (gains[at] / (lines[at].size + _FREE_CHARS), -at))
        if chosen and gains[best] <= 1e-9:
            break
        chosen.append(best)
        left -= lines[best].size + 1
        new = lines[best].words - said
        said |= new
        waiting = [at for at in waiting if at != best and lines[at].size <= left]
        for at in waiting:
            common = lines[at].words & new
            if common:
                gains[at] -= lines[at].worth * sum(weights[word] for word in common)
    return chosen
