"""Files that grow while something fails, or while another process is quicker: old state or new, and the last word."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from treering.errors import StorageFailed

if TYPE_CHECKING:
    from treering.api import MemoryStore

LOG = "# Log\n\n" + "".join(f"## Day {n}\n\nThe gateway retried payment {n}.\n\n" for n in range(30))
MORE = "## Evening\n\nA heron stood on the locker.\n"


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: they follow the entries."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


def grow(project: Any, text: str) -> None:
    """Add text to the log."""
    with (project.docs / "log.md").open("a", encoding="utf-8") as end:
        end.write(text)


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
def test_every_statement_of_a_growth_fails_once(quick_project: Any, *, lasting: bool) -> None:
    """Whichever statement fails while the tail is taken in, the file is as before or as it is now, and whole."""
    project = quick_project
    project.write(log=LOG)
    start = project.made("start").parent
    grow(project, MORE)
    shutil.copytree(start, project.path / "clean")
    with project.watched() as statements, project.open("clean") as memory:
        memory.index([project.docs])
        total = statements.seen
    old, new = project.contents("start"), project.contents("clean")
    assert old["chunks"] != new["chunks"]
    failed = 0
    for number in range(1, total + 1):
        shutil.copytree(start, project.path / "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            try:
                memory.index([project.docs])
            except StorageFailed:
                failed += 1
            memory.close()
        assert project.is_whole("store"), number
        assert project.contents("store")["chunks"] in (old["chunks"], new["chunks"]), number
        with project.open("store") as memory:
            memory.index([project.docs])
        assert project.contents("store") == new, number
        shutil.rmtree(project.path / "store")
    assert failed == total


def test_another_process_is_quicker(project: Any) -> None:
    """Between reading the tail and storing it, another process stores the file: nothing is lost or doubled."""
    project.write(log=LOG)
    project.made("store")
    grow(project, MORE)

    def index_elsewhere(sql: str) -> None:
        if sql == "begin immediate" and not done:
            done.append(sql)
            with project.open("store") as other:
                statements.before = lambda _: None
                other.index([project.docs])
                grow(project, "Later the heron left.\n")
                other.index([project.docs])

    done: list[str] = []
    with project.watched() as statements, project.open("store") as memory:
        memory.status()
        statements.before = index_elsewhere
        memory.index([project.docs])
        statements.before = lambda _: None
        memory.index([project.docs])
        assert_known(memory, project)
    assert done
    project.made("fresh")
    assert project.contents("store") == project.contents("fresh")
    assert project.is_whole("store")


def assert_known(memory: MemoryStore, project: Any) -> None:
    """Check that the log is known to its last word."""
    text = (project.docs / "log.md").read_text(encoding="utf-8")
    assert memory.show(str(project.docs / "log.md")).text == text
    assert memory.search("heron left", mode="keyword").found


def test_a_search_that_catches_up_survives_every_failure(project: Any) -> None:
    """Whichever statement fails while a search reads a changed file, it answers or fails in words, and all is whole."""
    project.write(log=LOG, other="# Other\n\nThe stork.\n")
    project.made("store")
    answered = 0
    for number in range(1, 60):
        grow(project, f"## Hour {number}\n\nThe heron number {number}.\n\n")
        with project.watched() as statements:
            memory = project.open("store")
            statements.failing = number
            with suppress(StorageFailed):
                answered += memory.search("stork", mode="keyword").found
            memory.close()
        assert project.is_whole("store"), number
    assert answered > 20
    with project.open("store") as memory:
        memory.index([project.docs])
    project.made("fresh")
    assert project.contents("store") == project.contents("fresh")


def test_a_full_disk_does_not_stop_a_search(project: Any) -> None:
    """A search that cannot store what changed answers from what is there, and says that something is behind."""
    project.write(log=LOG, other="# Other\n\nThe stork.\n")
    project.made("store")
    grow(project, "".join(f"## Hour {n}\n\nWords number {n * n} of the ledger.\n\n" for n in range(4000)))
    with project.open("store") as memory:
        connection = memory._opened(create=False)._connection
        pages = connection.execute("pragma page_count").fetchall()[0][0]
        connection.execute(f"pragma max_page_count = {pages}")
        answer = memory.search("stork", mode="keyword")
        assert answer.found
        assert "1 file behind" in answer.notices[0]
    assert project.is_whole("store")
