"""D12, X06: an answer costs a few hundred tokens, whatever the size of the store, and never more than it may."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering
from treering.domain.text import llm_tokens
from treering.surfaces.views_text import answer_text

if TYPE_CHECKING:
    from pathlib import Path

    from treering import MemoryStore

PLACES = "gateway ledger harbour pump locker queue release window approver backup signal market".split()


def fill(memory: MemoryStore, count: int) -> None:
    """Save so many memories of some forty tokens."""
    source = memory.note("All of this was said in the weekly meeting.").id
    quote = [{"source_id": source, "quote": "said in the weekly meeting"}]
    for start in range(0, count, 1000):
        memory.propose(
            [
                {
                    "op": "create",
                    "memory": {
                        "content": f"The {PLACES[n % 12]} of depot {n} is looked after by team {n % 37}, who wrote "
                        f"down how the {PLACES[n // 12 % 12]} is started again after a fault of kind {n % 11}.",
                        "evidence": quote,
                    },
                }
                for n in range(start, min(start + 1000, count))
            ]
        )


@pytest.mark.parametrize("count", [50, pytest.param(3000, marks=pytest.mark.slow)])
def test_an_answer_costs_the_same_however_much_is_stored(folder: Path, count: int) -> None:
    """Of 50 memories or thousands, an answer has 200 to 900 tokens, as it is printed."""
    assert folder
    with treering.open() as memory:
        fill(memory, count)
        for question in ("who looks after the gateway of a depot", "how is the pump started again after a fault"):
            answer = memory.search(question)
            assert 200 <= answer.tokens <= 900
            assert llm_tokens(answer_text(answer)) <= answer.tokens
            assert memory.context(question).tokens <= 900


@pytest.mark.parametrize("most", [50, 51, 500, 100_000])
def test_no_budget_is_exceeded(folder: Path, most: int) -> None:
    """The least and the most that may be asked for hold; where nothing fits, nothing is spent."""
    assert folder
    with treering.open() as memory:
        fill(memory, 60)
        answer = memory.search("who looks after the gateway of a depot", max_tokens=most)
        assert answer.tokens <= most
        assert answer.results or answer.tokens == 0
        assert llm_tokens(memory.context("who looks after the gateway", max_tokens=most).text) <= most


@pytest.mark.parametrize("most", [0, 1, -5, 10**9])
def test_a_budget_that_is_none_is_an_error(folder: Path, most: int) -> None:
    """Nothing at all and more than any client takes are refused in words."""
    assert folder
    with treering.open() as memory:
        memory.remember("Lockers are orange")
        with pytest.raises(treering.errors.InputError, match="max_tokens"):
            memory.search("lockers", max_tokens=most)
