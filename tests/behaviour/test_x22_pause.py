"""X22: ``pause`` stops capture in every process, until ``resume``; what is there is still found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import NotAllowed, Paused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore


@pytest.fixture
def paused(folder: Path) -> Iterator[MemoryStore]:
    """Return a paused memory that holds something."""
    (folder / "plan.md").write_text("# Plan\n\nThe launch is on Friday.\n")
    with treering.open() as memory:
        memory.remember("Ines leads the harbour team")
        memory.index([folder])
        memory.pause()
        yield memory


def test_agents_write_nothing(paused: MemoryStore) -> None:
    """Whatever an agent would change is refused, saying since when; another process and a new handle know it."""
    since = paused.status().paused
    with treering.open(as_agent="bot") as agent:
        id = agent.search("who leads the harbour").results[0].id
        for act in (
            lambda: agent.remember("The night shift empties the lockers"),
            lambda: agent.propose([{"op": "create", "memory": {"content": "Lockers are orange"}}]),
            lambda: agent.update(id, tags=["harbour"]),
            lambda: agent.archive(id),
            lambda: agent.index(["."]),
            lambda: agent.note("Some text to be kept"),
            lambda: agent.duplicates(merge=True) and agent.mark_outdated(id),
        ):
            with pytest.raises(Paused, match=f"paused since {since}"):
                act()
    assert paused.list("memories").total == 1


def test_nothing_is_imported(paused: MemoryStore, folder: Path) -> None:
    """Not by the owner either: files, notes and statements taken out of documents."""
    with pytest.raises(Paused):
        paused.import_([folder / "plan.md"])
    with pytest.raises(Paused):
        paused.note("Some text to be kept")
    with pytest.raises(Paused):
        paused.index([folder], extract=True)


def test_the_owners_own_word_is_kept_and_all_is_found(paused: MemoryStore, folder: Path) -> None:
    """What the owner types, and folders that are indexed, go on as before."""
    assert paused.remember("The owner moved to Valencia").outcome == "accepted"
    (folder / "plan.md").write_text("# Plan\n\nThe launch is on Saturday.\n")
    assert "Saturday" in paused.search("when is the launch").results[0].text


def test_only_the_owner_pauses_and_lets_it_go_on(paused: MemoryStore) -> None:
    """An agent does neither; pausing twice keeps the first time, and ``undo`` passes over both."""
    since = paused.status().paused
    with treering.open(as_agent="bot") as agent:
        with pytest.raises(NotAllowed):
            agent.pause()
        with pytest.raises(NotAllowed):
            agent.resume()
    assert paused.pause() == since
    assert paused.resume() == since
    assert paused.resume() == ""
    assert paused.status().paused == ""
    assert paused.undo().outcome == "accepted"
    assert paused.list("memories").total == 0


def test_the_command_line_says_so(paused: MemoryStore, run: Callable[..., Ran]) -> None:
    """``status`` names the pause and the way out; ``resume`` ends it."""
    assert paused.status().paused in run("status").out
    assert "treering resume" in run("status").out
    assert json.loads(run("status", "--json").out)["paused"] == paused.status().paused
    refused = run("--as-agent", "bot", "remember", "The night shift empties the lockers")
    assert (refused.status, "treering" in refused.err, "resume" in refused.err) == (4, True, True)
    assert run("resume").status == 0
    assert run("--as-agent", "bot", "remember", "The night shift empties the lockers").status == 0
    assert run("pause").out.startswith("Paused since ")
