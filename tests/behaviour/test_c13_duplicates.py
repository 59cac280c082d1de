"""C13: near-duplicates are found and merged; texts that differ in one digit never are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore

FIRST = "The team prefers tabs over spaces in Go code"
AGAIN = "The team now prefers tabs over spaces, in the Go code!"


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project."""
    assert folder
    with treering.open() as opened:
        yield opened


def test_what_was_said_already_is_offered(memory: MemoryStore) -> None:
    """The memories that say nearly the same are named, and which of them may be merged."""
    first = memory.remember(FIRST).id
    memory.remember("The team prefers Rust for the gateway")
    outcome = memory.with_similar(memory.remember(AGAIN))
    assert [(one.id, one.same) for one in outcome.similar] == [(first, True)]
    assert outcome.similar[0].likeness >= 0.92


def test_one_digit_is_enough(memory: MemoryStore) -> None:
    """Texts that differ by a digit, date, negation, unit, version or identifier are no duplicates of one another."""
    for text in (
        "The door timeout is 30 seconds on every locker", "The door timeout is 40 seconds on every locker",
        "The door timeout is 30 minutes on every locker", "The door timeout is not 30 seconds on every locker",
        "Lockers in Oslo close on 3 May after the parade", "Lockers in Oslo close on 3 June after the parade",
        "Builders have used python 3.11 since the move", "Builders have used python 3.12 since the move",
        "The worker reads max_upload_attempts when it starts", "The worker reads max_upload_retries when it starts",
    ):  # fmt: skip
        assert not any(one.same for one in memory.with_similar(memory.remember(text)).similar), text
    assert memory.duplicates().groups == ()


def test_merging_keeps_the_history_and_can_be_undone(memory: MemoryStore) -> None:
    """One stays with the labels of all, the others are superseded by it; each merge has a line and is taken back."""
    first = memory.remember(FIRST, tags=["go"]).id
    second = memory.remember(AGAIN, tags=["style"]).id
    found = memory.duplicates(merge=True)
    assert [[one.id for one in group] for group in found.groups] == [[second, first]]
    assert [(one.outcome, one.id) for one in found.outcomes] == [("merged", second)]
    kept, gone = memory.show(second), memory.show(first)
    assert set(kept.tags) == {"go", "style"}
    assert (gone.status, gone.superseded_by) == ("superseded", second)
    assert memory.audit()[0].name == "merge"
    assert memory.duplicates().groups == ()
    memory.undo()
    assert memory.show(first).status == "active"


def test_an_agent_merges_only_what_is_identical(memory: MemoryStore) -> None:
    """What differs in a word waits for the owner."""
    first, second = memory.remember(FIRST).id, memory.remember(AGAIN).id
    with treering.open(as_agent="bot") as agent:
        outcomes = agent.duplicates(merge=True).outcomes
    assert [one.outcome for one in outcomes] == ["queued"]
    assert {memory.show(id).status for id in (first, second)} == {"active"}


def test_another_topic_or_time_is_no_duplicate(memory: MemoryStore) -> None:
    """The same words as the answers to two topics, or of two times, are two memories."""
    memory.remember("It is rebuilt from the backup each night", slot="staging/database", value="rebuilt")
    memory.remember("It is now rebuilt from the backup each night", slot="demo/database", value="rebuilt")
    assert memory.duplicates().groups == ()


def test_a_thousand_alike_are_one_group(memory: MemoryStore) -> None:
    """Restatements in a row are one group, found without comparing all of them, and facts of one pattern are none."""
    source = memory.note("The night shift empties lockers. Each locker has a number.").id
    blanks = ["the ", "now ", "just ", "also ", "really ", "then "]
    texts = [
        f"Lockers at {blanks[n % 6]}pier {blanks[n // 6 % 6]}are emptied {blanks[n // 36]}by night shift of the depot"
        for n in range(216)
    ]
    quote = [{"source_id": source, "quote": "The night shift empties lockers."}]
    memory.propose(
        [{"op": "create", "memory": {"content": text, "evidence": quote}} for text in texts]
        + [
            {"op": "create", "memory": {"content": f"Locker {n} has the number {n * 7}", "evidence": quote}}
            for n in range(300)
        ]
    )
    groups = memory.duplicates().groups
    assert [len(group) for group in groups] == [216]


def test_the_command_line_lists_and_merges(memory: MemoryStore, run: Callable[..., Ran]) -> None:
    """Groups with the one that stays first; JSON has the same; without any the answer is no."""
    memory.remember(FIRST)
    second = memory.remember(AGAIN).id
    assert "stays: " + second in run("duplicates").out
    listed = json.loads(run("duplicates", "--json").out)
    assert [item["keep"] for item in listed["items"]] == [second]
    assert "Merged with " + second in run("duplicates", "--merge").out
    assert run("duplicates").status == 1


def test_nothing_has_no_likeness(memory: MemoryStore) -> None:
    """What is not there is not compared."""
    with pytest.raises(NotFound):
        memory.similar("mem_nothing")
