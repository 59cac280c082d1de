"""A17: removals that look like an accident are held back; the run, the status and a refusal say so."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import IndexBehind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def shelves(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory of three folders: ``birds`` with eight files, ``fish`` with fourteen, ``few`` with three."""
    for name, number in (("birds", 8), ("fish", 14), ("few", 3)):
        (folder / name).mkdir()
        for one in range(number):
            text = f"---\nkind: {name}\n---\n# {name} {one}\n\nA {name} note, {one}.\n"
            (folder / name / f"{one}.md").write_text(text)
    with treering.open() as memory:
        memory.index(["."])
        yield memory


def test_a_folder_that_vanished_is_held(shelves: MemoryStore, folder: Path, run: Callable[..., Any]) -> None:
    """Eight files went at once with their folder: they stay, are found, and run and status name them."""
    shutil.rmtree(folder / "birds")
    report = shelves.index(["."])[0]
    assert (report.removed, report.files) == (0, 25)
    assert "8 files of the folder birds" in report.notices[0]
    assert shelves.search("birds note", mode="keyword").found
    root = shelves.status().roots[0]
    assert root.held == tuple(f"birds/{one}.md" for one in range(8))
    assert root.behind == 0
    assert "held back" in run("index", ".").out
    assert f"treering index --prune {folder}" in run("index", ".").out
    assert "8 files gone from disk and held back" in run("status").out
    assert len(json.loads(run("status", "--json").out)["roots"][0]["held"]) == 8


def test_a_folder_that_was_emptied_is_held(shelves: MemoryStore, folder: Path) -> None:
    """A mount point without its file system is a folder that holds nothing, at any depth."""
    for file in (folder / "birds").iterdir():
        file.unlink()
    (folder / "birds" / "lost+found").mkdir()
    assert shelves.index(["."])[0].removed == 0
    assert len(shelves.status().roots[0].held) == 8


def test_a_folder_that_still_holds_something_was_edited(shelves: MemoryStore, folder: Path) -> None:
    """Seven of eight files deleted: that is a deletion."""
    for one in range(7):
        (folder / "birds" / f"{one}.md").unlink()
    report = shelves.index(["."])[0]
    assert (report.removed, report.notices) == (7, ())


def test_a_small_folder_leaves(shelves: MemoryStore, folder: Path) -> None:
    """Up to five files need nobody's leave, with or without their folder."""
    shutil.rmtree(folder / "few")
    report = shelves.index(["."])[0]
    assert (report.removed, report.notices) == (3, ())


def test_most_of_the_index_is_held_and_half_is_not(shelves: MemoryStore, folder: Path) -> None:
    """Of 25 files, 13 are most of the index; of 24, 12 are not, and files that are new in the run do not count."""
    (folder / "few" / "0.md").unlink()
    assert shelves.index(["."])[0].removed == 1
    gone = [folder / "fish" / f"{one}.md" for one in range(12)]
    kept = (folder / "fish" / "12.md", folder / "birds" / "0.md")
    texts = {path: path.read_text() for path in (*gone, *kept)}
    for path in (*gone, kept[1]):
        path.unlink()
    for one in range(30):
        (folder / f"new{one}.md").write_text(f"A new page, {one}.\n")
    report = shelves.index(["."])[0]
    assert (report.added, report.removed) == (30, 0)
    assert "13 of 24 indexed files" in report.notices[0]
    for path in (folder / f"new{one}.md" for one in range(30)):
        path.unlink()
    shelves.index(["."], prune=True)
    for path, text in texts.items():
        path.write_text(text)
    assert shelves.index(["."])[0].files == 24
    for path in gone:
        path.unlink()
    report = shelves.index(["."])[0]
    assert (report.removed, report.notices) == (12, ())


def test_a_root_that_was_emptied_is_held(shelves: MemoryStore, folder: Path) -> None:
    """An unmounted root is an empty folder: nothing leaves, not even the few, and what comes back is as before."""
    root, away = folder / "disk", folder / ".away"
    root.mkdir()
    for name in ("birds", "few"):
        shutil.copytree(folder / name, root / name)
    with treering.open(store=str(folder / "disk.db")) as memory:
        assert memory.index([root])[0].files == 11
        root.rename(away)
        root.mkdir()
        report = memory.index([root])[0]
        assert (report.removed, report.files) == (0, 11)
        assert "11 files: the indexed folder is empty" in report.notices[0]
        assert len(memory.status().roots[0].held) == 11
        root.rmdir()
        away.rename(root)
        report = memory.index([root])[0]
        assert (report.added, report.changed, report.files, report.notices) == (0, 0, 11, ())


def test_a_file_that_comes_back_before_its_turn_stays(shelves: MemoryStore, folder: Path) -> None:
    """A folder away for one run and back for the next is neither read again nor missed."""
    (folder / "birds").rename(folder / ".away")
    shelves.index(["."])
    (folder / ".away").rename(folder / "birds")
    report = shelves.index(["."])[0]
    assert (report.added, report.changed, report.removed, report.notices) == (0, 0, 0, ())
    assert shelves.status().roots[0].held == ()


def test_a_folder_moved_within_the_root_is_no_loss(shelves: MemoryStore, folder: Path) -> None:
    """Files whose content stands at another place now have moved, however many they are."""
    (folder / "birds").rename(folder / "archive")
    report = shelves.index(["."])[0]
    assert (report.added, report.removed, report.files, report.notices) == (8, 8, 25, ())


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a link in a circle"])
def test_something_else_at_its_place_is_gone(shelves: MemoryStore, folder: Path, kind: str) -> None:
    """A folder, a pipe or a link that leads nowhere is no file any more."""
    file = folder / "fish" / "3.md"
    file.unlink()
    if kind == "a folder":
        file.mkdir()
    elif kind == "a pipe":
        os.mkfifo(file)
    else:
        file.symlink_to(file)
    assert shelves.index(["."])[0].removed == 1


def test_a_refusal_names_what_is_held_and_its_command(
    shelves: MemoryStore, folder: Path, run: Callable[..., Any]
) -> None:
    """A filtered search that would answer with a file that is held back names the command that decides it."""
    shutil.rmtree(folder / "birds")
    shelves.index(["."])
    with pytest.raises(IndexBehind, match=r"8 files that are held back") as refused:
        shelves.search("birds note", where={"kind": "birds"})
    assert refused.value.hint == f"treering index --prune {folder}"
    assert shelves.search("fish note", where={"kind": "fish"}).found
    assert run("search", "birds note", "--where", "kind=birds").status == 4
    assert run(*refused.value.hint.split()[1:]).status == 0
    assert not shelves.search("birds note", where={"kind": "birds"}).found
