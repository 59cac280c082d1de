"""The journal of erasures and the rows of what is erased: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.backends.engine import by_index, in_list, slices, upsert
from treering.backends.registry import TABLES
from treering.backends.space import InSpace
from treering.journal import StoredCopy, StoredErasure

if TYPE_CHECKING:
    from collections.abc import Sequence

_ERASURE: Final = f"select {', '.join(StoredErasure._fields)} from erasure where space = :space"


class SqlErasures(InSpace):
    """``ports.erasures.Erasures`` in the common SQL of SQLite and PostgreSQL."""

    def put(self, erasure: StoredErasure) -> None:
        """Store an erasure, new or further on."""
        upsert(self._db, "erasure", 2, self._params(**erasure._asdict()))

    def remove(self, id: str) -> None:
        """Remove an erasure that came to nothing."""
        self._db.run("delete from erasure where space = :space and id = :id and state = 'begun'", self._params(id=id))

    def unfinished(self) -> list[StoredErasure]:
        """Return the erasures that are not done, the oldest first."""
        rows = self._db.rows(f"{_ERASURE} and state <> 'done' order by id", self._params())
        return [_erasure(row) for row in rows]

    def list_erasures(self, limit: int, before: str = "") -> list[StoredErasure]:
        """Return erasures, newest first, those older than an id."""
        sql = f"{_ERASURE} and (:before = '' or id < :before) order by id desc limit :limit"
        return [_erasure(row) for row in self._db.rows(sql, self._params(before=before, limit=limit))]

    def rows_of(self, ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
        """Return by table every row whose words belong to one of some memories, claims, sources and so on."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, table in TABLES.items():
            rows: dict[tuple[Any, ...], dict[str, Any]] = {}
            for owner in table.owners:
                for part in slices(ids):
                    names, params = in_list("i", part)
                    condition = f"{owner} in {names}"
                    if owner != table.columns[0]:
                        condition = by_index(name, table.columns[0], condition)
                    sql = f"select {', '.join(table.columns)} from {name} where space = :space and {condition}"
                    for row in self._db.rows(sql, self._params(**params)):
                        rows[tuple(row[: table.key])] = dict(zip(table.columns, row, strict=True))
            if rows:
                found[name] = list(rows.values())
        return found

    def words(self) -> dict[str, tuple[str, ...]]:
        """Return the tables with a user's words, each with the columns that have them."""
        return {name: table.words for name, table in TABLES.items() if table.words}

    def sweep(self, ids: Sequence[str]) -> None:
        """Remove the rows of erased owners from the tables that leave it to the erasure."""
        for name, table in TABLES.items():
            for owner in table.owners if table.swept else ():
                for id in ids:
                    self._db.run(f"delete from {name} where space = :space and {owner} = :id", self._params(id=id))

    def note_copy(self, copy: StoredCopy) -> None:
        """Remember that the store was copied to some place."""
        upsert(self._db, "copy", 2, self._params(**copy._asdict()))

    def copies(self) -> list[StoredCopy]:
        """Return the copies that were made, by their paths."""
        rows = self._db.rows("select path, kind, made_at from copy where space = :space order by path", self._params())
        return [StoredCopy(*row) for row in rows]


def _erasure(row: tuple[Any, ...]) -> StoredErasure:
    """Return an erasure as it is stored."""
    return StoredErasure(*row)._replace(marks=bytes(row[-1]))
