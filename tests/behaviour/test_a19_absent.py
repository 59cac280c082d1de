"""A19: indexing a folder that is absent creates nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def everything(folder: Path) -> list[Path]:
    """Return all that stands in a folder."""
    return sorted(folder.rglob("*"))


@pytest.mark.parametrize("flags", [(), ("--prune",), ("--no-prune",)])
def test_an_absent_folder_makes_nothing(folder: Path, run: Callable[..., Any], flags: tuple[str, ...]) -> None:
    """Neither the folder nor a store comes to be; the exit status is that of something not found."""
    before = everything(folder)
    absent = run("index", *flags, "no/such/folder")
    assert absent.status == 3
    assert "no/such/folder" in absent.err
    assert everything(folder) == before
    with pytest.raises(NotFound):
        treering.index("no/such/folder")
    assert everything(folder) == before


def test_a_store_elsewhere_is_not_made_either(folder: Path, tmp_path: Path, run: Callable[..., Any]) -> None:
    """The same for a store that is named by path."""
    assert run("--store", tmp_path / "s" / "x.db", "index", "absent").status == 3
    assert not (tmp_path / "s").exists()


def test_an_empty_folder_makes_no_store(folder: Path, run: Callable[..., Any]) -> None:
    """A folder with nothing to read in it is said to hold none, and leaves no trace."""
    (folder / "empty" / "deep").mkdir(parents=True)
    before = everything(folder)
    done = run("index", "empty")
    assert done.status == 0
    assert "0 files" in done.out
    assert everything(folder) == before


def test_one_absent_folder_among_others(folder: Path, run: Callable[..., Any]) -> None:
    """The error names the absent one; what came before it is indexed."""
    (folder / "here").mkdir()
    (folder / "here" / "a.md").write_text("The pipit.\n")
    assert run("index", "here", "absent").status == 3
    assert run("search", "--mode", "keyword", "pipit").status == 0
    assert not (folder / "absent").exists()
