"""Briefings as they are told: what their memories say now, never what they no longer say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.briefing import Briefing, composed
from treering.domain.citation import memory_citation
from treering.domain.dates import instant, micros
from treering.domain.depth import brief, standing
from treering.domain.policy import LEVEL
from treering.domain.query import Result
from treering.domain.text import llm_tokens
from treering.recall.history import successor, told
from treering.recall.present import results

if TYPE_CHECKING:
    from treering.journal import StoredBriefing
    from treering.ports import Transaction
    from treering.records import StoredMemory


def briefings(tx: Transaction, at: str) -> tuple[Briefing, ...]:
    """Return the briefings that are active at an instant, the oldest first.

    Args:
        tx: the store.
        at: the instant, ISO 8601 in UTC.
    """
    return tuple(_told(tx, one, micros(instant(at))) for one in tx.attention.briefings(at))


def result(tx: Transaction, one: Briefing) -> Result:
    """Return a briefing as a context shows it: its memory, or the words of several under their own id."""
    until = f"pinned until {one.until[:16]}Z"
    if one.id in one.memories:
        [memory] = tx.memories.memories([one.id]).values()
        return results(tx, [memory], {one.id: (*one.notices, until)}, {})[0]
    return Result(
        id=one.id, title="", text=one.text, citation=memory_citation(one.id, one.pinned_at, ""), path=(), source="",
        key="", file=None, version="", trust=one.trust, lines=(1, one.text.count("\n") + 1), metadata={}, chunks=(),
        score=1.0, tokens=llm_tokens(one.text), notices=(*one.notices, until), type="memory", kind="briefing",
        status="active", recorded_at=one.pinned_at,
    )  # fmt: skip


def _told(tx: Transaction, pinned: StoredBriefing, now: int) -> Briefing:
    """Return one briefing with what its memories say."""
    known = tx.memories.memories(pinned.memories)
    memories = [known[id] for id in pinned.memories if id in known]
    notices = []
    for memory in memories:
        said = told(memory, successor(tx, memory, now), now)
        notices += [f"{memory.id} {one}" if len(memories) > 1 else one for one in said]
    if len(memories) == 1:
        text = memories[0].content
    else:
        text = composed([(one.id, one.content, one.summary) for one in memories])
    return Briefing(
        id=pinned.id,
        text=text,
        memories=tuple(one.id for one in memories),
        trust=min((one.trust for one in memories), key=LEVEL.__getitem__),
        pinned_at=pinned.pinned_at,
        until=pinned.until,
        author=pinned.author,
        notices=tuple(notices),
        brief="\n".join(_brief(one, named=len(memories) > 1) for one in memories),
    )


def _brief(memory: StoredMemory, *, named: bool) -> str:
    """Return a memory of a briefing at L1, with its id where there are several, and what must be known of it."""
    said = "".join(f" ({one})" for one in standing(memory.status, memory.superseded_by))
    return brief(memory.summary, memory.content) + (f" [{memory.id}]" if named else "") + said
