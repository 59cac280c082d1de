"""One pipeline for every question, readable as its own description.

Each step takes and returns values and leaves a line in the trace.
"""

from __future__ import annotations

import time

from treering.domain.named import NamedTuple
from treering.domain.query import Answer, Descent, TraceStep
from treering.domain.scoring import with_meaning
from treering.domain.text import llm_tokens, may_be_english
from treering.recall import activation, ambiguity, assemble, candidates, clues, history, letters, ranking
from treering.recall.meaning import Unasked
from treering.recall.shortlist import holding_all, shortlist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.domain.query import Query, Reason
    from treering.ports import Transaction
    from treering.recall.ambiguity import Doubt
    from treering.recall.candidates import Asked, Candidate
    from treering.recall.descent import Asking
    from treering.recall.meaning import Meaning
    from treering.recall.shortlist import Listed, Shortlist


NO_CLUE: Final = "nothing holds both, question and clue: this is the answer without the clue"
# Where little is allowed, a word on the question is not worth the answer.
_MOST_NOTICED: Final = 0.2


class Found(NamedTuple):
    """What a question brings up, before it is laid out.

    Attributes:
        query: the question, with the mode that was possible.
        ranked: what was found, restatements and what memories quote already collapsed, best first.
        passed: those with enough evidence, raised by recency, use, briefings and tags, best first.
        reason: why none passed; None when some did.
        confidence: evidence of the best, 0..1.
        speaks: what made the cosines, if it understands the question; else empty.
        asked: the question as the index understands it; None where nothing was found.
        descent: how the tree was gone down; None where it was not.
    """

    query: Query
    ranked: tuple[Candidate, ...] = ()
    passed: tuple[Candidate, ...] = ()
    reason: Reason | None = None
    confidence: float = 0.0
    speaks: str = ""
    asked: Asked | None = None
    descent: Descent | None = None


def recall(
    tx: Transaction,
    query: Query,
    place_of: Callable[[str], str],
    meaning: Meaning | None = None,
    asking: Asking | None = None,
) -> Answer:
    """Answer a question from one state of a store.

    Writes nothing. What is shown of the answer never costs more than ``query.max_tokens``.

    Args:
        tx: the store.
        query: the question.
        place_of: returns how the file or key of a source is shown.
        meaning: what the question means; None for words alone.
        asking: how the tree is gone down; None where everything is compared.
    """
    trace = Trace()
    found = find(tx, query, meaning, trace, asking)
    if found.reason is not None and query.clue:
        plain = recall(tx, query._replace(clue=""), place_of, meaning, asking)
        return plain._replace(notices=(*plain.notices, NO_CLUE))
    if found.reason is not None:
        return _nothing(found, found.reason, trace)
    if query.asks_back and found.asked is not None:
        doubt = ambiguity.doubt(tx, found.passed, found.asked, query)
        trace.step("ambiguity", len(found.passed), len(doubt.choices) or len(found.passed), doubt.why)
        if doubt.choices:
            return asked_back(found, doubt, place_of, trace)
    dated = history.resolve(tx, found.passed, query.now, query.known_at)
    slips = found.asked.slips if found.asked else ()
    notices = (f"read {', '.join(slips)}: nothing holds it as it is typed",) if slips else ()
    price = sum(llm_tokens(f"note: {notice}\n") for notice in notices)
    if price > _MOST_NOTICED * query.max_tokens:
        notices, price = (), 0
    left = found.query._replace(max_tokens=query.max_tokens - price)
    results = assemble.fit(tx, dated, left, place_of, found.confidence)
    tokens = sum(result.tokens for result in results) + price
    tokens += assemble.closing_tokens(query.limit, query.max_tokens)
    trace.step("assemble", len(dated), len(results), f"{tokens} of {query.max_tokens} tokens")
    if not results:
        return _nothing(found, "over_budget", trace)
    return Answer(
        query=query.text,
        mode=found.query.mode,
        results=results,
        reason=None,
        confidence=found.confidence,
        tokens=tokens,
        notices=notices,
        trace=trace.steps(),
        descent=found.descent,
    )


def find(tx: Transaction, query: Query, meaning: Meaning | None, trace: Trace, asking: Asking | None = None) -> Found:
    """Return what a question brings up, best first.

    Args:
        tx: the store.
        query: the question.
        meaning: what the question means; None for words alone.
        trace: where each step leaves its line.
        asking: how the tree is gone down; None where everything is compared.
    """
    meaning = meaning or Unasked()
    asked = candidates.analyse(tx, clues.with_clue(query))
    trace.step("analyse", len(query.text.split()), len(asked.terms), asked.why)
    if not asked.terms:
        return Found(query, reason="no_terms")

    listed, descent = _listed(tx, query, asked, meaning, asking)
    by_meaning_alone = query.mode == "semantic"
    query = query._replace(mode=listed.mode)
    trace.step("candidates", asked.entries, listed.gathered, listed.why)
    if listed.conversation:
        trace.step("conversation", listed.gathered, len(listed.entries), listed.conversation)

    if descent is not None:
        trace.step("descend", descent.nodes, descent.opened, f"depth {descent.depth}: {' › '.join(descent.path)}")

    if query.look_at and _is_hopeless(query, listed.entries, speaks := meaning.model):
        return Found(query, reason="no_match", speaks=speaks)
    found = candidates.look_up(tx, asked, listed.entries)
    covered = max((one.evidence.coverage for one in found), default=0.0)
    if missed := holding_all(tx, asked, listed.others, covered):
        found += candidates.look_up(tx, asked, missed)
    trace.step("look up", listed.gathered, len(found), "the best of them, with their text")
    if not found:
        return Found(query, reason=candidates.why_none(tx, query), descent=descent)
    if asking is None and tx.sources.has_long():
        from treering.recall import passages  # few stores have such paragraphs

        found = passages.parted(tx, asked, found, query.filter)

    ranked = letters.weigh(ranking.weigh(found, query.tuning.same_source), asked)
    collapsed = history.without_quoted(tx, ranking.collapse(ranked))
    trace.step("rank", len(ranked), len(collapsed), f"{len(ranked) - len(collapsed)} restatements collapsed")

    # Questions in another language lie near to anything for a model that only knows English.
    understood = not meaning.english_only or by_meaning_alone or may_be_english(query.text)
    speaks = meaning.model if understood else ""
    confidence = ranking.confidence(ranked, asked, speaks)
    passed, why = ranking.gate(collapsed, confidence, query.empty_gate, speaks)
    trace.step("gate", len(collapsed), len(passed), why)
    if not passed:
        reason: Reason = "empty_gate" if any(one.words for one in ranked) else "no_match"
        return Found(query, tuple(collapsed), (), reason, confidence, speaks, asked, descent)
    active, why = activation.activate(tx, passed, query)
    if query.clue:
        active, told = clues.weigh(tx, active, query)
        why = f"{why}; {told}"
    # Of two that say nearly the same the one that activation prefers is not the one that is lowered.
    apart = ranking.apart(active, query.limit)
    trace.step("activation", len(passed), len(apart), why)
    return Found(query, tuple(collapsed), tuple(apart), None, confidence, speaks, asked, descent)


def asked_back(found: Found, doubt: Doubt, place_of: Callable[[str], str], trace: Trace) -> Answer:
    """Return what the question may mean instead of an answer."""
    query = found.query
    choices, tokens = ambiguity.choices(doubt, place_of, query.max_tokens)
    return Answer(
        query.text,
        query.mode,
        (),
        "ambiguous",
        doubt.confidence,
        tokens,
        trace=trace.steps(),
        ambiguous=choices,
        descent=found.descent,
    )


def _listed(
    tx: Transaction, query: Query, asked: Asked, meaning: Meaning, asking: Asking | None
) -> tuple[Shortlist, Descent | None]:
    """Return the entries that are worth looking at, best first, and how the tree was gone down to them."""
    if asking is None:
        return shortlist(tx, query, asked, meaning), None
    from treering.recall.descent import descend

    return descend(tx, query, asked, meaning, asking)


def _is_hopeless(query: Query, listed: Sequence[Listed], model: str) -> bool:
    """Tell whether entries without a word of the question cannot pass the gate by their meaning either."""
    if any(one.keyword for one in listed):
        return False
    nearest = max((one.cosine for one in listed if one.cosine is not None), default=None)
    least = ranking.KEYWORD_GATE if query.empty_gate is None else query.empty_gate
    return with_meaning(0.0, nearest, model) < least


def _nothing(found: Found, reason: Reason, trace: Trace) -> Answer:
    """Return the answer that says there is none, and why."""
    query = found.query
    steps = trace.steps()
    return Answer(query.text, query.mode, (), reason, found.confidence, 0, trace=steps, descent=found.descent)


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
