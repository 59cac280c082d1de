"""Which entries are looked at closely: by words, by meaning, by their neighbours in a conversation.

Numbers and entry numbers only; texts are read for the few that remain.
"""

from __future__ import annotations

from treering.domain import scoring
from treering.domain.named import NamedTuple
from treering.domain.text import is_plainly_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Final

    from treering.domain.query import Mode, Query
    from treering.ports import Transaction
    from treering.recall.candidates import Asked
    from treering.recall.meaning import Meaning

# Entries that words and meaning bring: half or twice as many change the mean MRR by .001.
_BY_WORDS: Final = 200
_BY_MEANING: Final = 100
# A source shows up to three of its chunks; fewer candidates than this would make small answers depend on `limit`.
# With 16, and two for each result, an answer takes a tenth less time, and BEAM loses .009 of fraction@10, long
# documents .017 of span recall.
PER_RESULT: Final = 3
_LEAST: Final = 24
# Entries that hold all of several words of the question: looked for, and looked at beside those.
_SEVERAL: Final = 2
_MOST_HOLDERS: Final = 100
_MORE: Final = 4
_ROUNDING: Final = 1e-6
# A model knows no number from another. Questions with years lost two points of any@10 by the full weight and .7 by a
# fifth; with numbers of one and two digits, too, questions to code lost one.
_BESIDE_NUMBERS: Final = 0.2
_NUMBER_DIGITS: Final = 3
# Below this share of its rarity known to the index, a question is in another language than the corpus.
_KNOWN: Final = 0.25


class Listed(NamedTuple):
    """An entry that may answer.

    Attributes:
        entry: its number.
        keyword: its BM25; 0 when no word brought it.
        meaning: what its meaning adds, in units of BM25.
        around: what its neighbours in a conversation add.
        cosine: how near its meaning is; None when that is unknown.
    """

    entry: int
    keyword: float
    meaning: float = 0.0
    around: float = 0.0
    cosine: float | None = None

    @property
    def score(self) -> float:
        """Everything together."""
        return self.keyword + self.meaning + self.around


class Shortlist(NamedTuple):
    """Entries to look at, best first.

    Attributes:
        entries: the entries.
        mode: what took part.
        gathered: how many were compared.
        why: how they were found, in words.
        others: what was compared besides, where meaning had a say in the choice.
        conversation: what neighbours in a conversation changed, in words; empty where there is none.
    """

    entries: list[Listed]
    mode: Mode
    gathered: int
    why: str
    others: Sequence[Listed] = ()
    conversation: str = ""


def shortlist(tx: Transaction, query: Query, asked: Asked, meaning: Meaning) -> Shortlist:
    """Return the entries that are worth looking at, best first."""
    limit = max(_LEAST, PER_RESULT * query.limit)
    reach = _BY_WORDS if meaning.model else limit
    by_words = _by_words(tx, query, asked, meaning, reach)
    near = meaning.nearest(tx, max(_BY_MEANING, limit), query.filter, needed=not by_words)
    cosines = near | meaning.cosines(tx, [entry for entry in by_words if entry not in near])
    known = scoring.model_share(meaning.model, query.text) * _language_share(query, meaning)
    weight = query.tuning.meaning * known * _number_share(asked)
    listed, fusion = fuse(by_words, cosines, weight)
    mode: Mode = "keyword" if not cosines else "hybrid" if by_words else "semantic"
    why = "keyword BM25" if mode == "keyword" else f"{len(by_words)} by words, {len(near)} by meaning"
    listed, conversation = _with_neighbours(tx, meaning, listed, fusion, query.tuning.neighbours)
    narrowed = ", filtered" if query.filter else ""
    ordered = best(listed)
    limit = query.look_at or limit
    others = ordered[limit:] if cosines else ()
    return Shortlist(ordered[:limit], mode, len(listed), f"{why}{narrowed}; {meaning.why}", others, conversation)


def _by_words(tx: Transaction, query: Query, asked: Asked, meaning: Meaning, limit: int) -> dict[int, float]:
    """Return the BM25 of the entries that words bring; none where words cannot help."""
    if not asked.terms or (query.mode == "semantic" and meaning.model) or _is_foreign(asked, meaning):
        return {}
    return dict(tx.keywords.rank(asked.terms, asked.frequencies, limit, query.filter))


def _is_foreign(asked: Asked, meaning: Meaning) -> bool:
    """Tell whether the corpus is in another language, which the model understands: words would only disturb.

    Cross-lingual questions lost .055 of recall by words added to a multilingual model's list.
    """
    if not meaning.model or meaning.english_only:
        return False
    known = sum(rarity for rarity, n in zip(asked.rarities, asked.frequencies, strict=True) if n)
    return known < _KNOWN * sum(asked.rarities)


def _number_share(asked: Asked) -> float:
    """Return how much of its weight meaning keeps: little where a number is asked for, which it cannot tell apart."""
    words = (word for term in asked.terms for word in term.words)
    numbered = any(sum(map(str.isdecimal, word)) >= _NUMBER_DIGITS for word in words)
    return _BESIDE_NUMBERS if numbered else 1.0


def _language_share(query: Query, meaning: Meaning) -> float:
    """Return how much of its weight meaning keeps: nothing in a language that the model does not know.

    An English model beside the words lost 80 Spanish questions to Spanish pages 4.6 points of MRR@10.
    """
    return 0.0 if meaning.english_only and is_plainly_foreign(query.text) else 1.0


def fuse(by_words: dict[int, float], cosines: dict[int, float], weight: float) -> tuple[list[Listed], scoring.Fusion]:
    """Return all entries with what their meaning adds to their words, and how that was worked out."""
    # Three hundred of them for each question, mostly in vain: no call for each.
    words = [*by_words.values(), *(0.0 for entry in cosines if entry not in by_words)] if by_words else []
    fusion = scoring.fusion(words, list(cosines.values()), weight)
    mean, deviation = fusion.cosines
    unit = fusion.unit / deviation if deviation else 0.0
    listed = [
        Listed(entry, keyword, unit * (cosines.get(entry, mean) - mean), 0.0, cosines.get(entry))
        for entry, keyword in by_words.items()
    ]
    listed += [
        Listed(entry, 0.0, unit * (cosine - mean), 0.0, cosine)
        for entry, cosine in cosines.items()
        if entry not in by_words
    ]
    return listed, fusion


def best(listed: Sequence[Listed]) -> list[Listed]:
    """Return entries in the order of their scores."""
    return sorted(listed, key=lambda one: (-one.keyword - one.meaning - one.around, one.entry))


def holding_all(tx: Transaction, asked: Asked, others: Sequence[Listed], best_coverage: float) -> list[Listed]:
    """Return entries that hold every word of the question, the best by words, where none that is looked at does.

    A long one ranks low by BM25, and the model has read only its beginning; its evidence may still be the best. Long
    documents (chunking_eval): span recall .869 instead of .848, .868 by words alone.

    Args:
        tx: the store.
        asked: the question.
        others: the entries that are not looked at.
        best_coverage: the best of those that are.
    """
    known = [(term, rarity) for term, n, rarity in zip(*asked[:3], strict=True) if n and rarity]
    whole = sum(rarity for _, rarity in known) / (sum(asked.rarities) or 1.0)
    # With one that holds all, a table of 200,000 characters beside it is read for nothing, in 30 ms.
    if len(known) < _SEVERAL or not others or best_coverage > whole - _ROUNDING:
        return []
    holders = set(tx.keywords.holding([term for term, _ in known], _MOST_HOLDERS))
    missed = [one for one in others if one.entry in holders]
    return sorted(missed, key=lambda one: (-one.keyword, one.entry))[:_MORE]


def _with_neighbours(
    tx: Transaction, meaning: Meaning, listed: list[Listed], fusion: scoring.Fusion, share: float
) -> tuple[list[Listed], str]:
    """Return the entries with what their conversations add, and that in words."""
    talks = tx.sources.conversations([one.entry for one in listed]) if share else []
    if not talks:
        return listed, ""
    scores = {one.entry: one.score for one in listed}
    unknown = _around(talks, scores)
    # What no list brought counts by its meaning alone: it has no word of the question, or few.
    cosines = meaning.cosines(tx, unknown)
    known = scores | {entry: fusion.adds(cosines.get(entry)) for entry in unknown}
    added = scoring.in_conversation(known, scores.keys(), talks)
    raised = [one._replace(around=share * added.get(one.entry, 0.0)) for one in listed]
    return raised, f"{len(added)} turns of {len(talks)} conversations, each with what stands around it"


def _around(talks: Sequence[Sequence[int]], listed: Container[int]) -> list[int]:
    """Return the neighbours of listed turns that are not listed themselves."""
    found = {
        turns[place + step]
        for turns in talks
        for place, turn in enumerate(turns)
        if turn in listed
        for step in scoring.NEIGHBOURS
        if 0 <= place + step < len(turns)
    }
    return sorted(entry for entry in found if entry not in listed)
