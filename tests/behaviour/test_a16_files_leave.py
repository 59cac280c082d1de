"""A16: deleted and renamed files leave the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


def test_a_deleted_file_is_found_no_more(memory: MemoryStore, project: Path) -> None:
    """The next run removes it and says so; the others stay."""
    (project / "notes" / "ideas.txt").unlink()
    report = memory.index(["."])[0]
    assert (report.removed, report.files, report.notices) == (1, 9, ())
    assert not memory.search("reserve telephone").found
    assert memory.search("sorting robot").found


def test_a_renamed_file_is_found_once_under_its_new_name(memory: MemoryStore, project: Path) -> None:
    """Content that is known stands under the new path, and only there."""
    (project / "archive").mkdir()
    (project / "docs" / "guia.md").rename(project / "archive" / "manual.md")
    memory.index(["."])
    answer = memory.search("copia de seguridad")
    assert [result.file for result in answer.results] == ["archive/manual.md"]
    assert answer.results[0].restatements == 0
    assert memory.status().sources == 10


def test_a_name_of_another_type_leaves(memory: MemoryStore, project: Path) -> None:
    """A file renamed to a type that is not read is gone from the index."""
    (project / "notes" / "ideas.txt").rename(project / "notes" / "ideas.txt.bak")
    assert memory.index(["."])[0].removed == 1
    assert not memory.search("reserve telephone").found


def test_changed_text_replaces_the_old(memory: MemoryStore, project: Path) -> None:
    """What an edit took out is not found, what it put in is."""
    (project / "notes" / "ideas.txt").write_text("Sell ice cream from the lockers.\n", encoding="utf-8")
    assert memory.index(["."])[0].changed == 1
    assert memory.search("ice cream").found
    assert not memory.search("reserve telephone").found


def test_a_file_that_comes_back_is_there_again(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Gone, indexed, back, indexed: found once."""
    memory = remember_files({"a.md": "The pipit.\n", "b.md": "The whinchat.\n"})
    (folder / "a.md").unlink()
    memory.index(["."])
    memory = remember_files({"a.md": "The pipit.\n"})
    assert len(memory.search("pipit").results) == 1
