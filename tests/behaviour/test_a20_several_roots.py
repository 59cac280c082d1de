"""A20: folders in one store never touch each other's entries, and nested ones are settled openly."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def fill(folder: Path, number: int = 3, word: str = "heron") -> Path:
    """Put notes into a folder and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in range(number):
        (folder / f"{one}.md").write_text(f"---\nkind: {word}\n---\nA note about the {word}, {one}.\n")
    return folder


def roots(run: Callable[..., Any], *options: object) -> dict[str, int]:
    """Return the indexed directories by their names, with how many files each has."""
    status = json.loads(run(*options, "status", "--json").out)
    return {os.path.basename(root["path"]): root["files"] for root in status["roots"]}


def test_a_sibling_with_the_same_beginning_is_another(folder: Path, run: Callable[..., Any]) -> None:
    """``note`` says nothing about ``notes``, with or without a flag, when it grows or is emptied."""
    fill(folder / "note")
    fill(folder / "notes", 8, "stork")
    run("index", "note", "notes")
    shutil.rmtree(folder / "notes")
    for flags in ((), ("--prune",)):
        run("index", *flags, "note")
        assert roots(run) == {"note": 3, "notes": 8}
    assert run("search", "--mode", "keyword", "stork", "--path", "note").status == 1
    assert run("search", "--mode", "keyword", "stork", "--path", "notes").status == 0


def test_broken_rules_of_one_are_no_matter_to_another(folder: Path, run: Callable[..., Any]) -> None:
    """A filtered search in one root, and a run over it, pass by the rules of the other."""
    fill(folder / "a")
    fill(folder / "b", 3, "stork")
    run("index", "a", "b")
    (folder / "b" / ".treering.json").write_text("{")
    assert run("index", "a").status == 0
    assert run("search", "--mode", "keyword", "heron", "--path", "a", "--where", "kind=heron").status == 0
    assert run("search", "--mode", "keyword", "stork", "--path", "b", "--where", "kind=stork").status == 4


def test_the_outer_folder_takes_the_inner_in(folder: Path, run: Callable[..., Any]) -> None:
    """First the inner, then the outer: one root, each file once, and the run says so."""
    fill(folder / "docs" / "inner")
    fill(folder / "docs", 2, "stork")
    run("index", "docs/inner")
    done = run("index", "docs")
    assert f"{folder}/docs/inner was a root of its own: it is now part of {folder}/docs" in done.out
    assert "5 files (2 new)" in done.out  # those of the inner folder were there before
    assert roots(run) == {"docs": 5}
    assert json.loads(run("status", "--json").out)["sources"] == 5


def test_what_is_gone_from_the_inner_folder_goes_with_it(folder: Path, run: Callable[..., Any]) -> None:
    """A file that vanished before the outer run leaves with care, and the inner folder is no root any more."""
    fill(folder / "docs" / "few")
    fill(folder / "docs" / "many", 8)
    fill(folder / "docs" / "own", 2)
    (folder / "docs" / ".gitignore").write_text("own/\n")
    run("index", "docs/few", "docs/many", "docs/own")
    (folder / "docs" / "few" / "0.md").unlink()
    for one in (folder / "docs" / "many").iterdir():
        one.unlink()
    done = run("index", "docs").out
    assert "10 files (1 removed)" in done
    assert "8 files of the folder many" in done
    assert roots(run) == {"docs": 10, "own": 2}  # the outer one passes over what it ignores
    run("index", "docs/few")
    assert roots(run) == {"docs": 10, "own": 2}


def test_the_inner_folder_is_indexed_as_the_outer(folder: Path, run: Callable[..., Any]) -> None:
    """First the outer, then the inner: still one root, and what is new anywhere in it is read."""
    fill(folder / "docs" / "inner")
    run("index", "docs")
    fill(folder / "docs", 2, "stork")
    done = run("index", "docs/inner")
    assert f"{folder}/docs/inner lies in the indexed {folder}/docs: that is indexed as one root" in done.out
    assert roots(run) == {"docs": 5}


@pytest.mark.parametrize("order", [(".", ".agent"), (".agent", ".")])
def test_a_hidden_folder_stays_its_own(folder: Path, run: Callable[..., Any], order: tuple[str, str]) -> None:
    """A hidden folder that was named, and that the outer run passes over, keeps its entries in either order."""
    fill(folder / ".agent")
    fill(folder / "docs", 2, "stork")
    for one in (*order, *order):
        assert run("index", one).status == 0
    assert roots(run) == {".agent": 3, "own": 2}
    assert run("search", "--mode", "keyword", "heron").status == 0


def test_prune_over_the_outer_leaves_the_hidden_one(folder: Path, run: Callable[..., Any]) -> None:
    """What the outer run cannot see is not gone."""
    fill(folder / ".agent", 8)
    fill(folder / "docs", 2, "stork")
    run("index", ".agent", ".")
    assert run("index", "--prune", ".").status == 0
    assert roots(run) == {".agent": 8, "own": 2}


def test_two_projects_in_one_store(tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of the same name in two projects are two roots of a store that both name, wherever one stands."""
    for name, word in (("one", "heron"), ("two", "stork")):
        (tmp_path / name / ".git").mkdir(parents=True)
        fill(tmp_path / name / "docs", 8, word)
    store = ("--store", tmp_path / "shared" / "memory.db")
    for name in ("one", "two", "one"):
        monkeypatch.chdir(tmp_path / name)
        done = run(*store, "index", "--prune", "docs")
        assert (done.status, "removed" in done.out) == (0, False)
    for name, other in (("one", "stork"), ("two", "heron")):
        monkeypatch.chdir(tmp_path / name)
        status = json.loads(run(*store, "status", "--json").out)
        assert {root["path"]: root["files"] for root in status["roots"]} == {
            str(tmp_path / "one" / "docs"): 8,
            str(tmp_path / "two" / "docs"): 8,
        }
        assert run(*store, "search", "--mode", "keyword", other, "--path", "docs").status == 1
        assert run(*store, "search", "--mode", "keyword", other).status == 0
        shown = json.loads(run(*store, "search", "--mode", "keyword", "--json", other).out)["results"][0]
        theirs = tmp_path / {"one": "two", "two": "one"}[name] / "docs"
        assert os.path.samefile(os.path.dirname(shown["source"]["file"]), theirs)


def test_a_store_inside_a_project_is_used_from_outside(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run from another place over the same folder changes nothing: paths hang on where the store lies."""
    (tmp_path / "one" / ".git").mkdir(parents=True)
    fill(tmp_path / "one" / "docs")
    store = ("--store", tmp_path / "one" / "memory.db")
    monkeypatch.chdir(tmp_path / "one")
    run(*store, "index", "docs")
    monkeypatch.chdir(tmp_path)
    assert "nothing changed" in run(*store, "index", "one/docs").out
    assert roots(run, *store) == {"docs": 3}


def test_a_narrower_glob_reaches_no_further(folder: Path, run: Callable[..., Any]) -> None:
    """A run with another glob removes nothing of what it does not speak about, even with ``--prune``."""
    fill(folder / "docs", 8)
    (folder / "docs" / "a.txt").write_text("A text about storks.\n")
    run("index", "docs")
    for one in range(8):
        (folder / "docs" / f"{one}.md").unlink()
    done = run("index", "--prune", "--glob", "*.txt", "docs")
    assert "8 indexed files outside this run's glob left as they were" in done.out
    assert roots(run) == {"docs": 9}
