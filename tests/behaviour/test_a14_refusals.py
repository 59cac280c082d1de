"""A14: a filtered search refuses what it cannot know, and prints the command that mends it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import IndexBehind
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHERE = {"kind": "decision"}


def run_hint(hint: str) -> int:
    """Carry out the command that an error names."""
    words = shlex.split(hint)
    assert words[0] == "treering", hint
    return main(words[1:])


def test_stale_metadata_is_refused_until_the_named_command_ran(labelled: Path) -> None:
    """After an edit of the rules a filter is refused, a search without one is not; the hint's command mends it."""
    with treering.open() as memory:
        memory.index(["."])
        rules = labelled / ".treering.json"
        rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
        with pytest.raises(IndexBehind, match="rules") as refused:
            memory.search("durable queue", where=WHERE)
        assert memory.search("durable queue").found
        assert run_hint(refused.value.hint) == 0
        assert memory.search("durable queue", where={"kind": "choice"}).found


def test_rules_that_cannot_be_read_are_refused(labelled: Path) -> None:
    """A broken rules file is named, and the refusal says what comes after it was mended."""
    with treering.open() as memory:
        memory.index(["."])
        (labelled / ".treering.json").write_text("{", encoding="utf-8")
        with pytest.raises(IndexBehind, match=r"\.treering\.json") as refused:
            memory.search("durable queue", where=WHERE)
    assert "treering index" in refused.value.hint


def test_new_rules_where_there_were_none_are_refused(project: Path) -> None:
    """Rules that appeared since the last run make every file stale."""
    with treering.open() as memory:
        memory.index(["."])
        (project / ".treering.json").write_text('{"rules": [{"glob": "**", "metadata": {"a": "b"}}]}', encoding="utf-8")
        with pytest.raises(IndexBehind, match=r"\(10 files\)"):
            memory.search("durable queue", where={"a": "b"})


def test_one_file_is_counted_as_one(project: Path) -> None:
    """The refusal reads well where a folder holds a single file, too."""
    with treering.open() as memory:
        memory.index(["decisions"])
        (project / "decisions" / ".treering.json").write_text('{"rules": []}', encoding="utf-8")
        with pytest.raises(IndexBehind, match=r"\(1 file\)"):
            memory.search("durable queue", where={"a": "b"})


def test_a_file_that_vanished_is_refused_where_it_would_answer(labelled: Path) -> None:
    """The file is named; answers that cannot include it, and searches without a filter, are unaffected."""
    with treering.open() as memory:
        memory.index(["."])
        (labelled / "decisions" / "0001-queue.md").unlink()
        with pytest.raises(IndexBehind, match=r"0001-queue\.md") as refused:
            memory.search("durable queue", where=WHERE)
        assert memory.search("promote the replica", where={"kind": "runbook"}).found
        assert memory.search("promote the replica").found
        assert run_hint(refused.value.hint) == 0
        assert not memory.search("durable queue", where=WHERE).found


def test_a_file_that_vanished_from_another_folder_is_no_matter(labelled: Path) -> None:
    """The search is narrowed to one folder; what is gone elsewhere does not concern it."""
    with treering.open() as memory:
        memory.index(["."])
        (labelled / "decisions" / "0001-queue.md").unlink()
        assert memory.search("queue volume", path="runbooks", where={"kind": ["runbook", "decision"]}).found


def test_a_root_that_was_never_scanned_is_refused(labelled: Path) -> None:
    """One file indexed by itself says nothing of its neighbours: the filter is refused until the folder was scanned."""
    with treering.open() as memory:
        memory.index(["."], file="decisions/0001-queue.md")
        assert memory.search("durable queue").found
        with pytest.raises(IndexBehind) as refused:
            memory.search("durable queue", where=WHERE)
        assert run_hint(refused.value.hint) == 0
        assert memory.search("durable queue", where=WHERE).found


def test_a_narrower_glob_says_what_it_left_behind(labelled: Path, run: Callable[..., Any]) -> None:
    """A run over the runbooks alone names how many files keep the metadata of earlier rules, and a filter refuses."""
    with treering.open() as memory:
        memory.index(["."])
        rules = labelled / ".treering.json"
        rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
        report = memory.index(["."], glob="runbooks/*.md")[0]
        assert report.left_behind == 8
        assert "8 indexed files outside this run's glob" in run("index", ".", "--glob", "runbooks/*.md").out
        with pytest.raises(IndexBehind):
            memory.search("durable queue", where={"kind": "choice"})


def test_the_command_line_prints_the_command(labelled: Path, run: Callable[..., Any]) -> None:
    """A refusal exits with 4 and its hint on standard error is the whole command."""
    run("index", ".")
    rules = labelled / ".treering.json"
    rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
    refused = run("search", "durable queue", "--where", "kind=decision")
    assert (refused.status, refused.out) == (4, "")
    assert f"treering index {labelled}" in refused.err


def test_a_path_with_blanks_makes_a_command_that_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of a hint can be pasted as it stands, whatever the folder is called."""
    folder = tmp_path / "my notes & more"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.md").write_text("---\nkind: x\n---\nThe reed bunting.\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    with treering.open() as memory:
        memory.index(["."])
        (folder / ".treering.json").write_text('{"rules": []}', encoding="utf-8")
        with pytest.raises(IndexBehind) as refused:
            memory.search("bunting", where={"kind": "x"})
        assert run_hint(refused.value.hint) == 0
        assert memory.search("bunting", where={"kind": "x"}).found


def test_the_command_names_the_store_that_was_asked(labelled: Path, tmp_path: Path, run: Callable[..., Any]) -> None:
    """A store named by `--store` is in the command, which therefore mends that one."""
    store = tmp_path / "elsewhere"
    assert run("--store", store, "index", ".").status == 0
    rules = labelled / ".treering.json"
    rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
    refused = run("--store", store, "search", "durable queue", "--where", "kind=choice")
    assert refused.status == 4
    assert run_hint(refused.err.partition("hint: ")[2]) == 0
    assert run("--store", store, "search", "durable queue", "--where", "kind=choice").status == 0
