"""Stores that cannot be written: they answer, say so, and are not touched."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treering.errors import ReadOnlyStore, StorageFailed

TEXT = "# Gateway\n\nThe gateway retries a failed payment five times.\n"
LATER = "# Backoff\n\nThe backoff between attempts doubles, up to a minute.\n"

pytestmark = pytest.mark.skipif(
    os.geteuid() == 0 and not sys.platform.startswith("linux"),
    reason="root's power over permissions can be given up on Linux only",
)


@pytest.fixture
def locked(project: Any) -> Iterator[Any]:
    """Return a project that locks paths, and unlocks them in the end."""
    modes: dict[Path, int] = {}

    def lock(*paths: Path) -> None:
        for path in paths:
            modes[path] = path.stat().st_mode
            path.chmod(0o555 if path.is_dir() else 0o444)

    project.write(gateway=TEXT)
    project.lock = lock
    yield project
    for path, mode in modes.items():
        path.chmod(mode)


def search(project: Any, question: str) -> tuple[int, str, str]:
    """Ask without power over permissions."""
    return project.run("plain", 0, "store", "search", question, "--empty-gate", "0", "--json")  # type: ignore[no-any-return]


def is_refused(project: Any, *words: str) -> bool:
    """Tell whether a command that writes is refused in words."""
    status, _, err = project.run("plain", 0, "store", *words)
    return status == ReadOnlyStore.exit_status and "cannot be written here" in err and "Traceback" not in err


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_store_that_cannot_be_written(locked: Any, what: str) -> None:
    """Without the right to write the file, its folder or both, a store answers and refuses to change."""
    database = locked.made("store")
    locked.lock(*{"file": [database], "folder": [database.parent], "both": [database, database.parent]}[what])
    before = database.read_bytes()
    status, out, err = search(locked, "how often does the gateway retry")
    assert (status, err) == (0, "")
    assert json.loads(out)["results"]
    told = json.loads(locked.run("plain", 0, "store", "status", "--json")[1])
    assert told["read_only"] is True
    locked.write(backoff=LATER)
    assert is_refused(locked, "index", "docs")
    assert is_refused(locked, "reindex")
    assert locked.run("plain", 0, "store", "verify")[0] == 0
    assert database.read_bytes() == before


def test_a_store_whose_writer_died(locked: Any) -> None:
    """Changes that stand only in the log of a writer that died are read where nothing can be written."""
    folder = die_while_open(locked)
    locked.lock(*folder.iterdir(), folder)
    status, out, err = search(locked, "does the backoff double")
    assert (status, err) == (0, "")
    assert "backoff" in json.loads(out)["results"][0]["text"]


def test_a_log_that_cannot_be_read(locked: Any) -> None:
    """Without the log's index the last changes cannot be read: refused, never an old state in silence."""
    folder = die_while_open(locked)
    (folder / "memory.db-shm").unlink()
    locked.lock(*folder.iterdir(), folder)
    status, out, _ = search(locked, "does the backoff double")
    assert status == ReadOnlyStore.exit_status
    assert "last changes" in out
    assert "copy the whole folder" in out


def test_a_folder_where_no_store_can_be_made(locked: Any) -> None:
    """Where no store can be made, indexing says so and leaves nothing behind."""
    target = locked.path / "target"
    target.mkdir()
    locked.lock(target)
    status, _, err = locked.run("plain", 0, "target/store", "index", "docs")
    assert status == StorageFailed.exit_status
    assert "cannot be made" in err
    assert list(target.iterdir()) == []


def test_an_unreadable_store(locked: Any) -> None:
    """A store that may not even be read is a fault of the place, in words."""
    database = locked.made("store")
    database.chmod(0)
    status, out, _ = search(locked, "gateway")
    database.chmod(0o600)
    assert status == StorageFailed.exit_status
    assert "cannot be read: Permission denied" in out


def die_while_open(project: Any) -> Path:
    """Store a second document in a process that dies before it closes the store; return the store's folder."""
    folder: Path = project.made("store").parent
    project.write(backoff=LATER)
    assert project.run("commit", 1, "store", "index", "docs")[0] == -signal.SIGKILL
    assert (folder / "memory.db-wal").stat().st_size > 0
    return folder
