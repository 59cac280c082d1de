"""Memories with evidence, labels and revisions: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import in_list, next_number, slices
from treering.backends.filters import memory_condition
from treering.domain.query import EVERYTHING
from treering.records import Quote, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treering.backends.engine import Database, Row, Value
    from treering.domain.query import Filter

_COLUMNS: Final = (
    "id, entry, kind, title, content, summary, source, status, verification, trust, revision, fingerprint,"
    " recorded_at, changed_at"
)
_MEMORY: Final = f"select {_COLUMNS} from memory where space = :space"


class SqlMemories:
    """``ports.Memories`` in the common SQL of SQLite and PostgreSQL."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def _params(self, **values: Value) -> dict[str, Value]:
        """Return parameters together with the space."""
        return {"space": self._space, **values}

    def next_entry(self) -> int:
        """Return a number for a keyword row."""
        return next_number(self._db, self._space, "entry", 1)

    def put(self, memory: StoredMemory, quotes: Sequence[Quote]) -> None:
        """Store a new memory, or a changed one whose former revision is kept beside it."""
        self._db.run(
            "insert into memory_revision (space, memory, revision, title, content, summary, changed_at)"
            " select space, id, revision, title, content, summary, :changed_at from memory"
            " where space = :space and id = :id and revision < :revision",
            self._params(id=memory.id, revision=memory.revision, changed_at=memory.changed_at),
        )
        names = _COLUMNS.split(", ")
        changes = ", ".join(f"{name} = excluded.{name}" for name in names if name != "id")
        self._db.run(
            f"insert into memory (space, {_COLUMNS}) values (:space, {', '.join(f':{name}' for name in names)})"
            f" on conflict (space, id) do update set {changes}",
            self._params(**memory._asdict()),
        )
        revision: dict[str, Value] = {"memory": memory.id, "revision": memory.revision}
        self._db.run(
            "delete from evidence where space = :space and memory = :memory and revision = :revision",
            self._params(**revision),
        )
        self._db.run_many(
            "insert into evidence (space, memory, revision, place, version, start, stop, quote)"
            " values (:space, :memory, :revision, :place, :version, :start, :stop, :text)",
            [self._params(**revision, place=place, **quote._asdict()) for place, quote in enumerate(quotes)],
        )

    def put_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Replace a memory's tags and metadata."""
        self._db.run("delete from memory_label where space = :space and memory = :memory", self._params(memory=memory))
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
        """Return the evidence of each given memory's present revision."""
        found: dict[str, list[Quote]] = {memory: [] for memory in memories}
        sql = (
            "select e.memory, e.place, e.version, e.start, e.stop, e.quote from evidence e join memory m"
            " on m.space = e.space and m.id = e.memory and m.revision = e.revision"
            " where e.space = :space and e.memory in"
        )
        for row in sorted(self._in(sql, memories), key=lambda row: (row[0], row[1])):
            found[row[0]].append(Quote(*row[2:]))
        return found

    def memories(self, ids: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the known ones among ``ids``."""
        return {row[0]: StoredMemory(*row) for row in self._in(f"{_MEMORY} and id in", ids)}

    def by_entries(self, entries: Sequence[int]) -> dict[int, StoredMemory]:
        """Return the memories that the keyword rows stand for."""
        return {row[1]: StoredMemory(*row) for row in self._in(f"{_MEMORY} and entry in", entries)}

    def by_sources(self, sources: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the memories whose own notes the sources are."""
        return {row[6]: StoredMemory(*row) for row in self._in(f"{_MEMORY} and source in", sources)}

    def by_fingerprint(self, fingerprint: int) -> StoredMemory | None:
        """Return the active memory with this content."""
        found = self._db.rows(
            f"{_MEMORY} and fingerprint = :fingerprint and status = 'active'", self._params(fingerprint=fingerprint)
        )
        return StoredMemory(*found[0]) if found else None

    def revisions(self, memory: str) -> list[tuple[int, str, str]]:
        """Return number, content and end of each former revision, oldest first."""
        sql = (
            "select revision, content, changed_at from memory_revision where space = :space and memory = :memory"
            " order by revision"
        )
        return [(row[0], row[1], row[2]) for row in self._db.rows(sql, self._params(memory=memory))]

    def list_memories(self, status: str, limit: int, after: str, filter: Filter = EVERYTHING) -> list[StoredMemory]:
        """Return memories of a status that pass a filter, newest first."""
        condition, params = memory_condition(filter)
        sql = (
            f"select {_COLUMNS} from memory m where m.space = :space and (:status = '' or m.status = :status)"
            f" and (:after = '' or m.id < :after) and {condition} order by m.id desc limit :limit"
        )
        rows = self._db.rows(sql, self._params(status=status, after=after, limit=limit, **params))
        return [StoredMemory(*row) for row in rows]

    def count(self, status: str = "", filter: Filter = EVERYTHING) -> int:
        """Return how many memories have a status and pass a filter."""
        condition, params = memory_condition(filter)
        sql = (
            "select count(*) from memory m where m.space = :space and (:status = '' or m.status = :status)"
            f" and {condition}"
        )
        return int(self._db.rows(sql, self._params(status=status, **params))[0][0])

    def remove(self, memory: str, at: str) -> None:
        """Remove a memory with all that hangs on it; a tombstone remains."""
        self._db.run("delete from memory where space = :space and id = :id", self._params(id=memory))
        self._db.run(
            "insert into tombstone (space, id, forgotten_at) values (:space, :id, :at) on conflict do nothing",
            self._params(id=memory, at=at),
        )

    def forgotten_at(self, id: str) -> str | None:
        """Return when something of this id was forgotten."""
        sql = "select forgotten_at from tombstone where space = :space and id = :id"
        found = self._db.rows(sql, self._params(id=id))
        return found[0][0] if found else None

    def _in(self, sql: str, values: Sequence[Value]) -> Iterator[Row]:
        """Run ``sql`` followed by a list of the values, in as many statements as that takes."""
        for part in slices(values):
            names, params = in_list("i", part)
            yield from self._db.rows(f"{sql} {names}", self._params(**params))
