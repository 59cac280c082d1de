"""X03: superseding, ending, archiving and erasing are four acts; all but the last are taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

SLOT = "tower/height"


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in its owner's hands."""
    with treering.open() as opened:
        yield opened


@pytest.fixture
def tower(memory: MemoryStore) -> str:
    """Return a memory that answers a slot."""
    return memory.remember("The tower is 40 m high", slot=SLOT, value="40 m", valid_from="2026-01-01").id


ACTS: dict[str, tuple[Callable[[MemoryStore, str], object], str, str, str]] = {
    "supersede": (
        lambda memory, _: memory.remember("It is 42 m", slot=SLOT, value="42 m", valid_from="2026-02-01"),
        "superseded", "42 m", "",
    ),
    "end": (lambda memory, id: memory.update(id, valid_to="2026-02-01"), "superseded", "", "ended"),
    "archive": (lambda memory, id: memory.archive(id), "archived", "", "archived"),
}  # fmt: skip


@pytest.mark.parametrize("act", ACTS)
def test_each_act_leaves_its_own_trace_and_is_taken_back(memory: MemoryStore, tower: str, act: str) -> None:
    """The memory stays readable with its status, the slot says why it is empty, and `undo` restores both."""
    do, status, value, empty = ACTS[act]
    do(memory, tower)
    assert (memory.show(tower).status, memory.show(tower).content) == (status, "The tower is 40 m high")
    found = memory.timeline(SLOT)
    assert (found.current.value if found.current else "", found.empty) == (value, empty)
    memory.undo()
    assert memory.show(tower).status == "active"
    assert memory.active_state(SLOT) == "40 m"


def test_what_is_erased_is_gone_for_good(memory: MemoryStore, tower: str, run: Callable[..., Any]) -> None:
    """The slot says that something was erased, without its words; `undo` refuses."""
    assert run("forget", tower, "--yes", "--reason", "asked to").status == 0
    found = memory.timeline(SLOT)
    assert (found.current, found.empty) == (None, "erased")
    assert "40 m" not in json.dumps(found)
    assert "nothing: what held was erased" in run("timeline", SLOT).out
    with pytest.raises(Refused, match="cannot be taken back"):
        memory.undo()
    assert run("undo").status == 4
