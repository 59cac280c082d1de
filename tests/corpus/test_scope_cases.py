"""Faults that users reported of projects' identity and of shared file systems, as the shared cases have them."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import treering
import treering.errors
from treering.domain.mounts import wal_allowed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.sqlite


def test_worktrees_share_one_memory(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH-05: what was saved in a worktree is found in the main one, also once the worktree is gone."""
    folder = tmp_path / "case"
    shutil.copytree(shared / "cases" / "PATH-05", folder)
    monkeypatch.chdir(folder)
    saved: dict[str, str] = {}
    for step in json.loads((folder / "expect.json").read_text(encoding="utf-8"))["steps"]:
        if step["do"] == "run":
            script = step["script"]
            words = ["sh", script] if (folder / script).exists() else ["sh", "-c", script]
            subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True)
            continue
        with treering.open(folder / step["cwd"]) as memory:
            if step["do"] == "remember":
                saved[step["as"]] = memory.remember(step["text"]).id
                continue
            try:
                found = [one.id for one in memory.search(step["query"]).results]
            except treering.errors.NotFound:
                found = []
            assert found == [saved[name] for name in step.get("expect_ids", ())], step


def test_a_log_is_kept_where_no_other_machine_writes(shared: Path) -> None:
    """CON-05: on which file systems SQLite's write-ahead log is allowed."""
    case = shared / "cases" / "CON-05"
    steps = json.loads((case / "expect.json").read_text(encoding="utf-8"))["steps"]
    assert steps
    for step in steps:
        table = (case / step["mountinfo"]).read_text(encoding="utf-8")
        assert wal_allowed(step["path"], table) is step["expect_wal_allowed"], step
