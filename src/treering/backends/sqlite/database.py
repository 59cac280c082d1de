"""One APSW connection as the relational half sees it."""

from __future__ import annotations

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from treering.backends.engine import Row, Value


class SqliteDatabase:
    """One APSW connection as ``backends.engine.Database``.

    Attributes:
        connection: the connection.
        later: statements that are run before the next view is opened.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        """Use an open connection."""
        self.connection = connection
        self.later: list[str] = []

    def run_later(self) -> None:
        """Run what was left for later, outside of any transaction: what it makes stays when a view is left."""
        while self.later:
            self.connection.execute(self.later[-1])
            self.later.pop()

    def state(self) -> tuple[int, int]:
        """Return what changes with every commit of another connection and every change of this one."""
        return self.connection.data_version(), self.connection.total_changes()

    @property
    def writes(self) -> bool:
        """Whether the transaction may have changed something."""
        return self.connection.txn_state("main") == apsw.SQLITE_TXN_WRITE

    def rows(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return all its rows."""
        return self.connection.execute(sql, params).fetchall()

    def run(self, sql: str, params: Mapping[str, Value] | None = None) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(sql, params)

    def run_many(self, sql: str, params: Iterable[Mapping[str, Value]]) -> None:
        """Run a statement once for each set of parameters."""
        self.connection.executemany(sql, params)
