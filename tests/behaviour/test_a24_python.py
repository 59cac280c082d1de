"""A24: the Python functions do the same as the commands, and rows answer by key."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import InputError, NotFound, OutsideRoot

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore


def test_index_search_status(project: Path) -> None:
    """Three functions, no object to hold: index a folder, ask it, count it."""
    assert treering.index("docs").files == 4
    rows = treering.search("undo release previous", path="docs", top_k=1)
    assert [row.file for row in rows] == ["docs/deploy.md"]
    assert treering.status().sources == 4


def test_index_file_takes_in_one_file(project: Path) -> None:
    """Only the named file of the folder is read; a file of another folder is refused."""
    assert treering.index_file("docs/deploy.md", path="docs").files == 1
    assert treering.search("undo release previous")
    assert not treering.search("promote the replica")
    with pytest.raises(OutsideRoot):
        treering.index_file("runbooks/failover.md", path="docs")


def test_rows_answer_by_key(project: Path) -> None:
    """A row has ``file_path`` (absolute), ``score`` and ``context``; where nothing answers there is no row."""
    treering.index(".")
    rows = treering.search("undo release previous", top_k=5)
    assert len(list(rows)) == len(rows) > 0
    assert rows[0]["file_path"] == str(project / "docs" / "deploy.md")
    assert 0 <= rows[0]["score"] <= 1
    assert "kelp release undo" in rows[0]["context"]
    nothing = treering.search("xylophone")
    assert (list(nothing), nothing.answer.reason) == ([], "no_match")


def test_another_store_by_name(project: Path, tmp_path: Path) -> None:
    """A store named by path is written and read, and the project's own is not made."""
    store = str(tmp_path / "elsewhere" / "memory.db")
    treering.index("notes", store=store)
    assert treering.search("sorting robot", store=store)
    assert treering.search("sorting robot", db_path=store)
    assert not (project / ".treering").exists()
    with pytest.raises(NotFound):
        treering.search("sorting robot")


def test_a_search_without_a_store_makes_none(project: Path) -> None:
    """Nothing was indexed: that is said, with the command to do it, and nothing is written."""
    with pytest.raises(NotFound) as missing:
        treering.search("lockers")
    assert "treering index" in missing.value.hint
    assert not treering.status().exists
    assert not (project / ".treering").exists()


def test_both_spellings_of_a_path_are_one(project: Path) -> None:
    """Relative, absolute and with dots: one root, each file once."""
    treering.index("docs")
    treering.index(project / "docs")
    treering.index("./notes/../docs")
    assert len(treering.status().roots) == 1
    assert len(treering.search("undo release previous")) == 1


def test_the_command_line_says_the_same(project: Path, run: Callable[..., Any]) -> None:
    """File, lines and text are those that the command prints."""
    treering.index(".")
    result = treering.search("undo release previous")[0]
    out = run("search", "undo release previous").out
    assert f"{result.file}:{result.lines[0]}-{result.lines[1]}" in out
    assert result.text in out


def test_a_handle_is_warm_and_closed_for_good(project: Path) -> None:
    """The same handle sees what another one indexed since; after closing it refuses in words."""
    memory = treering.open()
    memory.index(["docs"])
    with treering.open() as other:
        other.index(["notes"])
    assert memory.search("sorting robot").found
    memory.close()
    with pytest.raises(InputError, match="closed"):
        memory.search("sorting robot")


def test_threads_share_a_handle(memory: MemoryStore) -> None:
    """Four threads ask one handle, which a fifth holds for a while: everyone gets the right answer."""
    wanted = {"sorting robot": "2026-03-02.md", "promote the replica": "failover.md"}
    found: list[tuple[str, str]] = []

    def ask(question: str) -> None:
        """Ask the same thing some times."""
        for _ in range(10):
            with memory.lock, memory.lock:
                found.append((question, Path(memory.search(question).results[0].file or "").name))

    threads = [threading.Thread(target=ask, args=(question,)) for question in [*wanted, *wanted]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert all(wanted[question] == file for question, file in found)


def test_a_store_is_named_by_a_path(folder: Path) -> None:
    """A `Path` names a store as a string does."""
    with treering.open(store=folder / "mine") as memory:
        memory.remember("The walrus sleeps on the ice.")
    assert len(treering.search("walrus", store=str(folder / "mine"))) == 1
    assert len(treering.search("walrus", store=folder / "mine")) == 1
