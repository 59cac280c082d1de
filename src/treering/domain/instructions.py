"""Text from outside that addresses whoever reads it: orders to an agent, claims to be the owner, forged marks.

What is found here only ever lowers a change to review, so a word list is enough: what it misses is still external text
that can confirm nothing. The reason never repeats the text, because the reason is shown to the agent.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from treering.domain.orders import HIDDEN, RULES

# Marks of emphasis and letters of no width part a word for the search alone.
_MARKS: Final = re.compile(r"[*~`\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e]|(?<!\w)_+|_+(?!\w)")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_LINES: Final = re.compile(r" ?\n[ \n]*")
_IN_LINE: Final = re.compile(r"(?<=[^\s.!?。！？:：])\n(?=[a-zñáéíóú(])")
# Tags spell ASCII out of sight; a flag of a part of a country is a flag and up to six of them.
_TAGS: Final = re.compile("(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0020-\U000e007f]{2,}")
# Cyrillic and Greek letters that are drawn like Latin ones.
_ALIKE: Final = str.maketrans("аеорсухіјѕԁһοανιτκ", "aeopcyxijsdhoavitk")


def reads_like_instructions(text: str) -> str | None:
    """Return why external text reads like instructions to an agent; None when it does not.

    English, Spanish and Chinese. The reason names the kind and repeats no word of the text. About 0.4 µs a
    character; linear in the text.

    Args:
        text: what comes from outside: a quote, a statement, the passage that it stands in.
    """
    if not text.isascii() and _TAGS.search(text):
        return HIDDEN
    folded = _folded(text)
    for number, rule in enumerate(RULES):
        if any(hint in folded for hint in rule.hints) and _compiled(number).search(folded):
            return rule.why
    return None


def _folded(text: str) -> str:
    """Return text in small letters and plain forms, without emphasis, its wrapped lines joined."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    text = _MARKS.sub("", text.lower())
    text = _LINES.sub("\n", _IN_LINE.sub(" ", _BLANKS.sub(" ", text)))
    return text if text.isascii() else _latin(text)


def _latin(text: str) -> str:
    """Return text with look-alike letters of other alphabets as Latin ones, in words that hold both."""
    if not re.search("[\u0370-\u052f]", text):
        return text
    return re.sub(r"\w+", lambda word: word[0].translate(_ALIKE) if re.search("[a-z]", word[0]) else word[0], text)


@cache
def _compiled(number: int) -> re.Pattern[str]:
    """Return a rule's pattern; each takes up to a millisecond to compile, and most texts hint at none."""
    return re.compile(RULES[number].pattern)
