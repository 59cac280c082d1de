"""What entries mean, compared by pgvector.

Where there are many, an HNSW index for each model finds nearly all that are nearest; fewer are compared one by one, as
are the few that a narrow filter leaves. What is found is scored by the stored bytes, so that cosines are SQLite's.
(Measured: ``docs/decisions/0015-postgresql-vectors.md``.)
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from treering.backends.engine import next_number
from treering.backends.filters import passing
from treering.backends.postgres import schema
from treering.backends.postgres.search import WORDS
from treering.backends.vectors import SqlVectors, best_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

    from treering.backends.engine import Row, Value
    from treering.backends.postgres.database import PostgresDatabase
    from treering.domain.query import Filter
    from treering.records import Unembedded

    Connection = psycopg.Connection[Any]

INDEX_FROM: Final = 30_000
"""Vectors of a model from which an index pays; fewer are compared one by one."""

_MOST_DIMENSIONS: Final = 4000  # of an HNSW index over half precision
_BUILD: Final = "m = 24, ef_construction = 128"
_BUILD_MEMORY: Final = "512MB"
# Where a filter lets no more entries pass than this, each of them is compared.
_FEW: Final = 10_000


# Tables that are twice as large as when they were analysed, or never were. The server would find out by itself within
# minutes; until then it plans as if they were empty.
_GROWN: Final = f"""
select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = '{schema.NAME}' and c.relkind = 'r'
and pg_relation_size(c.oid) / 8192 > 2 * greatest(c.relpages, 0) + 8
"""
_WALK: Final = ", ".join(
    f"set_config('enable_{way}', 'off', true)" for way in ("hashjoin", "mergejoin", "material", "seqscan", "sort")
)


class PostgresVectors(SqlVectors):
    """``ports.Vectors`` with the nearest found by pgvector."""

    # The sum keeps the planner from reading all vectors of the model for each entry, by the index that begins with it.
    _lacks = SqlVectors._lacks.replace("v.model =", "v.model + 0 =")  # noqa: SLF001  a subclass's own

    def __init__(self, database: PostgresDatabase, space: int) -> None:
        """Work in one space of a database."""
        super().__init__(database, space, WORDS)
        self._postgres = database

    def put(self, model: str, rows: Sequence[tuple[int, int, bytes]]) -> int:
        """Store rows of entries that are as they were, and lack one; return how many were stored."""
        if not rows:
            return 0
        number = self._number(model)
        change = next_number(self._db, self._space, "vector", 1)
        stored = self._postgres.listed(
            "insert into vector (space, entry, model, change, row, near)"
            f" select {self._space}, n.entry, {number}, {change}, n.row, n.near::halfvec"
            " from unnest(%s::bigint[], %s::bigint[], %s::bytea[], %s::text[]) as n (entry, revision, row, near)"
            f" where exists (select 1 from chunk c where c.space = {self._space} and c.entry = n.entry"
            f" and n.revision = 0) or exists (select 1 from memory m where m.space = {self._space}"
            " and m.entry = n.entry and m.revision = n.revision and m.status <> 'archived')"
            " on conflict (space, entry, model) do nothing returning entry",
            [entry for entry, _, _ in rows],
            [revision for _, revision, _ in rows],
            [row for _, _, row in rows],
            [_as_halves(row) for _, _, row in rows],
        )
        return len(stored)

    def lacking(self, model: str, limit: int, before: int = 0, after: int | None = None) -> list[Unembedded]:
        """Return entries without a vector of the model, the newest first, or the oldest first behind one.

        While vectors come in by the thousand the planner does not know how many there are: it is told to walk the
        chunks in their order and to look for the vector of each, which ends after ``limit`` of them.
        """
        self._db.rows(f"select {_WALK}")
        found = super().lacking(model, limit, before, after)
        self._db.rows(f"select {_WALK.replace('off', 'on')}")
        return found

    def nearest(self, model: str, question: bytes, limit: int, filter: Filter) -> dict[int, float]:
        """Return the entries with the highest cosines among those that pass the filter."""
        dimension = len(question) // 4
        found = self._db.rows(
            "select number from model where space = :space and name = :name", self._params(name=model)
        )
        if not found or limit < 1:
            return {}
        params: dict[str, Value] = {
            "question": f"[{','.join(f'{number:.6g}' for number in struct.unpack(f'<{dimension}f', question))}]",
            "limit": limit,
        }
        rows = self._search(int(found[0][0]), dimension, params, filter)
        return best_of(question, dict(rows), limit)

    def _search(self, number: int, dimension: int, params: dict[str, Value], filter: Filter) -> list[Row]:
        """Return entries and rows of the nearest; by the index where there is one, and never too few."""
        half = f"halfvec({dimension})"
        select = f"select v.entry, v.row from vector v where v.space = {self._space} and v.model = {number}"
        compared = f"{select} and v.near is not null{{}} order by v.near <#> (:question)::halfvec limit :limit"
        by_index = f"{select}{{}} order by v.near::{half} <#> (:question)::{half} limit :limit"
        indexed, iterates = self._index(number)
        if not filter:
            return self._db.rows((by_index if indexed else compared).format(""), params)
        allowed, extra = passing(filter, WORDS)
        params = {**params, "space": self._space, **extra}
        if indexed and iterates:
            [(few,)] = self._db.rows(f"select count(*) <= {_FEW} from ({allowed} limit {_FEW + 1}) as p", params)
            found = [] if few else self._db.rows(by_index.format(f" and v.entry in ({allowed})"), params)
            if len(found) == params["limit"]:
                return found
        # As an array, so that their vectors are looked up and no others are compared.
        return self._db.rows(compared.format(f" and v.entry = any(array({allowed}))"), params)

    def _index(self, number: int) -> tuple[bool, bool]:
        """Tell whether a model has an index that is whole, and whether a scan of it goes on until enough has passed."""
        [row] = self._db.rows(
            "select exists (select 1 from pg_index where indexrelid = to_regclass(:name) and indisvalid),"
            " coalesce(current_setting('hnsw.iterative_scan', true), '') <> ''",
            {"name": index_name(self._space, number)},
        )
        return row[0], row[1]

    def drop(self, model: str) -> None:
        """Remove all vectors of a model, with their index."""
        for (number,) in self._db.rows(
            "select number from model where space = :space and name = :name", self._params(name=model)
        ):
            self._db.run(f"drop index if exists {index_name(self._space, number)}")
        super().drop(model)


def index_name(space: int, model: int) -> str:
    """Return the name of the index of one model in one space, with its schema."""
    return f"{schema.NAME}.vector_near_{space}_{model}"


def settle(connection: Connection, space: int) -> None:
    """Make the indexes that pay by now, if nobody else is making them, and tell the planner what there is.

    Args:
        connection: outside of any transaction; others read and write meanwhile.
        space: the space.
    """
    key = "hashtext('treering index'), 0"
    [(mine,)] = connection.execute(f"select pg_try_advisory_lock({key})").fetchall()
    if not mine:
        return
    connection.execute("select set_config('maintenance_work_mem', %s, false)", (_BUILD_MEMORY,))
    models = connection.execute(
        "select model, count(*), max(length(row)) from vector where space = %s group by model", (space,)
    ).fetchall()
    for model, count, dimension in models:
        if count >= INDEX_FROM and dimension <= _MOST_DIMENSIONS:
            _build(connection, space, model, dimension)
    connection.execute("select gin_clean_pending_list(%s::regclass)", (f"{schema.NAME}.words_of_{space}",))
    connection.execute("set default_statistics_target = 20")
    for (table,) in connection.execute(_GROWN).fetchall():
        connection.execute(f"analyze {schema.NAME}.{table}")


def _build(connection: Connection, space: int, model: int, dimension: int) -> None:
    """Make the index of one model where there is none; what an interrupted attempt left is removed first."""
    name = index_name(space, model)
    [(valid,)] = connection.execute(
        "select (select indisvalid from pg_index where indexrelid = to_regclass(%s))", (name,)
    ).fetchall()
    if valid:
        return
    connection.execute(f"drop index concurrently if exists {name}")
    connection.execute(
        f"create index concurrently {name.partition('.')[2]} on vector using hnsw"
        f" ((near::halfvec({dimension})) halfvec_ip_ops) with ({_BUILD}) where space = {space} and model = {model}"
    )


def _as_halves(row: bytes) -> str | None:
    """Return a stored row as pgvector reads it; None for one of zeros."""
    return f"{memoryview(row).cast('b').tolist()}" if any(row) else None
