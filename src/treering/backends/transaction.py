"""What the transactions of both databases share: the relational half and what a store keeps about itself."""

from __future__ import annotations

from functools import cached_property

from treering.backends.engine import in_list
from treering.backends.memories import SqlMemories
from treering.backends.sources import SqlSources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.backends.attention import SqlAttention
    from treering.backends.changes import SqlChanges
    from treering.backends.claims import SqlClaims
    from treering.backends.engine import Database
    from treering.backends.entities import SqlEntities
    from treering.backends.erasures import SqlErasures
    from treering.backends.journal import SqlJournal
    from treering.backends.tables import SqlTables
    from treering.backends.tree import SqlTree
    from treering.ports.mirrored import Mirrored


class SqlTransaction:
    """The relational parts of one space of a store, as seen inside one transaction."""

    def __init__(self, database: Database, space: int) -> None:
        """Bind the parts to a database."""
        self._db = database
        self._space = space
        self.sources = SqlSources(database, space)
        self.memories = SqlMemories(database, space)

    # What a search does not read is loaded when it is first asked for.

    @cached_property
    def claims(self) -> SqlClaims:
        """Who said what, and what was decided."""
        from treering.backends.claims import SqlClaims

        return SqlClaims(self._db, self._space)

    @cached_property
    def entities(self) -> SqlEntities:
        """What memories speak of, and how they stand to one another."""
        from treering.backends.entities import SqlEntities

        return SqlEntities(self._db, self._space)

    @cached_property
    def journal(self) -> SqlJournal:
        """What waits for the owner, and what was done."""
        from treering.backends.journal import SqlJournal

        return SqlJournal(self._db, self._space)

    @cached_property
    def attention(self) -> SqlAttention:
        """What is pinned, and what was used."""
        from treering.backends.attention import SqlAttention

        return SqlAttention(self._db, self._space)

    @cached_property
    def erasures(self) -> SqlErasures:
        """What was erased."""
        from treering.backends.erasures import SqlErasures

        return SqlErasures(self._db, self._space)

    @cached_property
    def tables(self) -> SqlTables:
        """All canonical rows, table by table."""
        from treering.backends.tables import SqlTables

        return SqlTables(self._db, self._space)

    @cached_property
    def tree(self) -> SqlTree:
        """The tree of digests; loaded when it is asked for, because most searches never do."""
        from treering.backends.tree import SqlTree

        return SqlTree(self._db, self._space)

    @cached_property
    def changes(self) -> SqlChanges:
        """What changed since an instant; loaded when it is asked for."""
        from treering.backends.changes import SqlChanges

        return SqlChanges(self._db, self._space)

    @property
    def mirrored(self) -> Mirrored:
        """What the mirror has to catch up with; loaded when first asked for, because a search never does."""
        from treering.backends.mirrored import SqlMirrored

        return SqlMirrored(self._db, self._space)

    def setting(self, name: str) -> str | None:
        """Return a value that the store keeps about itself."""
        found = self._db.rows(
            "select value from setting where space = :space and name = :name", {"space": self._space, "name": name}
        )
        return found[0][0] if found else None

    def settings(self, *names: str) -> tuple[str | None, ...]:
        """Return several of these values."""
        listed, params = in_list("i", names)
        sql = f"select name, value from setting where space = :space and name in {listed}"
        found: dict[str, str] = dict(self._db.rows(sql, {"space": self._space, **params}))
        return tuple([found.get(name) for name in names])

    def put_setting(self, name: str, value: str) -> None:
        """Write a value that the store keeps about itself."""
        self._db.run(
            "insert into setting (space, name, value) values (:space, :name, :value)"
            " on conflict (space, name) do update set value = excluded.value",
            {"space": self._space, "name": name, "value": value},
        )
