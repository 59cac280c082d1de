"""Whole tables, row by row: for export and for what takes an export in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.backends.chunks import PART_CHARS
from treering.backends.engine import MAX_LIST, by_index
from treering.backends.registry import CANONICAL, TABLES
from treering.backends.space import InSpace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from treering.backends.engine import Value

_PAGE = 500


class SqlTables(InSpace):
    """``ports.Tables`` in the common SQL of SQLite and PostgreSQL."""

    names = CANONICAL

    def rows(self, table: str) -> Iterator[dict[str, Value]]:
        """Yield the rows of a canonical table by its key, a page at a time."""
        known = TABLES[table]
        columns, keys = ", ".join(known.columns), known.columns[: known.key]
        order = ", ".join(keys)
        after: dict[str, Value] = {}
        while True:
            beyond = f" and ({order}) > ({', '.join(f':{name}' for name in keys)})" if after else ""
            page = self._db.rows(
                f"select {columns} from {table} where space = :space{beyond} order by {order} limit :limit",
                self._params(limit=_PAGE, **after),
            )
            for row in page:
                yield dict(zip(known.columns, row, strict=True))
            if len(page) < _PAGE:
                return
            after = dict(zip(keys, page[-1], strict=False))

    def rows_where(self, table: str, column: str, values: Sequence[Value]) -> list[dict[str, Value]]:
        """Return the rows of a canonical table that have one of some values in a column, by its key."""
        known = TABLES[table]
        if column not in known.columns:
            raise ValueError(f"{table} has no column {column}")
        columns = ", ".join(known.columns)
        found: list[dict[str, Value]] = []
        for start in range(0, len(values), MAX_LIST):
            names = {f"v{place}": value for place, value in enumerate(values[start : start + MAX_LIST])}
            condition = f"{column} in ({', '.join(f':{name}' for name in names)})"
            if column != known.columns[0]:
                condition = by_index(table, known.columns[0], condition)
            page = self._db.rows(
                f"select {columns} from {table} where space = :space and {condition}", {"space": self._space, **names}
            )
            # Not by the database: for the sake of the order it goes through the whole table by its key.
            page.sort(key=lambda row: row[: known.key])
            found += [dict(zip(known.columns, row, strict=True)) for row in page]
        return found

    def put(self, table: str, rows: Sequence[Mapping[str, Value]]) -> None:
        """Add rows to a canonical table that has none of their keys."""
        columns = TABLES[table].columns
        self._db.run_many(
            f"insert into {table} (space, {', '.join(columns)})"
            f" values (:space, {', '.join(f':{name}' for name in columns)})",
            [self._params(**row) for row in rows],
        )

    def put_texts(self, texts: Iterable[tuple[str, str]]) -> None:
        """Add the texts of versions that have none."""
        self.put(
            "content",
            [
                {"version": version, "start": start, "text": text[start : start + PART_CHARS]}
                for version, text in texts
                for start in range(0, len(text), PART_CHARS)
            ],
        )

    def count(self, table: str) -> int:
        """Return how many rows a table has."""
        sql = f"select count(*) from {table} where space = :space"
        return int(self._db.rows(sql, self._params())[0][0])

    def drop_defaults(self) -> None:
        """Remove what a new store has from the start, before another store's rows come in."""
        for table in ("setting", "counter"):
            self._db.run(f"delete from {table} where space = :space", self._params())
