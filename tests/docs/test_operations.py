"""The documentation's operations are read as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.curate.reading import read_operations
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from treering.domain.report import Remembered

HOWTO = Path(__file__).resolve().parents[2] / "docs" / "howto"
PAGE = HOWTO / "write-memories.md"
FENCES = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", FENCES)
def test_examples_are_operations(example: str) -> None:
    """With an id in the place of dots, each example is a batch without a mistake."""
    assert read_operations(example.replace("mem_…", "mem_" + "0" * 22).replace("src_…", "src_" + "0" * 22))


def test_the_whole_example_is_carried_out(tmp_path: Path) -> None:
    """With the source that the page names, its first list makes the memories that it describes, also again."""
    text = PAGE.read_text(encoding="utf-8")
    [said] = re.findall(r"`treering note '([^']+)'`", text)
    with treering.open(store=tmp_path / "store") as memory:
        known: Remembered = memory.show(memory.remember(said).id)  # type: ignore[assignment]
        operations = FENCES[0].replace("src_…", known.quotes[0].source)
        outcomes = memory.propose(operations)
        assert [outcome.outcome for outcome in outcomes] == ["accepted", "accepted"]
        launch = memory.timeline("project-a/launch-date", at="2026-11-01")
        assert launch.current is not None
        assert launch.current.value == "2026-11-15"
        shown: Remembered = memory.show(outcomes[0].id)  # type: ignore[assignment]
        assert (shown.verification, set(shown.entities)) == ("source_backed", {"Project A", "push platform"})
        assert [outcome.outcome for outcome in memory.propose(operations)] == ["exists", "exists"]
        update = FENCES[1].replace("mem_…", outcomes[0].id).replace('"revision": 3', '"revision": 1')
        assert memory.propose(update)[0].outcome == "accepted"
        shown = memory.show(outcomes[0].id)  # type: ignore[assignment]
        assert (shown.tags, shown.metadata["tickets"]) == (("old",), ("APP-184", "APP-190"))
        assert "team" not in shown.metadata


def test_commands_about_memories_that_change_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the page, in order, does what it is asked."""
    (tmp_path / "own" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "own")
    text = (HOWTO / "memories-that-change.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for fence in fences for line in fence.splitlines()]
    assert [(line, main(shlex.split(line)[1:])) for line in lines] == [(line, 0) for line in lines]
    with treering.open() as memory:
        assert memory.active_state("user/location") == "Valencia"
        assert memory.state_at("user/location", "2023-01-01") == "Oslo"
        assert len(memory.conflicts()) == len(memory.review()) == 1
