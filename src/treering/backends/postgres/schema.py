"""The schema of a store in a database: made, brought up to date, and looked at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from psycopg import errors

from treering.backends.migrate import pending, read_migrations
from treering.backends.postgres.database import last_row
from treering.domain.named import NamedTuple
from treering.errors import BackendUnfit, NotFound, ReadOnlyStore

if TYPE_CHECKING:
    import psycopg

    from treering.backends.migrate import Migration
    from treering.domain.address import Address

    Connection = psycopg.Connection[Any]

NAME: Final = "treering"
"""The schema that holds a store's tables, so that a database may hold other things too."""

EF_SEARCH: Final = 800
"""Candidates of a scan of an HNSW index: see ``docs/decisions/0015-postgresql-vectors.md``."""

_MIGRATIONS: Final = os.path.join(os.path.dirname(__file__), "migrations")
_OLDEST_SERVER: Final = 15
# Half precision came with 0.7; scans that go on until a filter has let enough pass with 0.8.
_OLDEST_VECTOR: Final = (0, 7)
_ITERATIVE: Final = (0, 8)

# `hnsw.*`: see vectors.py. Compiling a statement would cost more than any of them takes; pages that are
# read in no order come from memory or a disk without a head.
_SET_UP: Final = f"""
with extension as (
  select n.nspname, e.extversion from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'vector'
)
select set_config('search_path', '{NAME}' || coalesce((select ', ' || quote_ident(nspname) from extension), '')
         || ', pg_temp', false),
       set_config('statement_timeout', %(statement_ms)s, false),
       set_config('jit', 'off', false),
       set_config('random_page_cost', '1.1', false),
       set_config('hnsw.ef_search', '{EF_SEARCH}', false),
       (select case when string_to_array(extversion, '.')::int[] >= '{{0,8}}'
                    then set_config('hnsw.iterative_scan', 'strict_order', false)
                         || set_config('hnsw.max_scan_tuples', '200000', false) end from extension),
       (select oid::bigint from pg_namespace where nspname = '{NAME}')
"""
_FACTS: Final = f"""
select current_setting('server_version'), current_setting('server_encoding'),
       (select extversion from pg_extension where extname = 'vector'),
       to_regclass('{NAME}.migration') is not null,
       pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'
"""
_OFFERED: Final = "select default_version from pg_available_extensions where name = 'vector'"
_SIZE: Final = f"""
select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c
join pg_namespace n on n.oid = c.relnamespace where n.nspname = '{NAME}' and c.relkind = 'r'
"""


class Facts(NamedTuple):
    """What is known of an open store.

    Attributes:
        engine: server and extension with their versions.
        schema: number of its last migration.
        read_only: whether it cannot be written.
        why_read_only: in words.
        notice: what its user should know; empty for nothing.
    """

    engine: str
    schema: int
    read_only: bool
    why_read_only: str
    notice: str


def set_up(connection: Connection, statement_ms: int) -> int | None:
    """Make a connection find the store's tables and return what tells this store from another; None without one."""
    [row] = connection.execute(_SET_UP, {"statement_ms": str(statement_ms)}).fetchall()
    return None if row[-1] is None else int(row[-1])


def bring_up_to_date(connection: Connection, address: Address, *, create: bool, lock: str) -> Facts:
    """Make the store or bring it up to date, as needed, and return what it is.

    Args:
        connection: a connection outside of any transaction.
        address: the store.
        create: whether to make it.
        lock: the statement that takes the write lock.

    Raises:
        NotFound: if there is none and ``create`` is false.
        BackendUnfit: if the server cannot hold one.
        StoreTooNew: if a newer program wrote it.
        ReadOnlyStore: if it needs an upgrade and cannot be written.
    """
    [(server, encoding, _, exists, standby, refusing)] = connection.execute(_FACTS).fetchall()
    _require_server(connection, server, encoding, address)
    if not exists:
        _require_leave(address, create=create)
    migrations = read_migrations(_MIGRATIONS)
    missing = pending(migrations, _applied(connection) if exists else [], address.shown)
    why = _why_read_only(connection, standby=standby, refusing=refusing, exists=exists)
    if missing:
        _require_writable(address, why)
    while missing:
        missing = _migrate(connection, migrations, address, lock)
    [(_, _, extension, *_)] = connection.execute(_FACTS).fetchall()
    notice = _require_vector(connection, extension, address)
    return Facts(f"PostgreSQL {server.split()[0]}, pgvector {extension}", len(migrations), bool(why), why, notice)


def size_bytes(connection: Connection) -> int:
    """Return how much room all tables and indexes take."""
    [(size,)] = connection.execute(_SIZE).fetchall()
    return int(size)


def version(text: str) -> tuple[int, ...]:
    """Return a version such as ``0.8.6`` as numbers."""
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _require_leave(address: Address, *, create: bool) -> None:
    """Refuse to make a store that nobody asked for."""
    if not create:
        raise NotFound(f"there is no store at {address.shown}", hint="treering index DIR")


def _require_writable(address: Address, why: str) -> None:
    """Refuse to make or upgrade a store that cannot be written."""
    if why:
        raise ReadOnlyStore(f"the store {address.shown} has to be made or upgraded and cannot be written: {why}")


def _applied(connection: Connection) -> list[tuple[int, str]]:
    """Return number and checksum of the migrations that the store records."""
    rows = connection.execute(f"select number, checksum from {NAME}.migration order by number").fetchall()
    return [(int(number), str(checksum)) for number, checksum in rows]


def _why_read_only(connection: Connection, *, standby: bool, refusing: bool, exists: bool) -> str:
    """Return why nothing can be written; empty when it can."""
    if standby:
        return "the server is a standby"
    if refusing:
        return "its transactions are read-only"
    if exists:
        may = (
            f"select has_table_privilege('{NAME}.setting', 'insert') and has_table_privilege('{NAME}.change', 'update')"
        )
        [(allowed,)] = connection.execute(may).fetchall()
        return "" if allowed else "the user may only read it"
    return ""


def _require_server(connection: Connection, server: str, encoding: str, address: Address) -> None:
    """Refuse a server that cannot hold a store."""
    if connection.info.server_version < _OLDEST_SERVER * 10_000:
        raise BackendUnfit(
            f"the server of {address.shown} is PostgreSQL {server}; Treering needs {_OLDEST_SERVER} or newer",
            hint=f"move the database to PostgreSQL {_OLDEST_SERVER} or newer: pg_dump, or pg_upgrade",
        )
    if encoding != "UTF8":
        raise BackendUnfit(
            f"the database {address.shown} holds {encoding}; Treering needs UTF8",
            hint="createdb --encoding UTF8 --template template0 NAME",
        )


def _require_vector(connection: Connection, extension: str | None, address: Address) -> str:
    """Refuse a database without pgvector and return what is to be known of an old one."""
    if extension is None or version(extension) < _OLDEST_VECTOR:
        oldest = ".".join(map(str, _OLDEST_VECTOR))
        raise BackendUnfit(
            f"the database {address.shown} has pgvector {extension or 'not at all'}; Treering needs {oldest} or newer",
            hint=_way_to_vector(connection, extension, oldest),
        )
    if version(extension) < _ITERATIVE:
        return f"pgvector {extension} cannot go on with a filtered scan: from 0.8 on filtered searches are quicker"
    return ""


def _way_to_vector(connection: Connection, extension: str | None, oldest: str) -> str:
    """Return what brings pgvector of a version that will do, as far as the server has one."""
    found = connection.execute(_OFFERED).fetchall()
    if not found or version(found[0][0]) < _OLDEST_VECTOR:
        return f"install pgvector {oldest} or newer on the server"
    return "as a superuser: alter extension vector update" if extension else "as a superuser: create extension vector"


def _migrate(connection: Connection, migrations: list[Migration], address: Address, lock: str) -> list[Migration]:
    """Apply the next migration that is missing, while nobody else does; return those that are missing after it."""
    with connection.transaction():
        last_row(connection, lock)
        [(_, _, extension, exists, *_)] = connection.execute(_FACTS).fetchall()
        missing = pending(migrations, _applied(connection) if exists else [], address.shown)
        if not missing:
            return []
        if not exists:
            _found(connection, extension, address)
        connection.execute(missing[0].sql)
        connection.execute(
            "insert into migration (number, name, checksum) values (%s, %s, %s)",
            (missing[0].number, missing[0].name, missing[0].checksum),
        )
    return missing[1:]


def _add(connection: Connection, name: str, what: str, address: Address) -> None:
    """Add an extension to a database that lacks it.

    Raises:
        BackendUnfit: if the server does not have it, or the user may not add it.
    """
    try:
        with connection.transaction():
            # In our schema one of them would meet a table of its name.
            connection.execute(f"create extension if not exists {name} schema public")
    except (errors.InsufficientPrivilege, errors.UndefinedFile, errors.FeatureNotSupported) as error:
        missing = not isinstance(error, errors.InsufficientPrivilege)
        why = "its server does not have it" if missing else "the user may not add it"
        package = "pgvector" if name == "vector" else "PostgreSQL's contrib modules"
        raise BackendUnfit(
            f"the database {address.shown} lacks the extension {name} ({what}), and {why}",
            hint=f"install {package} on the server" if missing else f"as a superuser: create extension {name}",
        ) from error


def _found(connection: Connection, extension: str | None, address: Address) -> None:
    """Make the schema and the extensions where they are not there yet."""
    try:
        with connection.transaction():
            connection.execute(f"create schema if not exists {NAME}")
    except errors.InsufficientPrivilege as error:
        raise BackendUnfit(
            f"the user may not make a schema in the database {address.shown}",
            hint=f"as its owner: create schema {NAME} authorization USER",
        ) from error
    if extension is None:
        _add(connection, "vector", "pgvector", address)
    [(_, _, extension, *_)] = connection.execute(_FACTS).fetchall()
    _require_vector(connection, extension, address)
    _add(connection, "btree_gist", "one of PostgreSQL's own contrib modules", address)
    set_up(connection, 0)
    connection.execute(
        "create table migration (number integer primary key, name text not null, checksum text not null)"
    )
