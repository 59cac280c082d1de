"""A question set through every row: each group built, asked and removed in turn."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.errors import InputError
from treering.evals import metrics
from treering.evals.baselines import BM25, Baseline, Grep, passages
from treering.evals.memories import DEPTH, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Mode
    from treering.evals.datasets import Dataset, Document, Question
    from treering.evals.metrics import Outcome

    Progress = Callable[[int, int], None]

MODES: Final[dict[str, Mode]] = {"keyword": "keyword", "vector": "semantic", "hybrid": "hybrid", "tree": "tree"}
"""Rows that are Treering, with the mode of the search."""

BASELINES: Final[dict[str, type[Grep | BM25]]] = {"grep": Grep, "bm25": BM25}
"""Rows to compare with."""

ROWS: Final = (*BASELINES, *MODES)
"""Every row there is."""

MEASURED: Final = 1500
"""LLM tokens of the answer that is timed and meets the gate."""

FOREIGN_QUESTIONS: Final = 200
"""Questions of other sets at the most."""

_WINDOW: Final = 800


class Plan(NamedTuple):
    """What to measure.

    Attributes:
        rows: names from ``ROWS``.
        k: results of an answer.
        by: field of the questions to report by; empty for none.
        foreign: questions of other sets, which nothing here answers.
        store: a database on a server, without a store, to work in; empty for temporary files.
        embedding: what finds passages by their meaning; empty for the default.
    """

    rows: tuple[str, ...] = ("grep", "bm25", "keyword")
    k: int = 10
    by: str = ""
    foreign: tuple[str, ...] = ()
    store: str = ""
    embedding: str = ""


class _Seen(NamedTuple):
    """One question with what each row made of it and the measures of that."""

    question: Question
    outcomes: dict[str, Outcome]
    measures: dict[str, dict[str, float]]


def check_rows(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of rows in their order.

    Raises:
        InputError: if there is no row of a name.
    """
    unknown = [name for name in names if name not in ROWS]
    if unknown or not names:
        raise InputError(f"there is no row {', '.join(unknown) or 'named'}; there are {', '.join(ROWS)}")
    return tuple(dict.fromkeys(names))


def run(dataset: Dataset, plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """Return everything that was measured on a set, ready to be written as JSON.

    Args:
        dataset: the set.
        plan: rows and sizes.
        progress: called with questions done and questions in all.
    """
    asked: dict[str, list[Question]] = {}
    for question in dataset.questions:
        asked.setdefault(question.group, []).append(question)
    foreign = plan.foreign[:: max(1, len(plan.foreign) // FOREIGN_QUESTIONS)][:FOREIGN_QUESTIONS]
    seen: list[_Seen] = []
    passed: dict[str, list[bool]] = {name: [] for name in plan.rows if name in MODES and foreign}
    for place, (group, questions) in enumerate(asked.items()):
        documents = dataset.groups.get(group, [])
        of_group = foreign[place :: len(asked)]
        for one in _ask_group(documents, questions, of_group, plan, passed):
            seen.append(one)
            if progress is not None:
                progress(len(seen), len(dataset.questions))
    return _summary(dataset, plan, seen, passed)


def _ask_group(
    documents: Sequence[Document],
    questions: Sequence[Question],
    foreign: Sequence[str],
    plan: Plan,
    passed: dict[str, list[bool]],
) -> list[_Seen]:
    """Return what every row makes of the questions to one memory; foreign questions are added to ``passed``."""
    spans = any(question.spans for question in questions)
    budgets = sorted({*metrics.BUDGETS, metrics.SPAN_BUDGET}) if spans else metrics.BUDGETS
    session_of = {one.id: one.session for one in documents if one.session}
    ask: dict[str, Callable[[Question], Outcome]] = {}
    with ExitStack() as stack:
        texts = passages(documents, _WINDOW if spans else 0)
        for name in plan.rows:
            if name in BASELINES:
                ask[name] = _baseline(Baseline(texts, BASELINES[name]), budgets)
        modes = [name for name in plan.rows if name in MODES]
        if modes:
            vectors = modes != ["keyword"]
            made = Memory(documents, vectors=vectors, store=plan.store, embedding=plan.embedding)
            memory = stack.enter_context(made)
            if "tree" in modes:
                memory.digest()
            for name in modes:
                ask[name] = _treering(memory, MODES[name], budgets, plan.k)
                memory.refuses(questions[0].text, MODES[name])  # the first one also opens the store
                passed.get(name, []).extend(not memory.refuses(text, MODES[name]) for text in foreign)
        return [_seen(question, ask, session_of) for question in questions]


def _baseline(baseline: Baseline, budgets: Sequence[int]) -> Callable[[Question], Outcome]:
    """Return how a baseline is asked."""
    return lambda question: baseline.ask(question, budgets, 3 * DEPTH)


def _treering(memory: Memory, mode: Mode, budgets: Sequence[int], limit: int) -> Callable[[Question], Outcome]:
    """Return how a memory is asked."""
    return lambda question: memory.ask(question, mode, budgets, MEASURED, limit)


def _seen(question: Question, ask: dict[str, Callable[[Question], Outcome]], session_of: dict[str, str]) -> _Seen:
    """Ask every row one question."""
    outcomes = {name: row(question) for name, row in ask.items()}
    found = {}
    if question.judged:
        found = {name: metrics.measures(question, outcome, session_of) for name, outcome in outcomes.items()}
    return _Seen(question, outcomes, found)


def _summary(dataset: Dataset, plan: Plan, seen: Sequence[_Seen], passed: dict[str, list[bool]]) -> dict[str, Any]:
    """Return the figures of a set and the lines of its questions."""
    judged = [one for one in seen if one.question.judged]
    documents = [one for group in dataset.groups.values() for one in group]
    return {
        "name": dataset.name,
        "documents": len(documents),
        "sessions": len({(one.group, one.session) for one in documents if one.session}),
        "memories": len(dataset.groups),
        "n": {
            "questions": len(seen),
            "judged": len(judged),
            "unanswerable": sum(one.question.abstain for one in seen),
        },
        "rows": {name: _row(name, seen, plan.by) | _foreign(passed.get(name, [])) for name in plan.rows},
        "questions": [_line(one, plan.by) for one in seen],
    }


def _row(name: str, seen: Sequence[_Seen], by: str) -> dict[str, Any]:
    """Return the figures of one row."""
    judged = [one for one in seen if one.question.judged]
    found: dict[str, Any] = {"measures": _rounded(metrics.means([one.measures[name] for one in judged]))}
    parts: dict[str, list[_Seen]] = {}
    for one in judged if any(by in one.question.fields for one in judged) else ():
        parts.setdefault(one.question.fields.get(by, "none"), []).append(one)
    if parts:
        found["by"] = {
            part: {"n": len(ones), "measures": _rounded(metrics.means([one.measures[name] for one in ones]))}
            for part, ones in sorted(parts.items())
        }
    return found | _gate(name, seen) | _current(name, seen) | _cost(name, seen)


def _gate(name: str, seen: Sequence[_Seen]) -> dict[str, Any]:
    """Return what became of answerable and of unanswerable questions."""
    answerable = [one.outcomes[name] for one in seen if one.question.judged]
    unanswerable = [one.outcomes[name] for one in seen if one.question.abstain]
    found: dict[str, Any] = {}
    if answerable and answerable[0].refused is not None:
        found["answered"] = round(sum(not one.refused for one in answerable) / len(answerable), 4)
    if unanswerable and unanswerable[0].refused is not None:
        found["refused"] = round(sum(bool(one.refused) for one in unanswerable) / len(unanswerable), 4)
    scores = [one.confidence for one in answerable], [one.confidence for one in unanswerable]
    area, interval = metrics.auroc(*scores), metrics.auroc_interval(*scores)
    if area is not None and interval is not None:
        found |= {"auroc": round(area, 4), "auroc_interval": [round(bound, 4) for bound in interval]}
    return found


def _foreign(passed: Sequence[bool]) -> dict[str, Any]:
    """Return the share of foreign questions that got an answer, and how many were asked."""
    return {"foreign": round(sum(passed) / len(passed), 4), "foreign_n": len(passed)} if passed else {}


def _current(name: str, seen: Sequence[_Seen]) -> dict[str, Any]:
    """Return in how many questions the present stood above the past, and in how many both were found."""
    dated = [one for one in seen if one.question.current and one.question.stale]
    order = [metrics.current_above_stale(one.question, one.outcomes[name].ranking) for one in dated]
    return {"current": [order.count(True), len(order) - order.count(None), len(order)]} if dated else {}


def _cost(name: str, seen: Sequence[_Seen]) -> dict[str, Any]:
    """Return the largest answer, the CPU time of answers, and nodes opened."""
    outcomes = [one.outcomes[name] for one in seen]
    times = [one.cpu_ms for one in outcomes if one.cpu_ms is not None]
    opened = [one.opened for one in outcomes if one.opened is not None]
    largest = {str(budget): max(one.shown[budget].tokens for one in outcomes) for budget in metrics.BUDGETS}
    found: dict[str, Any] = {"tokens_max": largest} if outcomes else {}
    if times:
        found |= {f"cpu_ms_p{share}": round(metrics.percentile(times, share / 100) or 0.0, 2) for share in (50, 95)}
    if opened:
        found["opened"], found["nodes"] = (round(sum(pair[at] for pair in opened) / len(opened), 1) for at in (0, 1))
    return found


def _line(one: _Seen, by: str) -> dict[str, Any]:
    """Return one question with its measures."""
    line: dict[str, Any] = {"id": one.question.id, "text": one.question.text}
    if by:
        line[by] = one.question.fields.get(by, "none")
    if one.question.abstain:
        line["abstain"] = True
    line["rows"] = {
        name: {
            "first": list(outcome.ranking[:10]),
            "confidence": round(outcome.confidence, 4),
            "refused": outcome.refused,
            "measures": _rounded(one.measures.get(name, {})),
        }
        for name, outcome in one.outcomes.items()
    }
    return line


def _rounded(found: dict[str, float]) -> dict[str, float]:
    """Return measures with four digits."""
    return {name: round(value, 4) for name, value in found.items()}
