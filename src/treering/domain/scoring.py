"""Scores: numbers in, numbers out. Each constant names the measurement that chose it."""

from __future__ import annotations

import math
import operator

from treering.domain.named import NamedTuple
from treering.domain.text import writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Final


class Evidence(NamedTuple):
    """How much of a question an entry explains.

    Attributes:
        coverage: share of the question's rarity that stands in it, 0..1.
        together: the same for its best paragraph alone.
        words: how many of the question's words stand in it.
        inflected: share of the question's rarity that stands in it in other forms of its words alone, 0..1.
    """

    coverage: float
    together: float
    words: int
    inflected: float = 0.0


def rarity(frequency: int, entries: int) -> float:
    """Return how telling a term is that occurs in ``frequency`` of ``entries`` (BM25's idf, never below 0)."""
    return math.log(1 + (entries - frequency + 0.5) / (frequency + 0.5))


def evidence(rarities: Sequence[float], held: Collection[int], blocks: Iterable[Collection[int]]) -> Evidence:
    """Return how much of a question an entry explains.

    Args:
        rarities: weight of each term of the question; a term that no entry holds counts like the rarest.
        held: positions of the terms that the entry or its head holds.
        blocks: the same for each of its paragraphs.
    """
    total = sum(rarities)
    if not total:
        return Evidence(0.0, 0.0, 0)
    together = max((sum(rarities[place] for place in block) for block in blocks), default=0.0)
    counted = [place for place in held if rarities[place]]
    return Evidence(sum(rarities[place] for place in counted) / total, together / total, len(counted))


INFLECTED: Final = 0.3
"""What is lost by words that stand there in another form than that of the question alone, in shares of what they weigh.

To the index *rules* is *rule*: of passages that hold all words, who typed some of them means the one that has these.
Measured in ``docs/decisions/0134-words-as-typed.md``.
"""


def weighed(score: float, found: Evidence, *, as_typed: bool = False) -> float:
    """Return BM25 raised for entries that explain the question as a whole, and do so in one paragraph.

    BM25 lets one rare word outweigh three others. On 200 questions each to 1,000 and 3,000 Markdown files the
    right file came first for .96 of headings and .90 of paragraphs (.95 and .84 with BM25 alone); a share of .3
    or .7 instead of .5 differs by .01.

    Args:
        score: BM25.
        found: how much of the question the entry explains.
        as_typed: whether words count less in another form than that of the question, as in all but talks.
    """
    whole = score * (0.5 + 0.5 * found.coverage) * (0.5 + 0.5 * found.together)
    return whole * (1 - INFLECTED * found.inflected) if as_typed else whole


def meaning_share(coverage: float) -> float:
    """Return how much of what meaning adds counts, by the best coverage among the candidates.

    Where an entry holds every word of the question, its words were known: of 100 headings of 3,000 files .97 came
    first (.93 with the full weight, .98 by words alone), of 100 paragraphs .84 (.81, .84); questions to code
    lost .003 of MRR@10.
    """
    return 1.0 if coverage < _WHOLE else 0.2


NAMED: Final = 1.0
"""What a passage gains whose symbol or speaker the question names in full, in shares of its score.

1,078 questions to LoCoMo: fraction@10 .777 instead of .756, .480 instead of .444 where several turns answer, MRR@10
.60 instead of .55; 285 to code: MRR@10 .492 instead of .435. With a half .772 and .485, with 1.5 .490 of code.
"""


class Spread(NamedTuple):
    """Where numbers lie and how far apart: their mean and standard deviation."""

    mean: float
    deviation: float


def spread(numbers: Sequence[float]) -> Spread:
    """Return mean and standard deviation; zeros for no numbers."""
    if not numbers:
        return Spread(0.0, 0.0)
    mean = math.fsum(numbers) / len(numbers)
    apart = [number - mean for number in numbers]
    return Spread(mean, math.sqrt(math.fsum(map(operator.mul, apart, apart)) / len(numbers)))


class Fusion(NamedTuple):
    """What a cosine adds to BM25.

    Attributes:
        cosines: where the cosines of all that is compared lie.
        unit: what one standard deviation above their mean adds.
    """

    cosines: Spread
    unit: float

    def adds(self, cosine: float | None) -> float:
        """Return what a cosine adds; nothing where it is not known, as if it were the mean."""
        if cosine is None or not self.cosines.deviation:
            return 0.0
        return self.unit * (cosine - self.cosines.mean) / self.cosines.deviation


def fusion(words: Sequence[float], cosines: Sequence[float], weight: float) -> Fusion:
    """Return how words and meaning are put together: the sum of both standard scores, in units of BM25.

    Ranks instead of scores (RRF) were measured to hurt: a weak model's list then counts as much as the words.
    Cosines alone are taken as they are.

    Args:
        words: BM25 of all that is compared; empty when no word brought any.
        cosines: the cosines that are known.
        weight: what a standard deviation of the cosines counts, in standard deviations of BM25.
    """
    if not words:
        return Fusion(Spread(0.0, 1.0), 1.0)
    by_words = spread(words)
    return Fusion(spread(cosines), weight * (by_words.deviation or by_words.mean))


MODEL_SHARES: Final[dict[str, dict[str, float]]] = {
    "multilingual/use-m3": {"cjk": 0.33},
    "multilingual/use-m3 and static/potion-base-8M": {"latin": 0.92},
}
"""What a model's meaning counts by the question's script, in parts of the weight that is set; elsewhere all of it.

Measured in ``docs/decisions/0020-multilingual-embedder.md``.
"""


def model_share(model: str, question: str) -> float:
    """Return what meaning counts of the weight that is set, by the model and the script of the question."""
    shares = MODEL_SHARES.get(model)
    return shares.get(writing(question), 1.0) if shares else 1.0


NEIGHBOURS: Final[dict[int, float]] = {-2: 0.12, -1: 0.35, 1: 0.3, 2: 0.12}
"""What the turns before and after count for a turn of a conversation; the one before asks what this one answers.

150 questions each to LoCoMo and BEAM: any@10 .747 instead of .690, MRR@10 .466 instead of .427 with .15 and .3 on both
sides. These and ``CONVERSATION`` together, all questions: fraction@10 BEAM .534 instead of .521, LoCoMo .779 instead of
.777, LongMemEval (pooled) .798 instead of .801; with .1 and .4 before, BEAM .537 and MRR@10 .412 instead of .434.
"""

CONVERSATION: Final = 0.3
"""What a standard deviation of whole conversations counts."""

# A conversation counts by its best turns: by all of them long ones would win.
_BEST_TURNS: Final = 3


def in_conversation(
    scores: Mapping[int, float], wanted: Collection[int], conversations: Iterable[Sequence[int]]
) -> dict[int, float]:
    """Return what each wanted turn gets from its neighbours and from its conversation as a whole.

    A question repeats the words of one turn and its answer stands in the next. A turn at the edge counts itself
    in place of the neighbour that it lacks.

    Args:
        scores: of the wanted turns and of their neighbours.
        wanted: the turns that are asked for.
        conversations: the turns of each in order.
    """
    around: dict[int, float] = {}
    whole: dict[int, float] = {}
    for turns in conversations:
        mine = [(place, turn) for place, turn in enumerate(turns) if turn in wanted]
        best = sum(sorted(max(0.0, scores[turn]) for _, turn in mine)[-_BEST_TURNS:])
        for place, turn in mine:
            whole[turn] = best
            around[turn] = sum(
                share * scores[turns[place + step] if 0 <= place + step < len(turns) else turn]
                for step, share in NEIGHBOURS.items()
            )
    wholes = spread(list(whole.values()))
    unit = CONVERSATION * spread([scores[turn] for turn in whole]).deviation / (wholes.deviation or 1.0)
    return {turn: added + unit * (whole[turn] - wholes.mean) for turn, added in around.items()}


class Signs(NamedTuple):
    """What tells an entry that answers a question from one that shares words with it by chance.

    Attributes:
        explained: share of the question that it holds, more telling the longer the question is.
        size: logarithm of its bytes: a long entry holds many words by chance.
        choice: logarithm of the number of entries: among many, one holds many words by chance.
    """

    explained: float
    size: float
    choice: float


def signs(found: Evidence, words: int, size: int, entries: int) -> Signs:
    """Return the signs that an entry answers a question.

    Args:
        found: how much of the question it explains.
        words: how many words the question has.
        size: bytes of its text in UTF-8, in which a Chinese letter and half an English word weigh the same.
        entries: how many entries it was chosen from.
    """
    return Signs(found.coverage * math.log(1 + words), math.log(1 + size), math.log(1 + entries))


SURENESS: Final = Signs(explained=9.1, size=-1.1, choice=-0.52)
"""Weight of each sign: fitted on nine public question sets, judged on seven others (``bench/gate.py``)."""

SURENESS_BASE: Final = 3.1
"""What is added to the weighted signs; fitted with them."""

# Shares are quotients of sums: "all of it" allows for rounding.
_WHOLE: Final = 0.999999


def confidence(found: Evidence, seen: Signs) -> float:
    """Return how sure it is that an entry answers a question, 0..1.

    A logistic function of the signs; 1 for an entry that holds every word of the question, however short
    the question is. ``docs/decisions/0006-keyword-gate.md`` says what was measured.
    """
    if found.coverage >= _WHOLE:
        return 1.0
    return 1 / (1 + math.exp(-SURENESS_BASE - sum(map(operator.mul, SURENESS, seen))))


class Sureness(NamedTuple):
    """How far a model's cosines tell an answer from what only sounds like one.

    Attributes:
        words: weight of the log-odds that words alone give.
        cosine: weight of the best cosine.
        base: what is added.
    """

    words: float
    cosine: float
    base: float


SURENESS_BY_MODEL: Final = {
    "static/potion-base-8M": Sureness(0.8, 12.0, -6.2),
    "multilingual/use-m3": Sureness(0.8, 20.0, -4.0),
    "multilingual/use-m3 and static/potion-base-8M": Sureness(0.4, 21.0, -7.0),
}
"""Fitted on question sets: ``docs/decisions/0010-fusion.md`` and ``0020-multilingual-embedder.md``.

The first one's on four sets: on three others .4 % of their own questions get NOT FOUND and 5 % of foreign ones an
answer, where words alone give 2 and 7 %.
"""

# Log-odds of words alone beyond this say no more: one short question holds every word by chance.
_MOST_ODDS: Final = 3.0


def with_meaning(words: float, cosine: float | None, model: str) -> float:
    """Return how sure it is that an entry answers a question, from words and meaning together, 0..1.

    Args:
        words: how sure words alone make it; 1 stays 1, since every word is there.
        cosine: of the entry that is nearest; None when no meaning was compared.
        model: what made it. A model that nobody has calibrated counts only where no word does.
    """
    if cosine is None or not model or words >= _WHOLE:
        return words
    known = SURENESS_BY_MODEL.get(model)
    if known is None:
        return words or max(0.0, cosine)
    odds = math.log(max(words, 1e-9) / (1 - words))
    clipped = max(-_MOST_ODDS, min(_MOST_ODDS, odds))
    return 1 / (1 + math.exp(-known.base - known.words * clipped - known.cosine * cosine))
