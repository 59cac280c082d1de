"""X03: the last change is taken back whole, an import and a name of an entity too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from importing import NOTES

import treering
from treering.api.undoing import shelves
from treering.curate.unkeep import unkeep
from treering.errors import NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def contents(memory: MemoryStore, *statuses: str) -> list[str]:
    """Return what the memories of some statuses say."""
    return sorted(one.content for one in memory.list("memories", status=list(statuses)).items)


def test_an_import_leaves_with_what_was_taken_out_of_it(folder: Path, memory: MemoryStore) -> None:
    """One undo takes a folder of notes back: sources, pieces in searches, memories; and it can be imported again."""
    memory.remember("Something that stays.")
    (folder / "in").mkdir()
    (folder / "in" / "sync.md").write_text(NOTES)
    (folder / "in" / "plain.md").write_text("# Plain\n\nThe zebra crossing is painted on Tuesdays.\n")
    memory.import_(folder / "in", extract=True)
    assert memory.search("zebra crossing painted", in_="sources").results
    assert len(contents(memory, "active")) == 4
    done = memory.undo()
    assert len([line for line in done.notices if "taken back: import" in line]) == 2
    assert contents(memory, "active") == ["Something that stays."]
    assert not memory.search("zebra crossing painted", in_="sources").results
    assert not memory.search("push platform integration review", in_="sources").results
    again = memory.import_(folder / "in", extract=True)
    assert {one.outcome for one in again} == {"accepted"}
    assert memory.search("zebra crossing painted", in_="sources").results
    assert len(contents(memory, "active")) == 4
    assert memory.verify().problems == ()


def test_a_former_version_comes_back(folder: Path, memory: MemoryStore) -> None:
    """With it its words in searches, its title, what it says of itself, and what the new one had superseded."""
    (folder / "m.md").write_text(NOTES)
    (first,) = memory.import_(folder / "m.md", extract=True, tags=["kept"])
    (folder / "m.md").write_text(
        NOTES.replace("weekly sync", "monthly sync").replace("2026-10-01", "2026-10-20").replace("November 15", "May 1")
    )
    (second,) = memory.import_(folder / "m.md", extract=True, tags=["kept"])
    assert (second.outcome, second.id) == ("superseded", first.id)
    memory.undo()
    source = memory.show(first.id)
    assert (source.version, source.title) == (first.version, "Project A weekly sync")
    assert source.metadata["date"] == ("2026-10-01",)
    assert source.metadata["tags"] == ("kept",)
    assert memory.active_state("project-a/launch-date") == "Project A will launch on November 15."
    assert not memory.search("launch on May 1", in_="sources", where={"date": "2026-10-20"}).results
    assert memory.search("launch on November 15", in_="sources").results
    assert memory.verify().problems == ()
    memory.undo()
    assert contents(memory, "active") == []


def test_what_was_taken_back_keeps_its_quote(memory: MemoryStore) -> None:
    """A memory that was taken back before goes on quoting what the import brought; the import can come again."""
    kept = memory.note("The harbour master keeps the only key to the pump house.", key="harbour")
    cited = memory.remember("Ask the harbour master for the key.", source=kept.id, quote="keeps the only key")
    memory.undo()
    memory.undo()
    assert memory.show(cited.id).quotes[0].text == "keeps the only key"
    assert not memory.search("harbour master pump house", in_="sources").results
    again = memory.note("The harbour master keeps the only key to the pump house.", key="harbour")
    assert (again.outcome, again.id) == ("accepted", kept.id)
    assert memory.search("harbour master pump house", in_="sources").results
    assert memory.verify().problems == ()
    memory.undo()
    assert not memory.search("harbour master pump house", in_="sources").results


def test_an_import_on_which_a_memory_rests_stays(memory: MemoryStore) -> None:
    """The refusal names the memory, and nothing is changed."""
    kept = memory.note("The harbour master keeps the only key to the pump house.")
    cited = memory.remember("Ask the harbour master for the key.", source=kept.id, quote="keeps the only key")
    with pytest.raises(Refused, match=f"{kept.id}.*{cited.id} rest"), memory._curating() as (tx, curator):
        unkeep(tx, curator, shelves(tx, memory.settings), kept.id, kept.version, "")
    assert memory.search("harbour master pump house", in_="sources").results


def test_bytes_leave_with_their_import(folder: Path, memory: MemoryStore) -> None:
    """Of an original that is no UTF-8 the kept bytes go as well, unless something else has them."""
    (folder / "w.txt").write_bytes("El peaje sube en marzo según el boletín.\r\n".encode("utf-16"))
    memory.import_(folder / "w.txt")
    memory.undo()
    assert memory.verify().problems == ()
    with pytest.raises(NotFound, match="no change"):
        memory.undo()


def test_a_name_is_taken_from_an_entity(run: Callable[..., Any], memory: MemoryStore) -> None:
    """The audit log never had the name; entities that were made one stay one, which is said."""
    memory.remember("Robert signs the releases.", entities=["Robert"])
    memory.entity_alias("Robert", "Bobby Tables")
    assert memory.entities()[0].aliases == ("Bobby Tables",)
    assert "Tables" not in run("audit", "--json").out
    memory.undo()
    assert memory.entities()[0].aliases == ()
    with pytest.raises(NotFound):
        memory.entity_alias("Bobby Tables", "Bob")
    memory.remember("Roberto signs the invoices.", entities=["Roberto"])
    memory.entity_merge("Robert", "Roberto")
    with pytest.raises(Refused, match="merge_entities"):
        memory.undo()


def test_extracting_from_an_indexed_directory_is_taken_back_alone(folder: Path, memory: MemoryStore) -> None:
    """The statements leave in one step; the directory stays indexed, for it is read where it lies."""
    (folder / "docs").mkdir()
    (folder / "docs" / "m.md").write_text(NOTES)
    memory.index(folder / "docs", extract=True)
    assert len(contents(memory, "active")) == 3
    memory.undo()
    assert contents(memory, "active") == []
    assert memory.search("push platform maintained", in_="sources").results
