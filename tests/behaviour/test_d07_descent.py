"""D07: a question goes down the tree, opens few nodes, and says how many, along which path and with what confidence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import IndexBehind, InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


def test_it_finds_what_a_search_finds(memory: MemoryStore) -> None:
    """The passage is the same, and the path leads from the trunk to its file."""
    memory.consolidate()
    answer = memory.search("how do I roll back a bad release", mode="tree")
    assert answer.mode == "tree"
    assert answer.results[0].id == memory.search("how do I roll back a bad release").results[0].id
    assert answer.confidence > 0.2
    assert answer.descent is not None
    assert answer.descent.path[0] == "trunk"
    assert "deploy" in answer.descent.path[-1]


@pytest.mark.slow
def test_it_opens_few_nodes_of_many(remember_files: Callable[..., MemoryStore]) -> None:
    """Of a thousand leaves it opens at most the beam for each level, and reaches the one that answers."""
    files = {f"area{n // 50}/n{n}.md": f"# Note {n}\n\nThe valve v{n} belongs to boiler b{n}.\n" for n in range(1000)}
    memory = remember_files(files)
    memory.consolidate()
    for number in range(0, 1000, 90):
        answer = memory.search(f"which boiler has valve v{number}", mode="tree")
        assert f"boiler b{number}." in answer.results[0].text
        assert answer.descent is not None
        assert answer.descent.opened <= 3 * answer.descent.depth
        assert answer.descent.opened < answer.descent.nodes / 5


def test_what_little_is_due_is_digested_first(memory: MemoryStore) -> None:
    """A memory saved a moment ago is found without a run in between, and the answer has no notice."""
    memory.consolidate()
    memory.remember("The parrot of the harbour is called Zazu")
    answer = memory.search("what is the parrot called", mode="tree")
    assert "Zazu" in answer.results[0].text
    assert answer.notices == ()


def test_nothing_digested_is_no_answer(remember_files: Callable[..., MemoryStore]) -> None:
    """Where nothing could be reached the search refuses, and names the command; any other search answers."""
    memory = remember_files({f"{n}.md": f"The valve v{n}\n" for n in range(80)})
    with pytest.raises(IndexBehind) as refused:
        memory.search("valve v7", mode="tree")
    assert "consolidate" in refused.value.hint
    assert memory.search("valve v7").found


def test_what_is_behind_is_said(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Answers go on from the tree as it is, and a notice names the command that mends it."""
    memory = remember_files({f"{n}.md": f"The valve v{n}\n" for n in range(80)})
    memory.consolidate()
    for number in range(60):
        (folder / f"new{number}.md").write_text(f"The pump p{number}\n")
    memory.index([folder])
    answer = memory.search("valve v7", mode="tree")
    assert answer.found
    assert any("60 texts" in notice and "consolidate" in notice for notice in answer.notices)


def test_what_has_left_is_not_found(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A tree that is behind leads to nothing that is gone."""
    memory = remember_files({f"{n}.md": f"The valve v{n}\n" for n in range(80)})
    memory.consolidate()
    for number in range(60):
        (folder / f"{number}.md").unlink()
    memory.index([folder], prune=True)
    answer = memory.search("valve v7", mode="tree", empty_gate=0)
    assert answer.results
    assert not any("valve v7\n" in f"{result.text}\n" for result in answer.results)


def test_nothing_that_answers_is_not_found(memory: MemoryStore) -> None:
    """The gate is the same as for any search."""
    memory.consolidate()
    answer = memory.search("who won the zebra race in 1974", mode="tree")
    assert (answer.found, answer.results) == (False, ())
    assert answer.descent is not None


def test_a_filter_holds_below(labelled: Path) -> None:
    """Only what passes is shown, whatever the tree leads to."""
    with treering.open(labelled) as memory:
        memory.index([labelled])
        memory.consolidate()
        answer = memory.search("release", mode="tree", where={"kind": "decision"}, empty_gate=0)
        assert all(result.metadata["kind"] == ("decision",) for result in answer.results)
        assert answer.results


def test_meaning_leads_where_no_word_does(
    remember_files: Callable[..., MemoryStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One page among hundreds of mixed matters is reached straight by a question that shares no word with it."""
    who = ("teacher", "gardener", "pilot", "banker", "painter", "judge", "farmer", "singer", "sailor", "baker", "coach")
    does = ("sold", "lost", "bought", "cleaned", "described", "moved", "hid", "drew", "wanted")
    what = (
        "piano",
        "tractor",
        "novel",
        "bridge",
        "horse",
        "castle",
        "engine",
        "hat",
        "garden",
        "window",
        "tax",
        "boat",
    )
    files = {
        f"notes/n{n:03}.md": f"# {n}\n\nThe {who[n % 11]} {does[n % 9]} a {what[n * 7 % 12]}.\n" for n in range(500)
    }
    files["notes/n215b.md"] = "# 215 b\n\nThe physician prescribed antibiotics.\n"
    remember_files(files).consolidate()
    monkeypatch.setenv("TREERING_TREE_BEAM_WIDTH", "1")
    with treering.open() as memory:
        answer = memory.search("medicine from my doctor", mode="tree", empty_gate=0)
    assert "antibiotics" in answer.results[0].text
    assert answer.descent is not None
    assert answer.descent.opened == answer.descent.depth


def test_words_lead_without_vectors(memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    """Without an embedder the words alone lead, to the same passage."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    with treering.open(project) as plain:
        plain.consolidate()
        answer = plain.search("how do I roll back a bad release", mode="tree")
        assert "release undo" in answer.results[0].text


def test_the_beam_is_a_setting(memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, project: Path) -> None:
    """A narrower beam opens fewer nodes."""
    memory.consolidate()
    wide = memory.search("release", mode="tree", empty_gate=0).descent
    monkeypatch.setenv("TREERING_TREE_BEAM_WIDTH", "1")
    with treering.open(project) as narrow:
        found = narrow.search("release", mode="tree", empty_gate=0).descent
    assert wide is not None
    assert found is not None
    assert found.opened <= found.depth
    assert found.opened < wide.opened


def test_it_is_in_json_and_explained(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """Programs read opened, nodes, depth and path; people see them with --explain."""
    memory.consolidate()
    shown = json.loads(run("search", "--mode", "tree", "roll back a release", "--json").out)
    assert shown["mode"] == "tree"
    assert set(shown["descent"]) == {"opened", "nodes", "depth", "path"}
    assert shown["confidence"] > 0
    assert json.loads(run("search", "roll back a release", "--json").out)["descent"] is None
    assert "descend" in run("search", "--mode", "tree", "roll back a release", "--explain").out
    with pytest.raises(InputError):
        memory.search("x", mode="forest")  # type: ignore[arg-type]
