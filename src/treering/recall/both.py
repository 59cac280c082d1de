"""Two stores as one: what each finds, fused by rank, laid out in one budget.

Scores of two stores are never compared: how rare a word is depends on what else a store holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.domain.query import Answer
from treering.domain.text import llm_tokens
from treering.recall import ambiguity, assemble, history
from treering.recall.candidates import of_memory
from treering.recall.pipeline import NO_CLUE, Found, Trace, asked_back, find
from treering.recall.shortlist import PER_RESULT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from treering.domain.query import Query, Reason
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.recall.meaning import Meaning
    from treering.records import StoredMemory

RANKS: Final = 8
"""The constant of reciprocal rank fusion (Cormack et al. 2009 take 60). With it the project's 10 % is worth about one
rank, so that the best of both stores stand at the top; with 60 it is worth six, and eight results would be the
project's alone."""

OWN: Final = 1.1
"""What a result of the project counts beside one of the user's own store."""

_LOOKED_AT: Final = 6
"""Candidates of the user's own store whose text is read: of eight results about half are its. With ten, as with six,
.458 of what LoCoMo's questions ask for and .680 of CoSQA's is among eight results, with four .446 and .689."""

_LEAST_OF_OWN: Final = 16
"""Of the project's candidates so many are read at least, where the other store has some as well: .512 and .771 of the
project's answers are found, as with all twenty-four."""

_REASONS: Final[tuple[Reason, ...]] = (
    "over_budget",
    "empty_gate",
    "no_match",
    "filtered_out",
    "empty_store",
    "no_terms",
)
"""Why nothing answers; of two reasons the one that says most comes first."""


class Side(NamedTuple):
    """One store and the question as it takes it.

    Attributes:
        scope: ``project`` or ``global``.
        tx: the store.
        query: the question.
        place_of: returns how the file or key of a source is shown.
        meaning: what the question means; None for words alone.
    """

    scope: str
    tx: Transaction
    query: Query
    place_of: Callable[[str], str]
    meaning: Meaning | None


class Shadow(NamedTuple):
    """What the project's store answers for a slot instead of the user's own one.

    Attributes:
        memory: the project's memory in force.
        notice: what a reader must know.
    """

    memory: StoredMemory
    notice: str


class Ranked(NamedTuple):
    """A candidate with the number of its store."""

    side: int
    one: Candidate


def recall_both(sides: Sequence[Side], shadows: Callable[[Iterable[str]], dict[str, Shadow]]) -> Answer:
    """Answer a question from one state of each of two stores, the project's first.

    Writes nothing. What is shown of the answer never costs more than the query's ``max_tokens``.

    Args:
        sides: the stores.
        shadows: returns those of some slots that the first store answers instead of the second, each with a notice.
    """
    traces = [Trace() for _ in sides]
    own, others = sides
    theirs = find(others.tx, others.query._replace(look_at=_LOOKED_AT), others.meaning, traces[1])
    traces[0] = Trace()
    look_at = _of_own(own.query.limit, len(theirs.passed))
    found = [find(own.tx, own.query._replace(look_at=look_at), own.meaning, traces[0]), theirs]
    query = own.query
    if query.clue and all(one.reason is not None for one in found):
        plain = [side._replace(query=side.query._replace(clue="")) for side in sides]
        answer = recall_both(plain, shadows)
        return answer._replace(notices=(*answer.notices, NO_CLUE))
    unclear = _asked_back(sides, found, traces)
    if unclear is not None:
        return unclear
    dated = [
        history.resolve(side.tx, one.passed, side.query.now, side.query.known_at) if one.reason is None else []
        for side, one in zip(sides, found, strict=True)
    ]
    trace = Trace()
    slots = _slots(dated[1])
    shadowed = shadows(slots) if slots else {}
    if shadowed:
        dated[0] = _stand_in(sides[0], dated[0], dated[1], shadowed)
    fused = fuse(dated, shadowed)
    notices = tuple(shadow.notice for shadow in shadowed.values())
    trace.step("fuse", sum(map(len, dated)), len(fused), f"by rank, {len(notices)} slots shadowed")
    purse = assemble.Purse(query)
    price = sum(llm_tokens(f"note: {notice}") + 1 for notice in notices)
    purse.left -= price
    assemblies = [assemble.Assembly(side.tx, side.query, side.place_of, purse, side.scope) for side in sides]
    confidence = max((one.confidence for one in found if one.reason is None), default=0.0)
    results = assemble.fit_all([(assemblies[one.side], one.one) for one in fused], confidence)
    tokens = price + sum(result.tokens for result in results) + assemble.closing_tokens(query.limit, query.max_tokens)
    trace.step("assemble", len(fused), len(results), f"{tokens} of {query.max_tokens} tokens")
    steps = [
        step._replace(why=f"{side.scope}: {step.why}")
        for side, own in zip(sides, traces, strict=True)
        for step in own.steps()
    ]
    return Answer(
        query=query.text,
        mode="hybrid" if any(one.query.mode == "hybrid" for one in found) else found[0].query.mode,
        results=results,
        reason=None if results else _reason(found, fused),
        confidence=confidence if results else max(one.confidence for one in found),
        tokens=tokens if results else 0,
        notices=notices if results else (),
        trace=(*steps, *trace.steps()),
    )


def _of_own(limit: int, theirs: int) -> int:
    """Return how many candidates of the project are read: three for each result that is left to it; 0 for all of them.

    Args:
        limit: results at the most.
        theirs: candidates of the user's own store that passed.
    """
    left = limit - min(theirs, limit // 2)
    return max(_LEAST_OF_OWN, PER_RESULT * left) if theirs else 0


def _asked_back(sides: Sequence[Side], found: Sequence[Found], traces: Sequence[Trace]) -> Answer | None:
    """Return what the question may mean, where the first store that has anything is in doubt; else None."""
    for side, one, trace in zip(sides, found, traces, strict=True):
        if one.reason is not None or one.asked is None or not side.query.asks_back:
            continue
        doubt = ambiguity.doubt(side.tx, one.passed, one.asked, side.query)
        trace.step("ambiguity", len(one.passed), len(doubt.choices) or len(one.passed), doubt.why)
        return asked_back(one, doubt, side.place_of, trace) if doubt.choices else None
    return None


def fuse(
    listed: Sequence[Sequence[Candidate]],
    shadowed: Collection[str] = (),
) -> list[Ranked]:
    """Return the candidates of two stores as one list, best first.

    The same content stands once, where the first store has it.

    Args:
        listed: the candidates of each store, best first; the first store is the project's.
        shadowed: slots that the first store answers: the second's memories of them are left out.
    """
    own, others = listed
    said = {_said(one) for one in own}
    kept = [
        one for one in others if _said(one) not in said and not (one.memory is not None and one.memory.slot in shadowed)
    ]
    ranked = [
        Ranked(side, one._replace(score=(1.0 if side else OWN) / (RANKS + place)))
        for side, ones in enumerate((own, kept))
        for place, one in enumerate(ones, 1)
    ]
    return sorted(ranked, key=lambda each: -each.one.score)


def _stand_in(
    own: Side, mine: Sequence[Candidate], theirs: Sequence[Candidate], shadowed: Mapping[str, Shadow]
) -> list[Candidate]:
    """Return the project's candidates with those of its memories that shadow what only the other store brought up."""
    placed = list(mine)
    known = {one.memory.id for one in mine if one.memory is not None}
    for place, one in enumerate(theirs):
        shadow = shadowed.get(one.memory.slot) if one.memory is not None else None
        if shadow is not None and shadow.memory.id not in known:
            known.add(shadow.memory.id)
            placed.insert(min(place, len(placed)), of_memory(own.tx, shadow.memory, one))
    return placed


def _slots(ones: Sequence[Candidate]) -> set[str]:
    """Return the slots of memories."""
    return {one.memory.slot for one in ones if one.memory is not None} - {""}


def _said(one: Candidate) -> object:
    """Return what is equal for candidates that say the same."""
    text = one.memory.content if one.memory is not None and one.chunk.kind == "memory" else one.chunk.text
    return " ".join(text.split()).casefold().rstrip(".。!！")


def _reason(found: Sequence[Found], fused: Sequence[Ranked]) -> Reason:
    """Return why nothing answers, of two reasons the one that says most."""
    if fused:
        return "over_budget"
    reasons = {one.reason for one in found if one.reason is not None}
    return next((one for one in _REASONS if one in reasons), "no_match")
