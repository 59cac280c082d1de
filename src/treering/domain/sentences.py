"""Where the sentences of a text begin, in any language that ends them with a mark."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LONGEST: Final = 360
"""A sentence of more characters is parted at white space or a comma, so that none is all or nothing."""

_SHORTEST: Final = 40
# A full stop ends a sentence before white space; the marks of Chinese and Japanese need none.
# Compiled where a text is first parted, which most answers are not: .6 ms.
_END: Final = r"[.!?…]+[\"'”’»)\]}*_]*(?=\s)\s*|[。！？；]+[”’」』）】]*\s*|\n+"
_PAUSE: Final = r"[,;:，、：]\s*|\s+"


def sentences(text: str) -> list[str]:
    """Return ``text`` in pieces that join to it: sentences, short ones with the one before.

    An abbreviation may end a piece too early; what is shown in pieces is marked as cut.
    """
    found: list[str] = []
    start = 0
    for end in re.finditer(_END, text):
        if end.end() - start >= _SHORTEST:
            found += _parted(text[start : end.end()])
            start = end.end()
    if start < len(text):
        found += _parted(text[start:])
    return found


def _parted(sentence: str) -> list[str]:
    """Return a sentence in pieces of at most ``LONGEST`` characters, cut at pauses where there are any."""
    found = []
    start = 0
    while len(sentence) - start > LONGEST:
        stop = start + LONGEST
        for pause in re.finditer(_PAUSE, sentence[start + LONGEST // 2 : start + LONGEST]):
            stop = start + LONGEST // 2 + pause.end()
        found.append(sentence[start:stop])
        start = stop
    return [*found, sentence[start:]]
