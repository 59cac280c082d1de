"""Present: memories as an answer shows them at an instant, outside of any ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.citation import memory_citation
from treering.domain.query import Result
from treering.domain.text import llm_tokens
from treering.recall.excerpt import excerpt
from treering.recall.quotes import quotes_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.evidence import Quoted
    from treering.domain.query import Result as Shown
    from treering.ports import Transaction
    from treering.records import StoredMemory, StoredSource

_MOST_TOKENS = 200
"""Of one memory's words: a long one is shown by its beginning; ``show`` has all of it."""


def results(
    tx: Transaction, memories: Sequence[StoredMemory], notices: dict[str, tuple[str, ...]], words: dict[str, float]
) -> tuple[Shown, ...]:
    """Return memories as results, in order.

    Args:
        tx: the store.
        memories: which.
        notices: what a reader must know of each, by id.
        words: stems of the question, around which a long memory is cut.
    """
    ids = [memory.id for memory in memories]
    quotes, labels = quotes_of(tx, ids), tx.memories.labels(ids)
    mentions = tx.entities.mentions(ids)
    entities = tx.entities.entities(sorted({one for ones in mentions.values() for one in ones}))
    sources = tx.sources.sources(sorted({memory.source for memory in memories} - {""}))
    return tuple(
        _result(
            memory,
            sources.get(memory.source),
            quotes[memory.id],
            labels[memory.id],
            tuple(entities[one].name for one in mentions.get(memory.id, ())),
            notices.get(memory.id, ()),
            words,
        )
        for memory in memories
    )


def shortened(text: str, most: int, words: Mapping[str, float]) -> str:
    """Return a text, or what fits of it around the words of a question."""
    if llm_tokens(text) <= most:
        return text
    return excerpt(text, most, words).text


def _result(
    memory: StoredMemory,
    source: StoredSource | None,
    quotes: tuple[Quoted, ...],
    labels: dict[str, tuple[str, ...]],
    entities: tuple[str, ...],
    notices: tuple[str, ...],
    words: dict[str, float],
) -> Shown:
    """Return one memory as a result."""
    text = shortened(memory.content, _MOST_TOKENS, words)
    return Result(
        id=memory.id,
        title=memory.title,
        text=text,
        citation=memory_citation(memory.id, memory.recorded_at, memory.title),
        path=(),
        source=source.id if source else "",
        key=source.key if source else "",
        file=None,
        version=source.version if source else "",
        trust=memory.trust,
        lines=(1, memory.content.count("\n") + 1),
        metadata=labels,
        chunks=(),
        score=1.0,
        tokens=llm_tokens(text),
        notices=notices,
        type="memory",
        kind=memory.kind,
        status=memory.status,
        verification=memory.verification,
        recorded_at=memory.recorded_at,
        quotes=quotes,
        slot=memory.slot,
        value=memory.value,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        superseded_by=memory.superseded_by,
        entities=entities,
        summary=memory.summary,
    )
