"""One psycopg connection as the relational half sees it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import psycopg

    from treering.backends.engine import Row, Value

    Connection = psycopg.Connection[Any]

# A quoted text, a cast, a parameter, or a sign that psycopg would take for the beginning of one.
_PART: Final = re.compile(r"('(?:[^']|'')*')|(::)|:([a-z_][a-z0-9_]*)|%")
_INSERT: Final = re.compile(r"insert into (\w+) \(([\w, ]+)\) values \(((?::\w+(?:, )?)+)\)")
# Below this many rows a COPY costs more round trips than it saves.
_FEW: Final = 4


class PostgresDatabase:
    """One psycopg connection as ``backends.engine.Database``."""

    def __init__(self, connection: Connection) -> None:
        """Use an open connection."""
        self.connection = connection

    def rows(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and return all its rows."""
        return self.connection.execute(translated(sql), _sendable(params or {})).fetchall()

    def run(self, sql: str, params: Mapping[str, Value] | None = None) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(translated(sql), _sendable(params or {}))

    def listed(self, sql: str, *lists: Sequence[Value]) -> list[Row]:
        """Run a statement over whole lists, ``%s`` each, which the common SQL has no form for; return its rows."""
        cursor = self.connection.execute(sql, lists)
        return cursor.fetchall() if cursor.description else []

    def run_many(self, sql: str, params: Iterable[Mapping[str, Value]]) -> None:
        """Run a statement once for each set of parameters; a plain insert of many rows is one COPY."""
        sets = list(params)
        if not sets:
            return
        copied = _as_copy(sql) if len(sets) > _FEW else None
        with self.connection.cursor() as cursor:
            if copied is None:
                cursor.executemany(translated(sql), [_sendable(one) for one in sets])
                return
            statement, names = copied
            with cursor.copy(statement) as copy:
                for one in sets:
                    copy.write_row([one[name] for name in names])


def last_row(connection: Connection, statements: str) -> Row:
    """Run several statements in one go and return the one row of the last of them."""
    cursor = connection.execute(statements)
    while cursor.nextset():
        pass
    rows: list[Row] = cursor.fetchall()
    return rows[0]


@lru_cache(maxsize=512)
def translated(sql: str) -> str:
    """Return a statement with its ``:name`` parameters as psycopg writes them."""
    return _PART.sub(_part, sql)


def _part(found: re.Match[str]) -> str:
    """Return one part of a statement as psycopg writes it."""
    if found[3]:
        return f"%({found[3]})s"
    return found[0].replace("%", "%%")


@lru_cache(maxsize=128)
def _as_copy(sql: str) -> tuple[str, tuple[str, ...]] | None:
    """Return an insert as COPY with the names of the parameters in its columns' order; None where it is more."""
    found = _INSERT.fullmatch(sql)
    if not found:
        return None
    return f"copy {found[1]} ({found[2]}) from stdin", tuple(name[1:] for name in found[3].split(", "))


def _sendable(params: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return parameters without NUL, which PostgreSQL's text cannot hold: no text that is stored has one."""
    if not any(isinstance(value, str) and "\0" in value for value in params.values()):
        return params
    return {name: value.replace("\0", "\ufffd") if isinstance(value, str) else value for name, value in params.items()}
