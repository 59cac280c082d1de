"""B12: memories are updated, superseded, linked, archived and restored; an agent needs the owner for some of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
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
