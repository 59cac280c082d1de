"""Originals of a PostgreSQL store: a table of bytes."""

from __future__ import annotations

from hashlib import sha256 as digest_of
from typing import TYPE_CHECKING

from treering.errors import Damaged

if TYPE_CHECKING:
    from treering.backends.engine import Database


class TableOriginals:
    """Originals in the table ``original``."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def put(self, sha256: str, raw: bytes) -> None:
        """Keep bytes under their digest."""
        self._db.run(
            "insert into original (space, sha256, bytes) values (:space, :sha256, :bytes) on conflict do nothing",
            {"space": self._space, "sha256": sha256, "bytes": raw},
        )

    def get(self, sha256: str) -> bytes:
        """Return the bytes of a digest."""
        found = self._db.rows(
            "select bytes from original where space = :space and sha256 = :sha256",
            {"space": self._space, "sha256": sha256},
        )
        raw = bytes(found[0][0]) if found else b""
        if not found or digest_of(raw).hexdigest() != sha256:
            raise Damaged(f"the store lacks the original {sha256}", hint="restore a backup")
        return raw

    def remove(self, sha256: str) -> None:
        """Remove the bytes of a digest."""
        self._db.run(
            "delete from original where space = :space and sha256 = :sha256", {"space": self._space, "sha256": sha256}
        )

    def kept(self) -> list[str]:
        """Return the digest of everything that is kept, in order."""
        sql = "select sha256 from original where space = :space order by sha256"
        return [row[0] for row in self._db.rows(sql, {"space": self._space})]
