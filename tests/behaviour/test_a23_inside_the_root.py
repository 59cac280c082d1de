"""A23: a file that leads out of the folder by a link is not indexed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from treering.errors import OutsideRoot, TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder beside the project with a secret in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.md").write_text("# Secret\n\nThe capercaillie.\n", encoding="utf-8")
    return folder


def test_links_out_of_the_folder_are_named_and_not_followed(
    remember_files: Callable[..., MemoryStore], folder: Path, outside: Path
) -> None:
    """Neither a linked file nor a linked folder brings in what lies outside; status says why."""
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "linked").symlink_to(outside)
    memory = remember_files({"own.md": "The grouse.\n"})
    assert not memory.search("capercaillie").found
    assert memory.search("grouse").found
    skipped = {skip.path: skip.reason for root in memory.status().roots for skip in root.skipped}
    assert set(skipped) == {"link.md", "linked"}
    assert all("out of the folder" in reason for reason in skipped.values())
    for name in ("link.md", "linked/secret.md", "../outside/secret.md", str(outside / "secret.md")):
        with pytest.raises(TreeringError):
            memory.show(name)


def test_a_folder_swapped_for_a_link_leads_nowhere(
    remember_files: Callable[..., MemoryStore], folder: Path, outside: Path
) -> None:
    """What was a folder of the root and is a link now brings nothing in from its target."""
    memory = remember_files({"sub/secret.md": "# Mine\n\nThe grouse.\n", "other.md": "Text.\n"})
    (folder / "sub" / "secret.md").unlink()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(outside)
    memory.index(["."])
    assert not memory.search("capercaillie").found


@pytest.mark.parametrize("name", ["../outside/secret.md", "link.md"])
def test_a_single_file_outside_is_refused(
    remember_files: Callable[..., MemoryStore], folder: Path, outside: Path, name: str
) -> None:
    """Naming the file by itself does not bring it in either."""
    (folder / "link.md").symlink_to(outside / "secret.md")
    memory = remember_files({"own.md": "The grouse.\n"})
    with pytest.raises((OutsideRoot, TreeringError)):
        memory.index(["."], file=name)
    assert not memory.search("capercaillie").found


def test_a_root_that_is_a_link_itself_is_the_folder_behind_it(
    remember_files: Callable[..., MemoryStore], folder: Path, tmp_path: Path
) -> None:
    """Two spellings of one root are one root, and its files stand once."""
    memory = remember_files({"own.md": "The grouse.\n"})
    (tmp_path / "alias").symlink_to(folder)
    memory.index([tmp_path / "alias"])
    assert len(memory.status().roots) == 1
    assert len(memory.search("grouse").results) == 1
