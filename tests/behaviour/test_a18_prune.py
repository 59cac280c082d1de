"""A18: ``--prune`` carries held-back removals out, but never for an absent folder; ``--no-prune`` removes nothing."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def notes(folder: Path) -> Path:
    """Return an indexed folder ``notes`` with ten files in ``old`` and two beside it."""
    (folder / "notes" / "old").mkdir(parents=True)
    for one in range(10):
        (folder / "notes" / "old" / f"{one}.md").write_text(f"An old note about herons, {one}.\n")
    for name in ("a", "b"):
        (folder / "notes" / f"{name}.md").write_text(f"A present note about storks, {name}.\n")
    with treering.open() as memory:
        memory.index(["notes"])
    return folder / "notes"


def test_prune_removes_what_was_held(notes: Path, run: Callable[..., Any]) -> None:
    """The run without it holds ten files back, the run with it removes them and says how many."""
    shutil.rmtree(notes / "old")
    assert "held back" in run("index", "notes").out
    pruned = run("index", "--prune", "notes")
    assert "10 removed" in pruned.out
    assert "held back" not in pruned.out
    assert run("search", "--mode", "keyword", "herons").status == 1
    assert run("search", "--mode", "keyword", "storks").status == 0
    assert json.loads(run("status", "--json").out)["roots"][0]["held"] == []


def test_no_prune_removes_nothing(notes: Path, run: Callable[..., Any]) -> None:
    """Not even one file of two leaves, and the run says what it kept."""
    (notes / "a.md").unlink()
    report = json.loads(run("index", "--no-prune", "--json", "notes").out)["outcomes"][0]
    assert (report["removed"], report["files"]) == (0, 12)
    assert "--no-prune was given" in report["notices"][0]
    assert json.loads(run("index", "--json", "notes").out)["outcomes"][0]["removed"] == 1


def test_prune_never_speaks_for_an_absent_folder(notes: Path, run: Callable[..., Any]) -> None:
    """A folder that is absent as a whole may be unmounted: nothing leaves, whatever the flag says."""
    notes.rename(notes.with_name("elsewhere"))
    for flags in ((), ("--prune",), ("--no-prune",)):
        absent = run("index", *flags, "notes")
        assert (absent.status, absent.out) == (3, "")
        assert "notes" in absent.err
    assert not notes.exists()
    root = json.loads(run("status", "--json").out)["roots"][0]
    assert (root["present"], root["files"], root["held"]) == (False, 12, [])
    with treering.open() as memory, pytest.raises(NotFound):
        memory.index([notes], prune=True)


def test_prune_stays_in_its_folder(notes: Path, run: Callable[..., Any]) -> None:
    """Another root of the store that is absent meanwhile keeps all its entries."""
    other = notes.parent / "notes-more"
    other.mkdir()
    (other / "c.md").write_text("A note about cranes.\n")
    run("index", "notes-more")
    shutil.rmtree(other)
    shutil.rmtree(notes / "old")
    assert run("index", "--prune", "notes").status == 0
    roots = {root["path"]: root["files"] for root in json.loads(run("status", "--json").out)["roots"]}
    assert roots == {str(notes): 2, str(other): 1}


def test_the_python_names(notes: Path) -> None:
    """``prune`` is True, False or None there."""
    shutil.rmtree(notes / "old")
    assert treering.index("notes", prune=False).removed == 0
    assert treering.index("notes").removed == 0
    assert treering.index("notes", prune=True).removed == 10
