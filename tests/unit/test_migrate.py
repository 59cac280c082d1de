"""Which migrations a store needs, and when it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from treering.backends.migrate import Migration, pending, read_migrations
from treering.errors import Damaged, StoreTooNew

ONE = Migration(1, "first", "create table a (b);\n")
TWO = Migration(2, "second", "create table c (d);\n")


def record(*migrations: Migration) -> list[tuple[int, str]]:
    """Return what a store records of migrations."""
    return [(migration.number, migration.checksum) for migration in migrations]


def test_a_new_store_needs_all() -> None:
    """A store without any record needs every migration, in order."""
    assert pending([ONE, TWO], [], "s.db") == [ONE, TWO]


def test_an_old_store_needs_the_rest() -> None:
    """A store needs what it does not record yet."""
    assert pending([ONE, TWO], record(ONE), "s.db") == [TWO]
    assert pending([ONE, TWO], record(ONE, TWO), "s.db") == []


def test_a_newer_store_is_refused_in_words() -> None:
    """A store with more migrations than the program has is refused, with both numbers and the next step."""
    with pytest.raises(StoreTooNew, match=r"s\.db was written by a newer Treering \(layout 2; .* up to 1\)") as raised:
        pending([ONE], record(ONE, TWO), "s.db")
    assert raised.value.hint == "pip install --upgrade treering"


@pytest.mark.parametrize("applied", [[(1, "f00")], [(2, ONE.checksum)], [*record(ONE), (2, "f00")]])
def test_another_history_is_refused(applied: list[tuple[int, str]]) -> None:
    """A store that was made by other statements under the same number is damaged, not guessed at."""
    with pytest.raises(Damaged, match="another build of migration"):
        pending([ONE, TWO], applied, "s.db")


def test_the_checksum_knows_the_statements_alone() -> None:
    """White space at line ends and the kind of line end do not count; everything else does."""
    assert ONE.checksum == ONE._replace(sql="create table a (b);  \r\n").checksum
    assert ONE.checksum == ONE._replace(name="other").checksum
    assert ONE.checksum != ONE._replace(sql="create table a (B);\n").checksum
    assert ONE.checksum != ONE._replace(sql="create table  a (b);\n").checksum


def test_a_folder_is_read_by_number(tmp_path: Path) -> None:
    """Migrations come by number with name and statements; other files are none."""
    for name, text in (("0002_second.sql", TWO.sql), ("0001_first.sql", ONE.sql), ("README.md", "no")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_migrations(str(tmp_path)) == [ONE, TWO]


@pytest.mark.parametrize("names", [["0002_b.sql"], ["0001_a.sql", "0003_c.sql"], ["0001_a.sql", "0001_b.sql"]])
def test_a_broken_installation(tmp_path: Path, names: list[str]) -> None:
    """A gap or a double among the numbers is a broken installation, said so."""
    for name in names:
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(Damaged, match="lacks a database migration"):
        read_migrations(str(tmp_path))
