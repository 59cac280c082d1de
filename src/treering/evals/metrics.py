"""Measures: what one question got, and what many questions come to.

``DEFINITIONS`` says what each name means; it is printed below every table.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.evals.datasets import Question

BUDGETS: Final = (500, 1500, 4000)
"""LLM tokens of the answers that evidence has to survive in."""

SPAN_BUDGET: Final = 1000
"""LLM tokens of the answers that are judged by characters."""

_CUTS: Final = (1, 5, 10)
_RESAMPLES: Final = 400

DEFINITIONS: Final = """\
n            judged questions: documents that answer are known and the question is not marked as unanswerable
any@k        share of questions with at least one relevant document among the first k
all@k        share of questions with all relevant documents among the first k
fraction@k   mean share of a question's relevant documents that are among the first k
MRR@10       mean of 1 / rank of the first relevant document; 0 beyond rank 10
nDCG@10      gain 2^grade - 1, discount log2(rank + 1), against the best possible order
session …    the same for sessions, ranked by their best turn, where a set names the sessions that answer
evidence@t   mean share of a question's relevant documents of which something stands in an answer of t tokens
span …@t     characters that answer: share shown (recall), share of what is shown (precision), overlap (IoU)
tokens@t     mean LLM tokens, as Treering estimates them, of an answer with at most t; the gate is off
answered     share of judged questions that the gate lets through; foreign: of questions of another set
refused      share of unanswerable questions of the same set that get NOT FOUND
AUROC        chance that an answerable question gets more confidence than an unanswerable one, 95 % bootstrap interval
current      questions where both were among the first 10 and what holds now stood above what held before
cpu ms       CPU time of one answer of 1,500 tokens, warm, median and 95th percentile
opened       digests that one answer opened on its way down the tree, mean, and how many there are in a memory, mean
Rows: grep counts a question's distinct words in a document; bm25 is plain Okapi BM25 (k1 .9, b .4, no stemming, no
stop list) over whole documents, or over windows of 800 characters where characters are judged; the others are
Treering as it is installed, in the mode of that name (vector: semantic; tree: down the tree of digests, after
`treering consolidate`). Baselines show whole documents as long as they fit."""


class Shown(NamedTuple):
    """What an answer shows.

    Attributes:
        documents: ids of the documents of which something is shown.
        tokens: estimated LLM tokens of the answer.
        spans: document, start and stop of the characters that are shown, where they were asked for.
    """

    documents: frozenset[str]
    tokens: int
    spans: tuple[tuple[str, int, int], ...] = ()


class Outcome(NamedTuple):
    """What one row made of one question.

    Attributes:
        ranking: ids of documents, best first.
        confidence: how sure the row is that it answers; comparable within one row.
        shown: the answer at each budget.
        refused: whether the gate said NOT FOUND; None where there is no gate.
        cpu_ms: CPU time of one answer; None where it was not measured.
        opened: nodes of the tree that were opened, and how many there are; None where it was not gone down.
    """

    ranking: tuple[str, ...]
    confidence: float
    shown: dict[int, Shown]
    refused: bool | None = None
    cpu_ms: float | None = None
    opened: tuple[int, int] | None = None


def measures(question: Question, outcome: Outcome, session_of: Mapping[str, str]) -> dict[str, float]:
    """Return the measures of one judged question.

    Args:
        question: what answers it.
        outcome: what was found.
        session_of: the session of each document that has one.
    """
    found = _at_cuts(outcome.ranking, question.relevant, _CUTS)
    first = next((rank for rank, id in enumerate(outcome.ranking[:10], start=1) if id in question.relevant), 0)
    found["MRR@10"] = 1 / first if first else 0.0
    found["nDCG@10"] = _gain([question.relevant.get(id, 0) for id in outcome.ranking[:10]]) / _gain(
        sorted(question.relevant.values(), reverse=True)[:10]
    )
    if question.sessions:
        ranked = tuple(dict.fromkeys(session_of[id] for id in outcome.ranking if id in session_of))
        sessions = _at_cuts(ranked, dict.fromkeys(question.sessions, 1), (5, 10))
        found |= {f"session {name}": value for name, value in sessions.items()}
    for budget in BUDGETS:
        shown = outcome.shown[budget]
        found[f"evidence@{budget}"] = len(shown.documents & question.relevant.keys()) / len(question.relevant)
        found[f"tokens@{budget}"] = shown.tokens
    if question.spans:
        found |= _span_measures(question, outcome.shown[SPAN_BUDGET])
    return found


def _at_cuts(ranking: Sequence[str], relevant: Mapping[str, int], cuts: Iterable[int]) -> dict[str, float]:
    """Return any, all and fraction at each cut."""
    found: dict[str, float] = {}
    for k in cuts:
        hits = len(relevant.keys() & set(ranking[:k]))
        found |= {f"any@{k}": float(hits > 0), f"all@{k}": float(hits == len(relevant))}
        found[f"fraction@{k}"] = hits / len(relevant)
    return found


def _gain(grades: Sequence[int]) -> float:
    """Return the discounted gain of grades in their order."""
    return sum((2.0**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades))


def _span_measures(question: Question, shown: Shown) -> dict[str, float]:
    """Return how well the characters that are shown agree with those that answer."""
    wanted: set[int] = set()
    for start, stop in question.spans:
        wanted.update(range(start, stop))
    seen: set[int] = set()
    total = 0
    for document, start, stop in shown.spans:
        total += stop - start
        if document in question.relevant:
            seen.update(range(start, stop))
    hit = len(wanted & seen)
    return {
        f"span recall@{SPAN_BUDGET}": hit / len(wanted),
        f"span precision@{SPAN_BUDGET}": hit / max(1, total),
        f"span IoU@{SPAN_BUDGET}": hit / max(1, len(wanted) + total - hit),
    }


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each measure over the questions that have it, in the order of first appearance."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in columns.items()}


def auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> float | None:
    """Return the chance that an answerable question scores above an unanswerable one; ties count half."""
    if not answerable or not unanswerable:
        return None
    scored = sorted([(score, 1) for score in answerable] + [(score, 0) for score in unanswerable])
    ranks = 0.0
    start = 0
    while start < len(scored):
        stop = start
        while stop < len(scored) and scored[stop][0] == scored[start][0]:
            stop += 1
        ranks += sum(kind for _, kind in scored[start:stop]) * (start + stop + 1) / 2
        start = stop
    n = len(answerable)
    return (ranks - n * (n + 1) / 2) / (n * len(unanswerable))


def auroc_interval(answerable: Sequence[float], unanswerable: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of ``auroc``, the same for the same scores."""
    if not answerable or not unanswerable:
        return None
    chance = random.Random(0)  # noqa: S311  no secret depends on it
    found = sorted(
        auroc(chance.choices(answerable, k=len(answerable)), chance.choices(unanswerable, k=len(unanswerable))) or 0.0
        for _ in range(_RESAMPLES)
    )
    return _middle(found)


def mean_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean of paired differences, the same for the same numbers."""
    chance = random.Random(0)  # noqa: S311  no secret depends on it
    n = len(differences)
    return _middle(sorted(sum(chance.choices(differences, k=n)) / n for _ in range(_RESAMPLES)))


def _middle(found: Sequence[float]) -> tuple[float, float]:
    """Return what bounds the middle 95 % of sorted numbers."""
    return found[round(0.025 * (len(found) - 1))], found[round(0.975 * (len(found) - 1))]


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the value that ``share`` of the values do not exceed; None for no values."""
    return sorted(values)[round(share * (len(values) - 1))] if values else None


def current_above_stale(question: Question, ranking: Sequence[str]) -> bool | None:
    """Tell whether what holds now stands above what held before; None unless both are among the first ten."""
    ranks = {id: rank for rank, id in enumerate(ranking[:10])}
    current = min((ranks[id] for id in question.current if id in ranks), default=None)
    stale = min((ranks[id] for id in question.stale if id in ranks), default=None)
    return None if current is None or stale is None else current < stale
