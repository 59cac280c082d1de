"""Files that are no store, or no whole one: each is refused in words, with the exit status of its class."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from treering.backends.sqlite.engine import APPLICATION_ID, SCHEMA, SqliteBackend
from treering.errors import Damaged, NotAStore, NotFound, StoreTooNew, TreeringError
from treering.surfaces.cli import main

COMMANDS = (["search", "gateway"], ["status"], ["list", "sources"], ["index", "docs"], ["reindex"])
PAGE = 4096


def documents() -> dict[str, str]:
    """Return some pages full of letters, so that a changed byte falls into every table."""
    return {
        f"f{n}": f"---\nkind: k{n}\n---\n# Page {n}\n\n" + "".join(
            f"Paragraph {i}: the gateway retries pump {n * i} after a while, says the café.\n\n" for i in range(40)
        )
        for n in range(6)
    }  # fmt: skip


def statuses(database: Path, capsys: pytest.CaptureFixture[str]) -> dict[int, str]:
    """Run every command on a database; return exit statuses with what was said last."""
    found = {}
    for words in COMMANDS:
        status = main(["--store", str(database), *words])
        found[status] = capsys.readouterr().err
        assert "Traceback" not in found[status], found[status]
    return found


@pytest.fixture
def docs(project: Any) -> Path:
    """Return the project with documents, and without a store."""
    project.write(**documents())
    path: Path = project.path
    return path


@pytest.mark.parametrize(
    "content",
    [b"x", b"SQLite format", b"SQLite format 2\0" + bytes(5000), b"# Notes\n\nNo database.\n" * 400, bytes(8192)],
    ids=["one byte", "a beginning", "another version", "a text", "zeros"],
)
def test_no_database(docs: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    """A file that is no database is refused by every command and stays as it was."""
    database = docs / "memory.db"
    database.write_bytes(content)
    found = statuses(database, capsys)
    assert set(found) == {NotAStore.exit_status}
    assert "is not a Treering store" in found[7]
    assert database.read_bytes() == content
    assert sorted(path.name for path in docs.iterdir()) == [".git", "docs", "memory.db"]


@pytest.mark.parametrize("version", [0, SCHEMA, SCHEMA + 1, -1])
@pytest.mark.parametrize("mark", [0, 0x0F055112])
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_another_program(docs: Path, capsys: pytest.CaptureFixture[str], version: int, mark: int, mode: str) -> None:
    """Another program's database is refused whatever its version says, and loses nothing."""
    database = docs / "memory.db"
    with closing(sqlite3.connect(database)) as other:
        other.execute(f"pragma journal_mode = {mode}")
        other.execute(f"pragma user_version = {version}")
        other.execute(f"pragma application_id = {mark}")
        other.execute("create table source (id, title)")
        other.execute("insert into source values (1, 'theirs')")
        other.commit()
    before = database.read_bytes()
    found = statuses(database, capsys)
    assert set(found) == {NotAStore.exit_status}
    assert "another program" in found[7]
    assert database.read_bytes() == before


def test_an_empty_database_of_another_program(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A database that another program marked as its own is not taken over although it holds nothing yet."""
    database = docs / "memory.db"
    with closing(sqlite3.connect(database)) as other:
        other.execute("pragma application_id = 77")
    assert set(statuses(database, capsys)) == {NotAStore.exit_status}


def test_an_empty_file(project: Any, docs: Path) -> None:
    """A file without a byte is a store that is about to be made: it holds nothing and can be written."""
    database = project.database("empty")
    database.parent.mkdir()
    database.touch()
    with project.open("empty") as memory:
        assert memory.search("gateway").reason == "empty_store"
        assert memory.index([docs / "docs"])[0].added == 6
    assert project.is_whole("empty")


def test_no_file_and_a_folder(docs: Path) -> None:
    """An absent file is not made by who only wants to read, and a folder is no database."""
    with pytest.raises(NotFound, match="there is no store"):
        SqliteBackend(str(docs / "absent.db"), create=False)
    assert not (docs / "absent.db").exists()
    with pytest.raises(NotAStore, match="is a folder"):
        SqliteBackend(str(docs), create=True)


@pytest.mark.parametrize("noted", ["a later migration", ""])
def test_a_newer_store(project: Any, docs: Path, capsys: pytest.CaptureFixture[str], noted: str) -> None:
    """A store of a newer program is refused with the upgrade as the next step, and stays as it was.

    Its number says so, also where no migration that this program does not know is noted.
    """
    database = project.made("newer")
    with closing(sqlite3.connect(database)) as newer:
        if noted:
            newer.execute("insert into migration values (?, 'later', 'f00')", (SCHEMA + 1,))
        newer.execute(f"pragma user_version = {SCHEMA + 1}")
        newer.commit()
    before = project.contents("newer")
    found = statuses(database, capsys)
    assert set(found) == {StoreTooNew.exit_status}
    assert "written by a newer Treering" in found[4]
    assert "pip install --upgrade treering" in found[4]
    assert project.contents("newer") == before


@pytest.mark.parametrize("layout", ["other", "none"])
def test_a_store_of_another_build(project: Any, docs: Path, layout: str) -> None:
    """A store whose layout was made by other statements than this program's is not guessed at."""
    database = project.made("other")
    with closing(sqlite3.connect(database)) as other:
        other.execute("pragma user_version = 0")
        other.execute("update migration set checksum = 'f00'" if layout == "other" else "delete from migration")
        other.commit()
    with pytest.raises(TreeringError) as raised:
        SqliteBackend(str(database), create=True)
    assert raised.value.exit_status == Damaged.exit_status


@pytest.mark.parametrize("pages", [0.01, 0.2, 1, 1.5, 2, 5, -1])
def test_a_truncated_store(project: Any, docs: Path, capsys: pytest.CaptureFixture[str], pages: float) -> None:
    """A store that lost its end is damaged, says so and what to do, and is not changed."""
    database = project.made("cut")
    whole = database.read_bytes()
    content = whole[: int(pages * PAGE)]
    database.write_bytes(content)
    found = statuses(database, capsys)
    assert set(found) == {Damaged.exit_status}
    assert "restore a backup" in found[7]
    assert database.read_bytes() == content


def test_a_flipped_byte(project: Any, docs: Path) -> None:
    """A byte that changed anywhere gives a right answer or an error of ours: no traceback, and nothing hangs."""
    whole = project.made("sound").read_bytes()
    chance = random.Random(1729)  # noqa: S311  the same places in every run
    places = [*range(16, 100, 6), *(chance.randrange(100, len(whole)) for _ in range(50))]
    bad = project.database("bad")
    bad.parent.mkdir()
    said: dict[str, int] = {}
    for place in places:
        for end in ("-wal", "-shm"):
            Path(f"{bad}{end}").unlink(missing_ok=True)
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        bad.write_bytes(flipped)
        for name in ("search", "index", "reindex"):
            error = error_of(project, name)
            if error is not None:
                said[type(error).__name__] = said.get(type(error).__name__, 0) + 1
                assert isinstance(error, TreeringError), (place, name, error)
                assert error.exit_status in {4, 6, 7}, (place, name, error)
    assert said["Damaged"] > 5
    assert said["NotAStore"] > 2


def error_of(project: Any, name: str) -> Exception | None:
    """Return what goes wrong when a method is called on the store ``bad``; None when nothing does."""
    try:
        with project.open("bad") as memory:
            if name == "search":
                memory.search("does the gateway retry pump 12 after a while", empty_gate=0)
            elif name == "index":
                memory.index([project.docs])
            else:
                memory.reindex()
    except Exception as error:  # noqa: BLE001  any other than ours is what the test looks for
        return error
    return None


def test_the_mark_of_a_store(project: Any, docs: Path) -> None:
    """A store is marked as Treering's, carries its layout's number, and keeps a log beside it while it is open."""
    project.made("sound")
    assert project.query("sound", "pragma application_id") == [(APPLICATION_ID,)]
    assert project.query("sound", "pragma user_version") == [(SCHEMA,)]
    assert project.query("sound", "pragma journal_mode") == [("wal",)]
    assert project.query("sound", "select count(*), max(number) from migration") == [(SCHEMA, SCHEMA)]
