"""D23, X11: mirror, sync, rebuild and restore when something fails: old state or new, and the next run heals."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import mirrors
import pytest
from changes_for_faults import HELD
from files_for_faults import watched_files
from secret_memories import by_agent
from states_for_faults import Healed

import treering
from treering.domain.policy import Caller
from treering.errors import Conflict, StorageFailed

pytestmark = pytest.mark.sqlite

UNORDERED: Final = {"acts": "name, role, author, outcome, inverse <> '', undone", "decisions": ""}
WAYS: Final = ("statement", "all statements after", "file", "all files after")


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: a failure of theirs is a notice."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


@contextmanager
def failing(project: Any, way: str, number: int, folder: str = "store") -> Iterator[Any]:
    """Let the statement or the step with files of that number fail, and those after it where that is meant."""
    watching = project.watched() if "statement" in way else watched_files(project.path / folder / "mirror")
    with watching as faults:
        faults.failing, faults.lasting = number, way.startswith("all")
        yield faults


def theirs(memory: treering.MemoryStore, text: str) -> str:
    """Save a memory on behalf of an agent, and return its id: what anybody's edit may change at once."""
    memory._caller = Caller("agent", "bot")
    id = memory.remember(text).id
    memory._caller = None
    return id


def fill(project: Any) -> dict[str, str]:
    """Save memories and a document, and write the mirror; return ids."""
    (project.path / "minutes.txt").write_text("Ines: the launch is on 10 March.\n", "utf-8")
    with project.open("start") as memory:
        kept = memory.import_([project.path / "minutes.txt"])[0].id
        ids = {
            "edited": theirs(memory, "The gate opens at nine."),
            "removed": theirs(memory, "The ferry is late."),
            "moved": theirs(memory, "The pier is closed."),
            "mine": memory.remember("The gate closes at six.", slot="gate/closing", value="6").id,
            "gone": memory.remember("The buoy drifts.").id,
        }
        memory.remember("The launch is in March.", source=kept, quote="the launch is on 10 March")
        by_agent(memory, {"op": "archive", "id": ids["mine"]})
        memory.write_mirror()
    return ids


def held(project: Any, name: str) -> dict[str, list[Any]]:
    """Return what a store holds of memories, whichever of several changes came first."""
    with project.connected(name) as run:
        found = {what: run(sql) for what, sql in HELD.items()}
    for what, number in (("acts", 0), ("decisions", 1)):
        found[what] = [row[:number] + row[number + 1 :] for row in found[what]]
    return {what: sorted(rows, key=repr) for what, rows in found.items()}


def path_of(project: Any, name: str, id: str) -> Path:
    """Return a memory's file."""
    [[path]] = project.query(name, f"select path from mirror_file where id = '{id}'")  # noqa: S608
    return Path(project.path / name / "mirror" / path)


def edit(project: Any, ids: dict[str, str]) -> None:
    """Do to the files of the store ``start`` what people do: change, remove, move, and add new and known words."""
    for key, old, new in (("edited", "opens at nine", "opens at ten"), ("mine", "closes at six", "closes at seven")):
        path = path_of(project, "start", ids[key])
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")
    path_of(project, "start", ids["removed"]).unlink()
    path_of(project, "start", ids["gone"]).unlink()
    mirror = project.path / "start" / "mirror"
    path_of(project, "start", ids["moved"]).rename(mirror / "better name.md")
    (mirror / "idea.md").write_text("Paint the lockers orange.\n", "utf-8")
    (mirror / "again.md").write_text("---\ntags: [pier]\n---\nThe pier is closed.\n", "utf-8")


def files(project: Any, name: str) -> list[str]:
    """Return what the files say below their front matter; logs and the index apart."""
    root = Path(project.path / name / "mirror")
    texts = [path.read_text("utf-8") for path in root.rglob("*.md") if path.name not in {"log.md", "index.md"}]
    return sorted(text.split("\n---\n", 1)[-1] for text in texts)


def is_in_step(project: Any, after: dict[str, list[Any]], said: list[str], what: object) -> None:
    """Check a store after a failure and a next run: it holds what was meant, the files say it, and no more is to do."""
    assert held(project, "store") == after, what
    assert project.is_whole("store"), what
    with project.open("store") as memory:
        assert memory.sync().files == (), what
        assert memory.write_mirror() == 0, what
    assert files(project, "store") == said, what


Run = Callable[[treering.MemoryStore], object]


def fails_once(project: Any, run: Run, way: str) -> None:
    """Let each step of a run on copies of the store ``start`` fail; what is there before and after is held.

    Args:
        project: has the store.
        run: what is tried; run a second time after each failure.
        way: what fails.
    """
    states: list[Any] = []
    shutil.copytree(project.path / "start", project.path / "store")
    with failing(project, way, 0) as faults:
        faults.before = lambda *_: states.append(held(project, "store")) if project.database("store").exists() else None
        with project.open("store") as memory:
            run(memory)
        total = faults.seen
    after, said = held(project, "store"), files(project, "store")
    is_in_step(project, after, said, "nothing failed")
    states = [state for state, _ in itertools.groupby([*states, after])]
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Run again, and check what that leaves."""
        with project.open("store") as memory:
            run(memory)
        is_in_step(project, after, said, number)

    for number in range(1, total + 1):
        project.copy("start", "store")
        with failing(project, way, number):
            memory = project.open("store")
            with suppress(StorageFailed):
                run(memory)
            memory.close()
        if way.startswith("all"):
            assert held(project, "store") in states, number
        healed.once(heal)
    assert total > 10
    assert len(healed) > 2


@pytest.mark.parametrize("way", WAYS)
def test_every_step_of_a_sync_fails_once(quick_project: Any, way: str) -> None:
    """Whichever statement, or step with a file, fails: each edit is taken in whole, or waits for the next sync."""
    edit(quick_project, fill(quick_project))
    fails_once(quick_project, lambda memory: memory.sync(), way)


def change(project: Any) -> None:
    """Change what the mirror of the store ``start`` says, without writing it."""
    ids = fill(project)
    with project.open("start") as memory:
        memory._behind.enabled = False
        memory.update(ids["edited"], text="The gate opens at ten.")
        memory.archive(ids["removed"])
        memory.forget([ids["gone"]])
        memory.remember("Paint the lockers orange.", tags=["idea"])
        memory.approve(memory.list("proposals").items[0].id)


@pytest.mark.parametrize("way", WAYS)
def test_every_step_of_writing_the_mirror_fails_once(quick_project: Any, way: str) -> None:
    """Whichever step fails, no file is taken for somebody's edit, and the next time the mirror is true again."""
    change(quick_project)
    fails_once(quick_project, lambda memory: memory.write_mirror(), way)


def rows_of(memory: treering.MemoryStore) -> dict[str, list[Any]]:
    """Return what a mirror keeps of a store; nothing where nothing is there."""
    return {table: several for table, several in mirrors.rows(memory).items() if several}


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
def test_every_statement_of_a_rebuild_fails_once(quick_project: Any, *, lasting: bool) -> None:
    """A rebuild that fails leaves an empty store, and the next one makes the whole of it, with the slots' histories."""
    project = quick_project
    change(project)
    with project.open("start") as memory:
        memory.write_mirror()
        before = rows_of(memory)
        mirror = memory.mirror_folder
    with project.watched() as statements, project.open("clean") as memory:
        memory.rebuild(mirror)
        total = statements.seen
    after = held(project, "clean")
    healed = Healed(project.path / "store")
    ended = 0

    def heal() -> None:
        """Rebuild again, and check what that leaves."""
        nonlocal ended
        with project.open("store") as memory:
            try:
                memory.rebuild(mirror)
            except Conflict:  # what failed came after the commit
                ended += 1
            assert rows_of(memory) == before, number
        assert held(project, "store") == after, number
        assert project.is_whole("store")

    for number in range(1, total + 1):
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            with suppress(StorageFailed):
                memory.rebuild(mirror)
            memory.close()
        healed.once(heal)
        shutil.rmtree(project.path / "store")
    assert total > 60
    assert len(healed) > 8
    assert ended < len(healed) // 2


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
def test_every_step_of_a_restore_fails_once(quick_project: Any, *, lasting: bool) -> None:
    """A restore that fails leaves nothing, or the whole store; where nothing is left, the next one makes it."""
    project = quick_project
    fill(project)
    (project.path / "page.gbk.txt").write_bytes("项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n".encode("gbk"))
    with project.open("start") as memory:
        memory.import_([project.path / "page.gbk.txt"])
        archive = memory.backup(project.path / "kept.tar").path
    before = held(project, "start")
    with watched_files(project.path) as faults:
        treering.restore(archive, project.path / "clean")
        total = faults.seen
    left = 0
    for number in range(1, total + 1):
        with watched_files(project.path) as faults:
            faults.failing, faults.lasting = number, lasting
            with suppress(StorageFailed):
                treering.restore(archive, project.path / "store")
        if not project.database("store").exists():
            left += 1
            treering.restore(archive, project.path / "store")
        assert held(project, "store") == before, number
        with project.open("store") as memory:
            assert memory.verify().problems == (), number
        assert not (project.path / "store.restoring").exists(), number
        shutil.rmtree(project.path / "store")
    assert left > 3


def test_killed_while_syncing(project: Any) -> None:
    """After a kill at any moment nothing of an edit is lost, the next sync ends the work, and no half file stays."""
    chance = random.Random(5)  # noqa: S311  the same moments in every run
    edit(project, fill(project))
    shutil.copytree(project.path / "start", project.path / "store")
    counted = int(project.run("count", 0, "store", "sync")[2].split()[-1])
    after, said = held(project, "store"), files(project, "store")
    is_in_step(project, after, said, "nothing failed")
    moments = [("statement", chance.randrange(1, counted)) for _ in range(6)]
    moments += [("commit", number) for number in (1, 3, 6, 9)] + [("file", number) for number in (1, 2, 5, 9, 12)]
    for fault, number in moments:
        shutil.rmtree(project.path / "store")
        shutil.copytree(project.path / "start", project.path / "store")
        status, _, err = project.run(fault, number, "store", "sync")
        assert status == -signal.SIGKILL, (fault, number, err)
        assert project.is_whole("store")
        status, _, err = project.run("none", 0, "store", "sync")
        assert status == 0, err
        is_in_step(project, after, said, (fault, number))
        halves = list((project.path / "store" / "mirror").rglob(".*.tmp"))
        for half in halves:
            os.utime(half, (0, 0))  # nobody writes it any more
        with project.open("store") as memory:
            assert len(memory.verify().problems) == len(halves), (fault, number)
            memory.verify(fix=True)
            assert memory.verify().problems == (), (fault, number)
        assert not any(half.exists() for half in halves)


def test_a_disk_that_is_full_while_syncing(project: Any, small_disk: Path) -> None:
    """On a full disk a sync ends in words; with room again the next one takes everything in."""
    edit(project, fill(project))
    shutil.copytree(project.path / "start", project.path / "store")
    with project.open("store") as memory:
        memory.sync()
    after, said = held(project, "store"), files(project, "store")
    shutil.rmtree(project.path / "store")
    for room in range(0, 200_000, 20_000):
        shutil.copytree(project.path / "start", small_disk / "store")
        ballast = small_disk / "ballast"
        free = shutil.disk_usage(small_disk).free
        ballast.write_bytes(bytes(max(0, free - room)))
        with suppress(StorageFailed), treering.open(project.path, store=str(small_disk / "store")) as memory:
            report = memory.sync()
            assert room > 100_000 or any("full" in " ".join(one.notices) for one in report.files)
        ballast.unlink()
        with treering.open(project.path, store=str(small_disk / "store")) as memory:
            memory.sync()
        shutil.move(small_disk / "store", project.path / "store")
        is_in_step(project, after, said, room)
        shutil.rmtree(project.path / "store")
