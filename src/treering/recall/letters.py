"""Single Chinese letters of a question: the index holds pairs, and a pair across two words is in no answer.

``身高`` of a question and ``高`` of its answer have no pair in common; ``有多高`` makes pairs that no text has.
"""

from __future__ import annotations

from treering.domain import scoring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from treering.recall.candidates import Asked, Candidate

_FIRST: Final = "\u3400"
_LAST: Final = "\u9fff"
# What an entry without any of the letters keeps of its score. By sentences of 3,000 memories in one (memdaily_zh,
# pooled) fraction@10 rose from .154 to .171, by passages (xquad_zh) MRR@10 from .920 to .929.
_KEPT: Final = 0.5
_FEW: Final = 2


def weigh(found: list[Candidate], asked: Asked) -> list[Candidate]:
    """Return candidates lowered by the letters of the question that they lack, best first; as they are without such.

    A letter counts by how rare it is among the candidates: it stands in no index.
    """
    letters = {letter for term in asked.terms for word in term.words for letter in word if _FIRST <= letter <= _LAST}
    if len(letters) < _FEW:
        return found
    held = [letters.intersection(one.chunk.text) for one in found]
    counts = {letter: sum(letter in some for some in held) for letter in letters}
    rarities = {letter: scoring.rarity(count, len(found)) for letter, count in counts.items() if count}
    total = sum(rarities.values())
    if not total:
        return found
    shares = (sum(rarities[letter] for letter in some) / total for some in held)
    lowered = [
        one._replace(score=one.score * (_KEPT + (1 - _KEPT) * share)) for one, share in zip(found, shares, strict=True)
    ]
    return sorted(lowered, key=lambda one: -one.score)
