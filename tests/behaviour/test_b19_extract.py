"""B19: meeting notes yield memories without a model, with the file's trust and date; free text yields none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from importing import NOTES

import treering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def test_the_quick_start_works_as_it_is_printed(folder: Path, run: Callable[..., Any], memory: MemoryStore) -> None:
    """A folder of notes is imported with what it says: a decision in its slot, a fact, an action item."""
    examples = folder / "examples" / "project-a"
    examples.mkdir(parents=True)
    (examples / "sync.md").write_text(NOTES)
    (examples / "prd.md").write_text("# A PRD\n\nThe push platform shall be fast, and the team would like it blue.\n")
    ran = run("import", "examples/project-a", "--extract")
    assert (ran.status, "3 statements taken out: 3 accepted" in ran.out) == (0, True)
    by_content = {one.content: one for one in memory.list("memories").items}
    launch = by_content["Project A will launch on November 15."]
    assert (launch.kind, launch.slot, launch.valid_from, launch.trust) == (
        "decision", "project-a/launch-date", "2026-10-01", "owner",
    )  # fmt: skip
    assert launch.verification == "source_backed"
    assert "Project A" in launch.entities
    (task,) = (one for one in by_content.values() if one.kind == "project")
    assert (task.metadata["owner"], task.metadata["due"]) == (("Bob",), ("2026-10-10",))
    (quote,) = launch.quotes
    assert quote.source == memory.show("examples/project-a/sync.md").source
    assert quote.lines == (10, 10)


def test_extracting_again_adds_nothing(folder: Path, memory: MemoryStore) -> None:
    """The same file again, and an import that comes before the wish to extract, leave one memory of each statement."""
    (folder / "m.md").write_text(NOTES)
    memory.import_(folder / "m.md")
    assert not memory.list("memories").items
    (first,) = memory.import_(folder / "m.md", extract=True)
    assert [one.outcome for one in first.memories] == ["accepted"] * 3
    (again,) = memory.import_(folder / "m.md", extract=True)
    assert [one.outcome for one in again.memories] == ["exists"] * 3
    assert memory.list("memories").total == 3


def test_a_later_version_supersedes_and_says_so(folder: Path, memory: MemoryStore) -> None:
    """What the notes of a later day decide ends what was decided before, and the outcome lists it."""
    (folder / "m.md").write_text(NOTES)
    memory.import_(folder / "m.md", extract=True)
    (folder / "m.md").write_text(NOTES.replace("2026-10-01", "2026-10-20").replace("November 15", "December 1"))
    (one,) = memory.import_(folder / "m.md", extract=True)
    assert [memory.outcome for memory in one.memories] == ["superseded", "merged", "merged"]
    (change,) = one.memories[0].changed
    assert (change.before, change.after) == ("active", "superseded")
    assert any("no longer stands" in notice for notice in one.notices)


def test_what_a_file_says_is_an_agents_claim_with_the_files_trust(folder: Path, memory: MemoryStore) -> None:
    """An external file does not overrule what the owner confirmed: its claim waits for the owner."""
    (folder / "m.md").write_text(NOTES)
    (mine,) = memory.import_(folder / "m.md", extract=True)
    memory.confirm(mine.memories[0].id)
    later = NOTES.replace("2026-10-01", "2026-11-01").replace("November 15", "December 24")
    theirs = memory.note(later, trust="external", extract=True)
    assert theirs.memories[0].outcome == "disputed"
    assert memory.show(theirs.memories[0].id).trust == "external"
    assert memory.show(mine.memories[0].id).status == "active"
    assert {act.author for act in memory.audit(target=theirs.memories[0].id)} == {"extraction"}


def test_indexed_files_are_extracted_in_place(folder: Path, run: Callable[..., Any], memory: MemoryStore) -> None:
    """`index --extract` takes memories out of tracked files; the quoted version is pinned."""
    (folder / "docs").mkdir()
    (folder / "docs" / "m.md").write_text(NOTES)
    assert "3 statements taken out" in run("index", "docs", "--extract").out
    assert "taken out" not in run("index", "docs", "--extract").out
    (launch,) = (one for one in memory.list("memories").items if one.kind == "decision")
    (folder / "docs" / "m.md").write_text("# Nothing\n")
    run("index", "docs")
    assert memory.show(memory.show(launch.id).quotes[0].version).text == NOTES
