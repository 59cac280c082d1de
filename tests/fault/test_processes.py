"""Several processes on one store, and processes that die in the middle."""

from __future__ import annotations

import os
import random
import shutil
import signal
from contextlib import closing
from typing import Any

import pytest

from treering.backends.sqlite.engine import SqliteBackend

RETRY = "# Gateway\n\nThe gateway retries a failed payment five times.\n"
BACKOFF = "# Backoff\n\nThe backoff between attempts doubles, up to a minute.\n"


def texts(count: int, *, edited: bool = False) -> dict[str, str]:
    """Return small documents; in the edited ones some changed, some are gone and some are new."""
    first, last = (20, count + 30) if edited else (0, count)
    verbs = {n: "holds" if edited and n % 4 == 0 else "runs" for n in range(first, last)}
    return {f"f{n:03}": f"---\nkind: k{n % 3}\n---\n# Page {n}\n\nThe pump {n} {verbs[n]}.\n" for n in verbs}


def test_eight_processes_make_one_store(project: Any) -> None:
    """Eight processes that open and index a new store at once all succeed, and each file is there once."""
    project.write(**texts(30))
    processes = [project.start("gate", 0, "many", "index", str(project.docs)) for _ in range(8)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0] * 8, ends
    project.made("alone")
    assert project.is_whole("many")
    assert project.contents("many") == project.contents("alone")


def test_two_processes_index_a_folder_that_changed(project: Any) -> None:
    """Two runs over one changed folder at once end like one."""
    project.write(**texts(60))
    project.made("both")
    shutil.rmtree(project.docs)
    project.docs.mkdir()
    project.write(**texts(60, edited=True))
    processes = [project.start("gate", 0, "both", "index", str(project.docs), "--prune") for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    ends = [(process.communicate("\n", timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0, 0], ends
    project.made("alone")
    assert project.is_whole("both")
    assert project.contents("both") == project.contents("alone")


def test_readers_and_writers_mix(project: Any) -> None:
    """Processes that open, ask and leave while others index never fail on one another's locks."""
    project.write(**texts(40))
    project.made("busy")
    questions = [project.start("gate", 0, "busy", "search", f"the pump {n}", "--json") for n in range(4)]
    runs = [project.start("gate", 0, "busy", "index", str(project.docs)) for _ in range(2)]
    for process in (*questions, *runs):
        assert process.stdout.readline() == "ready\n"
    project.write(new=RETRY)
    for process in (*questions, *runs):
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [(process.communicate(timeout=120), process.returncode) for process in (*questions, *runs)]
    assert {status for _, status in ends} <= {0, 1}, ends
    assert [status for _, status in ends[4:]] == [0, 0], ends
    assert project.is_whole("busy")


@pytest.mark.parametrize("known", [False, True], ids=["new store", "changed folder"])
@pytest.mark.parametrize("fault", ["statement", "size"])
def test_killed_while_indexing(project: Any, fault: str, *, known: bool) -> None:
    """After a kill at any moment the store opens whole, and the next run leaves nothing doubled, nothing missing."""
    chance = random.Random(f"{fault} {known}")  # noqa: S311  the same moments in every run
    count = 270  # two batches
    project.write(**texts(count))
    if known:
        project.made("known")
        shutil.rmtree(project.docs)
        project.docs.mkdir()
        project.write(**texts(count, edited=True))
        start = project.path / "known"
    else:
        start = project.path / "none"
        start.mkdir()
    words = ("index", str(project.docs), "--prune")
    project.made("fresh")
    expected = project.contents("fresh")
    for number in range(3):
        name = f"round{number}"
        shutil.copytree(start, project.path / name)
        most = {"statement": 7000, "size": 300_000}[fault]
        if fault == "statement":
            shutil.copytree(start, project.path / "count")
            most = int(project.run("count", 0, "count", *words)[2].split()[-1])
            shutil.rmtree(project.path / "count")
        status, _, err = project.run(fault, chance.randrange(1, most), name, *words)
        assert status == -(signal.SIGKILL if fault == "statement" else signal.SIGXFSZ), err
        if project.database(name).exists():
            assert project.is_whole(name)
        with project.open(name) as memory:
            memory.index([project.docs], prune=True)
        assert project.is_whole(name)
        assert project.contents(name) == expected


def test_a_warm_store_sees_what_another_process_stored(project: Any) -> None:
    """An open memory answers from what another process committed since its last question."""
    project.write(gateway=RETRY)
    with project.open("warm") as memory:
        memory.index([project.docs])
        assert memory.status().sources == 1
        project.write(backoff=BACKOFF)
        assert project.run("none", 0, "warm", "index", str(project.docs))[0] == 0
        assert memory.status().sources == 2
        assert memory.search("does the backoff double", empty_gate=0).found


def test_a_replaced_database(project: Any) -> None:
    """An open memory notices that its file was replaced by another, and reads that."""
    project.write(gateway=RETRY)
    project.made("warm")
    project.write(backoff=BACKOFF)
    other = project.made("other")
    with project.open("warm") as memory:
        assert memory.status().sources == 1
        os.replace(other, project.database("warm"))
        assert memory.status().sources == 2
        assert memory.search("does the backoff double", empty_gate=0).found
        memory.index([project.docs])
    assert project.is_whole("warm")


def test_a_database_that_was_taken_away(project: Any) -> None:
    """An open backend tells that its file is gone or another one, and only then."""
    project.write(gateway=RETRY)
    path = project.made("warm")
    with closing(SqliteBackend(str(path), create=False)) as store:
        assert not store.replaced()
        path.rename(path.with_name("moved.db"))
        assert store.replaced()
        path.with_name("moved.db").rename(path)
        assert not store.replaced()
