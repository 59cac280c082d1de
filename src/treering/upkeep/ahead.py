"""Reading ahead: what a check asks for one memory at a time, read for a page of memories at once.

Checking 50,000 histories asked the database half a million times, which was most of what it took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.ports import Transaction

_OF_CLAIMS: Final = ("replaced", "replacing", "evidence")


class _ClaimsAhead:
    """The claims of a store, some of them read already; everything else is the store's."""

    def __init__(self, tx: Transaction, memories: Sequence[str]) -> None:
        """Read what is known of the claims of some memories."""
        self._claims = tx.claims
        self._of = tx.claims.of_memories(memories)
        ids = [one.id for some in self._of.values() for one in some]
        self._ids = frozenset(ids)
        self._known: dict[str, dict[str, Any]] = {name: getattr(tx.claims, name)(ids) for name in _OF_CLAIMS}
        self._decisions: dict[str, list[Any]] = {}
        for one in tx.claims.decisions(ids):
            self._decisions.setdefault(one.claim, []).append(one)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the store's claims have
        """Return what the store has, unless it was read ahead."""
        whole = getattr(self._claims, name)
        if name not in _OF_CLAIMS:
            return whole
        known = self._known[name]

        def read(ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
            """Return what was read of some claims; of others the store tells."""
            if not self._ids.issuperset(ids):
                return whole(ids)
            return {id: known[id] for id in ids if id in known}

        return read

    def of_memories(self, memories: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the claims of memories."""
        if all(one in self._of for one in memories):
            return {one: self._of[one] for one in memories}
        return self._claims.of_memories(memories)

    def decisions(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the decisions on claims."""
        if not self._ids.issuperset(ids):
            return self._claims.decisions(ids)
        return sorted((one for id in ids for one in self._decisions.get(id, ())), key=lambda one: one.number)


class _MemoriesAhead:
    """The memories of a store, some of them read already."""

    def __init__(self, tx: Transaction, memories: Sequence[str]) -> None:
        """Read some memories, and their quotes."""
        self._memories = tx.memories
        self._known = tx.memories.memories(memories)
        self._quotes = tx.memories.quotes(memories)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the store's memories have
        """Return what the store has."""
        return getattr(self._memories, name)

    def memories(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the known ones."""
        if all(one in self._known for one in ids):
            return {one: self._known[one] for one in ids}
        return self._memories.memories(ids)

    def quotes(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return what memories rest on now."""
        if all(one in self._quotes for one in ids):
            return {one: self._quotes[one] for one in ids}
        return self._memories.quotes(ids)


class _Ahead:
    """A transaction with a page of memories read ahead."""

    def __init__(self, tx: Transaction, memories: Sequence[str]) -> None:
        """Read ahead what checks ask for."""
        self._tx = tx
        self.claims = _ClaimsAhead(tx, memories)
        self.memories = _MemoriesAhead(tx, memories)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a transaction has
        """Return what the transaction has."""
        return getattr(self._tx, name)


def ahead(tx: Transaction, memories: Sequence[str]) -> Transaction:
    """Return a transaction that answers for some memories from what it reads now, for one look at each of them.

    Args:
        tx: the transaction.
        memories: as many as fit a page; what is changed meanwhile is seen by the next page.
    """
    return cast("Transaction", _Ahead(tx, memories))
