"""One pipeline for every question, readable as its own description.

Each step takes and returns values and leaves a line in the trace.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from treering.domain.query import Answer, Query, Reason, TraceStep
from treering.domain.text import may_be_english
from treering.recall import assemble, candidates, ranking
from treering.recall.meaning import Unasked
from treering.recall.shortlist import shortlist

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.ports import Transaction
    from treering.recall.meaning import Meaning


def recall(tx: Transaction, query: Query, place_of: Callable[[str], str], meaning: Meaning | None = None) -> Answer:
    """Answer a question from one state of a store.

    Writes nothing. What is shown of the answer never costs more than ``query.max_tokens``.

    Args:
        tx: the store.
        query: the question.
        place_of: returns how the file or key of a source is shown.
        meaning: what the question means; None for words alone.
    """
    trace = Trace()
    meaning = meaning or Unasked()
    asked = candidates.analyse(tx, query)
    trace.step("analyse", len(query.text.split()), len(asked.terms), asked.why)
    if not asked.terms:
        return _nothing(query, "no_terms", trace)

    listed = shortlist(tx, query, asked, meaning)
    by_meaning_alone = query.mode == "semantic"
    query = query._replace(mode=listed.mode)
    trace.step("candidates", asked.entries, listed.gathered, listed.why)
    if listed.conversation:
        trace.step("conversation", listed.gathered, len(listed.entries), listed.conversation)

    found = candidates.look_up(tx, asked, listed.entries)
    trace.step("look up", listed.gathered, len(found), "the best of them, with their text")
    if not found:
        return _nothing(query, candidates.why_none(tx, query), trace)

    ranked = ranking.weigh(found, query.tuning.same_source)
    distinct = ranking.apart(ranking.collapse(ranked), query.limit)
    trace.step("rank", len(ranked), len(distinct), f"{len(ranked) - len(distinct)} restatements collapsed")

    # Questions in another language lie near to anything for a model that only knows English.
    understood = not meaning.english_only or by_meaning_alone or may_be_english(query.text)
    speaks = meaning.model if understood else ""
    confidence = ranking.confidence(ranked, asked, speaks)
    passed, why = ranking.gate(distinct, confidence, query.empty_gate, speaks)
    trace.step("gate", len(distinct), len(passed), why)
    if not passed:
        return _nothing(query, "empty_gate" if any(one.words for one in ranked) else "no_match", trace, confidence)

    results = assemble.fit(tx, passed, query, place_of, confidence)
    tokens = sum(result.tokens for result in results) + assemble.closing_tokens(query.limit, query.max_tokens)
    trace.step("assemble", len(passed), len(results), f"{tokens} of {query.max_tokens} tokens")
    if not results:
        return _nothing(query, "over_budget", trace, confidence)
    return Answer(
        query=query.text,
        mode=query.mode,
        results=results,
        reason=None,
        confidence=confidence,
        tokens=tokens,
        trace=trace.steps(),
    )


def _nothing(query: Query, reason: Reason, trace: Trace, confidence: float = 0.0) -> Answer:
    """Return the answer that says there is none, and why."""
    return Answer(query.text, query.mode, (), reason, confidence, 0, trace=trace.steps())


class Trace:
    """The lines that the steps leave."""

    def __init__(self) -> None:
        """Start the clock of the first step."""
        self._steps: list[TraceStep] = []
        self._since = time.perf_counter()

    def step(self, name: str, before: int, after: int, why: str) -> None:
        """Record a step that has just ended; the next one begins now."""
        now = time.perf_counter()
        self._steps.append(TraceStep(name, before, after, why, round((now - self._since) * 1000, 3)))
        self._since = now

    def steps(self) -> tuple[TraceStep, ...]:
        """Return all lines in order."""
        return tuple(self._steps)
