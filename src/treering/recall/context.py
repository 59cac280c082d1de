"""Context: one question, the assembled, cited answer.

Find what the question brings up; tell what the memories among it say at the instant that is meant; add what is known of
whom it names; lay all out in sections, inside the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.context import Context, ContextQuery
from treering.domain.dates import instant, micros
from treering.domain.depth import shallow
from treering.domain.entity import Entity, name_key
from treering.domain.naming import entities_in, keys_within
from treering.domain.scoring import with_meaning
from treering.domain.slot import slot_key
from treering.domain.source import DATED
from treering.domain.text import query_terms
from treering.errors import InputError
from treering.recall import assemble, present, telling
from treering.recall.assemble import TALKS
from treering.recall.pipeline import Found, Trace, find
from treering.recall.ranking import KEYWORD_GATE
from treering.recall.subjects import Subjects, Told, subjects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from treering.domain.query import Result
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.recall.meaning import Meaning
    from treering.records import StoredMemory, StoredSource

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
    passages = [one for one in evidence if one.memory is None]
    insufficient = not (passages or any(one.section in {"current", "open_questions"} for one in _sure(told, memories)))
    unsure = bool(weak or named) and not any(one.section == "disputed" for one in _sure(told, memories))
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
    elif _date_of(one.source):
        told_at = micros(instant(_date_of(one.source), asked.zone))
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
    if date := _date_of(one.source):
        told_at = micros(instant(date, asked.zone))
        if asked.past and told_at > micros(instant(asked.at, asked.zone)):
            return False
        return (asked.since is None or told_at >= asked.since) and (asked.until is None or told_at < asked.until)
    return True


def _date_of(source: StoredSource) -> str:
    """Return when a source was told: its own date, else when it was recorded where that is the same; empty for none."""
    return source.source_time or (source.recorded_at if source.kind in DATED else "")


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
    laid_out = _newest_first(marked(assemble.fit(tx, passages, query, place_of, found.confidence)), passages)
    shown: list[Result] = []
    for one in laid_out:  # what is behind or gone is said of a file after its passages were laid out
        left -= telling.passage_tokens(len(shown) + 1, one)
        if left < 0:
            break
        shown.append(one)
    return tuple(shown)


def _newest_first(results: Sequence[Result], passages: Sequence[Candidate]) -> tuple[Result, ...]:
    """Return results in which those of dated sources stand the newest first, in the places that they had."""
    dated = {one.source.id: _date_of(one.source) for one in passages if one.source.kind in DATED}
    places = [place for place, one in enumerate(results) if one.source in dated]
    newest = sorted((results[place] for place in places), key=lambda one: dated[one.source], reverse=True)
    laid_out = list(results)
    for place, one in zip(places, newest, strict=True):
        laid_out[place] = one
    return tuple(laid_out)


def _words(evidence: Sequence[Candidate]) -> dict[str, float]:
    """Return the stems of the question that anything holds."""
    return {word: weight for one in evidence for word, weight in one.words.items()}


def _notices(asked: ContextQuery, told: Subjects, *, insufficient: bool, weak: bool) -> tuple[str, ...]:
    """Return what a reader should know about the whole answer."""
    notices = list(asked.notices)
    if insufficient and weak:
        notices.append("what is listed was found by a name or a faint likeness: it is no evidence")
    return (*notices, *told.notices)
