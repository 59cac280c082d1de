"""C04, E05: results are weighed by recency, use and tags; the floor keeps what is old in reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Clock

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path, clock: Clock) -> Iterator[MemoryStore]:
    """Return an empty memory on the first of January 2026."""
    with treering.open(folder) as opened:
        yield opened


def order(memory: MemoryStore, question: str) -> list[str]:
    """Return the ids of what a search shows."""
    return [one.id for one in memory.search(question).results]


def test_of_equals_the_fresh_one_stands_first(memory: MemoryStore, clock: Clock) -> None:
    """Whichever was saved first: two years later it stands behind one that says as much."""
    question = "which lamp hangs over a locker"
    old = memory.remember("The north lamp hangs over a locker.").id
    clock.at("2028-01-01T00:00:00")
    fresh = memory.remember("The south lamp hangs over a locker.").id
    assert order(memory, question) == [fresh, old]
    back = memory.remember("The lamp over a locker of the west hangs.", valid_from="2020-01-01").id
    assert order(memory, question).index(back) > order(memory, question).index(fresh)


def test_an_old_answer_is_not_buried(memory: MemoryStore, clock: Clock) -> None:
    """What answers stands above what only shares a word with the question, whatever their ages."""
    old = memory.remember("Grandmother's address is 12 Harbour Street, Bergen.").id
    clock.at("2036-01-01T00:00:00")
    memory.remember("An address was mentioned at lunch.")
    assert order(memory, "what is grandmother's address in Bergen")[0] == old


def test_what_was_recalled_rises_and_searches_write_nothing(memory: MemoryStore, folder: Path) -> None:
    """It is counted in the process and written with the next change; the boost is small and has an end."""
    question = "what is stored on shelf"
    ids = [memory.remember(f"Rope is stored on shelf {name}.").id for name in ("amber", "birch")]
    first, second = order(memory, question)
    for _ in range(30):
        memory.search(f"shelf {'amber' if second == ids[0] else 'birch'}", limit=1)
    with treering.open(folder) as other, other._reading() as tx:
        assert tx.attention.of(ids, "") == {}
    memory.remember("Paint is elsewhere.")
    with treering.open(folder) as other:
        with other._reading() as tx:
            assert tx.attention.of([second], "")[second].times >= 29
        assert order(other, question) == [second, first]


def test_counts_are_kept_when_a_memory_is_closed(memory: MemoryStore, folder: Path) -> None:
    """What a process recalled is written at its end; a process that asks one question writes nothing."""
    id = memory.remember("Rope is stored on shelf amber.").id
    with treering.open(folder) as one:
        one.search("shelf amber")
    with memory._reading() as tx:
        assert tx.attention.of([id], "") == {}
    with treering.open(folder) as several:
        several.search("shelf amber")
        several.search("shelf amber")
    with memory._reading() as tx:
        assert tx.attention.of([id], "")[id].times == 1


def test_a_tag_that_the_question_names_counts(memory: MemoryStore) -> None:
    """Three per cent each: of equals the one with the tag stands first, and the trace says so."""
    plain = memory.remember("The billing run starts at noon on Mondays.").id
    tagged = memory.remember("The billing run starts at dusk on Fridays.", tags=["billing", "run"]).id
    answer = memory.search("when does the billing run start")
    assert [one.id for one in answer.results] == [tagged, plain]
    [why] = [step.why for step in answer.trace if step.step == "activation"]
    assert "1 with a tag named" in why


def test_what_was_superseded_stays_behind_its_successor(memory: MemoryStore) -> None:
    """A briefing on the old answer raises the one that holds now above it."""
    old = memory.remember("The door code is 123.", slot="door/code", value="123").id
    memory.pin(old, ttl="1w")
    new = memory.remember("The door code is 456.", slot="door/code", value="456").id
    assert order(memory, "door code")[:2] == [new, old]
