"""One APSW connection as the relational half sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import apsw

    from treering.backends.engine import Row, Value


class SqliteDatabase:
    """One APSW connection as ``backends.engine.Database``."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Use an open connection."""
        self.connection = connection

    def rows(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return all its rows."""
        return self.connection.execute(sql, params).fetchall()

    def run(self, sql: str, params: Mapping[str, Value] | None = None) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(sql, params)

    def run_many(self, sql: str, params: Iterable[Mapping[str, Value]]) -> None:
        """Run a statement once for each set of parameters."""
        self.connection.executemany(sql, params)
