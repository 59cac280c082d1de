"""A21: ``forget DIR`` works for a folder that no longer exists, from any store."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def two(folder: Path) -> Path:
    """Return a project with the indexed folders ``old`` (with ``old/deep``) and ``older``."""
    for name, word in (("old", "heron"), ("old/deep", "crane"), ("older", "stork")):
        (folder / name).mkdir()
        for one in range(6):
            (folder / name / f"{one}.md").write_text(f"A note about the {word}, {one}.\n")
    with treering.open() as memory:
        memory.index(["old", "older"])
    return folder


def files(run: Callable[..., Any], *options: object) -> int:
    """Return how many sources the store has."""
    return int(json.loads(run(*options, "status", "--json").out)["sources"])


def test_a_folder_that_is_gone_is_dropped(two: Path, run: Callable[..., Any]) -> None:
    """Its entries and the root itself leave; the folder with the same beginning keeps everything."""
    shutil.rmtree(two / "old")
    done = run("forget", "--yes", "old")
    assert (done.status, done.err) == (0, "")
    assert f"Forgot {two}/old: 12 files, 12 chunks" in done.out
    assert run("search", "--mode", "keyword", "heron").status == 1
    assert run("search", "--mode", "keyword", "stork").status == 0
    assert [root["path"] for root in json.loads(run("status", "--json").out)["roots"]] == [f"{two}/older"]
    assert not (two / "old").exists()


def test_files_are_never_touched_and_read_again_when_asked(two: Path, run: Callable[..., Any]) -> None:
    """A folder that is there stays as it is; only the next run over it reads it anew."""
    before = {path: path.read_bytes() for path in two.rglob("*.md") if ".treering" not in path.parts}
    run("forget", "--yes", "old")
    assert {path: path.read_bytes() for path in two.rglob("*.md") if ".treering" not in path.parts} == before
    run("index", "older")
    assert run("search", "--mode", "keyword", "heron").status == 1
    assert "12 new" in run("index", "old").out


def test_a_part_of_a_root(two: Path, run: Callable[..., Any]) -> None:
    """A folder inside a root leaves by itself; a search does not bring it back, and the output says what would."""
    done = run("forget", "--yes", "old/deep")
    assert "6 files" in done.out
    assert "--readmit" in done.out
    (two / "old" / "new.md").write_text("A note about a wader.\n")
    assert run("search", "--mode", "keyword", "wader").status == 0
    assert run("search", "--mode", "keyword", "crane").status == 1
    assert files(run) == 13


def test_a_folder_around_roots(two: Path, run: Callable[..., Any]) -> None:
    """Everything that is indexed below the folder leaves."""
    assert run("forget", "--yes", ".").status == 0
    status = json.loads(run("status", "--json").out)
    assert (status["sources"], status["roots"]) == (0, [])


def test_from_any_store(two: Path, tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A store named by path is told from another folder, and the project's own keeps what it has."""
    store = ("--store", tmp_path / "elsewhere.db")
    run(*store, "index", "old")
    shutil.rmtree(two / "old")
    monkeypatch.chdir(tmp_path)
    assert run(*store, "forget", "--yes", two / "old").status == 0
    assert files(run, *store) == 0
    monkeypatch.chdir(two)
    assert files(run) == 18


def test_nothing_there_is_refused_in_words(two: Path, run: Callable[..., Any]) -> None:
    """A folder that was never indexed, or only resembles one, is not found."""
    for name in ("ol", "old2", "nowhere", "old/0"):
        refused = run("forget", "--yes", name)
        assert (refused.status, refused.out) == (3, "")
        assert "nothing is indexed under" in refused.err
    assert files(run) == 18


def test_a_dry_run_says_what_would_go(two: Path, run: Callable[..., Any]) -> None:
    """The same numbers, and everything stays."""
    would = run("forget", "--dry-run", "old")
    assert f"Would forget {two}/old: 12 files, 12 chunks" in would.out
    report = json.loads(run("forget", "--dry-run", "--json", "old").out)["outcomes"][0]
    assert (report["files"], report["chunks"], report["dry_run"]) == (12, 12, True)
    assert report["removed"] == [f"{two}/old"]
    assert files(run) == 18


def test_without_a_terminal_it_wants_a_yes(two: Path, run: Callable[..., Any]) -> None:
    """Nobody can be asked: it shows what would go, does nothing, and names the command that does it."""
    refused = run("forget", "old")
    assert (refused.status, refused.out) == (4, "")
    assert "12 files" in refused.err
    assert "treering forget --yes old" in refused.err
    assert files(run) == 18


@pytest.mark.parametrize("answer,left", [("y\n", 6), ("yes\n", 6), ("n\n", 18), ("\n", 18), ("", 18)])
def test_at_a_terminal_it_asks(
    two: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    """Only a yes is one."""
    terminal = StringIO(answer)
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", terminal)
    assert run("forget", "old").status == (0 if left == 6 else 4)
    assert files(run) == left


def test_all_or_none(two: Path, run: Callable[..., Any]) -> None:
    """One of two folders is not there: neither leaves."""
    assert run("forget", "--yes", "old", "nowhere").status == 3
    assert files(run) == 18


def test_the_way_out_of_a_refusal(two: Path, run: Callable[..., Any]) -> None:
    """A filtered search that would answer from a folder which is gone refuses, and its command mends that."""
    (two / "old" / "0.md").write_text("---\nkind: note\n---\nA note about the heron.\n")
    run("index", "old")
    shutil.rmtree(two / "old")
    refused = run("search", "heron", "--where", "kind=note")
    assert refused.status == 4
    assert f"hint: treering forget {two}/old" in refused.err
    assert run("forget", "--yes", two / "old").status == 0
    assert run("search", "heron", "--where", "kind=note").status == 1


def test_from_python(two: Path) -> None:
    """``treering.forget`` and ``MemoryStore.forget_directory`` return what left."""
    shutil.rmtree(two / "old")
    with treering.open() as memory:
        planned = memory.forget_directory("old", dry_run=True)
    report = treering.forget("old")
    assert report._replace(receipt=None) == planned._replace(dry_run=False)
    assert (report.directory, report.roots, report.files) == (str(two / "old"), (str(two / "old"),), 12)
    with pytest.raises(NotFound):
        treering.forget("old")


def test_a_memory_is_forgotten_by_its_id(two: Path, run: Callable[..., Any]) -> None:
    """The same verb takes the ids of memories, and leaves folders alone."""
    with treering.open() as memory:
        name = memory.remember("The kestrel nests on the silo.").id
    assert f"Forgot 1 memory: {name}" in run("forget", "--yes", name).out
    assert files(run) == 18
