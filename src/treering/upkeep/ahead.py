"""Reading ahead: what a check asks for one memory at a time, read for a page of memories at once.

Checking 50,000 histories asked the database half a million times, which was most of what it took.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.ports import Transaction

_OF_CLAIMS: Final = ("replaced", "replacing", "evidence")


class _ClaimsAhead:
    """The claims of a store, some of them read already; everything else is the store's."""

    def __init__(self, tx: Transaction, memories: Sequence[str]) -> None:
        """Read the claims of some memories; what is known of them is read for all when it is first asked for."""
        self._claims = tx.claims
        self._of = tx.claims.of_memories(memories)
        self._every = [one.id for some in self._of.values() for one in some]
        self._ids = frozenset(self._every)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the store's claims have
        """Return what the store has, or what was read ahead of it."""
        whole = getattr(self._claims, name)
        if name not in _OF_CLAIMS:
            return whole
        known = whole(self._every)
        every = self._ids

        def read(ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
            """Return what was read of some claims; of others the store tells."""
            if not every.issuperset(ids):
                return whole(ids)
            return {id: known[id] for id in ids if id in known}

        setattr(self, name, read)
        return read

    def of_memories(self, memories: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the claims of memories."""
        try:
            return {one: self._of[one] for one in memories}
        except KeyError:
            return self._claims.of_memories(memories)

    @cached_property
    def _decisions(self) -> dict[str, list[Any]]:
        """The decisions on each claim."""
        return _by_claim(self._claims.decisions(self._every))

    @cached_property
    def _revisions(self) -> dict[str, list[Any]]:
        """What each claim said before."""
        return _by_claim(self._claims.revisions(self._every))

    def decisions(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the decisions on claims."""
        if not self._ids.issuperset(ids):
            return self._claims.decisions(ids)
        known = self._decisions
        return sorted((one for id in ids for one in known.get(id, ())), key=lambda one: one.number) if known else []

    def revisions(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return what claims said before."""
        if not self._ids.issuperset(ids):
            return self._claims.revisions(ids)
        known = self._revisions
        found = (one for id in ids for one in known.get(id, ()))
        return sorted(found, key=lambda one: (one.revision, one.claim)) if known else []


def _by_claim(rows: Iterable[Any]) -> dict[str, list[Any]]:
    """Return rows under the claim that each is about."""
    found: dict[str, list[Any]] = {}
    for one in rows:
        found.setdefault(one.claim, []).append(one)
    return found


class _MemoriesAhead:
    """The memories of a store, some of them read already."""

    def __init__(self, tx: Transaction, memories: Sequence[str]) -> None:
        """Note which memories are meant; they and their quotes are read when they are first asked for."""
        self._memories = tx.memories
        self._every = memories

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the store's memories have
        """Return what the store has."""
        return getattr(self._memories, name)

    @cached_property
    def _known(self) -> Any:  # noqa: ANN401  as the store gives it
        """The memories."""
        return self._memories.memories(self._every)

    @cached_property
    def _quotes(self) -> Any:  # noqa: ANN401  as the store gives it
        """What each of them rests on now."""
        return self._memories.quotes(self._every)

    def memories(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return the known ones."""
        try:
            return {one: self._known[one] for one in ids}
        except KeyError:
            return self._memories.memories(ids)

    def quotes(self, ids: Sequence[str]) -> Any:  # noqa: ANN401  as the store's method
        """Return what memories rest on now."""
        try:
            return {one: self._quotes[one] for one in ids}
        except KeyError:
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
    """Return a transaction that answers for some memories from what it reads at once, for one look at each.

    Args:
        tx: the transaction.
        memories: as many as fit a page; what is changed meanwhile is seen by the next page.
    """
    return cast("Transaction", _Ahead(tx, memories))
