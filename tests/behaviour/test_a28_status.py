"""A28: ``status`` reports files and chunks, and both ways in which metadata can be behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_files_and_chunks_are_counted(project: Path, run: Callable[..., Any]) -> None:
    """The numbers are those of the run, for the store and for the root, in words and as JSON."""
    with treering.open() as memory:
        report = memory.index(["."])[0]
        status = memory.status()
    assert (status.sources, status.chunks) == (report.files, report.chunks) == (10, status.roots[0].chunks)
    assert status.roots[0].files == 10
    assert "10 files" in run("status").out
    assert json.loads(run("status", "--json").out)["roots"][0]["chunks"] == report.chunks


def test_metadata_of_earlier_rules_is_reported(labelled: Path, run: Callable[..., Any]) -> None:
    """After an edit of the rules all files are behind, and the next command is the one that mends it."""
    run("index", ".")
    assert json.loads(run("status", "--json").out)["roots"][0]["stale"] == 0
    (labelled / ".treering.json").write_text('{"rules": []}', encoding="utf-8")
    assert json.loads(run("status", "--json").out)["roots"][0]["stale"] == 10
    out = run("status").out
    assert "metadata of 10 files comes from earlier path rules" in out
    assert "next: treering index" in out


def test_metadata_that_was_never_read_is_reported(labelled: Path, run: Callable[..., Any]) -> None:
    """A root of which one file alone was indexed says that no run was completed."""
    run("index", ".", "--file", "README.md")
    assert json.loads(run("status", "--json").out)["roots"][0]["unscanned"] == 1
    out = run("status").out
    assert "no run was completed" in out
    assert "metadata of 1 file was never read" in out


def test_an_absent_root_is_reported(project: Path, run: Callable[..., Any]) -> None:
    """A root whose folder is gone is named as absent; its entries are still counted."""
    run("index", "notes")
    (project / "notes").rename(project / "elsewhere")
    root = json.loads(run("status", "--json").out)["roots"][0]
    assert (root["present"], root["files"]) == (False, 2)
    assert "absent" in run("status").out


def test_skipped_and_unparsed_files_are_named(project: Path, run: Callable[..., Any]) -> None:
    """Every file that was left out, or whose front matter was, stands there with its reason."""
    (project / "notes" / "broken.md").symlink_to("nowhere.md")
    (project / "notes" / "odd.md").write_text("---\na: *b\n---\nText.\n", encoding="utf-8")
    run("index", ".")
    out = run("status").out
    assert "notes/broken.md: it is a link that points to nothing" in out
    assert "notes/odd.md: line 2" in out


def test_a_store_that_is_not_there_yet_is_no_error(project: Path, run: Callable[..., Any]) -> None:
    """Before the first run, status says where the store will be and what to do."""
    done = run("status")
    assert done.status == 0
    assert "not made yet" in done.out
    assert "treering index" in done.out
