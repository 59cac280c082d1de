"""From candidates to the order, the gate and the distinct ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain import scoring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.recall.candidates import Candidate

KEYWORD_GATE: Final = 0.35
"""Least confidence for an answer from keywords alone (to be calibrated)."""


def weigh(found: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates by BM25 and by how much of the question each explains, best first."""
    weighed = [one._replace(score=scoring.weighed(one.score, one.evidence)) for one in found]
    return sorted(weighed, key=lambda one: (-one.score, one.chunk.entry))


def collapse(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without those that repeat a better one's text; the better one counts them."""
    first: dict[int, Candidate] = {}
    for one in ranked:
        same = first.get(one.chunk.fingerprint)
        if same is None:
            first[one.chunk.fingerprint] = one
        elif same.source.id != one.source.id:
            elsewhere = (*same.elsewhere, one.source.key)
            first[one.chunk.fingerprint] = same._replace(restatements=same.restatements + 1, elsewhere=elsewhere)
    return list(first.values())


def confidence(ranked: Sequence[Candidate]) -> float:
    """Return how sure it is that one of the best ten answers the question, 0..1."""
    return max((one.evidence.coverage for one in ranked[:10]), default=0.0)


def gate(ranked: list[Candidate], confidence: float, threshold: float | None) -> tuple[list[Candidate], str]:
    """Return the candidates, or none when there is too little evidence; and why, in words."""
    least = KEYWORD_GATE if threshold is None else threshold
    if confidence < least:
        return [], f"confidence {confidence:.2f} is below {least:.2f}"
    return ranked, f"confidence {confidence:.2f}, at least {least:.2f}"
