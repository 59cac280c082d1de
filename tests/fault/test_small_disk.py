"""A real file system of two megabytes that is full: each work ends in words, old state or new, and goes on with room.

Saving and syncing on one stand in test_resources.py and test_mirror_faults.py. Where none can be mounted these tests
are skipped, and say so.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from changes_for_faults import held as held_in_order
from test_mirror_faults import change, fill, held
from test_statements import prepare, states_of_a_run

import treering
from treering.errors import StorageFailed

pytestmark = pytest.mark.sqlite

ROOMS: Final = (0, 20_000, 40_000, 80_000, 120_000, 200_000, 400_000, 800_000)
"""Bytes that are left: for nothing at all, for SQLite's log alone, for a part of the work, for all of it."""


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: where they find no room that is a notice and fails no run."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


@contextmanager
def room_for(disk: Path, size_bytes: int) -> Iterator[None]:
    """Leave so much room on a file system, and all of it afterwards."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        file.write(bytes(max(0, shutil.disk_usage(disk).free - size_bytes)))
    try:
        yield
    finally:
        ballast.unlink()


def works(disk: Path, room: int, work: Callable[[], object]) -> bool:
    """Tell whether a work found room; one that did not says so."""
    with room_for(disk, room):
        try:
            work()
        except StorageFailed as error:
            said = str(error)
        else:
            return True
    assert any(word in said for word in ("full", "disk", "space", "room")), said
    return False


def on_disk(project: Any, disk: Path, name: str = "store") -> None:
    """Let a store of the project lie on a file system."""
    (project.path / name).symlink_to(disk / name)


def test_indexing(project: Any, small_disk: Path) -> None:
    """An index run leaves what one of its transactions left, and the next one does the whole of it."""
    prepare(project, "start")
    project.write(**{f"f{n}": f"# Page {n}\n\n" + f"The pump {n} runs.\n\n" * 200 for n in range(20)})
    shutil.copytree(project.path / "start", project.path / "clean")
    states, _ = states_of_a_run(project, "clean")
    on_disk(project, small_disk)
    found = set()
    for room in ROOMS:
        shutil.copytree(project.path / "start", small_disk / "store")

        def index() -> None:
            with project.open("store") as memory:
                memory.index([project.docs])

        found.add(works(small_disk, room, index))
        assert project.is_whole("store"), room
        assert project.contents("store") in states, room
        index()
        assert project.contents("store") == states[-1], room
        shutil.rmtree(small_disk / "store")
    assert found == {False, True}


@pytest.mark.parametrize("does", ["save", "forget"])
def test_saving_and_erasing(project: Any, small_disk: Path, does: str) -> None:
    """A memory is there or not, and what is to be erased is there or gone; with room again it is done."""
    with project.open("start") as memory:
        kept = memory.remember("The pump runs at night.").id
        gone = memory.remember("The xylophone hums. " * 4000).id
    on_disk(project, small_disk)

    def save() -> None:
        with project.open("store") as memory:
            memory.remember("The harbour is frozen. " * 4000)

    def forget() -> None:
        with project.open("store") as memory:
            memory.forget([gone])

    work = {"save": save, "forget": forget}[does]
    before = held_in_order(project, "start")
    found = set()
    for room in ROOMS:
        shutil.copytree(project.path / "start", small_disk / "store")
        found.add(works(small_disk, room, work))
        assert project.is_whole("store"), room
        if held_in_order(project, "store") == before:
            work()
        assert held_in_order(project, "store") != before, room
        with project.open("store") as memory:
            memory.status()
            assert memory.show(kept).status == "active"
            assert memory.verify().problems == (), room
            assert memory.list("memories").total == {"save": 3, "forget": 1}[does]
        if does == "forget":
            files = [path.read_bytes() for path in (small_disk / "store").rglob("*") if path.is_file()]
            assert not any(b"xylophone" in raw for raw in files), room
        shutil.rmtree(small_disk / "store")
    assert found == {False, True}


def test_rebuilding(project: Any, small_disk: Path) -> None:
    """A rebuild leaves an empty store or the whole one, and where it is empty the next one makes it."""
    change(project)
    with project.open("start") as memory:
        memory.write_mirror()
        mirror = memory.mirror_folder
    on_disk(project, small_disk)
    found, wanted = set(), None
    for room in (*ROOMS, 2_000_000):

        def rebuild() -> None:
            with project.open("store") as memory:
                memory.rebuild(mirror)

        (small_disk / "store").mkdir()
        done = works(small_disk, room, rebuild)
        found.add(done)
        if project.database("store").exists():
            assert project.is_whole("store"), room
        if not done:
            rebuild()
        wanted = wanted or held(project, "store")
        assert held(project, "store") == wanted, room
        with project.open("store") as memory:
            assert memory.verify().problems == (), room
        shutil.rmtree(small_disk / "store")
    assert found == {False, True}


def test_restoring(project: Any, small_disk: Path) -> None:
    """A restore that finds no room leaves nothing at all; with room the same archive gives the whole store."""
    fill(project)
    with project.open("start") as memory:
        archive = memory.backup(project.path / "kept.tar").path
    on_disk(project, small_disk)
    found = set()
    for room in (*ROOMS, 2_000_000):
        done = works(small_disk, room, lambda: treering.restore(archive, small_disk / "store"))
        found.add(done)
        assert not (small_disk / "store.restoring").exists(), room
        if not done and not project.database("store").exists():
            assert not (small_disk / "store").exists(), room
            treering.restore(archive, small_disk / "store")
        assert held(project, "store") == held(project, "start"), room
        with project.open("store") as memory:
            assert memory.verify().problems == (), room
            assert memory.sync().files == (), room
        shutil.rmtree(small_disk / "store")
    assert found == {False, True}


@pytest.mark.parametrize("full", ["where the archive goes", "where the store is"])
def test_backing_up(project: Any, small_disk: Path, full: str) -> None:
    """A backup that finds no room leaves neither a part of it nor a copy, and the store as it was."""
    fill(project)
    there = full == "where the store is"
    if there:
        on_disk(project, small_disk)
    else:
        shutil.copytree(project.path / "start", project.path / "store")
    out = project.path / "kept.tar" if there else small_disk / "kept.tar"
    found = set()
    for room in ROOMS:
        if there:
            shutil.copytree(project.path / "start", small_disk / "store")

        def backup() -> None:
            with project.open("store") as memory:
                memory.backup(out)

        done = works(small_disk, room, backup)
        found.add(done)
        assert out.exists() or not done, room
        assert not list(out.parent.glob("*.part")), room
        assert not list((project.path / "store").glob(".backup-*")), room
        if not out.exists():
            backup()
        treering.restore(out, project.path / "back")
        assert held(project, "back") == held(project, "store") == held(project, "start"), room
        out.unlink()
        shutil.rmtree(project.path / "back")
        if there:
            shutil.rmtree(small_disk / "store")
    assert found == {False, True}
