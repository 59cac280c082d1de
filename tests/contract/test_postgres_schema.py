"""The tables of a PostgreSQL store beside those of SQLite: the relational half is written once for both."""

from __future__ import annotations

from contextlib import closing
from typing import Any, Final

from treering.backends.postgres.database import translated
from treering.backends.postgres.engine import PostgresBackend
from treering.backends.sqlite.engine import SqliteBackend
from treering.domain.address import Address

# What each database has for itself: the keyword index, and what a server needs beside it.
OWN: Final = {"original", "words", "word", "words_vocabulary", "change", "migration"}
COLUMNS: Final = (
    "select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'treering'"
)


def test_both_have_the_same_tables(databases: Any) -> None:
    """Every table and column of one is in the other, and may be empty where it may be there; vectors stand twice."""
    url = databases.new()
    PostgresBackend(Address(url), create=True).close()
    found = databases.run(COLUMNS, Address(url).database)
    postgres = {(table, column, nullable == "YES") for table, column, nullable in found if table not in OWN}
    with closing(SqliteBackend(":memory:", create=True)) as store:
        listed = store._connection.execute(
            "select t.name, c.name, c.'notnull' = 0 from pragma_table_list t join pragma_table_info(t.name) c"
            " where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%'"
        ).fetchall()
    sqlite = {(str(table), str(column), bool(nullable)) for table, column, nullable in listed if table not in OWN}
    assert postgres - sqlite == {("vector", "near", True)}
    assert sqlite - postgres == set()


def test_every_key_and_index_is_led_by_the_space(databases: Any) -> None:
    """But for indexes that belong to one space by their condition, and the record of migrations."""
    url = databases.new()
    PostgresBackend(Address(url), create=True).close()
    sql = "select indexdef from pg_indexes where schemaname = 'treering' and tablename <> 'migration'"
    for (made,) in databases.run(sql, Address(url).database):
        assert "(space" in made or "WHERE (space = 1)" in made, made


def test_no_text_is_sampled(databases: Any) -> None:
    """No statistics are kept of columns that hold a user's words, so that none outlive their row there."""
    url = databases.new()
    PostgresBackend(Address(url), create=True).close()
    sql = (
        "select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid"
        " join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'treering' and c.relkind = 'r'"
        " and a.attnum > 0 and a.attstattarget = 0"
    )
    silent = {row[0] for row in databases.run(sql, Address(url).database)}
    assert silent >= {
        "content.text", "memory.content", "memory.title", "memory.summary", "memory.value", "memory.slot",
        "claim.content", "claim.title", "claim.summary", "claim.value", "claim.slot", "claim_revision.content",
        "claim_revision.labels", "proposal.operation", "proposal.reason", "decision.reason", "stretch.slot",
        "entity.name", "alias.name", "alias.key", "evidence.quote", "source.title", "source.key", "chunk.path",
        "chunk.lead", "words.vector", "word.word", "label.value", "memory_label.value",
    }  # fmt: skip


def test_placeholders() -> None:
    """A parameter is rewritten; what stands in quotes, a cast and a percent sign are not taken for one."""
    written = "select ':a', x::text, :name, '100%', 5 % 2, 'it''s :b' where k = :k0_value1"
    assert translated(written) == (
        "select ':a', x::text, %(name)s, '100%%', 5 %% 2, 'it''s :b' where k = %(k0_value1)s"
    )
