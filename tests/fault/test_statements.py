"""Failures in the middle of a run: at every statement, at every size of a disk that is full, old state or new."""

from __future__ import annotations

import itertools
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from states_for_faults import Healed

from treering.errors import StorageFailed

FIRST = {
    "gateway": "---\nkind: note\n---\n# Gateway\n\nThe gateway retries a failed payment five times.\n",
    "billing": "# Billing\n\n- runs at night\n- is logged\n",
    "gone": "# Gone\n\nThis page leaves.\n",
}
THEN = {
    "gateway": "---\nkind: event\n---\n# Gateway\n\nThe gateway retries six times.\n\n## Limits\n\nThe limit is six.\n",
    "backoff": "# Backoff\n\nThe backoff between attempts doubles, up to a minute.\n",
}


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: a failure of theirs is a notice and fails no run (see test_vectors.py)."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


def prepare(project: Any, name: str) -> Path:
    """Index the first texts into a store, then put the others in their place; return the store's folder."""
    project.write(**FIRST)
    folder: Path = project.made(name).parent
    project.write(**THEN)
    (project.docs / "gone.md").unlink()
    return folder


def states_of_a_run(project: Any, name: str) -> tuple[list[Any], int]:
    """Run to the end; return what the store held before each transaction and at the end, and the statements."""
    states = []
    with project.watched() as statements:

        def look(sql: str) -> None:
            if sql == "begin immediate":
                states.append(project.contents(name))

        statements.before = look
        with project.open(name) as memory:
            memory.index([project.docs])
    states.append(project.contents(name))
    return [state for state, _ in itertools.groupby(states)], statements.seen


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
@pytest.mark.parametrize("known", [False, True], ids=["new store", "changed folder"])
def test_every_statement_fails_once(quick_project: Any, *, known: bool, lasting: bool) -> None:
    """Whichever statement of a run fails, the store is as before or after one of its transactions, and whole."""
    project = quick_project
    start = prepare(project, "start")
    if not known:
        shutil.rmtree(start)
        start.mkdir()
    shutil.copytree(start, project.path / "clean")
    states, total = states_of_a_run(project, "clean")
    assert len(states) >= 3
    assert total > 60
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Run again, and check what that leaves."""
        with project.open("store") as memory:
            memory.index([project.docs])
        assert project.contents("store") == states[-1], number
        assert project.is_whole("store")

    failed = 0
    for number in range(1, total + 1):
        project.copy("start", "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            try:
                reports = memory.index([project.docs])
            except StorageFailed:
                failed += 1
            else:  # the text was stored already: vectors that cannot be made are told of
                failed += any("reindex --vectors" in notice for report in reports for notice in report.notices)
            memory.close()
        if project.database("store").exists():
            assert project.is_whole("store"), number
            assert project.contents("store") in states, number
        healed.once(heal)
    assert failed == total


def test_every_statement_of_a_rebuild_fails_once(project: Any) -> None:
    """Whichever statement of a rebuild fails, the store is as before, and the same open memory goes on."""
    prepare(project, "store")
    before = project.contents("store")
    failed = 0
    with project.watched() as statements, project.open("store") as memory:
        memory.status()
        for number in itertools.count(1):
            statements.seen, statements.failing = 0, number
            try:
                memory.reindex()
            except StorageFailed:
                failed += 1
            else:
                break
            statements.failing = 0
            assert project.contents("store") == before, number
    assert failed > 40
    assert project.contents("store") == before
    assert project.is_whole("store")


def test_a_full_disk(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk a run fails in words and leaves the old state; with space again the same memory goes on."""
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "0")  # a search that reads one small file may find room for it
    prepare(project, "store")
    project.write(large="# Large\n\n" + "".join(f"Paragraph {n} of the ledger {n * n}.\n\n" for n in range(3000)))
    before = project.contents("store")
    full = 0
    with project.open("store") as memory:
        connection = memory._opened(create=False)._connection
        pages = connection.execute("pragma page_count").fetchall()[0][0]
        for room in (0, 1, 2, 5, 20):
            connection.execute(f"pragma max_page_count = {pages + room}")
            with pytest.raises(StorageFailed, match="disk is full: nothing was changed"):
                memory.index([project.docs])
            full += 1
            assert project.contents("store") == before
            assert memory.search("how often does the gateway retry", empty_gate=0).found
        assert project.is_whole("store")
        connection.execute("pragma max_page_count = 1000000")
        assert memory.index([project.docs])[0].added == 2
    project.made("fresh")
    assert project.contents("store") == project.contents("fresh")
    assert project.is_whole("store")


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size: the system refuses the write in its middle."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("known", [False, True], ids=["new store", "changed folder"])
def test_a_write_that_the_system_refuses(project: Any, *, known: bool) -> None:
    """Wherever a write is cut short by the system, the run fails in words, and the store is old or new and whole."""
    start = prepare(project, "start")
    if not known:
        shutil.rmtree(start)
        start.mkdir()
    shutil.copytree(start, project.path / "clean")
    states, _ = states_of_a_run(project, "clean")
    refused = 0
    for size in itertools.count(0, 7001):
        shutil.copytree(start, project.path / "store")
        memory = project.open("store")
        try:
            with files_of_at_most(size):
                memory.index([project.docs])
            failed = False
        except StorageFailed:
            refused += 1
            failed = True
        memory.close()
        if project.database("store").exists():
            assert project.is_whole("store"), size
            assert project.contents("store") in states, size
        with project.open("store") as memory:
            memory.index([project.docs])
        assert project.contents("store") == states[-1], size
        shutil.rmtree(project.path / "store")
        if not failed:
            break
    assert refused > 5
