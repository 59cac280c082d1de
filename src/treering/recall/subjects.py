"""Subjects: what the memories that a question brought up say at an instant: in force, disputed, before.

A slot is told once, by its history; a memory without one by its own dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.dates import instant, micros
from treering.recall.history import brief, day, in_brief
from treering.recall.slots import slot_histories

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.context import ContextQuery
    from treering.domain.report import SlotHistory, SlotStretch
    from treering.ports import Transaction
    from treering.records import StoredMemory

_MOST_SLOTS: Final = 12
_BEFORE: Final = 3
"""Former answers that the notice of a current one names."""

_EMPTY: Final = {
    "unknown": "nothing is known",
    "disputed": "claims contradict one another",
    "ended": "what was in force has ended",
    "archived": "what was in force was archived",
    "erased": "what was in force was erased",
    "future": "what is known begins later",
}


class Told(NamedTuple):
    """A memory with the section it belongs to.

    Attributes:
        memory: the memory; its status is that of the instant asked about.
        section: ``current``, ``disputed``, ``history`` or ``open_questions``.
        notices: what a reader must know of it.
    """

    memory: StoredMemory
    section: str
    notices: tuple[str, ...] = ()


class Subjects(NamedTuple):
    """What memories say at an instant.

    Attributes:
        told: memories in their sections, those that answer best first.
        notices: of the whole: slots in which nothing is in force.
    """

    told: tuple[Told, ...]
    notices: tuple[str, ...]


def subjects(tx: Transaction, memories: Sequence[StoredMemory], asked: ContextQuery) -> Subjects:
    """Return what memories, best first, say at the instant that a question is about."""
    slots = list(dict.fromkeys(memory.slot for memory in memories if memory.slot))[:_MOST_SLOTS]
    histories = slot_histories(tx, slots, asked.at, asked.zone, asked.known_at)
    speaking = [id for history in histories.values() for id in _speaking(history)]
    known = {memory.id: memory for memory in memories}
    known |= tx.memories.memories([id for id in dict.fromkeys(speaking) if id not in known])
    found: dict[str, Told] = {}
    notices: list[str] = []
    for memory in memories:
        if not memory.slot:
            for told in _single(tx, memory, asked):
                found.setdefault(told.memory.id, told)
        elif (history := histories.pop(memory.slot, None)) is not None:
            for told in _of_slot(known, history, asked):
                found.setdefault(told.memory.id, told)
            if history.current is None:
                notices.append(f"{memory.slot}: {_EMPTY[history.empty]}")
    return Subjects(tuple(found.values()), tuple(notices))


def _speaking(history: SlotHistory) -> list[str]:
    """Return the memories that a slot's history names."""
    return [id for id in (*(one.memory for one in history.stretches), *(one[0] for one in history.disputed)) if id]


def _single(tx: Transaction, memory: StoredMemory, asked: ContextQuery) -> Iterable[Told]:
    """Return a memory without a slot, and its successor where it has one."""
    at = micros(instant(asked.at, asked.zone))
    if memory.status == "archived" or (asked.known_at and memory.recorded_at > asked.known_at):
        return
    if memory.starts > at:
        yield Told(memory, "history", (f"not before {day(memory.valid_from)}",))
        return
    if memory.stops > at and memory.status != "disputed":
        section = "open_questions" if memory.kind == "question" else "current"
        yield Told(memory._replace(status="active"), section)
        return
    following = tx.memories.memories([memory.superseded_by]).get(memory.superseded_by) if memory.superseded_by else None
    if following is not None:
        yield from _single(tx, following, asked)
    memory = memory._replace(status="superseded")
    since = f"since {day(memory.valid_to)}: {brief(following)}" if following else f"ended {day(memory.valid_to)}"
    yield Told(memory, "history", (since,))


def _of_slot(known: Mapping[str, StoredMemory], history: SlotHistory, asked: ContextQuery) -> Iterable[Told]:
    """Return what a slot says: what is in force, what disputes it, what was before."""
    word_of = {id: known[id].trust for id in _speaking(history) if id in known}
    current = history.current
    if current is not None and current.memory in known:
        row = _worded(known[current.memory], current)._replace(status="active")
        section = "open_questions" if row.kind == "question" else "current"
        yield Told(row, section, _current_notices(history, current, word_of))
    for memory, content, why, trust in history.disputed:
        begins = known[memory].valid_from if memory in known else ""
        is_later = asked.past and begins and instant(begins, asked.zone) > instant(asked.at, asked.zone)
        if memory in known and not is_later:
            told = f"disputed: {why}; trust {trust}"
            yield Told(known[memory]._replace(status="disputed", content=content), "disputed", (told,))
    for place, one in reversed(list(enumerate(history.stretches))):
        if one.memory in known and one != current and one.state == "stated":
            following = history.stretches[place + 1] if place + 1 < len(history.stretches) else None
            yield Told(
                _worded(known[one.memory], one)._replace(status="superseded"),
                "history",
                (_span(one, following, word_of),),
            )


def _worded(memory: StoredMemory, stretch: SlotStretch) -> StoredMemory:
    """Return a memory as a stretch words it, with the stretch's dates."""
    return memory._replace(
        content=stretch.content or memory.content,
        value=stretch.value or memory.value,
        valid_from=day(stretch.start) if stretch.start else memory.valid_from,
        valid_to=day(stretch.stop) if stretch.stop else "",
    )


def _current_notices(history: SlotHistory, current: SlotStretch, trust: Mapping[str, str]) -> tuple[str, ...]:
    """Return since when an answer holds, and what held before: "since 2026-02-03: Valencia; before: Madrid"."""
    since = f"since {day(current.start)}: " if current.start else ""
    until = f", until {day(current.stop)}" if current.stop else ""
    said = [f"{history.slot} {since}{_says(current, trust)}{until}"]
    former = [one for one in history.stretches if one.start < current.start and one.state == "stated"]
    if former:
        before = ", ".join(
            _says(one, trust) + (f" (from {day(one.start)})" if one.start else "")
            for one in reversed(former[-_BEFORE:])
        )
        more = f" and {len(former) - _BEFORE} more" if len(former) > _BEFORE else ""
        said.append(f"before: {before}{more}")
    notices = ["; ".join(said)]
    if current.contested_since:
        notices.append(
            f"contested since {day(current.contested_since)}: claims of the same date contradict one another"
        )
    return tuple(notices)


def _span(one: SlotStretch, following: SlotStretch | None, trust: Mapping[str, str]) -> str:
    """Return from when to when something held, and what followed."""
    begin = day(one.start) if one.start else "?"
    end = day(one.stop) if one.stop else "…"
    follows = f"; then: {_says(following, trust)}" if following is not None and following.start == one.stop else ""
    return f"{begin} to {end}{follows}"


def _says(one: SlotStretch, trust: Mapping[str, str]) -> str:
    """Return what a stretch says in a few words."""
    return in_brief(one.value or one.content, trust.get(one.memory, "")) or f"({one.state})"
