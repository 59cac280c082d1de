"""Erasing when it is cut short anywhere: whoever opens the store next ends it, and no byte of the words is left."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

import treering
from treering.domain.erasure import Wanted
from treering.errors import NotFound, TreeringError
from treering.journal import StoredErasure

WORDS: Final = "The xylophone of Quetzalcoatl hums at nine 网关密钥在此"
TRACES: Final = (b"xylophone", b"xylophon", "网关密钥".encode(), "密钥".encode(), WORDS[:30].encode("utf-16-le"))


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: they make a run long."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


def bytes_of(folder: Path) -> bytes:
    """Return every byte that a store keeps, in small letters."""
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()).lower()


def prepare(project: Any) -> str:
    """Save a memory with words that stand nowhere else, and one beside it; return its id."""
    with project.open("start") as memory:
        memory.remember("The pump runs at night.")
        return str(memory.remember(WORDS, title="xylophone", tags=["xylophone"]).id)


def unfinished(memory: treering.MemoryStore) -> int:
    """Return how many erasures are not done."""
    with memory._reading() as tx:
        return len(tx.erasures.unfinished())


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
def test_whatever_statement_fails_the_next_open_ends_it(quick_project: Any, *, lasting: bool) -> None:
    """All from one on fail, as in a crash: the erasure has not begun, or the next open carries it out to the end."""
    project = quick_project
    id = prepare(project)
    shutil.copytree(project.path / "start", project.path / "clean")
    with project.watched() as statements, project.open("clean") as memory:
        memory.forget([id])
        total = statements.seen
    ended = 0
    for number in range(1, total + 1):
        shutil.copytree(project.path / "start", project.path / "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            with contextlib.suppress(TreeringError):
                memory.forget([id])
            memory.close()
        with project.open("store") as memory:
            memory.status()
            assert unfinished(memory) == 0, number
            try:
                memory.show(id)
            except NotFound:
                ended += 1
                memory.close()
                left = bytes_of(project.path / "store")
                assert [one for one in TRACES if one.lower() in left] == [], number
            else:
                memory.forget([id])
        with project.open("store") as memory:
            assert memory.verify().problems == (), number
        assert project.is_whole("store")
        shutil.rmtree(project.path / "store")
    assert ended > total // 8


def test_killed_after_it_was_written_down(project: Any) -> None:
    """A process that dies between writing down what is wanted and doing it has it done by the next one."""
    id = prepare(project)
    code = (
        "import os, sys, treering\n"
        "from treering.api.erasing import Erasing\n"
        "Erasing._removed = lambda *_: os._exit(9)\n"
        "treering.open(store=sys.argv[1]).forget([sys.argv[2]])\n"
    )
    store = project.path / "start"
    done = subprocess.run(
        [sys.executable, "-c", code, str(store), id],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 9
    assert b"xylophone" in bytes_of(store)
    with project.open("start") as memory:
        with pytest.raises(NotFound, match="forgotten"):
            memory.show(id)
        (receipt,) = memory.receipts()
        assert (receipt.done, receipt.proof.how, receipt.proof.found) == (True, "marks", ())
        assert memory.verify().problems == ()
    assert b"xylophone" not in bytes_of(store)


def test_an_agent_that_opens_the_store_ends_the_owners_erasure(project: Any) -> None:
    """Who opens the store next does not matter: the owner has decided."""
    id = prepare(project)
    with project.open("start") as memory:
        begun(memory, id)
    with treering.open(project.path, store=str(project.path / "start"), as_agent="bot") as memory:
        assert [one.content for one in memory.list("memories").items] == ["The pump runs at night."]
    assert b"xylophone" not in bytes_of(project.path / "start")


def test_a_reader_is_waited_for_by_whoever_comes_next(project: Any) -> None:
    """While an earlier state is read the log must wait: the receipt says so, and the next open empties it."""
    id = prepare(project)
    other, holding = project.open("start"), project.open("start")
    try:
        with holding._reading() as tx:
            assert tx.memories.count() == 2
            with project.open("start") as memory:
                done = memory.forget([id])
                assert "still reads" in done.receipt.waiting[0]
                assert not done.receipt.done
                (problem,) = memory.verify().problems
                assert problem.kind == "unfinished"
                assert not memory.search("xylophone", mode="keyword", empty_gate=0).found
        assert other.status().memories == 1  # its first look: it opens the store
        (receipt,) = other.receipts()
        assert (receipt.done, receipt.waiting) == (True, ())
        assert b"xylophone" not in bytes_of(project.path / "start")
        assert other.verify().problems == ()
    finally:
        other.close()
        holding.close()


def test_the_same_process_ends_it_with_its_next_change(project: Any) -> None:
    """A server that stays open does not wait for another open: its next change empties the log."""
    id = prepare(project)
    holding = project.open("start")
    with project.open("start") as memory:
        with holding._reading() as tx:
            assert tx.memories.count() == 2
            assert memory.forget([id]).receipt.waiting
        memory.remember("The harbour is frozen.")
        assert memory.receipts()[0].done
        assert b"xylophone" not in bytes_of(project.path / "start")
    holding.close()


def begun(memory: treering.MemoryStore, id: str) -> None:
    """Leave an erasure as a process leaves it that has only written down what is wanted."""
    wanted = json.dumps(Wanted((id,))._asdict())
    with memory._opened(create=False).write() as tx:
        tx.erasures.put(StoredErasure("era_1", "begun", "2026-01-01T00:00:00.000Z", wanted))


def test_who_erases_meanwhile_keeps_the_receipt(project: Any) -> None:
    """Who opens the store while another process carries its erasure out leaves that process its receipt."""
    id = prepare(project)
    with project.open("start") as first:
        begun(first, id)

        kept = []

        def end_it(sql: str) -> None:
            """Let the first process end its erasure, when the second one is about to."""
            if sql == "begin immediate":
                statements.before = lambda _: None
                first._resume(first._opened(create=False))
                kept.append(first.receipts())

        with project.watched() as statements, project.open("start") as second:
            statements.before = end_it
            assert second.status().memories == 1
            assert [second.receipts()] == kept
            assert kept[0][0].done
            assert kept[0][0].removed["memory"] == 1
            assert second.verify().problems == ()


def test_a_reader_waits_for_no_erasure(project: Any) -> None:
    """While another process writes, who reads leaves an erasure that was begun alone, and ends it with a change."""
    id = prepare(project)
    with project.open("start") as other, project.open("start") as memory:
        begun(other, id)
        began = time.monotonic()
        with other._opened(create=False).write():
            assert memory.status().memories == 2
        assert time.monotonic() - began < memory.settings.sqlite_busy_timeout_s / 2  # to wait would be to wait it out
        memory.remember("The harbour is frozen.")
        assert memory.receipts()[0].done
        assert b"xylophone" not in bytes_of(project.path / "start")
