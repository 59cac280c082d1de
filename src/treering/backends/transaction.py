"""What the transactions of both databases share: the relational half and what a store keeps about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.backends.attention import SqlAttention
from treering.backends.claims import SqlClaims
from treering.backends.entities import SqlEntities
from treering.backends.erasures import SqlErasures
from treering.backends.journal import SqlJournal
from treering.backends.memories import SqlMemories
from treering.backends.sources import SqlSources
from treering.backends.tables import SqlTables

if TYPE_CHECKING:
    from treering.backends.changes import SqlChanges
    from treering.backends.engine import Database
    from treering.backends.tree import SqlTree


class SqlTransaction:
    """The relational parts of one space of a store, as seen inside one transaction."""

    def __init__(self, database: Database, space: int) -> None:
        """Bind the parts to a database."""
        self._db = database
        self._space = space
        self.sources = SqlSources(database, space)
        self.memories = SqlMemories(database, space)
        self.claims = SqlClaims(database, space)
        self.entities = SqlEntities(database, space)
        self.journal = SqlJournal(database, space)
        self.attention = SqlAttention(database, space)
        self.tables = SqlTables(database, space)
        self.erasures = SqlErasures(database, space)

    @property
    def tree(self) -> SqlTree:
        """The tree of digests; loaded when it is asked for, because most searches never do."""
        from treering.backends.tree import SqlTree

        return SqlTree(self._db, self._space)

    @property
    def changes(self) -> SqlChanges:
        """What changed since an instant; loaded when it is asked for."""
        from treering.backends.changes import SqlChanges

        return SqlChanges(self._db, self._space)

    def setting(self, name: str) -> str | None:
        """Return a value that the store keeps about itself."""
        found = self._db.rows(
            "select value from setting where space = :space and name = :name", {"space": self._space, "name": name}
        )
        return found[0][0] if found else None

    def put_setting(self, name: str, value: str) -> None:
        """Write a value that the store keeps about itself."""
        self._db.run(
            "insert into setting (space, name, value) values (:space, :name, :value)"
            " on conflict (space, name) do update set value = excluded.value",
            {"space": self._space, "name": name, "value": value},
        )
