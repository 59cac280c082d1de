"""Folders that may not be entered: what is in them is out of reach, and never called gone."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treering.api.noticing import GONE
from treering.errors import IndexBehind, StorageFailed

pytestmark = pytest.mark.skipif(
    os.geteuid() == 0 and not sys.platform.startswith("linux"),
    reason="root's power over permissions can be given up on Linux only",
)


@pytest.fixture
def close(project: Any) -> Iterator[Callable[[Path], None]]:
    """Index a folder in a folder, return a function that closes one of them, and open all in the end."""
    inner = project.docs / "inner"
    inner.mkdir()
    for number in range(7):
        (inner / f"{number}.md").write_text(f"---\nkind: bird\n---\n# N{number}\n\nThe dunlin {number}.\n")
    project.write(open="# Open\n\nThe redshank.\n")
    project.made("store")

    def closed(folder: Path) -> None:
        """Take every permission from a folder."""
        folder.chmod(0)

    yield closed
    for folder in (project.docs, inner):
        folder.chmod(0o700)


def asked(project: Any, *words: str) -> tuple[int, dict[str, Any]]:
    """Run a command without power over permissions; return its exit status and what it printed."""
    status, out, _ = project.run("plain", 0, "store", *words, "--json")
    return status, json.loads(out)


def test_a_closed_folder_is_out_of_reach(project: Any, close: Callable[[Path], None]) -> None:
    """Its files are found, are not called gone, and stay through a run, also with ``--prune``."""
    close(project.docs / "inner")
    for prune in ("--no-prune", "--prune"):
        assert asked(project, "index", prune, str(project.docs))[0] == 0
        assert asked(project, "status")[1]["roots"][0]["files"] == 8
    status, answer = asked(project, "search", "dunlin 3", "-k", "1")
    [notice] = answer["results"][0]["notices"]
    assert (status, GONE in notice) == (0, False)
    assert "out of reach" in notice
    assert "ermission" in notice


def test_a_closed_root_is_named_and_kept(project: Any, close: Callable[[Path], None]) -> None:
    """A run ends in words, nothing leaves the index, and the status says why."""
    close(project.docs)
    assert asked(project, "index", "--prune", str(project.docs))[0] == StorageFailed.exit_status
    _, state = asked(project, "status")
    [root] = state["roots"]
    assert (root["present"], root["files"], root["behind"]) == (True, 8, 0)
    assert "ermission" in root["closed"]
    assert "cannot be opened" in project.run("plain", 0, "store", "status")[1]


def test_a_filter_does_not_answer_from_what_is_out_of_reach(project: Any, close: Callable[[Path], None]) -> None:
    """The metadata could have changed: the refusal says what cannot be looked at."""
    close(project.docs / "inner")
    for folder in (project.docs / "inner", project.docs):
        close(folder)
        status, refused = asked(project, "search", "dunlin", "--where", "kind=bird")
        assert (status, str(folder) in refused["error"]["hint"]) == (IndexBehind.exit_status, True)
        assert "ermission" in refused["error"]["message"]
