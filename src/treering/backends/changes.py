"""What changed since an instant: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.memories import MEMORY
from treering.backends.space import InSpace
from treering.domain.digest import VersionChange
from treering.records import StoredMemory

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DEPARTED: Final = 10_000
"""Files whose leaving is remembered."""

_VERSIONS: Final = (
    "select s.id, s.key, s.title, s.custody, v.id, v.recorded_at, s.created_at >= v.recorded_at from version v"
    " join source s on s.space = v.space and s.id = v.source where v.space = :space and v.recorded_at >= :since"
    " and s.key not like 'note:mem!_%' escape '!' order by v.recorded_at desc, v.id desc limit :limit"
)


class SqlChanges(InSpace):
    """``ports.changes.Changes`` in the common SQL of SQLite and PostgreSQL."""

    def memories(self, since: str, limit: int) -> list[StoredMemory]:
        """Return memories that were recorded or changed from an instant on."""
        sql = f"{MEMORY} and changed_at >= :since order by changed_at desc, id desc limit :limit"
        return [StoredMemory(*row) for row in self._db.rows(sql, self._params(since=since, limit=limit))]

    def versions(self, since: str, limit: int) -> list[VersionChange]:
        """Return versions of sources that were stored from an instant on."""
        rows = self._db.rows(_VERSIONS, self._params(since=since, limit=limit))
        return [VersionChange._make((*row[:6], bool(row[6]))) for row in rows]

    def forgotten(self, since: str, limit: int) -> list[tuple[str, str]]:
        """Return ids that were forgotten from an instant on."""
        sql = (
            "select id, forgotten_at from tombstone where space = :space and forgotten_at >= :since"
            " and id not like 'ent!_%' escape '!' and id not like 'prp!_%' escape '!'"
            " order by forgotten_at desc, id limit :limit"
        )
        return [(row[0], row[1]) for row in self._db.rows(sql, self._params(since=since, limit=limit))]

    def departed(self, since: str, limit: int) -> list[tuple[str, str]]:
        """Return keys of files that left the index from an instant on."""
        sql = "select key, at from departed where space = :space and at >= :since order by at desc, key limit :limit"
        return [(row[0], row[1]) for row in self._db.rows(sql, self._params(since=since, limit=limit))]

    def depart(self, keys: Sequence[str], at: str) -> None:
        """Note that files have left the index; of those that left long ago the oldest are not kept."""
        self._db.run_many(
            "insert into departed (space, key, at) values (:space, :key, :at)"
            " on conflict (space, key) do update set at = excluded.at",
            [self._params(key=key, at=at) for key in keys],
        )
        self._db.run(
            "delete from departed where space = :space and key in (select key from departed where space = :space"
            " order by at desc, key limit :many offset :kept)",
            self._params(many=2**31 - 1, kept=MOST_DEPARTED),
        )

    def forget_departed(self, keys: Sequence[str]) -> None:
        """Remove what was noted of files."""
        sql = "delete from departed where space = :space and key = :key"
        self._db.run_many(sql, [self._params(key=key) for key in keys])
