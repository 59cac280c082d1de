"""B10: the least trusted evidence decides, and quoting a source again raises nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def agent(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in an agent's hands."""
    with treering.open(as_agent="scout") as opened:
        yield opened


def test_the_lowest_trust_of_all_quotes_is_the_memorys(agent: MemoryStore) -> None:
    """A claim that quotes the owner's note and an agent's is an agent's."""
    with treering.open() as owner:
        mine = owner.remember("The gate opens at nine.").id
    theirs = agent.remember("The gate opens at nine on weekdays, says the porter.").id
    [outcome] = agent.propose(
        {"op": "create", "memory": {
            "content": "On weekdays the gate opens at nine.",
            "evidence": [
                {"source_id": f"note:{mine}", "quote": "opens at nine"},
                {"source_id": f"note:{theirs}", "quote": "on weekdays"},
            ],
        }}
    )  # fmt: skip
    shown = agent.show(outcome.id)
    assert (shown.trust, shown.verification) == ("agent", "source_backed")
    assert [quote.trust for quote in shown.quotes] == ["owner", "agent"]


def test_quoting_the_same_source_again_raises_nothing(agent: MemoryStore) -> None:
    """However often an agent quotes its own note, its memory is an agent's, and the owner's stays out of reach."""
    note = agent.remember("The lift is out of order.").id
    for _ in range(3):
        agent.propose({"op": "update", "id": note, "changes": {"tags": ["lift"]}, "evidence": [
            {"source_id": f"note:{note}", "quote": "The lift is out of order."}
        ]})  # fmt: skip
    assert agent.show(note).trust == "agent"
    with treering.open() as owner:
        own = owner.remember("The lift works.", slot="house/lift", value="works").id
    claimed = agent.remember("The lift is broken.", slot="house/lift", value="broken")
    assert claimed.outcome == "disputed"
    assert agent.timeline("house/lift").current.memory == own  # type: ignore[union-attr]
