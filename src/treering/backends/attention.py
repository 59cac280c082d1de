"""Briefings, and how often memories were recalled: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import in_list, slices
from treering.records import Attended

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.backends.engine import Database, Value
    from treering.journal import StoredBriefing

# One statement for both, since every search that brings up a memory asks it.
_RAISED: Final = (
    "select memory, times, '' from recalled where space = :space and memory in {0}"
    " union all select memory, 0, until from briefing where space = :space and until > :at and memory in {0}"
)


class SqlAttention:
    """``ports.curated.Attention`` in the common SQL of SQLite and PostgreSQL."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def _params(self, **values: Value) -> dict[str, Value]:
        """Return parameters together with the space."""
        return {"space": self._space, **values}

    def pin(self, briefing: StoredBriefing) -> None:
        """Store a briefing, new or in place of the one with its id."""
        self.unpin(briefing.id)
        self._db.run_many(
            "insert into briefing (space, id, place, memory, pinned_at, until, role, author)"
            " values (:space, :id, :place, :memory, :pinned_at, :until, :role, :author)",
            [
                self._params(
                    id=briefing.id, place=place, memory=memory, pinned_at=briefing.pinned_at,
                    until=briefing.until, role=briefing.role, author=briefing.author,
                )
                for place, memory in enumerate(briefing.memories)
            ],
        )  # fmt: skip

    def unpin(self, id: str) -> None:
        """Remove a briefing."""
        self._db.run("delete from briefing where space = :space and id = :id", self._params(id=id))

    def remove_ended(self, at: str) -> None:
        """Remove the briefings that had ended at an instant."""
        self._db.run("delete from briefing where space = :space and until <= :at", self._params(at=at))

    def briefings(self, at: str) -> list[StoredBriefing]:
        """Return those that have not ended at an instant, the oldest first."""
        from treering.journal import StoredBriefing  # a search asks for none of them

        rows = self._db.rows(
            "select b.pinned_at, b.id, b.place, b.memory, b.until, b.role, b.author from briefing b"
            " join memory m on m.space = b.space and m.id = b.memory"
            " where b.space = :space and b.until > :at and m.status <> 'archived'",
            self._params(at=at),
        )
        found: dict[str, StoredBriefing] = {}
        for pinned_at, id, _, memory, until, role, author in sorted(rows):
            known = found.get(id)
            memories = (*known.memories, memory) if known else (memory,)
            found[id] = StoredBriefing(id, memories, pinned_at, until, role, author)
        return list(found.values())

    def of(self, memories: Sequence[str], at: str) -> dict[str, Attended]:
        """Return what raises each of some memories at an instant."""
        found: dict[str, Attended] = {}
        for part in slices(memories):
            names, params = in_list("i", part)
            for memory, times, until in self._db.rows(_RAISED.format(names), self._params(at=at, **params)):
                known = found.get(memory, Attended())
                found[memory] = Attended(known.times + times, max(known.pinned_until, until))
        return found

    def recall(self, times: Mapping[str, int], at: str) -> None:
        """Add how often memories were recalled, until an instant."""
        known: list[str] = []
        for part in slices(sorted(times)):
            names, params = in_list("i", part)
            sql = f"select id from memory where space = :space and id in {names}"
            known += [row[0] for row in self._db.rows(sql, self._params(**params))]
        self._db.run_many(
            "insert into recalled (space, memory, times, last_at) values (:space, :memory, :times, :at)"
            " on conflict (space, memory) do update"
            " set times = recalled.times + excluded.times, last_at = excluded.last_at",
            [self._params(memory=memory, times=times[memory], at=at) for memory in known],
        )
