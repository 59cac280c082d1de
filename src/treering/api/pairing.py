"""Pairing: the project's store and the user's own one, read as one memory."""

from __future__ import annotations

from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Final

    from treering.api.freshness import Seen
    from treering.domain.context import Context, ContextQuery
    from treering.domain.query import Answer, Query, Result
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Transaction
    from treering.recall.both import Shadow
    from treering.recall.descent import Asking
    from treering.recall.meaning import Meaning

SHADOWED: Final = "{slot}: the project's answer ({id}) shadows the one of your own store"


class Side(NamedTuple):
    """One store as a question reaches it.

    Attributes:
        scope: of the store; empty where no other one is read with it.
        place: where it is.
        tx: one state of it.
        query: the question as it reads it.
        place_of: returns how the file or key of a source is shown.
        meaning: what the question means to it.
        seen: what is known of its roots.
        roots: its indexed directories with where they are, by number.
        notices: what is to be said of the whole answer.
        asking: how the tree of digests is gone down, where one store is asked in that way.
    """

    scope: str
    place: Place
    tx: Transaction
    query: Query
    place_of: Callable[[str], str]
    meaning: Meaning
    seen: Seen
    roots: Mapping[int, tuple[Root, str]]
    notices: Sequence[str]
    asking: Asking | None = None


def labelled(answer: Answer, scope: str) -> Answer:
    """Return an answer whose results say in which store they stand."""
    return answer._replace(results=tuple(one._replace(scope=scope) for one in answer.results))


def fused(sides: Sequence[Side], max_tokens: int, *, trusted: bool) -> Answer:
    """Return the answer of two stores, the project's first.

    Args:
        sides: both.
        max_tokens: what it may cost.
        trusted: whether the first may shadow the second.
    """
    from treering.recall import both

    own, others = sides

    def shadows(slots: Iterable[str]) -> dict[str, Shadow]:
        """Return the slots that the project answers instead, each with a notice."""
        from treering.domain.dates import from_micros, written

        at = written(from_micros(own.query.now))
        return shadowed(own.tx, others.tx, slots, at, own.query.known_at, trusted=trusted)

    return both.recall_both(
        [
            both.Side(side.scope, side.tx, side.query._replace(max_tokens=max_tokens), side.place_of, side.meaning)
            for side in sides
        ],
        shadows,
    )


def shadowed(
    own: Transaction, others: Transaction, slots: Iterable[str], at: str, known_at: str, *, trusted: bool
) -> dict[str, Shadow]:
    """Return the slots that the project's store answers instead of the user's own one, each with a notice.

    Args:
        own: the project's store.
        others: the user's own one.
        slots: keys of slots.
        at: the instant that is asked about.
        known_at: only what was recorded and decided by then; empty for all.
        trusted: whether the user trusts the project's store.
    """
    from treering import zones
    from treering.domain.shadowing import SHADOWS
    from treering.domain.shadowing import shadowed as answering
    from treering.recall.both import Shadow
    from treering.recall.slots import histories, slot_histories

    names = sorted(slots)
    zone, zone_of_others = zones.of_store(own, ""), zones.of_store(others, "")
    mine = histories(own, names, at, zone, known_at)
    if not any(one.current for one in mine.values()):
        return {}
    theirs = histories(others, list(mine), at, zone_of_others, known_at)
    stands = [
        slot
        for slot, history in mine.items()
        if slot in theirs and answering(history, theirs[slot], trusted=trusted).notice == SHADOWS
    ]
    told = slot_histories(own, stands, at, zone, known_at)
    memories = own.memories.memories([one.current.memory for one in told.values() if one.current])
    return {
        slot: Shadow(memories[one.current.memory], SHADOWED.format(slot=slot, id=one.current.memory))
        for slot, one in told.items()
        if one.current and one.current.memory in memories
    }


_SECTIONS: Final = ("current", "disputed", "open_questions", "history", "passages")
_LEAST: Final = 50
"""Tokens in which a context can be told at all."""


def of_store(answer: Context, scope: str) -> Context:
    """Return a context whose results say in which store they stand."""
    parts: dict[str, Any] = {
        name: tuple(one._replace(scope=scope) for one in getattr(answer, name)) for name in _SECTIONS
    }
    return answer._replace(**parts)


def shares(mine: int, theirs: int, most: int) -> tuple[int, int] | None:
    """Return what each of two contexts may cost where both do not fit, else None; the smaller has at most a half."""
    if mine + theirs <= most:
        return None
    less = max(min(mine, theirs, most // 2), _LEAST)
    more = max(most - less, _LEAST)
    return (less, more) if mine < theirs else (more, less)


def shadowed_slots(
    own: Transaction, others: Transaction, theirs: Context, asked: ContextQuery, *, trusted: bool
) -> dict[str, Shadow]:
    """Return the slots of the other store's context that the project answers instead."""
    slots = {one.slot for name in _SECTIONS for one in getattr(theirs, name)} - {""}
    return shadowed(own, others, slots, asked.at, asked.known_at, trusted=trusted) if slots else {}


def with_shadows(tx: Transaction, mine: Context, shadows: Mapping[str, Shadow], asked: ContextQuery) -> Context:
    """Return the project's context with those of its memories that shadow what only the other store brought up."""
    from treering.domain.depth import shallow
    from treering.recall import present

    if mine.insufficient_evidence:  # what it merely lists is no evidence; what shadows an answer is
        empty: dict[str, Any] = dict.fromkeys(_SECTIONS, ())
        mine = mine._replace(notices=(), **empty)
    listed = {one.id for name in _SECTIONS for one in getattr(mine, name)}
    missing = [shadow.memory for shadow in shadows.values() if shadow.memory.id not in listed]
    shown = present.results(tx, missing, {}, {})
    shown = tuple(map(shallow, shown)) if asked.query.depth == "L1" else shown
    if not shown:
        return mine
    return mine._replace(current=(*mine.current, *shown), insufficient_evidence=False)


def told(mine: Context, theirs: Context, asked: ContextQuery, shadows: Mapping[str, Shadow]) -> Context:
    """Return two contexts as one, inside the budget: the project's first in each section, the same words once.

    Where one store has evidence and the other has not, what the other merely lists is left out.

    Args:
        mine: of the project's store.
        theirs: of the user's own one.
        asked: the question, with the budget.
        shadows: slots of the other store that are left out.
    """
    mine, theirs = of_store(mine, "project"), _marked(of_store(theirs, "global"))
    if mine.insufficient_evidence != theirs.insufficient_evidence:
        empty: dict[str, Any] = {"notices": (), **dict.fromkeys(_SECTIONS, ())}
        mine = mine._replace(**empty) if mine.insufficient_evidence else mine
        theirs = theirs._replace(**empty) if theirs.insufficient_evidence else theirs
    said = {_said(one) for name in _SECTIONS for one in getattr(mine, name)}
    left = {
        name: [one for one in getattr(theirs, name) if one.slot not in shadows and _said(one) not in said]
        for name in _SECTIONS
    }
    notices = (*mine.notices, *theirs.notices, *(shadow.notice for shadow in shadows.values()))
    parts: dict[str, Any] = {name: tuple(_in_turn(getattr(mine, name), left[name])) for name in _SECTIONS}
    both = mine._replace(
        **parts,
        insufficient_evidence=mine.insufficient_evidence and theirs.insufficient_evidence,
        notices=tuple(dict.fromkeys(notices)),
        trace=(*mine.trace, *theirs.trace),
    )
    return _within(both, asked)


def _said(one: Result) -> str:
    """Return what is equal for results that say the same."""
    return " ".join(one.text.split()).casefold().rstrip(".")


def _marked(answer: Context) -> Context:
    """Return a context whose results name the user's own store where they are cited."""
    parts: dict[str, Any] = {
        name: tuple(
            one._replace(
                citation=f"{one.citation}  [global]",
                notices=one.notices if one.type == "chunk" else (*one.notices, "in your own store"),
            )
            for one in getattr(answer, name)
        )
        for name in _SECTIONS
    }
    return answer._replace(**parts)


def _in_turn(mine: Sequence[Result], theirs: Sequence[Result]) -> list[Result]:
    """Return results by rank: the first of each store, then the second of each."""
    ranked = [(place, 0, one) for place, one in enumerate(mine)] + [(place, 1, one) for place, one in enumerate(theirs)]
    return [one for _, _, one in sorted(ranked, key=lambda each: each[:2])]


def _within(answer: Context, asked: ContextQuery) -> Context:
    """Return a context told in its budget: what stands last goes first."""
    from treering.recall.telling import text_of

    order = ("history", "passages", "open_questions", "disputed", "current")
    while True:
        text, tokens = text_of(answer, asked)
        section = next((name for name in order if len(getattr(answer, name)) > (name == "current")), "")
        if tokens <= asked.query.max_tokens or not section:
            break
        less: dict[str, Any] = {section: getattr(answer, section)[:-1]}
        answer = answer._replace(**less)
    return answer._replace(text=text, tokens=tokens)
