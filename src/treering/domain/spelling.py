"""Spelling: which known word a mistyped one may have been.

One letter that is missing, too many, wrong, or has changed places with the next. The index holds stems, so a slip in an
ending is looked for beside the stem: ``deploymnet`` is ``deploy`` with ``ment``.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Final

SHORTEST: Final = 5
"""Letters from which a word is looked at: shorter ones are one slip from too many others."""

SURE: Final = 2
"""Letters at the beginning that are taken to be right: they bring a few hundred words of the index instead of all."""

_WHOLE_ENDING: Final = 3
"""Letters that a stem lacks of a word with a whole ending."""

_ENDINGS: Final = tuple(
    """s es ed ing ings er ers ly al ally ant ance ent ence ment ments tion tions ation ations ions ion ness able ible
    ity ies ive ize ized izing ise ised ous ful less ist ism ure ory ary ic ical ate ated ates ating""".split()
)

_DERIVING: Final = ("y", "or", "ability", "izer", "ization", *_ENDINGS)
_SILENT: Final = ("e", "ed", "es")
_VOWELS: Final = frozenset("aeiouy")


def one_slip(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter: one too many, one wrong, or two neighbours that changed places."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    at = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        at += 1
    left, right = one[at:], other[at:]
    if len(left) == len(right):
        return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
    return left[1:] == right if len(left) > len(right) else left == right[1:]


def meant(
    word: str, stem: str, known: Iterable[tuple[str, int]], stems: Callable[[str], Sequence[str]]
) -> tuple[str, int] | None:
    """Return the stem that a word may have meant, with the number of entries that hold it; None if there is none.

    Of several the one that most entries hold: what is written often is what people mean.

    Args:
        word: as it was typed, in small letters.
        stem: as the index would compare it.
        known: stems of the index that begin like it, each with the number of entries.
        stems: makes stems of the words of a text.
    """
    best: tuple[str, int] | None = None
    for term, entries in known:
        if best is not None and entries <= best[1]:
            continue
        if _stem_slipped(word, stem, term) or one_slip(word, _written(term)) or _ends_wrong(word, term, stems):
            best = (term, entries)
    return best


def _stem_slipped(word: str, stem: str, term: str) -> bool:
    """Tell whether a word's stem is another one with a slip.

    A word that has a whole ending was spelled with care: ``deflection`` is no ``defect``, and only letters that changed
    places, or are doubled or not, are a slip in it.
    """
    if len(word) - len(stem) >= _WHOLE_ENDING and set(stem) != set(term):
        return False
    return one_slip(stem, term)


def typed(term: str, stems: Callable[[str], Sequence[str]], is_word: Callable[[str], bool]) -> str:
    """Return a word that has a stem, best one of the language: a stem of a stem may be another one. Empty for none."""
    words = (term, f"{term}e", _written(term), *(f"{term}{ending}" for ending in _ENDINGS))
    found = [word for word in dict.fromkeys(words) if stems(word) == [term]]
    return next(filter(is_word, found), found[0] if found else "")


def derives(word: str, is_known: Callable[[str], bool]) -> bool:
    """Tell whether a word is a known one with an ending: ``expiry`` of ``expire``, ``mergeable`` of ``merge``.

    A silent ``e`` falls away before a vowel alone, so ``managment`` is none of ``manage``.

    Args:
        word: in small letters.
        is_known: tells whether a vocabulary holds a word as it stands.
    """
    for ending in _DERIVING:
        base = word.removesuffix(ending)
        if base == word or len(base) < SHORTEST - 1:
            continue
        doubled = base[-1] == base[-2] and is_known(base[:-1])
        if is_known(base) or (ending[0] in _VOWELS and (doubled or any(is_known(base + silent) for silent in _SILENT))):
            return True
    return False


def _written(term: str) -> str:
    """Return a stem as it is mostly written: ``gateway`` for ``gatewai``."""
    return f"{term[:-1]}y" if term.endswith("i") else term


def _ends_wrong(word: str, term: str, stems: Callable[[str], Sequence[str]]) -> bool:
    """Tell whether a word is a stem with a mistyped ending."""
    base = term if word.startswith(term) else term[:-1]
    if len(base) < SHORTEST - 1 or not word.startswith(base):
        return False
    rest = word[len(base) :]
    return any(one_slip(rest, ending) and stems(base + ending) == [term] for ending in _ENDINGS)
