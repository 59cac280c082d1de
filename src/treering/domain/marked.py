"""The syntax of web searches, for a question that is asked in it: ``"exact phrase"``, ``-word``, ``this OR that``.

What is marked is a condition, which narrows the corpus before anything is ranked; the rest is a question as any other.
"""

from __future__ import annotations

import re

from treering.domain.named import NamedTuple
from treering.domain.patterns import later
from treering.domain.query import Term
from treering.domain.text import query_terms, search_text
from treering.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SYNTAXES: Final = ("plain", "web")

MOST_MARKS: Final = 64
"""Conditions of one question: each is looked up on its own."""

# A straight quote after a letter or digit is an inch or an apostrophe; the others open wherever they stand.
_PIECE: Final = later(
    r"""(?P<minus>(?<!\S)-(?=[^\s-]))?"""
    r"""(?:(?<![0-9A-Za-z])"(?P<straight>[^"]*)"|“(?P<curved>[^”]*)”|«(?P<angled>[^»]*)»|「(?P<cornered>[^」]*)」"""
    r"""|(?P<word>[^\s"“«「]+|["“«「]))"""
)
_WORD: Final = later(r"[^\W_]+")
_SHORT_SYMBOL: Final = 3  # C++
_THREE: Final = 3


class Marked(NamedTuple):
    """A question whose marks were read.

    Attributes:
        text: what is asked, without words that are left out.
        must: of each group of terms one must stand in what answers.
        without: terms that may not.
    """

    text: str
    must: tuple[tuple[Term, ...], ...] = ()
    without: tuple[Term, ...] = ()


class _Piece(NamedTuple):
    """One word or phrase with the places where it begins and ends, and how it is marked."""

    text: str
    start: int
    stop: int
    is_phrase: bool
    is_left_out: bool

    @property
    def is_or(self) -> bool:
        """Whether it parts alternatives."""
        return self.text == "OR" and not (self.is_phrase or self.is_left_out)


def marked(question: str) -> Marked:
    """Return a question with its marks read; whatever is none, such as a quote without its pair, is plain text.

    Raises:
        InputError: if there are more marks than one search looks up.
    """
    pieces = [_piece(found) for found in _PIECE.finditer(question)]
    must: list[tuple[Term, ...]] = []
    without: list[Term] = []
    dropped: list[_Piece] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece.is_or or piece.is_left_out:
            dropped.append(piece)
            term = phrase(piece.text) if piece.is_left_out else None
            without += [term] if term else []
            continue
        alternatives = [piece]
        while at + 1 < len(pieces) and pieces[at].is_or and not (pieces[at + 1].is_or or pieces[at + 1].is_left_out):
            dropped.append(pieces[at])
            alternatives.append(pieces[at + 1])
            at += 2
        group = tuple(term for one in alternatives if (term := phrase(one.text)))
        if group and (len(alternatives) > 1 or piece.is_phrase):
            must.append(group)
    _require_few(len(without) + sum(map(len, must)))
    return Marked(_without(question, dropped), tuple(must), tuple(without))


def phrase(text: str) -> Term | None:
    """Return what stands in every text that holds these words side by side; None for what has no word.

    Case, accents and English endings do not count, as anywhere in a search.
    """
    symbol = query_terms(text) if len(text.strip()) <= _SHORT_SYMBOL and text.strip()[-1:] in {"+", "#"} else ()
    if symbol:
        return symbol[0]
    # In small letters and without these marks nothing is added behind the words of the text itself.
    plain = text.lower().replace("+", " ").replace("#", " ")
    words = _WORD.findall(search_text(plain))
    return _open_ended(words) if words else None


def _open_ended(words: list[str]) -> Term:
    """Return a term of the words of a phrase: letters without spaces go on in a text where a phrase ends.

    Such letters are indexed in pairs or threes, behind which the last ones stand once more by themselves.
    """
    if words[-1].isascii():
        return Term(tuple(words))
    before = words[-2] if len(words) > 1 else ""
    if len(words[-1]) == 1 and len(before) == 2 and before[1] == words[-1]:
        threes = words[-3] if len(words) > 2 else ""
        if len(threes) == _THREE and threes[1:] == before:
            return Term(tuple(words[:-2]))
        is_pair = re.fullmatch("[\u3040-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]+", before)
        return Term(tuple(words[:-1]), prefix=not is_pair)
    return Term(tuple(words), prefix=len(words[-1]) == 1)


def _piece(found: re.Match[str]) -> _Piece:
    """Return what stands at a place of a question."""
    word = found["word"]
    quoted = next((found[name] for name in ("straight", "curved", "angled", "cornered") if found[name] is not None), "")
    return _Piece(quoted if word is None else word, *found.span(), word is None, found["minus"] is not None)


def _require_few(marks: int) -> None:
    """Refuse more conditions than one search looks up: to pass over some would bring back what was left out."""
    if marks > MOST_MARKS:
        raise InputError(
            f"the question has {marks} words and phrases that must or may not stand there; at most {MOST_MARKS}",
            hint="ask in several searches, or without --syntax web",
        )


def _without(question: str, dropped: list[_Piece]) -> str:
    """Return a question without some of its pieces."""
    kept, at = [], 0
    for piece in sorted(dropped, key=lambda piece: piece.start):
        kept.append(question[at : piece.start])
        at = piece.stop
    return " ".join("".join([*kept, question[at:]]).split())
