"""Unusual letters: which of them a text has, and what a keyword index is given in their place.

Most text has few or none. They are told once for a whole text: looking at each of its chunks takes longer than changing
those that need it. Loaded for text beyond ASCII alone.
"""

from __future__ import annotations

import re

from treering.domain.named import NamedTuple
from treering.domain.text import CJK_RUN, UNSPACED_RUN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# What compatible letters, marks inside words and the like are looked for beyond; ASCII, Western letters and the marks
# of print stay as they are, and most text has nothing else.
_FAMILIAR: Final = frozenset([*map(chr, range(128)), *map(chr, range(0xC0, 0x100)), *"¡¢£¥§©«®°±¶·»¿–—‘’“”„†‡•€←↑→↓✓✗"])
_ASCII: Final = bytes(range(128))
# SQLite's tokenizer knows Unicode 6.1: it takes younger emoji for letters of the word before them.
_EMOJI: Final = "[\U0001f000-\U0001faff]+"
# It does not know these capitals either, which a question holds as small letters: Cherokee, Adlam, Osage and others.
_YOUNG: Final = {
    chr(code): chr(code).lower()
    for first, last in (
        *((0x37F, 0x37F), (0x528, 0x52E), (0x13A0, 0x13F5), (0x1C90, 0x1CBF), (0x2C2F, 0x2C2F), (0xA698, 0xA69A)),
        *((0xA796, 0xA7F5), (0x104B0, 0x104D3), (0x10570, 0x10595), (0x10C80, 0x10CB2), (0x118A0, 0x118BF)),
        *((0x16E40, 0x16E5F), (0x1E900, 0x1E921)),
    )
    for code in range(first, last + 1)
}
# Hebrew to Burmese, and Khmer: vowels and tones are marks there, at which SQLite's tokenizer and Python's ``\\w``
# would cut every word into single consonants. Without them a word is its letters.
_MARKED_RUN: Final = "[\u0591-\u109f\u1780-\u17ff]+"
# Text whose letters all come before these needs neither pairs nor a look for emoji.
_LAST_SIMPLE: Final = "\u303f"
_TATWEEL: Final = "\u0640"
_TRIPLE: Final = 3


class Letters(NamedTuple):
    """What is unusual about the letters of a text; what holds for a text holds for each part of it.

    Attributes:
        strange: whether any of them is not familiar; without, nothing else is true.
        varies: whether there are compatible letters, or accents apart from their letters.
        marked: whether there may be marks inside words.
        unspaced: whether any is of a script that is written without spaces.
        pictured: whether there are emoji.
        paired: whether there may be Chinese, Japanese or Korean.
        young: whether there are capitals that SQLite does not know.
    """

    strange: bool
    varies: bool = False
    marked: bool = False
    unspaced: bool = False
    pictured: bool = False
    paired: bool = False
    young: bool = False


_PLAIN: Final = Letters(strange=False)


def letters_of(text: str) -> Letters:
    """Return what is unusual about the letters of a text."""
    if text.isascii():
        return _PLAIN
    # What is looked at letter by letter is little without ASCII, which is taken out in a tenth of the time.
    beyond = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    strange = set(beyond) - _FAMILIAR
    if not strange:
        return _PLAIN
    import unicodedata

    varies = not unicodedata.is_normalized("NFKC", text)
    if varies:  # letter by letter: of what letters are put together to, only Hangul is of another kind than they are
        strange |= set(unicodedata.normalize("NFKC", " ".join(strange))) - _FAMILIAR
    return Letters(
        strange=True,
        varies=varies,
        marked=any(map(_is_marked, strange)),
        unspaced=any(map(is_unspaced, strange)),
        pictured=any("\U0001f000" <= letter <= "\U0001faff" for letter in strange),
        paired=max(strange) > _LAST_SIMPLE or any("\u1100" <= letter <= "\u11ff" for letter in strange),
        young=not _YOUNG.keys().isdisjoint(strange),
    )


def indexed(text: str, letters: Letters) -> str:
    """Return a text as an index is given it: plain letters, those of East Asia as pairs and threes.

    Args:
        text: the text.
        letters: what is unusual about it, or about a text that it is a part of.
    """
    if letters.varies:
        import unicodedata

        text = unicodedata.normalize("NFKC", text)
    if letters.marked:
        text = re.sub(_MARKED_RUN, _without_marks, text)
    if letters.unspaced:
        text = re.sub(UNSPACED_RUN, _triples, text)
    if letters.pictured:
        text = re.sub(_EMOJI, " ", text)
    if letters.paired:
        text = re.sub(CJK_RUN, _pairs, text)
    if letters.young:
        text = "".join([_YOUNG.get(letter, letter) for letter in text])
    return text


def plain(text: str) -> tuple[str, set[str]]:
    """Return a text in compatible letters, without marks inside words, and which of its letters are not familiar."""
    strange = set(text) - _FAMILIAR
    if not strange:
        return text, strange
    import unicodedata  # 1 ms of a search that meets familiar letters alone

    text = unicodedata.normalize("NFKC", text)
    strange = set(text) - _FAMILIAR
    if any(map(_is_marked, strange)):
        text = re.sub(_MARKED_RUN, _without_marks, text)
    return text, strange


def _is_marked(letter: str) -> bool:
    """Tell whether a letter is of a script in which marks stand inside words."""
    return "\u0591" <= letter <= "\u109f" or "\u1780" <= letter <= "\u17ff"


def is_unspaced(letter: str) -> bool:
    """Tell whether a letter is of a script that is written without spaces."""
    return "\u0e01" <= letter <= "\u0eff" or "\u1000" <= letter <= "\u109f" or "\u1780" <= letter <= "\u17ff"


def _without_marks(run: re.Match[str]) -> str:
    """Return the letters, digits and punctuation of a run."""
    import unicodedata

    return "".join(letter for letter in run[0] if unicodedata.category(letter)[0] != "M" and letter != _TATWEEL)


def _triples(run: re.Match[str]) -> str:
    """Return a run of letters as threes; the last two and the last stand alone so that each starts a term."""
    letters = run[0]
    return f" {' '.join(letters[at : at + _TRIPLE] for at in range(len(letters)))} "


def _pairs(run: re.Match[str]) -> str:
    """Return a run of CJK letters as pairs; the last letter stands alone so each starts a term."""
    letters = run[0]
    pairs = [letters[i : i + 2] for i in range(len(letters) - 1)]
    return f" {' '.join(pairs)} {letters[-1]} "
