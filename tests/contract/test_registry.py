"""The registry of tables beside the tables that there are; another test holds both databases to the same ones."""

from __future__ import annotations

from contextlib import closing
from typing import Final

from treering.backends.registry import CANONICAL, TABLES
from treering.backends.sqlite.engine import SqliteBackend

# What a database has for itself: the keyword index, whose rows are made again, and the record of migrations.
OWN: Final = {"words", "words_vocabulary", "migration"}
# Text that is no user's: ids, digests, dates, names of the program's own choosing.
OURS: Final = {
    "id", "name", "source", "version", "memory", "claim", "old", "note", "entity", "from_id", "to_id", "target",
    "kind", "trust", "custody", "status", "verification", "state", "actor", "author", "role", "type", "outcome",
    "inverse", "encoding", "sha256", "rules_hash", "scanned_at", "created_at", "recorded_at", "changed_at",
    "forgotten_at", "made_at", "decided_at", "erased_at", "undone_at", "at", "until", "valid_from", "valid_to",
    "superseded_by", "value", "why", "source_time", "original", "pinned_at", "last_at", "begun_at", "wanted", "todo",
    "marks", "day", "client", "domain", "owner", "made",
}  # fmt: skip


def columns() -> dict[str, dict[str, str]]:
    """Return the columns of each table of a new store, with their types."""
    with closing(SqliteBackend(":memory:", create=True)) as store:
        rows = store._connection.execute(
            "select t.name, c.name, c.type from pragma_table_list t join pragma_table_info(t.name) c"
            " where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%' order by t.name, c.cid"
        ).fetchall()
    found: dict[str, dict[str, str]] = {}
    for table, column, kind in rows:
        if table not in OWN and column != "space":
            found.setdefault(str(table), {})[str(column)] = str(kind).lower()
    return found


def test_every_table_and_column_is_registered() -> None:
    """What is added to the schema and not to the registry would be left out of an export and of an erasure."""
    assert {name: set(table.columns) for name, table in TABLES.items()} == {
        name: set(known) for name, known in columns().items()
    }


def test_every_text_is_a_users_or_ours() -> None:
    """A text column holds a user's words, and says so, or is on the list of those that never do."""
    unsaid = {
        f"{name}.{column}"
        for name, known in columns().items()
        for column, kind in known.items()
        if kind in {"text", "blob"} and column not in TABLES[name].words and column not in OURS
    }
    assert unsaid == set()


def test_what_is_referred_to_goes_first() -> None:
    """Rows are taken in without one that refers to a row which is not there yet."""
    with closing(SqliteBackend(":memory:", create=True)) as store:
        for place, name in enumerate(CANONICAL):
            for row in store._connection.execute(f"select \"table\" from pragma_foreign_key_list('{name}')").fetchall():  # noqa: S608
                assert str(row[0]) in CANONICAL[: place + 1], f"{name} refers to {row[0]}"
