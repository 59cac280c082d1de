"""Write what the migrations amount to: ``schema.sql`` to read, and the list of those that are fixed for good.

Usage: ``python scripts/schema.py [--unreleased]``. A migration that stands in the list is never edited
again; until the first release ``--unreleased`` writes the list anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import apsw

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from treering.backends.migrate import read_migrations  # noqa: E402
from treering.backends.sqlite.engine import SqliteBackend  # noqa: E402

FOLDER: Final = ROOT / "src" / "treering" / "backends" / "sqlite"
SCHEMA: Final = FOLDER / "schema.sql"
LIST: Final = ROOT / "tests" / "contract" / "migrations.txt"
_TITLE: Final = (
    "-- What the migrations amount to. Written by scripts/schema.py; never edited, never run by the program.\n"
)
# FTS5 keeps its data in tables of its own ("shadow"), which it makes itself.
_TABLES: Final = (
    "select sql from sqlite_schema where sql is not null"
    " and name not in (select name from pragma_table_list where type = 'shadow') order by rowid"
)


def schema_of(connection: apsw.Connection) -> str:
    """Return the statements that make an empty store like that of a connection."""
    number, mark = connection.pragma("user_version"), connection.pragma("application_id")
    statements = [str(row[0]) for row in connection.execute(_TABLES)]
    options = connection.execute("select k, v from words_config where k <> 'version' order by k").fetchall()
    statements += [f"insert into words (words, rank) values ('{name}', {value})" for name, value in options]  # noqa: S608
    statements += [f"pragma application_id = {mark}", f"pragma user_version = {number}"]
    return _TITLE + "".join(f"\n{statement};\n" for statement in statements)


def schema() -> str:
    """Return the statements that make a store as the migrations make it."""
    store = SqliteBackend(":memory:", create=True)
    try:
        return schema_of(store._connection)  # noqa: SLF001  what is inside is what is wanted
    finally:
        store.close()


def checksums() -> list[str]:
    """Return a line with name and checksum for each migration."""
    return [f"{m.number:04}_{m.name} {m.checksum}" for m in read_migrations(str(FOLDER / "migrations"))]


def main(arguments: list[str]) -> int:
    """Write both files; refuse when a listed migration was edited."""
    listed = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    found = checksums()
    if found[: len(listed)] != listed and arguments != ["--unreleased"]:
        sys.stderr.write("a listed migration was edited: undo that and write a new one\n")
        return 1
    LIST.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
    sys.stdout.write(f"wrote {SCHEMA.relative_to(ROOT)} and {LIST.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
