"""The layout of a SQLite store: what the migrations make, what may be read of it, and that it is never edited."""

from __future__ import annotations

import re
import runpy
from contextlib import closing
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from treering.backends.claims import SqlClaims
from treering.backends.entities import SqlEntities
from treering.backends.memories import SqlMemories
from treering.backends.mirrored import SqlMirrored
from treering.backends.sources import SqlSources
from treering.backends.sqlite.database import SqliteDatabase
from treering.backends.sqlite.engine import SCHEMA, SqliteBackend
from treering.backends.tables import SqlTables
from treering.domain.query import Filter, Term

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from treering.backends.engine import Row, Value

FOLDER = "src/treering/backends/sqlite"
TABLES = "select type, name, tbl_name, sql from sqlite_schema order by rowid"


@pytest.fixture
def script(repository: Path) -> dict[str, Any]:
    """Return what ``scripts/schema.py`` defines."""
    return runpy.run_path(str(repository / "scripts" / "schema.py"))


def test_the_schema_is_what_the_migrations_make(repository: Path, script: dict[str, Any]) -> None:
    """``schema.sql`` is up to date; ``python scripts/schema.py`` writes it."""
    assert (repository / FOLDER / "schema.sql").read_text(encoding="utf-8") == script["schema"]()


def test_the_schema_makes_the_same_store(repository: Path, script: dict[str, Any]) -> None:
    """The statements of ``schema.sql``, run on an empty database, make the very tables that the migrations make."""
    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute((repository / FOLDER / "schema.sql").read_text(encoding="utf-8"))
        made = connection.execute(TABLES).fetchall()
        assert script["schema_of"](connection) == script["schema"]()
    with closing(SqliteBackend(":memory:", create=True)) as store:
        assert store._connection.execute(TABLES).fetchall() == made


def test_migrations_are_numbered_without_gaps(repository: Path) -> None:
    """Migrations are named by number and words, from 1 to the layout that the program writes."""
    names = sorted(path.name for path in (repository / FOLDER / "migrations").iterdir())
    assert all(re.fullmatch(r"\d{4}_[a-z][a-z0-9_]*\.sql", name) for name in names), names
    assert [int(name[:4]) for name in names] == list(range(1, SCHEMA + 1))


def test_no_landed_migration_was_edited(repository: Path, script: dict[str, Any]) -> None:
    """Every migration has the checksum that it was listed with; a change is a new migration."""
    listed = (repository / "tests" / "contract" / "migrations.txt").read_text(encoding="utf-8").splitlines()
    assert script["checksums"]() == listed


def test_every_key_is_led_by_the_space(repository: Path) -> None:
    """Each ordinary table's primary key and each index begins with the space, so that one database can hold many."""
    with closing(SqliteBackend(":memory:", create=True)) as store:
        run = store._connection.execute
        tables = run(
            "select name, wr, strict from pragma_table_list where type = 'table' and schema = 'main'"
            " and name not like 'sqlite_%' and name <> 'migration'"
        ).fetchall()
        assert len(tables) >= 9
        for table, _, strict in tables:
            assert strict, table
            for index in run(f"pragma index_list({table})").fetchall():
                assert run(f"pragma index_info({index[1]})").fetchall()[0][2] == "space", (table, index)


def test_a_removed_word_is_not_in_the_file(tmp_path: Path, shelf: Any) -> None:
    """A removed text leaves no word in the keyword index and, once erased, none of its letters in the file."""
    path = tmp_path / "memory.db"
    with closing(SqliteBackend(str(path), create=True)) as store:
        with store.write() as tx:
            tx.sources.put_root("docs", "")
            source = shelf.put(tx, "file:docs/a.md", "The zyzzyva hides.\n", metadata={"secret": ("quokka",)})
            shelf.put(tx, "file:docs/b.md", "The pump runs.\n")
            tx.keywords.add([(1, "xylograph", "The zyzzyva hides."), (2, "b", "The pump runs.")])
        assert b"zyzzyva" in path.read_bytes() + path.with_name("memory.db-wal").read_bytes()
        with store.write() as tx:
            tx.keywords.remove([(1, "xylograph", "The zyzzyva hides.")])
            tx.sources.remove_source(source)
            tx.keywords.erase()
    with closing(SqliteBackend(str(path), create=False)) as store:
        words = [row[0] for row in store._connection.execute("select term from words_vocabulary order by term")]
        assert words == ["b", "pump", "run", "the"]
        with store.read() as tx:
            assert tx.keywords.frequencies([Term(("zyzzyva",)), Term(("xylograph",))]) == [0, 0]
            assert tuple(tx.sources.count(Filter())) == (1, 1, 15, 0)
    left = path.read_bytes()
    assert not [word for word in (b"zyzzyva", b"xylograph", b"quokka") if word in left]


def test_the_text_of_an_entry_is_removed_exactly(tmp_path: Path, shelf: Any) -> None:
    """After many additions and removals the keyword index is sound and holds what is left, no more."""
    path = tmp_path / "memory.db"
    texts = [(n, f"head{n % 7}", f"word{n} shared{n % 3} the café 网关 {'x' * n}") for n in range(1, 300)]
    with closing(SqliteBackend(str(path), create=True)) as store:
        with store.write() as tx:
            tx.keywords.add(texts)
        for start in range(0, 290, 58):
            with store.write() as tx:
                tx.keywords.remove(texts[start : start + 58])
        store._connection.execute("insert into words (words) values ('integrity-check')")
        with store.read() as tx:
            assert tx.keywords.size() == len(texts) - 290
        terms = {row[0] for row in store._connection.execute("select term from words_vocabulary")}
        left = {term for _, head, body in texts[290:] for term in store._transaction.keywords.stems(f"{head} {body}")}
        assert terms == left


class Explained(SqliteDatabase):
    """A database that remembers how each list of found memories is read."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Have seen nothing."""
        super().__init__(connection)
        self.plans: list[str] = []

    def rows(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
        """Run a statement and keep its plan."""
        self.plans += [str(row[3]) for row in super().rows(f"explain query plan {sql}", params)]
        return super().rows(sql, params)


def test_what_belongs_to_found_memories_is_sought_not_scanned() -> None:
    """Each step of the plans of what a search reads of memories seeks by more than the space, which is all there is."""
    with closing(SqliteBackend(":memory:", create=True)) as store, store.read():
        database = Explained(store._connection)
        memories = SqlMemories(database, 1)
        memories.quotes(["mem_1", "mem_2"])
        memories.by_sources(["src_1", "src_2"])
        memories.by_entries([1, 2, 3])
        memories.labels(["mem_1"])
    _require_sought(database)


def test_what_hangs_on_one_thing_is_sought_not_scanned() -> None:
    """So is what an erasure, a decision, a rebuild and the mirror read of it: by an index, not through whole tables."""
    with closing(SqliteBackend(":memory:", create=True)) as store, store.read():
        database = Explained(store._connection)
        claims, sources, tables = SqlClaims(database, 1), SqlSources(database, 1), SqlTables(database, 1)
        claims.citing(["ver_1"])
        claims.decisions(["mem_1"])
        sources.stored_versions("src_1")
        sources.digests()
        SqlEntities(database, 1).entities(["ent_1"])
        SqlMirrored(database, 1).files_at(["memories/2026-11/a--1.md"])
        for table, column in (("version", "source"), ("evidence", "version"), ("decision", "claim"),
                              ("chunk", "source"), ("alias", "entity"), ("briefing", "memory")):  # fmt: skip
            tables.rows_where(table, column, ["a", "b"])
        digests = [plan for plan in database.plans if "version_by_digest" in plan]
        database.plans = [plan for plan in database.plans if plan not in digests]
    assert digests
    _require_sought(database)


def _require_sought(database: Explained) -> None:
    """Require that each step looks for more than the space."""
    steps = [plan for plan in database.plans if plan.startswith(("SEARCH", "SCAN"))]
    assert steps
    assert not [plan for plan in steps if "SCAN" in plan or plan.endswith("(space=?)")]
