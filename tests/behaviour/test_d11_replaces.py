"""D11: a few words say which memory a new one replaces; several candidates are listed, and none is guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in its owner's hands."""
    with treering.open() as opened:
        yield opened


def test_a_few_words_are_enough(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """The memory that alone has them is superseded; without a slot, with one, and in the slot that it has."""
    friday = memory.remember("We never deploy on Fridays").id
    lead = memory.remember("Ana leads the harbour team", slot="harbour/lead", value="Ana").id
    ran = run("remember", "Fridays are fine for deploys", "--replaces", "never deploy Fridays")
    assert ran.status == 0
    assert f"  {friday}: active → superseded" in ran.out
    new = memory.remember("Luis leads the harbour team", replaces="Ana leads harbour")
    assert (new.outcome, memory.show(new.id).slot) == ("superseded", "harbour/lead")
    assert memory.show(lead).superseded_by == new.id
    assert memory.review() == ()


def test_a_memory_names_what_it_follows(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """A memory that is shown names those that it follows, by what was said or by its slot; others name none."""
    first = memory.remember("We deploy on Fridays", valid_from="2026-01-05").id
    second = memory.remember("We deploy on Mondays", valid_from="2026-03-01", replaces=first).id
    third = memory.remember("We deploy on Tuesdays", valid_from="2026-05-01", replaces=second).id
    assert [memory.show(id).supersedes for id in (first, second, third)] == [(), (first,), (second,)]
    assert f"supersedes: {second}" in run("show", third).out
    assert "supersedes" not in run("show", first).out
    leads = [
        memory.remember(f"{name} leads", slot="harbour/lead", value=name, valid_from=year).id
        for name, year in (("Ana", "2024"), ("Luis", "2026"), ("Mar", "2025"))
    ]
    assert [memory.show(id).supersedes for id in leads] == [(), (leads[2],), (leads[0],)]
    memory.undo()
    assert memory.show(leads[1]).supersedes == (leads[0],)
    memory.forget([leads[0]])
    assert memory.show(leads[1]).supersedes == ()


def test_several_are_listed_and_none_is_taken(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """The error names each with its words; nothing is saved."""
    ids = [memory.remember(f"The {colour} boat needs a new engine").id for colour in ("red", "blue")]
    ran = run("remember", "All engines are new", "--replaces", "boat engine")
    assert ran.status == 2
    assert all(id in ran.err for id in ids)
    with pytest.raises(NotFound, match="nothing was replaced") as none:
        memory.remember("All engines are new", replaces="zeppelin hangar")
    assert not any(id in str(none.value) for id in ids), "what has nothing to do with the words is not suggested"
    assert {memory.show(id).status for id in ids} == {"active"}
    assert memory.list("memories").total == 2


def test_something_is_marked_as_outdated(memory: MemoryStore) -> None:
    """With what holds instead, with a memory that says so already, or with nothing: then it ends."""
    first = memory.remember("The bridge is closed").id
    outcome = memory.mark_outdated("bridge closed", "The bridge is open again")
    assert memory.show(first).superseded_by == outcome.id
    known = memory.remember("The ferry runs hourly").id
    memory.mark_outdated(outcome.id, known)
    assert memory.show(outcome.id).superseded_by == known
    memory.mark_outdated(known, at="2026-01-01")
    shown = memory.show(known)
    assert (shown.status, shown.superseded_by, shown.content) == ("superseded", "", "The ferry runs hourly")
    with pytest.raises(InputError, match="itself"):
        memory.mark_outdated(known, known)
