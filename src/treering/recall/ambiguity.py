"""Ambiguity: where what answers equally well is about different things, they are listed and nothing is guessed."""

from __future__ import annotations

import re

from treering.domain import ambiguity
from treering.domain.ambiguity import Choice
from treering.domain.citation import marked
from treering.domain.depth import in_short
from treering.domain.fold import folded
from treering.domain.ids import chunk_id
from treering.domain.named import NamedTuple
from treering.domain.source import DATED
from treering.domain.text import llm_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.domain.query import Query
    from treering.journal import StoredEntity
    from treering.ports import Transaction
    from treering.recall.candidates import Asked, Candidate

_LOOKED_AT: Final = 12
_MOST_CHOICES: Final = 6
_WHOLE: Final = 0.999
_AROUND_TOKENS: Final = 14
"""For the number, the id and the day around a choice."""

_FRAME_TOKENS: Final = 40
"""For the lines above and below the choices."""


class Doubt(NamedTuple):
    """What a question may mean.

    Attributes:
        choices: one for each thing, and what speaks of none in particular; empty where there is no doubt.
        about: what each is about, by keyword row.
        confidence: how sure the best one is, 0..1.
        why: what was decided, in words.
    """

    choices: tuple[Candidate, ...]
    about: dict[int, str]
    confidence: float
    why: str


NO_DOUBT: Final = Doubt((), {}, 1.0, "one answer, or all about one thing")


def doubt(tx: Transaction, passed: Sequence[Candidate], asked: Asked, query: Query) -> Doubt:
    """Return what a question may mean, if the best answers are about different things and none is far ahead.

    Args:
        tx: the store.
        passed: candidates with enough evidence, best first.
        asked: the question as the index understands it.
        query: the question, with how far ahead the best must be.
    """
    narrowed = query.filter.entities or query.filter.slot or query.filter.part == "code"
    if len(passed) < 2 or narrowed:
        return NO_DOUBT
    best = passed[0]
    rivals = [one for one in passed[:_LOOKED_AT] if one.evidence.coverage >= best.evidence.coverage - query.margin]
    if len(rivals) < 2:
        return NO_DOUBT
    about = _entities(tx, rivals, query) or _subjects(rivals)
    by_surname = {} if about else _surnames(rivals, asked, query)
    if len(set((about or by_surname).values())) < 2 or (about and best.chunk.entry not in about):
        return NO_DOUBT
    about = about or by_surname  # of bare first names the best one may be anybody's
    mine = about.get(best.chunk.entry, "")
    others = [one for one in rivals if about.get(one.chunk.entry, mine) != mine]
    margin = min(_margin(best, one) for one in others)
    sure = ambiguity.confidence(best.evidence.coverage, margin)
    words = f"coverage {best.evidence.coverage:.2f}, margin {margin:.2f}: confidence {sure:.2f}"
    if margin >= query.margin and (query.clue or sure >= query.threshold):
        return NO_DOUBT._replace(confidence=sure, why=words)
    choices = _one_of_each(rivals, about)
    return Doubt(choices, about, sure, f"{words}; it may mean {len(set(about.values()))} things")


def _margin(best: Candidate, other: Candidate) -> float:
    """Return how far another candidate is behind: where both hold every word, length alone would part them."""
    if best.evidence.coverage >= _WHOLE and other.evidence.coverage >= _WHOLE:
        return 0.0
    by_words = 1 - other.evidence.coverage / best.evidence.coverage if best.evidence.coverage else 0.0
    return max(by_words, 1 - other.score / best.score, 0.0)


def _one_of_each(rivals: Sequence[Candidate], about: dict[int, str]) -> tuple[Candidate, ...]:
    """Return the best candidate about each thing, and those that may be about any of them, in their order."""
    seen: set[str] = set()
    found = []
    for one in rivals:
        thing = about.get(one.chunk.entry, "")
        if not thing or thing not in seen:
            found.append(one)
        seen.add(thing)
    named = [one for one in found if one.chunk.entry in about]
    kept = (named + [one for one in found if one.chunk.entry not in about])[:_MOST_CHOICES]
    return tuple(one for one in found if one in kept)


def _entities(tx: Transaction, rivals: Sequence[Candidate], query: Query) -> dict[int, str]:
    """Return whom memories mean by a word of the question that is in the names of several, by keyword row.

    Whoever is named whole is meant, and nobody else.
    """
    memories = [one.memory.id for one in rivals if one.memory is not None]
    if len(memories) < 2:
        return {}
    mentions = tx.entities.mentions(memories)
    ids = {id for ids in mentions.values() for id in ids}
    if len(ids) < 2:
        return {}
    asked = _name_words(query.text)
    called: dict[str, set[str]] = {}
    entities = tx.entities.entities(sorted(ids))
    for one in entities.values():
        names = [_name_words(name) for name in (one.name, *one.aliases)]
        if any(len(name) > 1 and asked.issuperset(name) for name in names):
            return {}
        for word in asked.intersection(frozenset().union(*names)):
            called.setdefault(word, set()).add(one.id)
    meant = max(called.values(), key=len, default=set())
    if len(meant) < 2:
        return {}
    found = {}
    for rival in rivals:
        mine = meant.intersection(mentions.get(rival.memory.id, ())) if rival.memory else set()
        if len(mine) == 1:
            found[rival.chunk.entry] = _called(entities[mine.pop()])
    return found


def _name_words(text: str) -> frozenset[str]:
    """Return the words of a text as names are compared."""
    return frozenset(re.findall(r"\w+", folded(text)))


def _called(entity: StoredEntity) -> str:
    """Return the longest name of an entity, which tells most."""
    return max((entity.name, *entity.aliases), key=len)


def _subjects(rivals: Sequence[Candidate]) -> dict[int, str]:
    """Return whose topic each memory answers, where the same is known of several and the question names none."""
    whole = [one for one in rivals if one.memory and one.memory.slot and one.evidence.coverage >= _WHOLE]
    topics: dict[str, dict[int, str]] = {}
    for one in whole:
        subject, _, topic = (one.memory.slot if one.memory else "").rpartition("/")
        if subject:
            topics.setdefault(topic, {})[one.chunk.entry] = subject
    return next((found for found in topics.values() if len(set(found.values())) > 1), {})


def _surnames(rivals: Sequence[Candidate], asked: Asked, query: Query) -> dict[int, str]:
    """Return whom texts mean by a bare first name, by keyword row, where they say so."""
    words = [term for term in asked.terms if term.weight]
    if len(words) != 1 or len(words[0].words) != 1 or words[0].prefix:
        return {}
    name = words[0].words[0]
    if f"{name[:1].upper()}{name[1:]}" not in query.text or not ambiguity.is_name(
        name, [one.chunk.text for one in rivals]
    ):
        return {}
    found = {}
    for one in rivals:
        personal = one.memory is not None or one.source.kind in DATED
        if said := ambiguity.sense(name, one.chunk.text, is_personal=personal):
            found[one.chunk.entry] = said
    owned = any(said.islower() for said in found.values())
    if owned:  # one text tells of people, so the others do
        for one in rivals:
            if one.chunk.entry not in found and (said := ambiguity.sense(name, one.chunk.text, is_personal=True)):
                found[one.chunk.entry] = said
    return found


def choices(doubt: Doubt, place_of: Callable[[str], str], max_tokens: int) -> tuple[tuple[Choice, ...], int]:
    """Return what a question may mean, as it is shown inside a budget, and what it costs.

    Args:
        doubt: what may be meant.
        place_of: returns how the file or key of a source is shown.
        max_tokens: the budget.
    """
    left = max_tokens - _FRAME_TOKENS
    most = max((one.score for one in doubt.choices), default=1.0)
    shown: list[Choice] = []
    for one in doubt.choices:
        choice = _choice(one, doubt.about.get(one.chunk.entry, ""), place_of, one.score / most)
        cost = llm_tokens(f"{choice.place} {choice.about} {marked(choice.text, choice.trust)}") + _AROUND_TOKENS
        if cost > left:
            choice = choice._replace(text="")
            cost = llm_tokens(f"{choice.place} {choice.about}") + _AROUND_TOKENS
        if cost <= left:
            shown.append(choice)
            left -= cost
    return tuple(shown), max_tokens - left


def _choice(one: Candidate, about: str, place_of: Callable[[str], str], score: float) -> Choice:
    """Return one thing that may be meant."""
    memory, chunk = one.memory, one.chunk
    if memory is not None:
        told = memory.valid_from or memory.recorded_at
        text = in_short(memory.content, memory.summary)
        return Choice(
            memory.id, "memory", about, memory.title, text, memory.id, told[:10], memory.trust, round(score, 4)
        )
    return Choice(
        chunk_id(chunk.version, chunk.ordinal), "chunk", about, one.source.title, in_short(chunk.text),
        f"{place_of(one.source.key)}:{chunk.first_line}", one.source.source_time[:10], one.source.trust,
        round(score, 4),
    )  # fmt: skip
