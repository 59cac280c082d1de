"""B15: different names of one entity lead to one entity."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import NotAllowed, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in its owner's hands."""
    with treering.open() as opened:
        yield opened


def test_a_name_given_once_is_known_ever_after(memory: MemoryStore) -> None:
    """Whatever its case, by the name or the alias, it is the same entity."""
    memory.remember("Ana Diaz signs the contract.", entities=["Ana Diaz"])
    [ana] = memory.entities()
    memory.entity_alias("ana diaz", "Nita")
    second = memory.remember("Nita was in Oslo.", entities=["NITA"]).id
    assert [(one.id, one.name, one.aliases) for one in memory.entities()] == [(ana.id, "Ana Diaz", ("Nita",))]
    assert memory.show(second).entities == ("Ana Diaz",)
    assert memory.entity_alias(ana.id, "nita").outcome == "exists"


def test_two_become_one(memory: MemoryStore) -> None:
    """The first stays, under the names of both, and the memories of both speak of it."""
    first = memory.remember("Alice Smith leads it.", entities=["Alice Smith"]).id
    other = memory.remember("A. Smith was ill.", entities=["A. Smith"]).id
    kept, gone = memory.entities()
    with treering.open(as_agent="scout") as agent, pytest.raises(NotAllowed):
        agent.entity_merge(kept.id, gone.id)
    memory.entity_merge(kept.id, gone.id)
    assert [(one.id, set(one.aliases)) for one in memory.entities()] == [(kept.id, {"A. Smith"})]
    assert memory.show(first).entities == memory.show(other).entities == ("Alice Smith",)
    with pytest.raises(NotFound):
        memory.entity_alias(gone.id, "Al")


def test_the_command_line_lists_names_and_merges(folder: Path, run: Callable[..., Any]) -> None:
    """`entity list`, `alias` and `merge`; what is wrong is said with the command that helps."""
    run("remember", "Project Alpha is late.", "--entity", "Project Alpha", "--entity", "Luis", "--slot", "alpha/state")
    listed = json.loads(run("entity", "list", "--json").out)
    assert {one["name"] for one in listed["items"]} == {"Project Alpha", "Luis"}
    assert json.loads(run("list", "entities", "--json").out) == listed
    assert run("entity", "alias", "project alpha", "The Big One").out.startswith("Named ent_")
    assert "The Big One" in run("entity", "list").out
    assert run("timeline", "the big one").out.startswith("alpha/state\n")
    assert run("entity", "merge", "Luis", "project alpha").out.startswith("Merged into ent_")
    assert json.loads(run("entity", "--json").out)["total"] == 1
    assert run("entity", "alias", "nobody", "x").status == 3
    assert run("entity", "alias", "Luis").status == 2
    assert run("entity", "rename", "Luis").status == 2
    assert run("timeline", "nobody at all").status == 3
