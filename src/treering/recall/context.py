"""Context: one question, the assembled, cited answer.

Find what the question brings up; tell what the memories among it say at the instant that is meant; add what is known of
whom it names. ``sections`` lays all of it out, inside the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.context import Context, ContextQuery
from treering.domain.dates import instant, micros
from treering.domain.entity import Entity, name_key
from treering.domain.naming import entities_in, keys_within
from treering.domain.scoring import with_meaning
from treering.domain.slot import slot_key
from treering.domain.text import query_terms
from treering.errors import InputError
from treering.recall.assemble import TALKS
from treering.recall.pipeline import Found, Trace, find
from treering.recall.ranking import KEYWORD_GATE
from treering.recall.sections import BroughtUp, date_of, laid_out
from treering.recall.subjects import Subjects, Told, subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from treering.domain.query import Result
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.recall.meaning import Meaning
    from treering.records import StoredMemory

_LEAST_BROUGHT_UP: Final = 8
_MOST_BROUGHT_UP: Final = 24
_EACH_TOKENS: Final = 110
"""Candidates that are looked at, which memories and passages share: as many as a budget has room for."""

_NAMED: Final = 5
"""Memories that are listed for being about somebody the question names."""

_WEAK: Final = 3
"""Memories that are listed without being evidence."""

_IN_TIME: Final = 1.3
"""What being of a time that the question names counts."""

_FAINT: Final = 0.4
"""Cosine from which a memory without a word of the question is near enough to be listed."""


def context(
    tx: Transaction,
    asked: ContextQuery,
    place_of: Callable[[str], str],
    meaning: Meaning | None = None,
    marked: Callable[[Sequence[Result]], tuple[Result, ...]] = tuple,
) -> Context:
    """Return what answers a question: current, disputed, open, former, and passages, each with its citation.

    Writes nothing. Its text never costs more than ``asked.query.max_tokens``.

    Args:
        tx: the store.
        asked: the question.
        place_of: returns how the file or key of a source is shown.
        meaning: what the question means; None for words alone.
        marked: adds to passages what a reader must know of their files.
    """
    return laid_out(tx, asked, brought_up(tx, asked, meaning), place_of, marked)


def brought_up(tx: Transaction, asked: ContextQuery, meaning: Meaning | None = None) -> BroughtUp:
    """Return what a question brings up: most of the work, which does not depend on how much of it is shown.

    Args:
        tx: the store.
        asked: the question.
        meaning: what it means; None for words alone.
    """
    trace = Trace()
    room = max(_LEAST_BROUGHT_UP, min(_MOST_BROUGHT_UP, asked.query.max_tokens // _EACH_TOKENS))
    found = find(tx, asked.query._replace(limit=room), meaning, trace)
    entities = _mentioned(tx, asked.query.text)
    by_name = _by_name(tx, asked.query.text, entities)
    evidence = [one for one in found.passed if _fits(tx, one, asked) and not _is_by_name(one, by_name, found.speaks)]
    evidence = _in_time(evidence, asked)
    memories = _memories(evidence)
    weak = _weak(tx, found, asked, memories) if not memories else []
    named = _named(tx, asked, entities, [*memories, *weak])
    told = subjects(tx, [*memories, *weak, *named], asked)
    trace.step("subjects", len(memories), len(told.told), f"{len(named)} named in the question, {len(weak)} weak")
    passages = any(one.memory is None for one in evidence)
    insufficient = not (passages or any(one.section in {"current", "open_questions"} for one in _sure(told, memories)))
    unsure = bool(weak or named) and not any(one.section == "disputed" for one in _sure(told, memories))
    return BroughtUp(found, evidence, told, insufficient, unsure, trace)


def _in_time(evidence: Sequence[Candidate], asked: ContextQuery) -> list[Candidate]:
    """Return candidates in which those of a time that the question names count more, best first."""
    if not asked.spans:
        return list(evidence)
    meant = [one._replace(score=one.score * _IN_TIME) if _is_in_time(one, asked) else one for one in evidence]
    return sorted(meant, key=lambda one: -one.score)


def _is_in_time(one: Candidate, asked: ContextQuery) -> bool:
    """Tell whether a candidate was told, or began to hold, in a time that the question names."""
    if one.memory is not None and one.memory.valid_from:
        told_at = one.memory.starts
    elif one.memory is not None:
        told_at = micros(instant(one.memory.recorded_at, asked.zone))
    elif date_of(one.source):
        told_at = micros(instant(date_of(one.source), asked.zone))
    else:
        return False
    return any(start <= told_at < stop for start, stop in asked.spans)


def _memories(evidence: Sequence[Candidate]) -> list[StoredMemory]:
    """Return the memories among candidates, best first, each once."""
    return list({one.memory.id: one.memory for one in evidence if one.memory is not None}.values())


def _weak(tx: Transaction, found: Found, asked: ContextQuery, memories: Sequence[StoredMemory]) -> list[StoredMemory]:
    """Return memories with too little evidence that may still help whoever asks."""
    known = {memory.id for memory in memories}
    left = [
        one
        for one in found.ranked
        if one.memory is not None and one.memory.id not in known and (one.words or (one.cosine or 0.0) >= _FAINT)
    ]
    return _memories([one for one in left if _fits(tx, one, asked)])[:_WEAK]


def _named(
    tx: Transaction, asked: ContextQuery, entities: Mapping[str, Sequence[str]], known: Sequence[StoredMemory]
) -> list[StoredMemory]:
    """Return further memories about whom the question names."""
    ids = [memory for entity in entities for memory in tx.entities.memories_of(entity)]
    seen = {memory.id for memory in known}
    more = tx.memories.memories([id for id in dict.fromkeys(ids) if id not in seen][: _NAMED * 4])
    return [one for one in more.values() if one.status != "archived" and _concerns(tx, one, asked)][:_NAMED]


def _by_name(tx: Transaction, question: str, entities: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the words of the names in a question, if it asks for more than them; else none."""
    if not entities:
        return frozenset()
    names = {stem for keys in entities.values() for key in keys for stem in tx.keywords.stems(key)}
    words = {stem for term in query_terms(question) for stem in tx.keywords.stems(" ".join(term.words))}
    return frozenset(names) if words - names else frozenset()


def _is_by_name(one: Candidate, names: frozenset[str], speaks: str) -> bool:
    """Tell whether a candidate holds nothing of a question but a name, and is not near by its meaning."""
    if not (names and one.words) or one.source.kind in TALKS or not names.issuperset(one.words):
        return False
    return with_meaning(0.0, one.cosine, speaks) < KEYWORD_GATE


def _mentioned(tx: Transaction, question: str) -> dict[str, list[str]]:
    """Return the entities that a question names, by first appearance, with the names that stand in it."""
    known = tx.entities.by_keys(keys_within(question))
    entities = tx.entities.entities(sorted({id for ids in known.values() for id in ids}))
    named = entities_in(question, [Entity(one.id, one.name, aliases=one.aliases) for one in entities.values()])
    found: dict[str, list[str]] = {}
    for one in named:
        for id in one.ids:
            found.setdefault(id, []).append(one.key)
    return found


def _fits(tx: Transaction, one: Candidate, asked: ContextQuery) -> bool:
    """Tell whether a candidate is about the project, the people and the time that are meant."""
    if one.memory is not None:
        return _concerns(tx, one.memory, asked)
    if asked.known_at and one.source.recorded_at > asked.known_at:
        return False
    if date := date_of(one.source):
        told_at = micros(instant(date, asked.zone))
        if asked.past and told_at > micros(instant(asked.at, asked.zone)):
            return False
        return (asked.since is None or told_at >= asked.since) and (asked.until is None or told_at < asked.until)
    return True


def _concerns(tx: Transaction, memory: StoredMemory, asked: ContextQuery) -> bool:
    """Tell whether a memory is about the project, the people and the time that are meant."""
    if asked.known_at and memory.recorded_at > asked.known_at:
        return False
    if asked.since is not None or asked.until is not None:
        told_at = memory.starts if memory.valid_from else micros(instant(memory.recorded_at, asked.zone))
        if (asked.until is not None and told_at >= asked.until) or (
            asked.since is not None and memory.stops <= asked.since
        ):
            return False
        if not memory.valid_from and asked.since is not None and told_at < asked.since:
            return False
    if not (asked.project or asked.participants):
        return True
    mentioned = tx.entities.mentions([memory.id]).get(memory.id, ())
    keys = {name_key(name) for one in tx.entities.entities(mentioned).values() for name in (one.name, *one.aliases)}
    people = not asked.participants or any(name_key(name) in keys for name in asked.participants)
    return people and (not asked.project or name_key(asked.project) in keys or _under(memory.slot, asked.project))


def _under(slot: str, project: str) -> bool:
    """Tell whether a slot is one of a project's."""
    try:
        return slot.startswith(f"{slot_key(project)}/")
    except InputError:
        return False


def _sure(told: Subjects, memories: Sequence[StoredMemory]) -> list[Told]:
    """Return what is told of memories that the question brought up by their words or meaning."""
    slots = {memory.slot for memory in memories} - {""}
    ids = {memory.id for memory in memories}
    return [one for one in told.told if one.memory.id in ids or one.memory.slot in slots]
