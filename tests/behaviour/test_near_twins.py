"""Restatements do not push other facts out of an answer, and details are not lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MemoryStore:
    """Return an empty memory of a project."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return treering.open()


def test_wordings_of_one_fact_leave_room_for_another(memory: MemoryStore) -> None:
    """Of five wordings and one other fact, an answer of three has the other fact."""
    for text in (
        "Restart of the turbine takes two hours.",
        "A turbine restart takes 2 hours.",
        "Turning the turbine back on: two hours.",
        "Turbine restart duration is two hours.",
        "It takes two hours to start the turbine again.",
    ):
        memory.remember(text)
    other = memory.remember("Before a turbine restart, tell the night shift.")
    with memory:
        assert other.id in [one.id for one in memory.search("turbine restart", limit=3).results]


def test_a_detail_that_is_asked_for_comes_first(memory: MemoryStore) -> None:
    """Sentences that differ in one number stay apart: the one that is asked for wins."""
    for number in range(4, 10):
        memory.remember(f"The lamp of pier {number} is changed by the crew of ferry {number * 11}.")
    with memory:
        first = memory.search("who changes the lamp of pier 7?").results[0]
    assert "pier 7 " in first.text
