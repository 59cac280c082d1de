"""What the relational half asks of a database: named parameters in, tuples out.

SQL here is the common part of SQLite and PostgreSQL: lower case, ``:name`` parameters, no
dialect. An adapter rewrites the parameters where its driver wants another form.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, LiteralString, Protocol, TypeAlias, TypeVar

    T = TypeVar("T")

    Value: TypeAlias = str | int | float | bytes | None
    Row: TypeAlias = tuple[Any, ...]
    """One row of a result. What a column holds is known to the statement alone."""
else:
    Protocol = object

MAX_LIST = 500
"""Values in one ``in (…)``: SQLite allows 32,766 parameters, older builds 999."""


class Database(Protocol):
    """One connection inside one transaction."""

    def rows(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return all its rows."""

    def run(self, sql: str, params: Mapping[str, Value] | None = None) -> None:
        """Run a statement that returns nothing."""

    def run_many(self, sql: str, params: Iterable[Mapping[str, Value]]) -> None:
        """Run a statement once for each set of parameters."""


def in_list(name: LiteralString, values: Sequence[Value]) -> tuple[str, dict[str, Value]]:
    """Return ``(:name0, :name1, …)`` and its parameters; at most ``MAX_LIST`` values.

    The last value is repeated up to a power of two: few lengths make few statements, which a connection keeps prepared.
    """
    if len(values) > MAX_LIST:
        raise ValueError(f"{len(values)} values in one list; at most {MAX_LIST}")
    length = min(MAX_LIST, 1 << (len(values) - 1).bit_length()) if values else 0
    listed, keys = _list(name, length)
    return listed, dict(zip(keys, [*values, *[values[-1]] * (length - len(values))] if values else (), strict=True))


def by_index(table: LiteralString, key: LiteralString, condition: str) -> str:
    """Return a condition on a column that is not the first of the table's key, for rows that an index of it finds.

    Every key begins with the space, which nearly all rows have in common. SQLite takes that for choosy and, unless
    the index alone has all that is asked for, reads the whole table by its key: 5 ms among 50,000 rows, not 0.1.

    Args:
        table: the table.
        key: the first column of its key behind the space.
        condition: on the column that has an index.
    """
    return f"{key} in (select {key} from {table} where space = :space and {condition}) and {condition}"


@lru_cache(maxsize=1024)
def _list(name: str, length: int) -> tuple[str, tuple[str, ...]]:
    """Return a list of parameters, and their names."""
    keys = tuple(f"{name}{i}" for i in range(length))
    return f"({', '.join(':' + key for key in keys)})" if keys else "(null)", keys


def upsert(database: Database, table: LiteralString, key: int, values: Mapping[str, Value]) -> None:
    """Write a row, new or changed.

    Args:
        database: where to.
        table: the table.
        key: how many of the columns, the first ones, are its key.
        values: all columns with their values.
    """
    database.run(upsertion(table, key, tuple(values)), values)


@lru_cache(maxsize=256)
def upsertion(table: LiteralString, key: int, names: tuple[str, ...]) -> str:
    """Return the statement that writes a row, new or changed; making it anew took longer than running it.

    Args:
        table: the table.
        key: how many of the columns, the first ones, are its key.
        names: all its columns.
    """
    changes = ", ".join(f"{name} = excluded.{name}" for name in names[key:])
    return (
        f"insert into {table} ({', '.join(names)}) values ({', '.join(f':{name}' for name in names)})"
        f" on conflict ({', '.join(names[:key])}) do update set {changes}"
    )


def next_number(database: Database, space: int, name: str, count: int) -> int:
    """Take ``count`` numbers of a counter, never given out before, and return the first."""
    found = database.rows(
        "insert into counter (space, name, value) values (:space, :name, :count)"
        " on conflict (space, name) do update set value = counter.value + excluded.value returning value",
        {"space": space, "name": name, "count": count},
    )
    return int(found[0][0]) - count + 1


def slices(values: Sequence[T]) -> Iterable[Sequence[T]]:
    """Cut a sequence into stretches that fit ``in_list``."""
    return (values[i : i + MAX_LIST] for i in range(0, len(values), MAX_LIST))
