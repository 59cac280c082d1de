"""Text into words, and words into the pieces that a BERT vocabulary knows.

Agrees with the uncased BERT tokenizer on everything that holds a letter or a digit. Punctuation and
symbols only separate words here: their vectors are huge, say nothing, and pull texts together.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

WORDS_VERSION: Final = 1
"""Raised whenever ``words`` or ``pieces`` may give something else for the same text."""

MAX_WORDS: Final = 80
"""Words of a text that count: 512 characters served question sets as well as whole texts (±.005) or better."""

# Eighty English words with their punctuation fit well; it bounds the work for a text without spaces.
_MAX_CHARS: Final = 1024
_MAX_WORD_CHARS: Final = 100
# Ideographs that BERT takes as words of their own.
_IDEOGRAPHS: Final = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class _Cleaning(dict[int, str]):
    """What each character beyond ASCII becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        """Return the replacement of the character ``code`` and remember it."""
        import unicodedata  # only for text beyond ASCII: 1 ms

        if any(first <= code <= last for first, last in _IDEOGRAPHS):
            cleaned = f" {unicodedata.normalize('NFD', chr(code))} "
        else:
            letters = unicodedata.normalize("NFD", chr(code))
            cleaned = "".join(_clean(letter, unicodedata.category(letter)) for letter in letters)
        self[code] = cleaned
        return cleaned


def _clean(letter: str, category: str) -> str:
    """Return a decomposed character in lower case, a blank where it separates, nothing for an accent."""
    if category[0] in "LN" or category in {"Mc", "Me"}:
        return letter.lower()
    return " " if category[0] in "PSZ" and letter != "\ufffd" else ""


# For UTF-8: letters beyond ASCII pass, everything in ASCII but letters and digits separates.
_ASCII: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)) + bytes(
    range(128, 256)
)
_OTHERS: Final = re.compile("[^\x00-\x7f]+")
_CLEANING: Final = _Cleaning()


def words(text: str) -> list[str]:
    """Return the first words of ``text`` in lower case, without accents.

    Only the beginning of the text is read, so the time does not depend on its length. A word that
    the limit cuts in two is left out, unless it is all there is.
    """
    head = text if len(text) <= _MAX_CHARS else text.lstrip()[:_MAX_CHARS]
    # Twice as fast as str.translate where most is ASCII. A lone surrogate becomes a question mark.
    cleaned = head.encode(errors="replace").translate(_ASCII).decode()
    if not cleaned.isascii():
        cleaned = _OTHERS.sub(_cleaned, cleaned)
    found = cleaned.split(None, MAX_WORDS)
    if len(found) > MAX_WORDS or (len(head) < len(text) and len(found) > 1):
        found.pop()
    return found


def _cleaned(letters: re.Match[str]) -> str:
    """Return a run of characters beyond ASCII as words take them."""
    return letters[0].translate(_CLEANING)


def pieces(word: str, find: Callable[[str, int], int], longest: int) -> tuple[int, ...]:
    """Return the rows of a word's pieces, longest first from the left; none if some part is unknown.

    Args:
        word: a word as ``words`` gives it.
        find: returns the row of a piece, its second argument for none. A piece inside a word begins with ``##``.
        longest: characters of the longest piece, marks included.
    """
    whole = find(word, -1)
    if whole >= 0:
        return (whole,)
    if len(word) > _MAX_WORD_CHARS:
        return ()
    rows: list[int] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        for stop in range(min(len(word), start + longest - len(mark)), start, -1):
            row = find(mark + word[start:stop], -1)
            if row >= 0:
                break
        else:
            return ()
        rows.append(row)
        start = stop
    return tuple(rows)
