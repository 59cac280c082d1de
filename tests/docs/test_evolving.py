"""The page about how memories evolve does what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import treering
from treering.surfaces.cli import main

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "how-memories-evolve.md"


def test_the_commands_give_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command succeeds in turn; the answer is the page's; the agent's claim waits as disputed."""
    (tmp_path / "own" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "own")
    text = PAGE.read_text(encoding="utf-8")
    printed = []
    for line in "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)).splitlines():
        assert (line, main(shlex.split(line)[1:])) == (line, 0)
        printed.append(capsys.readouterr().out)
    [shown] = re.findall(r"^```text\n(## In force.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert printed[3].startswith(shown)
    assert "- Project A will launch on November 15." in printed[4]
    assert "## Before" in printed[5]
    with treering.open() as memory:
        assert memory.state_at("project-a/launch-date", "2026-11-30") == "2026-12-01"
        assert [one.slot for one in memory.conflicts()] == ["project-a/launch-date"]
