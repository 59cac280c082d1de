"""What a process runs out of, and what changes under it: files, room on the disk, the clock, the program's age."""

from __future__ import annotations

import errno
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from files_for_faults import watched_files

import treering
from treering.backends.sqlite.engine import SCHEMA
from treering.errors import StorageFailed, StoreTooNew

WITHOUT_FILES = """
import os, resource, sys, treering
from treering.errors import TreeringError
memory = treering.open(store=sys.argv[1])
memory.remember('The ledger closes at midnight.')
memory.close()
memory = treering.open(store=sys.argv[1])  # opens its database when it is first needed
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
held = []
try:
    while True: held.append(os.open(os.devnull, os.O_RDONLY))
except OSError: pass
try:
    memory.remember('Backups run at three.')
except TreeringError as error:
    print(error.exit_status, error)
for one in held: os.close(one)
print(memory.remember('Rollback takes two hours.').outcome)
"""
"""Saves, then cannot open the store for want of files, then saves again."""


DOCUMENT: Final = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
    "The launch is in Lisbon.</w:t></w:r></w:p></w:body></w:document>"
)


def test_a_migrated_store_stops_the_older_program(project: Any) -> None:
    """Who has a store open while a newer program migrates it still reads, writes no more, and says what helps."""
    with project.open("old") as memory:
        kept = memory.remember("The gateway retries five times.")
        project.query("old", "insert into migration select max(number) + 1, 'later', 'f00' from migration")
        project.query("old", f"pragma user_version = {SCHEMA + 1}")
        with pytest.raises(StoreTooNew, match="a newer Treering has the store"):
            memory.remember("The ledger closes at midnight.")
        with pytest.raises(StoreTooNew):
            memory.forget([kept.id])
        assert memory.show(kept.id).content == "The gateway retries five times."
    assert project.query("old", "select count(*) from memory") == [(1,)]


def test_no_more_open_files(project: Any) -> None:
    """A process that may open no further file is told so in words; the store is whole, and goes on with more."""
    with project.open("many") as memory:
        memory.remember("The gateway retries five times.")
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES, str(project.path / "many")], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    refused, accepted = ran.stdout.splitlines()
    assert refused.startswith(f"{StorageFailed.exit_status} ")
    assert accepted == "accepted"
    assert project.is_whole("many")
    with project.open("many") as memory:
        assert memory.verify().problems == ()
        assert memory.search("rollback two hours").found


def fill(memory: treering.MemoryStore, saved: list[str]) -> None:
    """Save long notes without end."""
    for number in range(10_000):
        words = " ".join(f"w{number}x{place}" for place in range(150))
        saved.append(memory.remember(f"Note {number}: {words}").id)


def test_a_real_disk_that_fills_up(small_disk: Path) -> None:
    """On a full disk each save is whole or refused in words; what was saved stays, and room lets it go on."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(200_000))
    with treering.open(small_disk, store=str(small_disk / "store")) as memory:
        saved: list[str] = []
        with pytest.raises(StorageFailed, match=r"full|disk|space"):
            fill(memory, saved)
        assert len(saved) > 10
        assert memory.search("note 3", mode="keyword", empty_gate=0).found
        ballast.unlink()
        saved.append(memory.remember("There is room again.").id)
        assert memory.verify().problems == ()
    with treering.open(small_disk, store=str(small_disk / "store")) as memory:
        for id in saved:
            assert memory.show(id).status == "active"


@pytest.mark.parametrize("what", ["mirror", "original", "archive", "export"])
def test_a_quota_that_is_used_up(project: Any, what: str) -> None:
    """Where a quota leaves no room for a file the error says so, and the same goes on with more; nothing is half there.

    The database meets a quota as it does a limit of a file's size: test_statements.py.
    """
    page = project.path / "page.gbk.txt"
    page.write_bytes("项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n".encode("gbk"))
    store = project.path / "store"
    with project.open("store") as memory:
        kept = memory.remember("The gateway retries five times.").id
        work, place = {
            "mirror": (memory.write_mirror, store / "mirror"),
            "original": (lambda: memory.import_([page]), store / "originals"),
            "archive": (lambda: memory.backup(project.path / "out" / "kept.tar"), project.path / "out"),
            "export": (lambda: memory.export(project.path / "out" / "all", format="okf"), project.path / "out"),
        }[what]
        (project.path / "out").mkdir()
        with watched_files(place) as files:
            files.error, files.failing, files.lasting = errno.EDQUOT, 1, True
            with pytest.raises(StorageFailed, match="quota"):
                work()
        assert memory.show(kept).status == "active"
        assert not list((project.path / "out").rglob("*.part"))
        work()
        assert memory.verify().problems == ()


def test_nothing_is_left_of_a_process_that_reads_documents(project: Any) -> None:
    """The process that reads documents apart is gone when the import is done, and threads when the memory is closed."""
    before = children()  # such as a database server for other tests
    with zipfile.ZipFile(project.path / "a.docx", "w") as document:
        document.writestr("_rels/.rels", '<r><R Type="x/officeDocument" Target="word/document.xml"/></r>')
        document.writestr("word/document.xml", DOCUMENT)
    with project.open("store") as memory:
        [imported] = memory.import_([project.path / "a.docx"])
        assert "Lisbon" in memory.show(imported.id).text
        assert children() == before
        memory.remember("The ledger closes at midnight.")
    assert children() == before
    assert [one.name for one in threading.enumerate() if one.name.startswith("treering")] == []


def children() -> list[str]:
    """Return the processes that this one has started and that are still there."""
    return [child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()]


def test_a_clock_that_goes_back(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clock is set back by a day, nothing is lost or doubled, and the later statement is still the one."""
    with project.open("clock") as memory:
        first = memory.remember("Staging runs PostgreSQL 16.", slot="staging/db", value="16", valid_from="2026-01-01")
        now = time.time_ns()
        monkeypatch.setattr(time, "time_ns", lambda: now - 86_400 * 10**9)
        second = memory.remember("Staging runs PostgreSQL 17.", slot="staging/db", value="17", valid_from="2026-02-01")
        third = memory.remember("The ledger closes at midnight.")
        assert len({first.id, second.id, third.id}) == 3
        assert memory.active_state("staging/db") == "17"
        assert memory.search("ledger midnight").found
        assert memory.verify().problems == ()
    with project.open("clock") as memory:
        assert memory.list("memories", status="all").total == 3


@pytest.mark.parametrize("leftover", ["memory.db-journal", "memory.db-wal", "memory.db-shm"])
def test_what_a_dead_process_left(project: Any, leftover: str) -> None:
    """An empty journal, log or index beside the database, as a crash of the machine may leave, stops nothing."""
    with project.open("left") as memory:
        kept = memory.remember("The gateway retries five times.")
    (project.path / "left" / leftover).write_bytes(b"")
    with project.open("left") as memory:
        assert memory.show(kept.id).status == "active"
        memory.remember("The ledger closes at midnight.")
        assert memory.verify().problems == ()


def test_a_long_reader_stops_no_writer(project: Any) -> None:
    """While one process reads an old state, others write and read on; the reader keeps the state that it began with."""
    with project.open("long") as memory:
        memory.remember("The gateway retries five times.")
        reader = treering.open(project.path, store=str(project.path / "long"))
        with closing(reader), reader._reading() as tx:  # a reader that does not let go
            before = tx.memories.count(())
            for number in range(50):
                memory.remember(f"Pump {number} runs.")
            assert tx.memories.count(()) == before
            assert memory.search("pump 49").found
    with project.open("long") as memory:
        assert memory.list("memories").total == 51
