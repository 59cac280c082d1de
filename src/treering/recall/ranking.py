"""From candidates to the order, the gate and the distinct ones."""

from __future__ import annotations

from treering.domain import scoring
from treering.domain.text import content_words
from treering.recall.assemble import TALKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.recall.candidates import Asked, Candidate

KEYWORD_GATE: Final = 0.2
"""Least confidence for an answer from keywords alone.

Question sets that the weights were not fitted on: 4 % of their own questions get NOT FOUND, 8 % of foreign ones
an answer; .1 gives 2 and 15 %, .3 gives 7 and 6 %. Over all sets 5 and 11 % (``bench/gate.py``).
"""

_FRONT_MATTER_SHARE: Final = 0.6
# A page from outside that repeats the words of a question is not to stand above the owner's own sentence.
_OUTSIDE_SHARE: Final = 0.85
# What is less near than the average can end below nothing; relevance is 0..1.
_LEAST_SCORE: Final = 1e-6
# The share of foreign questions answered is the same with 3, 5 or 10; false NOT FOUND is lowest with 10.
_JUDGED: Final = 10
# What a passage of the same words as a better one loses, how far below what is shown is compared, the share of words
# up to which passages are not alike, and how much of each is read.
_NEAR_TWIN: Final = 0.3
_BEYOND: Final = 4
_UNLIKE: Final = 0.5
_READ: Final = 600
# The model reads the first 600 characters: meaning counts less in passages of more than three times as many. MRR@10 of
# BEAM, whose messages are long, .436 instead of .392; from twice as many on .442, but Cranfield .545 instead of .557.
_KNOWN_BY_BEGINNING: Final = 1800
# Passages beside the best one that speak for a source: by all of them long ones would win.
_BESIDE: Final = 2


def weigh(found: Sequence[Candidate], same_source: float = 0.0) -> list[Candidate]:
    """Return candidates by BM25, how much of the question each explains, and what else speaks for it, best first.

    Args:
        found: the candidates.
        same_source: what the other passages of a source count for each of its passages.
    """
    share = scoring.meaning_share(max((one.evidence.coverage for one in found), default=0.0))
    weighed = []
    for one in found:
        seen = min(1.0, _KNOWN_BY_BEGINNING / max(1, len(one.chunk.text)))
        score = (
            scoring.weighed(one.score, one.evidence, as_typed=one.source.kind not in TALKS)
            + share * seen * one.meaning
            + one.around
        )
        share_of_kind = _kind_share(one) * (1 + scoring.NAMED * one.named)
        weighed.append(one._replace(score=max(_LEAST_SCORE, share_of_kind * score)))
    if same_source and share == 1.0:  # where an entry holds every word, a source with more of them answers no better
        weighed = _with_their_sources(weighed, same_source)
    # Of equals the one whose name comes first: an answer depends on what is there, not on what came when.
    return sorted(weighed, key=lambda one: (-one.score, one.source.key, one.chunk.ordinal))


def _with_their_sources(weighed: Sequence[Candidate], share: float) -> list[Candidate]:
    """Return candidates with what their sources' next passages count; a conversation's turns have their neighbours."""
    of_source: dict[str, list[float]] = {}
    for one in weighed:
        if one.source.kind != "chat":
            of_source.setdefault(one.source.id, []).append(one.score)
    more = {source: share * sum(sorted(scores)[-1 - _BESIDE : -1]) for source, scores in of_source.items()}
    return [one._replace(score=one.score + more.get(one.source.id, 0.0)) for one in weighed]


def _kind_share(one: Candidate) -> float:
    """Return what an entry of its kind counts: front matter names what a document is about and rarely answers."""
    share = _FRONT_MATTER_SHARE if one.chunk.kind == "front_matter" else 1.0
    trust = one.source.trust if one.memory is None else one.memory.trust
    return share * _OUTSIDE_SHARE if trust == "external" else share


def collapse(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without those that repeat a better one's text; the better one counts them.

    A memory and the pieces of its own note are one: its best pieces stand for a long one, with its place in the order.
    """
    best_pieces: dict[str, Candidate] = {}
    for one in ranked:
        if one.memory is not None and one.chunk.kind != "memory":
            best_pieces.setdefault(one.memory.id, one)
    plain = {one.memory.id: _plain(one.memory.content) for one in ranked if one.memory is not None}
    said = set(plain.values())
    first: dict[object, Candidate] = {}
    for each in ranked:
        one = each
        if one.memory is not None and one.chunk.kind == "memory" and one.memory.id in best_pieces:
            one = best_pieces[one.memory.id]._replace(score=one.score)
        if one.memory is not None and one.chunk.kind == "memory":
            text = plain[one.memory.id]
        else:
            text = _plain(one.chunk.text) if said else ""
        key: object = text if text in said else one.chunk.fingerprint
        same = first.get(key)
        if same is None:
            first[key] = one
        elif same.memory is None and one.memory is not None:  # it says of its words whether they hold
            elsewhere = (*same.elsewhere, same.source.key)
            more = one.restatements + same.restatements + 1
            first[key] = one._replace(score=same.score, restatements=more, elsewhere=elsewhere)
        elif same.source.id != one.source.id:
            elsewhere = (*same.elsewhere, one.source.key)
            first[key] = same._replace(restatements=same.restatements + 1, elsewhere=elsewhere)
    return list(first.values())


def _plain(text: str) -> str:
    """Return what is equal for a memory and a passage that say the same: no headings, case, breaks or final stop."""
    from treering.domain.memory import FINAL_STOPS  # only where there are memories

    lines = text.strip().split("\n")
    while len(lines) > 1 and (lines[0].startswith("#") or not lines[0].strip()):
        del lines[0]
    return " ".join(" ".join(lines).split()).casefold().rstrip(FINAL_STOPS)


def apart(distinct: Sequence[Candidate], shown: int) -> list[Candidate]:
    """Return candidates with those lowered that say nearly the same as a better one, best first.

    Five wordings of one fact would fill an answer and leave out the next fact. What differs in a detail stays
    in reach: a passage of the same words loses at most 30 %, one that shares half of them nothing.

    Args:
        distinct: the candidates, best first.
        shown: how many results there may be; a few more are compared.
    """
    said: list[frozenset[str]] = []
    lowered = list(distinct)
    for place, one in enumerate(distinct[: shown + _BEYOND]):
        words = content_words(one.chunk.text[:_READ])
        alike = max((_alike(words, other) for other in said), default=0.0)
        said.append(words)
        if alike > _UNLIKE:
            share = (alike - _UNLIKE) / (1 - _UNLIKE)
            lowered[place] = one._replace(score=one.score * (1 - _NEAR_TWIN * share))
    return sorted(lowered, key=lambda one: -one.score)


def _alike(words: frozenset[str], others: frozenset[str]) -> float:
    """Return the share of all words of two passages that both have (Jaccard); 0 where it cannot be a half."""
    few, many = sorted((len(words), len(others)))
    if few <= _UNLIKE * many:
        return 0.0
    common = len(words & others)
    return common / (few + many - common)


def confidence(ranked: Sequence[Candidate], asked: Asked, model: str = "") -> float:
    """Return how sure it is that one of the best ten answers the question, 0..1.

    Args:
        ranked: the candidates, best first.
        asked: the question.
        model: what made their cosines; empty where words are all there is.
    """
    judged = ((one.evidence, signs(one, asked)) for one in ranked[:_JUDGED] if one.words)
    words = max((scoring.confidence(found, seen) for found, seen in judged), default=0.0)
    cosine = max((one.cosine for one in ranked if one.cosine is not None), default=None)
    return scoring.with_meaning(words, cosine, model)


def signs(one: Candidate, asked: Asked) -> scoring.Signs:
    """Return the signs that a candidate answers a question."""
    text = one.chunk.text
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return scoring.signs(one.evidence, sum(rarity > 0 for rarity in asked.rarities), size, asked.entries)


def gate(
    ranked: list[Candidate], confidence: float, threshold: float | None, model: str = ""
) -> tuple[list[Candidate], str]:
    """Return the candidates, or none when there is too little evidence; and why, in words.

    An entry without any word of the question must convince by its meaning alone, unless it stands in a
    conversation, where its neighbours speak for it.
    """
    least = KEYWORD_GATE if threshold is None else threshold
    if confidence < least:
        return [], f"confidence {confidence:.2f} is below {least:.2f}"
    passed = [
        one
        for one in ranked
        if one.words or one.source.kind == "chat" or scoring.with_meaning(0.0, one.cosine, model) >= least
    ]
    return passed, f"confidence {confidence:.2f}, at least {least:.2f}"
