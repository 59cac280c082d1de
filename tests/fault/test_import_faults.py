"""Importing when something fails or a process dies: old state or new, and never a version without its original."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from states_for_faults import Healed

import treering
from treering.errors import StorageFailed, TreeringError

NOTES: Final = """\
---
title: Kelp sync
date: 2026-10-01
project: Kelp
type: meeting
---
## Decisions
- [slot: launch-date] Kelp will launch on November 15.
- The harbour stays closed.
"""
GBK: Final = ("项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n" * 3).encode("gbk")
HELD: Final = {
    "sources": "select s.key, s.title, s.kind, s.trust, v.sha256, v.source_time, v.original from source s"
    " join version v on v.source = s.id",
    "labels": "select s.key, l.key, l.value from label l join source s on s.id = l.source",
    "texts": "select v.sha256, c.text from content c join version v on v.id = c.version",
    "memories": "select content, slot, status, valid_from, trust from memory",
    "evidence": "select quote from evidence",
    "acts": "select name, outcome from act",
    "words": "select term, doc, cnt from words_vocabulary",
    "sizes": "select (select count(*) from source), (select count(*) from version), (select count(*) from chunk),"
    " (select count(*) from claim), (select count(*) from words_docsize)",
}
"""What a store holds of imports, without ids and times."""


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: a failure of theirs is a notice and fails no import."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


def held(project: Any, name: str) -> dict[str, list[Any]]:
    """Return what a store holds, in order."""
    return {what: sorted(project.query(name, sql)) for what, sql in HELD.items()}


def write(folder: Path, changed: str) -> None:
    """Put meeting notes, a text in GBK and a plain one into a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "notes.md").write_text(NOTES.replace("November 15", changed), "utf-8")
    (folder / "gbk.txt").write_bytes(GBK + changed.encode())
    (folder / "same.md").write_text("# Same\n\nThe ferry is late.\n", "utf-8")


def has_every_original(project: Any, name: str) -> bool:
    """Tell whether the bytes of each version that names them are there."""
    with project.open(name) as memory, memory._reading() as tx:
        return all(tx.originals.get(digest) for digest in tx.sources.digests())


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
def test_every_statement_fails_once(quick_project: Any, tmp_path: Path, *, lasting: bool) -> None:
    """Whichever statement of an import fails, the store is as before or after it, and the next import works."""
    project = quick_project
    files = tmp_path / "files"
    write(files, "November 15")
    with project.open("start") as memory:
        memory.import_(files, extract=True)
    before = held(project, "start")
    write(files, "December 1")
    shutil.copytree(project.path / "start", project.path / "clean")
    with project.watched() as statements, project.open("clean") as memory:
        memory.import_(files, extract=True)
        total = statements.seen
    after = held(project, "clean")
    assert before != after
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Import again, twice."""
        with project.open("store") as memory:
            memory.import_(files, extract=True)
            memory.import_(files, extract=True)
        assert held(project, "store") == after, number

    failed = 0
    for number in range(1, total + 1):
        project.copy("start", "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            try:
                memory.import_(files, extract=True)
            except StorageFailed:
                failed += 1
                assert held(project, "store") == before, number
            else:
                assert held(project, "store") == after, number
            memory.close()
        assert project.is_whole("store"), number
        assert has_every_original(project, "store"), number
        healed.once(heal)
    assert total > 60
    assert failed > total - 8


def test_an_original_that_cannot_be_written_leaves_the_store_as_it_was(project: Any, tmp_path: Path) -> None:
    """Where the folder for originals cannot be made, nothing of the batch is kept, and the error says which folder."""
    files = tmp_path / "files"
    write(files, "November 15")
    with project.open("store") as memory:
        memory.note("There before.")
        before = held(project, "store")
        blocked = project.path / "store" / "originals"
        blocked.write_text("a file stands in the way")
        with pytest.raises(StorageFailed, match="originals"):
            memory.import_(files)
        assert held(project, "store") == before
        blocked.unlink()
        assert {one.outcome for one in memory.import_(files)} == {"accepted"}


def test_damaged_bytes_are_noticed_and_mended_by_the_next_import(project: Any, tmp_path: Path) -> None:
    """A flipped byte is an error to read; the same file under another key puts the right bytes there again."""
    (tmp_path / "gbk.txt").write_bytes(GBK)
    with project.open("store") as memory:
        memory.import_(tmp_path / "gbk.txt")
        (kept,) = [path for path in (project.path / "store" / "originals").rglob("*") if path.is_file()]
        kept.write_bytes(b"X" + GBK[1:])
        with memory._reading() as tx, pytest.raises(TreeringError, match="other bytes"):
            tx.originals.get(kept.name)
        memory.import_(tmp_path / "gbk.txt", key="again")
        assert kept.read_bytes() == GBK


@pytest.mark.parametrize("delay_s", [0.25, 0.4, 0.6])
def test_a_killed_import_leaves_whole_batches(project: Any, tmp_path: Path, delay_s: float) -> None:
    """However far a killed process came, every version is whole and the next import completes the folder."""
    files = tmp_path / "files"
    files.mkdir()
    for number in range(600):
        (files / f"{number}.txt").write_bytes(GBK + str(number).encode())
    project.open("store").close()
    database = project.database("store")
    code = f"import treering; treering.open(store={str(database)!r}).import_({str(files)!r})"
    process = subprocess.Popen([sys.executable, "-c", code], env=os.environ)
    try:
        process.wait(timeout=delay_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
    if database.exists():
        assert project.is_whole("store")
        assert has_every_original(project, "store")
    with project.open("store") as memory:
        assert {one.outcome for one in memory.import_(files)} <= {"accepted", "exists"}
        assert len(memory.import_(files)) == 600
    assert project.query("store", "select count(*), count(distinct sha256) from version") == [(600, 600)]


def test_many_processes_import_the_same_folder(project: Any, tmp_path: Path) -> None:
    """Four importers at once leave one source and one version of each file."""
    files = tmp_path / "files"
    write(files, "November 15")
    database = project.database("store")
    code = f"import treering; treering.open(store={str(database)!r}).import_({str(files)!r}, extract=True)"
    processes = [subprocess.Popen([sys.executable, "-c", code], env=os.environ) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert project.query("store", "select count(*), (select count(*) from version) from source") == [(3, 3)]
    with treering.open(store=database) as memory:
        assert memory.list("memories").total == 2


def test_bytes_of_an_interrupted_import_are_a_note(project: Any, tmp_path: Path) -> None:
    """What a killed import left is no damage: verify names it as a note, and removes it when told to."""
    (tmp_path / "gbk.txt").write_bytes(GBK)
    project.open("start").close()
    with project.open("start") as memory:
        memory.remember("There before.")
    kept = 0
    for number in range(1, 200, 3):
        shutil.copytree(project.path / "start", project.path / "store")
        status, _, _ = project.run("statement", number, "store", "import", str(tmp_path / "gbk.txt"))
        if status == 0:
            shutil.rmtree(project.path / "store")
            break
        status, out, _ = project.run("none", 0, "store", "verify")
        assert status == 0, out
        if "note  orphan_file" in out:
            kept += 1
            assert out.endswith("next: treering verify --fix\n")
            assert project.run("none", 0, "store", "verify", "--fix")[0] == 0
            assert "orphan_file" not in project.run("none", 0, "store", "verify")[1]
        shutil.rmtree(project.path / "store")
        if kept > 1:
            break
    assert kept
