"""X07: a search waits for nobody: neither for who writes, nor for the disk that takes up a log of others."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from typing import Any, Final

import apsw
import pytest

import treering
from treering.backends.sqlite import engine
from treering.errors import StoreBusy

pytestmark = pytest.mark.sqlite

MENDING: Final = """
import fcntl, sys
index = open(sys.argv[1], 'r+b')
for byte in (120, 122):  # the lock for writing, and the one for mending
    fcntl.lockf(index, fcntl.LOCK_EX, 1, byte)
index.write(bytes(96))  # both copies of the header
index.flush()
print('held', flush=True)
sys.stdin.readline()
"""
"""Holds what SQLite holds while it makes the index of a log again."""

PAGES: Final = 1500
"""Pages of log from which on any usual commit carries them into the file."""


def long_log(project: Any, name: str) -> None:
    """Leave a log that is due to be carried into the file, as others who write leave it."""
    connection = apsw.Connection(str(project.database(name)))
    connection.wal_autocheckpoint(0)
    connection.execute("create table ballast (bytes)")
    connection.execute("insert into ballast values (randomblob(?))", (PAGES * 4096,))
    connection.execute("drop table ballast")
    connection.close()


def test_a_search_that_keeps_vectors_leaves_the_log_to_writers(project: Any) -> None:
    """What a search stores on the way does not make it carry a long log of others into the file; the next save does."""
    with project.open("store") as memory:
        memory.remember("The gateway retries a failed payment five times.")
        memory.search("payment", empty_gate=0)
        memory.search("payment", empty_gate=0)  # the second one of a process embeds
        assert memory.status().embedded == 1
        memory.remember("The ledger closes at midnight.")
        long_log(project, "store")
        log = project.path / "store" / "memory.db-wal"
        before, written = project.database("store").read_bytes(), log.stat().st_size
        assert written > PAGES * 4096
        assert memory.search("ledger", empty_gate=0).found
        assert memory.status().embedded == 2
        assert project.database("store").read_bytes() == before
        memory.remember("The ferry is late.")
        assert project.database("store").read_bytes() != before


@pytest.mark.parametrize("does", ["searches", "context", "list", "show", "status"])
def test_reading_does_not_wait_for_a_writer(project: Any, does: str) -> None:
    """While another process holds the lock for writing, every way of reading answers; a save alone waits."""
    with project.open("store") as memory:
        id = memory.remember("The gateway retries a failed payment five times.").id
        for _ in range(2):
            memory.search("payment", empty_gate=0)
        memory.remember("The ledger closes at midnight.")
        reading = {
            "searches": lambda: memory.search("ledger", empty_gate=0),
            "context": lambda: memory.context("ledger"),
            "list": lambda: memory.list("memories"),
            "show": lambda: memory.show(id),
            "status": memory.status,
        }[does]
        backend = memory._opened(create=False)
        backend._busy_timeout_s = 0.0
        other = treering.open(project.path, store=str(project.path / "store"))
        with closing(other), other._opened(create=False).write():
            assert reading()
            with pytest.raises(StoreBusy):
                memory.remember("It has to wait.")


def test_a_read_waits_no_longer_than_its_own_limit(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a process mends the log's index nobody can begin to read: that ends in words, well before a write would."""
    monkeypatch.setattr(engine, "_READ_WAIT_S", 0.2)
    with project.open("store") as memory:
        memory.remember("The gateway retries a failed payment five times.")
        assert memory.settings.sqlite_busy_timeout_s == 30
        index = project.database("store").with_name("memory.db-shm")
        with subprocess.Popen(
            [sys.executable, "-c", MENDING, str(index)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as mending:
            assert mending.stdout is not None
            assert mending.stdout.readline() == "held\n"
            with pytest.raises(StoreBusy, match=r"locked for 0\.2 s"):
                memory.search("payment", empty_gate=0)
            mending.communicate("\n")
        assert memory.search("payment", empty_gate=0).found
        assert memory.verify().problems == ()
