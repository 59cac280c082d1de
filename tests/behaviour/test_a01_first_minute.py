"""A01: from install to the first answer in a minute."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TREERING = (sys.executable, "-m", "treering")


def start(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program as its user does, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [*TREERING, *words], capture_output=True, check=False, env=environment, encoding="utf-8", timeout=60
    )


def test_two_commands_lead_to_a_cited_answer(project: Path, home: Path) -> None:
    """`index .` and `search` answer with file and line in two processes, with nothing set up before them."""
    indexed = start("index", ".")
    assert (indexed.returncode, indexed.stderr) == (0, "")
    assert "10 files" in indexed.stdout
    answer = start("search", "how do I roll back a bad release?")
    assert answer.returncode == 0
    assert "docs/deploy.md:9-" in answer.stdout
    assert "kelp release undo --to previous" in answer.stdout


def test_the_answer_says_what_it_costs_and_what_to_do_next(project: Path, run: Callable[..., Any]) -> None:
    """Indexing names the next command, and an answer names its tokens."""
    assert "treering search" in run("index", ".").out
    assert "tokens" in run("search", "sorting robot").out


@pytest.mark.sqlite
def test_nothing_is_written_but_the_store(project: Path, home: Path, run: Callable[..., Any]) -> None:
    """The project gains `.treering/` alone, its files stay as they are; at home only the trusted stores are listed."""
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    run("index", ".")
    run("search", "lockers")
    after = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert {path.relative_to(project).parts[0] for path in after.keys() - before.keys()} == {".treering"}
    assert {path: after[path] for path in before} == before
    written = [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
    assert written == [".local/share/treering/trusted"]


def test_no_account_no_key_no_network(project: Path, run: Callable[..., Any]) -> None:
    """Index and search work where the network is closed and no variable holds a key."""
    assert not [name for name in os.environ if name.endswith(("API_KEY", "_TOKEN")) and "TREERING" in name]
    assert run("index", ".").status == 0
    assert run("search", "who approves a deploy in Oslo").status == 0
