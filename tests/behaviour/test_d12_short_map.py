"""D12, D22: the memory as a map, within its tokens whatever it holds, deepest where one points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def many(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory of a few hundred notes in two folders."""
    words = {"engine": "pump and valve", "galley": "soup and bread"}
    memory = remember_files(
        {
            f"{area}/{n:03}.md": f"# Note {n}\n\nThe {said} number {n}.\n"
            for area, said in words.items()
            for n in range(150)
        }
    )
    memory.remember("The captain is called Nemo", slot="ship/captain")
    memory.consolidate()
    return memory


def test_it_fits(many: MemoryStore, run: Callable[..., Any]) -> None:
    """What is printed is never more than was allowed, and begins at the trunk."""
    for budget in (50, 120, 300, 900, 3000):
        out = run("tree", "--max-tokens", budget).out
        assert llm_tokens(out) <= budget
        assert out.startswith("trunk (301 entries)")


def test_depth_is_a_limit(many: MemoryStore, run: Callable[..., Any]) -> None:
    """One level below the trunk: the branches alone."""
    shown = json.loads(run("tree", "--depth", 1, "--json").out)
    assert [child["label"] for child in shown["tree"]["children"]] == ["memories", "generic"]
    assert all(not child["children"] for child in shown["tree"]["children"])
    assert (shown["leaves"], shown["behind"], shown["tree"]["leaves"]) == (301, 0, 301)


def test_a_question_points(many: MemoryStore) -> None:
    """With few tokens the map is deepest where the question's words stand."""
    assert "galley/ 0" in many.tree("soup number 17", max_tokens=450).text
    assert "engine/ 0" in many.tree("pump number 17", max_tokens=450).text


def test_a_folder_points(many: MemoryStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a question it is deepest at the path, or where one works."""
    assert "engine/ 0" in many.tree(path="engine", max_tokens=450).text
    monkeypatch.chdir(folder / "galley")
    assert "galley/ 0" in many.tree(max_tokens=450).text


def test_nothing_digested_says_so(memory: MemoryStore, run: Callable[..., Any], folder: Path) -> None:
    """Exit status 1 where there is no map yet; the next command is named, and then it is there."""
    for number in range(80):
        memory.remember(f"The locker {number} stands at pier {number}")
    found = run("tree", "--store", memory.place.database)
    assert found.status == 1
    assert "consolidate" in found.out
    made = run("consolidate", "--store", memory.place.database)
    assert made.status == 0
    assert "Digested" in made.out
    assert run("tree", "--store", memory.place.database).status == 0
    assert json.loads(run("consolidate", "--store", memory.place.database, "--json").out)["changed"] == 0
