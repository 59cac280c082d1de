"""What the mirror has to catch up with, and its files, in the common SQL of SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import MAX_LIST, by_index, in_list, slices
from treering.ports.mirrored import Due, MirrorFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.backends.engine import Database, Value
    from treering.ports.mirrored import Stamp

KINDS: Final = ("act", "entity", "erased", "memory", "proposal", "source", "store")
_MOST_IDS: Final = MAX_LIST - len(KINDS)
_FILE = "select id, path, sha256, size_bytes, mtime_ns from mirror_file where space = :space"


class SqlMirrored:
    """``ports.mirrored.Mirrored`` over one space of a database."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def due(self, limit: int) -> list[Due]:
        """Return some of what has changed, in a fixed order."""
        sql = "select kind, id from mirror_due where space = :space order by kind, id limit :limit"
        return [Due(*row) for row in self._db.rows(sql, {"space": self._space, "limit": limit})]

    def start_anew(self) -> None:
        """Note that there is no file: everything is to be written."""
        space: dict[str, Value] = {"space": self._space}
        self._db.run("delete from mirror_file where space = :space", space)
        due = [("erased", ""), ("store", "")]
        for table in ("memory", "source", "entity", "proposal"):
            due += [(table, row[0]) for row in self._db.rows(f"select id from {table} where space = :space", space)]
        acts = self._db.rows("select number from act where space = :space", space)
        due += [("act", f"{row[0]:019}") for row in acts]
        self.add_due(Due(kind, id) for kind, id in due)

    def add_due(self, due: Iterable[Due]) -> None:
        """Note objects whose files change in a way that the store does not notice by itself."""
        self._db.run_many(
            "insert into mirror_due (space, kind, id) values (:space, :kind, :id) on conflict do nothing",
            [{"space": self._space, "kind": one.kind, "id": one.id} for one in due],
        )

    def due_among(self, ids: Sequence[str]) -> list[Due]:
        """Return what has changed of some objects, whatever their kind, in a fixed order."""
        found: list[Due] = []
        kinds, kind_params = in_list("kind", KINDS)
        for start in range(0, len(ids), _MOST_IDS):
            wanted, params = in_list("id", ids[start : start + _MOST_IDS])
            sql = f"select kind, id from mirror_due where space = :space and kind in {kinds} and id in {wanted}"
            found += [Due(*row) for row in self._db.rows(sql, {"space": self._space, **kind_params, **params})]
        return sorted(found)

    def files_below(self, folder: str) -> dict[str, MirrorFile]:
        """Return the files in a folder and those below it, by the object's id."""
        # Behind "/" comes "0": all that is below, by the index of paths.
        params: dict[str, Value] = {"space": self._space, "first": f"{folder}/", "behind": f"{folder}0"}
        sql = f"{_FILE} and path >= :first and path < :behind"
        return {row[0]: MirrorFile._make(row) for row in self._db.rows(sql, params)}

    def count_due(self) -> int:
        """Return how much has changed."""
        sql = "select count(*) from mirror_due where space = :space"
        return int(self._db.rows(sql, {"space": self._space})[0][0])

    def done(self, written: Iterable[Due]) -> None:
        """Take what was written off the list."""
        sql = "delete from mirror_due where space = :space and kind = :kind and id = :id"
        self._db.run_many(sql, [{"space": self._space, "kind": one.kind, "id": one.id} for one in written])

    def files(self, ids: Sequence[str] | None = None) -> dict[str, MirrorFile]:
        """Return the files of some objects, or all, by the object's id."""
        if ids is None:
            return {row[0]: MirrorFile._make(row) for row in self._db.rows(_FILE, {"space": self._space})}
        found: dict[str, MirrorFile] = {}
        for start in range(0, len(ids), MAX_LIST):
            wanted, params = in_list("id", ids[start : start + MAX_LIST])
            rows = self._db.rows(f"{_FILE} and id in {wanted}", {"space": self._space, **params})
            found |= {row[0]: MirrorFile._make(row) for row in rows}
        return found

    def stamps(self) -> list[Stamp]:
        """Return every file in the quickest form."""
        # 0 and False are one to a set, in which these are looked for.
        sql = "select path, size_bytes, mtime_ns, 0 from mirror_file where space = :space and id not like 'cut:%'"
        return self._db.rows(sql, {"space": self._space})

    def files_at(self, paths: Sequence[str]) -> list[MirrorFile]:
        """Return the files that are noted at some paths, by path."""
        found: list[MirrorFile] = []
        for part in slices(paths):
            names, params = in_list("path", part)
            sql = f"{_FILE} and {by_index('mirror_file', 'id', f'path in {names}')}"
            found += [MirrorFile._make(row) for row in self._db.rows(sql, {"space": self._space, **params})]
        return sorted(found, key=lambda one: one.path)

    def put_files(self, files: Iterable[MirrorFile]) -> None:
        """Note files as they are now."""
        self._db.run_many(
            "insert into mirror_file (space, id, path, sha256, size_bytes, mtime_ns)"
            " values (:space, :id, :path, :sha256, :size_bytes, :mtime_ns)"
            " on conflict (space, id) do update set path = excluded.path, sha256 = excluded.sha256,"
            " size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns",
            [{"space": self._space, **file._asdict()} for file in files],
        )

    def drop_files(self, ids: Iterable[str]) -> None:
        """Note that objects have no file."""
        sql = "delete from mirror_file where space = :space and id = :id"
        self._db.run_many(sql, [{"space": self._space, "id": id} for id in ids])
