"""Memories as they stand, with their labels: the relational half, written once for both databases."""

from __future__ import annotations

from treering.backends.engine import in_list, next_number, upsertion
from treering.backends.filters import memory_condition
from treering.backends.space import InSpace
from treering.domain.memory import STATUSES
from treering.domain.query import EVERYTHING
from treering.records import Quote, StoredMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Final

    from treering.backends.engine import Value
    from treering.domain.query import Filter

_COLUMNS: Final = (
    "id, entry, kind, title, content, summary, source, status, verification, trust, revision, fingerprint,"
    " recorded_at, changed_at, slot, value, why, valid_from, valid_to, starts, stops, superseded_by"
)
_NAMES: Final = ("space", *StoredMemory._fields)
MEMORY: Final = f"select {_COLUMNS} from memory where space = :space"
"""Beginning of a statement whose rows are ``StoredMemory``."""


class SqlMemories(InSpace):
    """``ports.Memories`` in the common SQL of SQLite and PostgreSQL."""

    def next_entry(self) -> int:
        """Return a number for a keyword row."""
        return next_number(self._db, self._space, "entry", 1)

    def put(self, memory: StoredMemory) -> None:
        """Store a memory, new or changed."""
        sql = upsertion("memory", 2, _NAMES)
        self._db.run(sql, {"space": self._space, **memory._asdict()})

    def put_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Replace a memory's tags and metadata."""
        self._db.run("delete from memory_label where space = :space and memory = :memory", self._params(memory=memory))
        self.add_labels(memory, labels)

    def add_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Store the tags and metadata of a memory that has none."""
        self._db.run_many(
            "insert into memory_label (space, memory, key, place, value)"
            " values (:space, :memory, :key, :place, :value)",
            [
                self._params(memory=memory, key=key, place=place, value=value)
                for key, values in labels.items()
                for place, value in enumerate(values)
            ],
        )

    def labels(self, memories: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return tags and metadata of each given memory."""
        found: dict[str, dict[str, tuple[str, ...]]] = {memory: {} for memory in memories}
        sql = "select memory, key, value, place from memory_label where space = :space and memory in"
        for memory, key, value, _ in sorted(self._in(sql, memories), key=lambda row: (row[0], row[1], row[3])):
            found[memory][key] = (*found[memory].get(key, ()), value)
        return found

    def quotes(self, memories: Sequence[str]) -> dict[str, list[Quote]]:
        """Return what each given memory rests on now."""
        found: dict[str, list[Quote]] = {memory: [] for memory in memories}
        sql = (
            "select c.memory, c.recorded_at, e.place, e.version, e.start, e.stop, e.quote from claim c"
            " cross join evidence e where c.space = :space and e.space = c.space and e.claim = c.id and e.until = 0"
            " and c.memory in"
        )
        # A cross join, because the planner would rather begin at the evidence of all memories.
        for row in sorted(self._in(sql, memories), key=lambda row: row[:3]):
            found[row[0]].append(Quote(*row[3:]))
        return found

    def memories(self, ids: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the known ones among ``ids``."""
        return {row[0]: StoredMemory(*row) for row in self._in(f"{MEMORY} and id in", ids)}

    def by_entries(self, entries: Sequence[int]) -> dict[int, StoredMemory]:
        """Return the memories that the keyword rows stand for."""
        return {row[1]: StoredMemory(*row) for row in self._in(f"{MEMORY} and entry in", entries)}

    def by_sources(
        self, sources: Sequence[str], known: Mapping[str, StoredMemory] | None = None
    ) -> dict[str, StoredMemory]:
        """Return the memories whose own notes the sources are; what is ``known`` by its id as it is given."""
        # A note's key names its claim: an index of notes beside it would be one more to write with each memory.
        sql = (
            "select s.id, c.memory from source s cross join claim c where s.space = :space and s.key like 'note:mem_%'"
            " and c.space = s.space and c.id = substr(s.key, 6) and c.note = s.id and s.id in"
        )
        owners = {row[0]: row[1] for row in self._in(sql, sources)}
        found = dict(known or {})
        found |= self.memories([memory for memory in set(owners.values()) if memory not in found])
        return {note: found[memory] for note, memory in owners.items() if memory in found}

    def by_fingerprint(self, fingerprint: int) -> list[StoredMemory]:
        """Return the memories with this content that are not archived, the oldest first."""
        # Sorted here: asked for an order by id, the planner would rather read all memories in that order.
        sql = f"{MEMORY} and fingerprint = :fingerprint and status <> 'archived'"
        rows = self._db.rows(sql, self._params(fingerprint=fingerprint))
        return sorted((StoredMemory(*row) for row in rows), key=lambda one: one.id)

    def list_memories(
        self, statuses: Sequence[str], limit: int, after: str, filter: Filter = EVERYTHING
    ) -> list[StoredMemory]:
        """Return memories of some statuses that pass a filter, newest first."""
        condition, params = _passing(statuses, filter)
        sql = (
            f"select {_COLUMNS} from memory m where m.space = :space and (:after = '' or m.id < :after)"
            f" and {condition} order by m.id desc limit :limit"
        )
        rows = self._db.rows(sql, self._params(after=after, limit=limit, **params))
        return [StoredMemory(*row) for row in rows]

    def tally(self) -> list[tuple[str, str, str, int]]:
        """Return how many memories there are of each kind, status and verification that occurs."""
        columns = "kind, status, verification"
        sql = f"select {columns}, count(*) from memory where space = :space group by {columns} order by {columns}"
        return [(row[0], row[1], row[2], int(row[3])) for row in self._db.rows(sql, self._params())]

    def categories(self) -> list[tuple[str, int]]:
        """Return the values of the metadata ``category`` with the active memories that have it, by value."""
        sql = (
            "select l.value, count(*) from memory_label l join memory m on m.space = l.space and m.id = l.memory"
            " where l.space = :space and l.key = 'category' and m.status = 'active' group by l.value order by l.value"
        )
        return [(row[0], int(row[1])) for row in self._db.rows(sql, self._params())]

    def count(self, statuses: Sequence[str] = (), filter: Filter = EVERYTHING) -> int:
        """Return how many memories have one of some statuses and pass a filter."""
        if "active" in statuses and filter == EVERYTHING:  # all but a few: without them, no row is read
            others = tuple(status for status in STATUSES if status not in statuses)
            return self.count() - (self.count(others) if others else 0)
        condition, params = _passing(statuses, filter)
        sql = f"select count(*) from memory m where m.space = :space and {condition}"
        return int(self._db.rows(sql, self._params(**params))[0][0])

    def remove(self, memory: str) -> None:
        """Remove a memory's row with its labels."""
        self._db.run("delete from memory where space = :space and id = :id", self._params(id=memory))

    def bury(self, id: str, at: str, reason: str = "") -> None:
        """Leave a tombstone in place of something that was erased."""
        self._db.run(
            "insert into tombstone (space, id, forgotten_at, reason) values (:space, :id, :at, :reason)"
            " on conflict do nothing",
            self._params(id=id, at=at, reason=reason),
        )

    def forgotten_at(self, id: str) -> str | None:
        """Return when something of this id was forgotten."""
        sql = "select forgotten_at from tombstone where space = :space and id = :id"
        found = self._db.rows(sql, self._params(id=id))
        return found[0][0] if found else None

    def kept_out(self) -> frozenset[str]:
        """Return the names of files that stay out of the index."""
        sql = "select id from tombstone where space = :space and id >= 'out_' and id < 'out`'"
        return frozenset(row[0] for row in self._db.rows(sql, self._params()))

    def readmit(self, names: Iterable[str]) -> None:
        """Let files come back into the index."""
        for name in names:
            self._db.run("delete from tombstone where space = :space and id = :id", self._params(id=name))


def _passing(statuses: Sequence[str], filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return the condition on ``memory m`` that it has one of the statuses and passes a filter."""
    condition, params = memory_condition(filter)
    if not statuses:
        return condition, params
    names, more = in_list("status", statuses)
    if "active" not in statuses:  # what is active is in no index of statuses, and the planner must see that none is
        condition = f"m.status <> 'active' and {condition}"
    return f"m.status in {names} and {condition}", params | more
