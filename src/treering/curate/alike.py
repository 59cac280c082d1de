"""Alike: which memories say nearly what another text says, and which of them may be merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.likeness import Alike, Shape, are_same, in_full, likeness, shape
from treering.domain.policy import LEVEL
from treering.domain.text import query_terms, search_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from treering.domain.query import Term
    from treering.ports import Transaction
    from treering.records import StoredMemory

_TELLING: Final = 3
"""Words of a text by which those like it are looked for, two at a time: its rarest."""

_FREQUENT: Final = 2000
"""Entries that hold a word which tells little: two of them together took 15 ms in 50,000 memories of one pattern."""

_LOOKED_AT: Final = 40
"""Entries that hold two such words and are compared."""

_NAMED: Final = 5
_PAGE: Final = 500

# Two statements that are the same share one of the rarest words of each, but for those that one of them has beyond the
# other: of n words 2 (1 − .92) / .92 · n at the most.
_BEYOND: Final = 0.18
_MOST_RIVALS: Final = 200
"""Memories that share a word and are compared with each other; of more, each is found by its neighbours."""


def shape_of(tx: Transaction, text: str) -> Shape:
    """Return a statement as it is compared."""
    whole = in_full(text)
    return shape(whole, tx.keywords.stems(search_text(whole)))


def like(tx: Transaction, memory: StoredMemory, same: float, related: float) -> tuple[Alike, ...]:
    """Return the memories that say nearly what one says, the likest first.

    Looked for by the rarest words of it, so that it takes as long in a large store as in a small one.

    Args:
        tx: the store.
        memory: the one.
        same: likeness from which on two may be merged.
        related: likeness from which on one is named.
    """
    mine = shape_of(tx, memory.content)
    found = []
    for other in tx.memories.by_entries(holders(tx, memory.content)).values():
        if other.id == memory.id or other.status != "active":
            continue
        theirs = shape_of(tx, other.content)
        value = likeness(mine, theirs, related)
        if value >= related:
            alike = _stands_for(memory, other) and are_same(mine, theirs, value, same)
            found.append(Alike(other.id, round(value, 3), alike))
    return tuple(sorted(found, key=lambda one: (-one.same, -one.likeness, one.id))[:_NAMED])


def holders(tx: Transaction, text: str) -> list[int]:
    """Return entries that hold two of a text's three rarest words."""
    terms = [term for term in query_terms(text) if term.weight]
    known = sorted((n, place) for place, n in enumerate(tx.keywords.frequencies(terms)) if n)[:_TELLING]
    known = [pair for pair in known if pair[0] <= _FREQUENT] or known[:1]
    rare = [terms[place] for _, place in known]
    pairs: list[Sequence[Term]] = [(one, other) for place, one in enumerate(rare) for other in rare[place + 1 :]]
    found: dict[int, None] = {}
    for pair in pairs or [rare]:
        found |= dict.fromkeys(tx.keywords.holding(pair, _LOOKED_AT))
        if len(found) >= _LOOKED_AT:
            break
    return list(found)


def groups(tx: Transaction, same: float) -> Iterator[tuple[StoredMemory, ...]]:
    """Yield the memories that say the same, group by group: first the one that is to stay."""
    shapes: dict[str, tuple[StoredMemory, Shape]] = {}
    for memory in _active(tx):
        shapes[memory.id] = (memory, shape_of(tx, memory.content))
    leader = {id: id for id in shapes}

    def root(id: str) -> str:
        while leader[id] != id:
            leader[id] = leader[leader[id]]
            id = leader[id]
        return id

    for one, other in _pairs(shapes):
        if root(one) != root(other):
            mine, theirs = shapes[one][1], shapes[other][1]
            if are_same(mine, theirs, likeness(mine, theirs, same), same):
                leader[root(one)] = root(other)
    members: dict[str, list[StoredMemory]] = {}
    for id, (memory, _) in shapes.items():
        members.setdefault(root(id), []).append(memory)
    yield from (_best_first(several) for several in members.values() if len(several) > 1)


def _active(tx: Transaction) -> Iterator[StoredMemory]:
    """Yield every active memory, the newest first."""
    after = ""
    while page := tx.memories.list_memories(("active",), _PAGE, after):
        yield from page
        after = page[-1].id


def _pairs(shapes: dict[str, tuple[StoredMemory, Shape]]) -> Iterator[tuple[str, str]]:
    """Yield pairs that may say the same: of one topic and time, with the same particulars and a rare word in common."""
    counts: dict[str, int] = {}
    for _, found in shapes.values():
        for word in set(found.words):
            counts[word] = counts.get(word, 0) + 1
    rivals: dict[tuple[object, ...], list[str]] = {}
    for id, (memory, found) in shapes.items():
        rare = sorted(set(found.words), key=lambda word: (counts[word], word))
        for word in rare[: 1 + int(_BEYOND * len(found.words)) + 1]:
            holders = rivals.setdefault((*_topic(memory), found.particulars, word), [])
            yield from ((id, other) for other in holders[-_MOST_RIVALS:])
            holders.append(id)


def _topic(memory: StoredMemory) -> tuple[str, ...]:
    """Return what two memories must have in common besides their words."""
    return memory.slot, memory.value, memory.valid_from, memory.valid_to, memory.kind


def _stands_for(one: StoredMemory, other: StoredMemory) -> bool:
    """Tell whether two memories answer the same topic for the same time."""
    return _topic(one) == _topic(other)


def _best_first(several: Iterable[StoredMemory]) -> tuple[StoredMemory, ...]:
    """Return memories that say the same: first the one that is vouched for, then trusted most, says most, is oldest."""
    return tuple(
        sorted(
            several,
            key=lambda one: (one.verification != "user_confirmed", -LEVEL[one.trust], -len(one.content), one.id),
        )
    )


def stands_in(tx: Transaction, text: str) -> Sequence[str]:
    """Return the stored texts among which one that is given back would be."""
    entries = holders(tx, text)
    memories = [memory.content for memory in tx.memories.by_entries(entries).values()]
    return [chunk.text for chunk in tx.sources.chunks(entries).values()] + memories
