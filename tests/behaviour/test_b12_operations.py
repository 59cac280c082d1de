"""B12: memories are updated, superseded, linked, archived and restored; an agent needs the owner for some of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in its owner's hands."""
    with treering.open() as opened:
        yield opened


def test_one_takes_the_place_of_several(memory: MemoryStore) -> None:
    """Both old ones are superseded by the new one and stay readable."""
    olds = [memory.remember(text).id for text in ("The pump is red.", "The pump stands outside.")]
    [outcome] = memory.propose(
        {"op": "supersede", "old_ids": olds, "memory": {"content": "The pump is green and stands inside."}}
    )
    assert outcome.outcome == "superseded"
    assert {change.id for change in outcome.changed} == set(olds)
    for old in olds:
        shown = memory.show(old)
        assert (shown.status, shown.superseded_by) == ("superseded", outcome.id)


@pytest.mark.parametrize("name", ["contradicts", "supports", "causes", "part_of", "follows", "related"])
def test_links_of_every_type_are_shown_on_both_ends(memory: MemoryStore, name: str) -> None:
    """A link stands at both memories; said twice it is one."""
    first, second = (memory.remember(text).id for text in ("Rain came.", "The cellar is wet."))
    assert memory.link(first, second, type=name).outcome == "accepted"
    assert memory.link(first, second, type=name).outcome == "exists"
    for id in (first, second):
        assert memory.show(id).links == ((first, name, second),)


def test_an_unknown_type_names_those_that_there_are(memory: MemoryStore) -> None:
    """And nothing is linked; nor is a memory with itself."""
    first, second = (memory.remember(text).id for text in ("Rain came.", "The cellar is wet."))
    with pytest.raises(InputError, match="contradicts"):
        memory.link(first, second, type="likes")
    with pytest.raises(InputError, match="itself"):
        memory.link(first, first)
    assert memory.show(first).links == ()


def test_what_the_owner_hid_an_agent_only_asks_for(memory: MemoryStore) -> None:
    """Restoring it waits for the owner; approved it is back. What an agent hid itself, it restores itself."""
    hidden = memory.remember("The key hangs in the hall.").id
    memory.archive(hidden, reason="moved")
    with treering.open(as_agent="scout") as agent:
        asked = agent.restore_memory(hidden)
        assert asked.outcome == "queued"
        own = agent.remember("The porter is called Luis.").id
        agent.archive(own)
        assert agent.restore_memory(own).outcome == "accepted"
    assert memory.show(hidden).status == "archived"
    memory.approve(asked.proposal)
    assert memory.show(hidden).status == "active"


def test_what_is_hidden_and_brought_back_within_one_instant_is_back(
    memory: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decisions of one millisecond count in the order in which they were made, with a slot and without one."""
    noon = 1_796_040_000 * 1_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: noon)
    for slot in ("", "cellar/pump"):
        id = memory.remember(f"The pump of {slot or 'nowhere'} is red.", slot=slot).id
        for _ in range(3):
            memory.archive(id)
            assert memory.show(id).status == "archived"
            memory.restore_memory(id)
            assert memory.show(id).status == "active"
    assert memory.verify().problems == ()


@pytest.mark.parametrize("given", [["mem_1"], ("mem_1", "mem_2"), None, 7])
def test_whatever_is_no_id_is_refused_by_the_name_of_the_argument(memory: MemoryStore, given: Any) -> None:
    """A list where one memory is meant says so, and names the argument; the database sees nothing of it."""
    memory.remember("The pump is red.")
    calls: list[tuple[str, Callable[[], object]]] = [
        ("id", lambda: memory.archive(given)),
        ("id", lambda: memory.restore_memory(given)),
        ("id", lambda: memory.confirm(given)),
        ("id", lambda: memory.update(given, text="The pump is green.")),
        ("id", lambda: memory.show(given)),
        ("id", lambda: memory.similar(given)),
        ("id", lambda: memory.unpin(given)),
        ("id", lambda: memory.approve(given)),
        ("id", lambda: memory.reject(given)),
        ("id", lambda: memory.review_show(given)),
        ("from_id", lambda: memory.link(given, "mem_2")),
        ("to_id", lambda: memory.link("mem_2", given)),
        ("old", lambda: memory.mark_outdated(given)),
    ]
    for name, call in calls:
        with pytest.raises(InputError, match=f"^{name} = .*one id is wanted"):
            call()
