"""History: what is outdated comes with what followed it, and a memory stands for the passage that it quotes."""

from __future__ import annotations

from treering.domain.citation import marked
from treering.domain.memory import LONG_CHARS
from treering.recall.candidates import of_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.records import Quote, StoredMemory

_MOST_STEPS: Final = 100
"""Successors that are followed: a chain in a ring, which only damage can make, ends there."""

_LITTLE_MORE: Final = 2.5
"""A passage up to this many times as long as the words that a memory quotes of it says little besides them."""

_MOST: Final = 0.5
"""Of what a passage holds of the question, by weight, that a memory has to hold to stand for it."""

_SHOWN: Final = 80
_ABOVE: Final = 1e-6


def without_quoted(tx: Transaction, found: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates without passages that a memory among them quotes nearly whole; the order stays.

    A passage stays where the memory says most of the question's words otherwise.
    """
    memories = {one.memory.id: frozenset(one.words) for one in found if one.memory is not None}
    if not memories or len(memories) == len(found):
        return list(found)
    quoted: dict[str, list[tuple[Quote, frozenset[str]]]] = {}
    for memory, quotes in tx.memories.quotes(sorted(memories)).items():
        for quote in quotes:
            quoted.setdefault(quote.version, []).append((quote, memories[memory]))
    return [one for one in found if one.memory is not None or not _is_quoted(one, quoted)]


def _is_quoted(one: Candidate, quoted: Mapping[str, Sequence[tuple[Quote, frozenset[str]]]]) -> bool:
    """Tell whether quotes of memories that hold most of its words of the question are most of a passage."""
    chunk = one.chunk
    size = len(chunk.text.strip())
    shared = sum(
        max(0, min(quote.stop, chunk.stop) - max(quote.start, chunk.start))
        for quote, words in quoted.get(chunk.version, ())
        if sum(weight for word, weight in one.words.items() if word in words) >= _MOST * sum(one.words.values())
    )
    return shared > 0 and size <= _LITTLE_MORE * shared


def resolve(tx: Transaction, found: Sequence[Candidate], now: int, known_at: str = "") -> list[Candidate]:
    """Return candidates in which what was superseded stands behind its successor and says so, best first.

    A successor that the question did not bring up is put in its place.

    Args:
        tx: the store.
        found: the candidates, best first.
        now: the instant that is asked about, in microseconds since 1970; 0 for the status as it is stored.
        known_at: what was recorded later had not changed anything; empty for all.
    """
    known = {one.memory.id: one for one in found if one.memory is not None}
    if len(known) > 1 and any(one.memory and one.memory.status == "disputed" for one in known.values()):
        found = _above_disputed(found, now)
    if all(_is_plainly_current(one.memory, now) for one in known.values() if one.memory is not None):
        return list(found)
    placed: list[Candidate] = []
    raised: set[str] = set()
    for one in found:
        if one.memory is None:
            placed.append(one)
            continue
        if one.memory.id in raised:
            continue
        latest = successor(tx, one.memory, now, known_at)
        if latest is None and one.memory.status != "disputed" and _had_not_ended(tx, one.memory, now, known_at):
            placed.append(_as_it_was(tx, one, one.memory))
            continue
        if latest is not None and latest.id not in raised | {each.memory.id for each in placed if each.memory}:
            raised.add(latest.id)
            like = known.get(latest.id) or of_memory(tx, latest, one)
            like = _as_it_was(tx, like, latest) if latest.status == "superseded" else like
            placed.append(like._replace(score=max(like.score, one.score)))
        placed.append(one._replace(told=told(one.memory, latest, now)))
    return sorted(placed, key=lambda one: -one.score)


def _above_disputed(found: Sequence[Candidate], now: int) -> list[Candidate]:
    """Return candidates in which what is in force in a slot counts at least as much as what disputes it."""
    most: dict[str, float] = {}
    for one in found:
        if one.memory is not None and one.memory.slot and one.memory.status == "disputed":
            most[one.memory.slot] = max(most.get(one.memory.slot, 0.0), one.score)
    raised = [
        one._replace(score=max(one.score, most.get(one.memory.slot, 0.0) + _ABOVE))
        if one.memory is not None
        and one.memory.status != "disputed"
        and one.memory.starts <= (now or one.memory.starts)
        else one
        for one in found
    ]
    return sorted(raised, key=lambda one: -one.score)


def _is_plainly_current(memory: StoredMemory, now: int) -> bool:
    """Tell whether a memory is in force as it is stored, without a look at others."""
    return memory.status == "active" and not (now and not memory.starts <= now < memory.stops)


def _had_not_ended(tx: Transaction, memory: StoredMemory, now: int, known_at: str) -> bool:
    """Tell whether a memory was in force at an instant, as far as was known by another."""
    if not now or memory.starts > now:
        return not now and memory.status == "active"
    if memory.stops > now:
        return True
    ended_by = tx.memories.memories([memory.superseded_by]).get(memory.superseded_by) if known_at else None
    return ended_by is not None and ended_by.recorded_at > known_at


def _as_it_was(tx: Transaction, one: Candidate, memory: StoredMemory) -> Candidate:
    """Return a candidate as its memory stood when it was in force, with what followed since."""
    latest = successor(tx, memory)
    since = () if latest is None else told(memory, latest, 0, "superseded later")
    return one._replace(memory=memory._replace(status="active"), told=since)


def successor(tx: Transaction, memory: StoredMemory, now: int = 0, known_at: str = "") -> StoredMemory | None:
    """Return the last memory that followed one; None when nothing did.

    Args:
        tx: the store.
        memory: which.
        now: what begins after this instant has not followed yet; 0 for any time.
        known_at: what was recorded later is not known; empty for all.
    """
    latest: StoredMemory | None = None
    following = memory.superseded_by
    for _ in range(_MOST_STEPS):
        found = tx.memories.memories([following]).get(following) if following else None
        if found is None or (now and found.starts > now) or (known_at and found.recorded_at > known_at):
            break
        latest, following = found, found.superseded_by
    return latest


def told(memory: StoredMemory, latest: StoredMemory | None, now: int, how: str = "superseded") -> tuple[str, ...]:
    """Return what a reader must know of a memory that is not simply in force."""
    if memory.status == "disputed":
        return (f"disputed: {memory.why}",)
    if latest is not None:
        return (f"{how}: since {day(latest.valid_from or memory.valid_to)}: {brief(latest)} ({latest.id})",)
    if _is_plainly_current(memory, now):
        return ()
    if now and memory.starts > now:
        return (f"not before {day(memory.valid_from)}",)
    return (f"no longer holds, since {day(memory.valid_to)}" if memory.valid_to else "no longer holds",)


def day(date: str) -> str:
    """Return a date as it is shown: an instant at midnight as its day."""
    return date.removesuffix("T00:00:00Z") if len(date) <= len("2026-01-01T00:00:00Z") else date[:10]


def brief(memory: StoredMemory) -> str:
    """Return what a memory says in a few words."""
    return in_brief(memory.value or memory.summary or memory.content[:LONG_CHARS], memory.trust)


def in_brief(text: str, trust: str) -> str:
    """Return the beginning of a text on one line; words from outside between marks."""
    said = " ".join(text.split())
    return marked(said if len(said) <= _SHOWN else f"{said[:_SHOWN].rstrip()}…", trust)
