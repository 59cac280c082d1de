"""Roots and the files that are tracked in them: the relational half, written once for both databases."""

from __future__ import annotations

from treering.backends.engine import next_number
from treering.backends.space import InSpace
from treering.domain.source import FileStamp, Root, Skip, Tracked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

_TRACKED: Final = (
    "select t.source, t.root, t.path, t.size_bytes, t.mtime_ns, t.ctime_ns, v.sha256, t.rules_hash, t.state, t.error"
    " from tracked t join source s on s.space = t.space and s.id = t.source"
    " join version v on v.space = s.space and v.id = s.version"
)


class SqlRoots(InSpace):
    """Of ``ports.Sources``: indexed roots, what is left out of them, and their files."""

    def roots(self) -> list[Root]:
        """Return all indexed roots by number."""
        sql = "select number, path, glob, rules_hash, scanned_at from root where space = :space order by number"
        return [Root(*row) for row in self._db.rows(sql, self._params())]

    def put_root(self, path: str, glob: str) -> Root:
        """Return the root at ``path``, making it or giving it ``glob`` as needed."""
        found = next((root for root in self.roots() if root.path == path), None)
        if found is None:
            found = Root(next_number(self._db, self._space, "root", 1), path, glob, "", "")
            self._db.run(
                "insert into root (space, number, path, glob, rules_hash, scanned_at)"
                " values (:space, :number, :path, :glob, '', '')",
                self._params(number=found.number, path=path, glob=glob),
            )
        elif found.glob != glob:
            sql = "update root set glob = :glob where space = :space and number = :number"
            self._db.run(sql, self._params(glob=glob, number=found.number))
            found = Root(found.number, path, glob, found.rules_hash, found.scanned_at)
        return found

    def finish_root(self, root: int, rules_hash: str, at: str, skips: Iterable[Skip]) -> None:
        """Record that a run over ``root`` ended; ``skips`` replaces its list."""
        self._db.run(
            "update root set rules_hash = :rules, scanned_at = :at where space = :space and number = :root",
            self._params(rules=rules_hash, at=at, root=root),
        )
        self._db.run("delete from skipped where space = :space and root = :root", self._params(root=root))
        self._db.run_many(
            "insert into skipped (space, root, path, reason) values (:space, :root, :path, :reason)",
            [self._params(root=root, path=path, reason=reason) for path, reason in dict(skips).items()],
        )

    def drop_root(self, root: int) -> None:
        """Remove a root's own row and skips."""
        self._db.run("delete from root where space = :space and number = :root", self._params(root=root))

    def skips(self) -> list[tuple[int, Skip]]:
        """Return every file left out by the last runs, with its root's number."""
        sql = "select root, path, reason from skipped where space = :space order by root, path"
        return [(row[0], Skip(row[1], row[2])) for row in self._db.rows(sql, self._params())]

    def folders(self, root: int) -> dict[str, int]:
        """Return the folders of a root with their mtime."""
        sql = "select path, mtime_ns from folder where space = :space and root = :root"
        return dict(self._db.rows(sql, self._params(root=root)))

    def put_folders(self, root: int, folders: Mapping[str, int]) -> None:
        """Replace what ``folders`` returns."""
        known = self.folders(root)
        gone = [self._params(root=root, path=path) for path in known if path not in folders]
        new = [
            self._params(root=root, path=path, mtime_ns=mtime_ns)
            for path, mtime_ns in folders.items()
            if known.get(path) != mtime_ns
        ]
        self._db.run_many("delete from folder where space = :space and root = :root and path = :path", gone)
        self._db.run_many(
            "insert into folder (space, root, path, mtime_ns) values (:space, :root, :path, :mtime_ns)"
            " on conflict (space, root, path) do update set mtime_ns = excluded.mtime_ns",
            new,
        )

    def stamps(self, root: int) -> list[tuple[str, int, int, int]]:
        """Return path, size, mtime and ctime of a root's files."""
        sql = "select path, size_bytes, mtime_ns, ctime_ns from tracked where space = :space and root = :root"
        return self._db.rows(f"{sql} order by path", self._params(root=root))

    def tracked(self, root: int | None = None) -> list[Tracked]:
        """Return the tracked files of one root, or of all."""
        of_root = "" if root is None else " and t.root = :root"
        params = self._params() if root is None else self._params(root=root)
        rows = self._db.rows(f"{_TRACKED} where t.space = :space{of_root} order by t.root, t.path", params)
        return [
            Tracked(row[0], row[1], row[2], FileStamp(row[3], row[4], row[5]), row[6], row[7], row[8], row[9])
            for row in rows
        ]

    def put_tracked(self, tracked: Tracked) -> None:
        """Write a tracked file's stamp, rules and front-matter state."""
        self._db.run(
            "insert into tracked (space, source, root, path, size_bytes, mtime_ns, ctime_ns, rules_hash, state, error)"
            " values (:space, :source, :root, :path, :size_bytes, :mtime_ns, :ctime_ns, :rules_hash, :state, :error)"
            " on conflict (space, source) do update set root = excluded.root, path = excluded.path,"
            " size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,"
            " rules_hash = excluded.rules_hash, state = excluded.state, error = excluded.error",
            self._params(
                source=tracked.source,
                root=tracked.root,
                path=tracked.path,
                **tracked.stamp._asdict(),
                rules_hash=tracked.rules_hash,
                state=tracked.state,
                error=tracked.error,
            ),
        )
