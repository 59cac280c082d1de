"""Sections: what a question brought up, laid out in a budget: current, disputed, open, former, pinned, and passages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.context import Context, ContextQuery
from treering.domain.depth import shallow
from treering.domain.source import DATED
from treering.recall import assemble, present, telling
from treering.recall.pipeline import Found, Trace
from treering.recall.subjects import Subjects, Told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Result
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.records import StoredSource

_PASSAGES: Final = 8
_LEAST_PASSAGE: Final = 60
"""Fewer tokens are not worth a passage's headline."""

_AT_ONCE: Final = 8
"""Memories that are read together."""

_LEAST_MEMORY: Final = 40
"""Fewer tokens hold no memory with what stands below it."""
_LEAST_WORDS: Final = 8
"""Fewer tokens of a memory's words say nothing."""

_PINNED_SHARE: Final = 0.2
"""Of the budget that briefings may take which the question did not bring up."""

_MEMORIES_SHARE: Final = 0.7
"""Of the budget that memories may take while there are passages, too."""


class _Sections(NamedTuple):
    """What is shown."""

    current: tuple[Result, ...] = ()
    disputed: tuple[Result, ...] = ()
    open_questions: tuple[Result, ...] = ()
    history: tuple[Result, ...] = ()


class BroughtUp(NamedTuple):
    """What a question brings up, before it is laid out in a budget.

    Attributes:
        found: all of it.
        evidence: what counts, best first.
        told: what the memories among it tell at the instant that is meant.
        insufficient: whether it answers nothing.
        unsure: whether what is listed all the same is no evidence.
        trace: what each step decided.
    """

    found: Found
    evidence: Sequence[Candidate]
    told: Subjects
    insufficient: bool
    unsure: bool
    trace: Trace


def laid_out(
    tx: Transaction,
    asked: ContextQuery,
    brought: BroughtUp,
    place_of: Callable[[str], str],
    marked: Callable[[Sequence[Result]], tuple[Result, ...]] = tuple,
) -> Context:
    """Return what a question brought up as far as a budget has room for it.

    Args:
        tx: the store, in the state in which it was asked.
        asked: the question, with its budget.
        brought: what it brought up.
        place_of: returns how the file or key of a source is shown.
        marked: adds to passages what a reader must know of their files.
    """
    found, evidence, told, insufficient, unsure, trace = brought
    passages = [one for one in evidence if one.memory is None]
    notices = _notices(asked, told, insufficient=insufficient, weak=unsure)
    shown, words = _shown(told, asked), _words(evidence)
    most = asked.query.max_tokens - telling.frame_tokens(asked, notices, insufficient=insufficient)
    pinned, most = _pinned(tx, asked, shown, most)
    sections, left = _sections(tx, asked, shown, words, most, for_passages=bool(passages))
    shown_passages = _passages(tx, passages, found, left, place_of, marked) if passages else ()
    answer = Context(
        question=asked.query.text,
        current=sections.current,
        disputed=sections.disputed,
        history=sections.history,
        open_questions=sections.open_questions,
        briefings=pinned,
        passages=shown_passages,
        insufficient_evidence=insufficient,
        notices=notices,
    )
    text, tokens = telling.text_of(answer, asked)
    trace.step(
        "assemble", len(shown) + len(passages), len(shown_passages), f"{tokens} of {asked.query.max_tokens} tokens"
    )
    return answer._replace(text=text, tokens=tokens, trace=trace.steps())


def _shown(told: Subjects, asked: ContextQuery) -> list[Told]:
    """Return what is told, less the history that nobody asked for where something is in force."""
    if asked.history:
        return list(told.told)
    current = {one.memory.slot for one in told.told if one.section != "history"} - {""}
    followed = any(one.section == "current" for one in told.told)
    return [
        one
        for one in told.told
        if one.section != "history" or not (one.memory.slot in current or (not one.memory.slot and followed))
    ]


def _pinned(tx: Transaction, asked: ContextQuery, told: Sequence[Told], most: int) -> tuple[tuple[Result, ...], int]:
    """Return the briefings that are not told anyway, as many as their share has room for, and the tokens left."""
    if asked.past or asked.known_at:
        return (), most
    from treering.recall.briefings import briefings, result

    said = {one.memory.id for one in told if one.section == "current"}
    room = int(most * _PINNED_SHARE)
    shown: list[Result] = []
    for one in briefings(tx, asked.at):
        pinned = result(tx, one)
        cost = telling.memory_tokens(pinned, "" if shown else "briefings", asked)
        if not said.issuperset(one.memories) and cost <= room:
            shown.append(pinned)
            room, most = room - cost, most - cost
    return tuple(shown), most


def _sections(
    tx: Transaction,
    asked: ContextQuery,
    told: Sequence[Told],
    words: dict[str, float],
    most: int,
    *,
    for_passages: bool,
) -> tuple[_Sections, int]:
    """Return memories in their sections, as many as fit, and the tokens that are left.

    What answers best goes first, with what disputes it; former ones last. The very first is cut to what there is.
    """
    order = ("current", "disputed", "open_questions", "history")
    taken: dict[str, tuple[Result, ...]] = dict.fromkeys(order, ())
    ordered = sorted(told, key=lambda one: one.section == "history")
    room = int(most * _MEMORIES_SHARE) if for_passages else most
    spent = 0
    # Few of many fit: the next ones are read once those before are placed.
    for start in range(0, len(ordered), _AT_ONCE):
        some = ordered[start : start + _AT_ONCE]
        notices = {one.memory.id: one.notices for one in some}
        before = spent
        shown = present.results(tx, [one.memory for one in some], notices, words)
        if asked.query.depth == "L1":
            shown = tuple(map(shallow, shown))
        for one, result in zip(some, shown, strict=True):
            cost = telling.memory_tokens(result, "" if taken[one.section] else one.section, asked)
            if spent + cost > room and not spent:
                result, cost = _cut(result, one.section, asked, most, words)  # noqa: PLW2901  the same memory, shorter
                room = max(room, cost)
            if spent + cost <= min(room, most):
                taken[one.section] += (result,)
                spent += cost
        if spent == before or room - spent < _LEAST_MEMORY:
            break
    return _Sections(**taken), most - spent


def _cut(result: Result, section: str, asked: ContextQuery, most: int, words: dict[str, float]) -> tuple[Result, int]:
    """Return a memory with as much of its words as fits, and its cost; quotes and notices go before words."""
    shorter = result
    for bare in (result, result._replace(quotes=()), result._replace(quotes=(), notices=(), entities=())):
        room = most - telling.memory_tokens(bare._replace(text=""), section, asked)
        if room >= _LEAST_WORDS:
            shorter = bare._replace(text=present.shortened(result.text, room, words))
            break
    return shorter, telling.memory_tokens(shorter, section, asked)


def _passages(
    tx: Transaction,
    passages: Sequence[Candidate],
    found: Found,
    left: int,
    place_of: Callable[[str], str],
    marked: Callable[[Sequence[Result]], tuple[Result, ...]],
) -> tuple[Result, ...]:
    """Return passages as they are shown, as many as fit."""
    if left < _LEAST_PASSAGE:
        return ()
    query = found.query._replace(limit=_PASSAGES, max_tokens=left, newest_first=True)
    fitted = _newest_first(marked(assemble.fit(tx, passages, query, place_of, found.confidence)), passages)
    shown: list[Result] = []
    for one in fitted:  # what is behind or gone is said of a file after its passages were laid out
        left -= telling.passage_tokens(len(shown) + 1, one)
        if left < 0:
            break
        shown.append(one)
    return tuple(shown)


def _newest_first(results: Sequence[Result], passages: Sequence[Candidate]) -> tuple[Result, ...]:
    """Return results in which those of dated sources stand the newest first, in the places that they had."""
    dated = {one.source.id: date_of(one.source) for one in passages if one.source.kind in DATED}
    places = [place for place, one in enumerate(results) if one.source in dated]
    newest = sorted((results[place] for place in places), key=lambda one: dated[one.source], reverse=True)
    fitted = list(results)
    for place, one in zip(places, newest, strict=True):
        fitted[place] = one
    return tuple(fitted)


def _words(evidence: Sequence[Candidate]) -> dict[str, float]:
    """Return the stems of the question that anything holds."""
    return {word: weight for one in evidence for word, weight in one.words.items()}


def _notices(asked: ContextQuery, told: Subjects, *, insufficient: bool, weak: bool) -> tuple[str, ...]:
    """Return what a reader should know about the whole answer."""
    notices = list(asked.notices)
    if insufficient and weak:
        notices.append("what is listed was found by a name or a faint likeness: it is no evidence")
    return (*notices, *told.notices)


def date_of(source: StoredSource) -> str:
    """Return when a source was told: its own date, else when it was recorded where that is the same; empty for none."""
    return source.source_time or (source.recorded_at if source.kind in DATED else "")
