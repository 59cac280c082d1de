"""B19: meeting notes yield memories without a model, with the file's trust and date; free text yields none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from importing import NOTES

import treering
from treering.domain.operation import Citation, Create, Draft
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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


def test_a_pattern_of_the_users_own_finds_facts(folder: Path, memory: MemoryStore) -> None:
    """A pattern is added to an open memory and works for imports, notes and index runs; the named group fills the slot.

    What it finds evolves like every other fact, and another memory of the same store does not know it.
    """
    memory.add_pattern("user/pet/{name}", r"\bmy (?P<value>cat|dog) is called (?P<name>[A-Z]\w+)", kind="person")
    said = memory.note("My sister likes birds, and my cat is called Tom.", source_time="2026-03-01", extract=True)
    assert [one.outcome for one in said.memories] == ["accepted"]
    found = memory.show(said.memories[0].id)
    assert (found.slot, found.value, found.kind, found.valid_from) == ("user/pet/tom", "cat", "person", "2026-03-01")
    (folder / "docs").mkdir()
    (folder / "docs" / "pets.md").write_text("---\ndate: 2026-05-01\n---\nSay hello: my dog is called Rex.\n")
    memory.index(folder / "docs", extract=True)
    assert memory.active_state("user/pet/rex") == "dog"
    with treering.open() as another:
        assert another.note("By the way, my dog is called Bo.", extract=True).memories == ()


@pytest.mark.parametrize(
    ("slot", "pattern", "fields", "said"),
    [
        ("user/pet", "(", {}, "no regular expression"),
        ("user/pet", "cat", {}, "no group named value"),
        ("", "(?P<value>cat)", {}, "is empty"),
        ("user/{pet}", "(?P<value>cat)", {}, "does not have"),
        ("user/pet", "(?P<value>cat)", {"scope": "sung"}, "no scope 'sung'; there are said and record"),
        ("user/pet", "(?P<value>cat)", {"kind": "animal"}, "animal"),
    ],
)
def test_a_pattern_that_cannot_work_is_refused(
    memory: MemoryStore, slot: str, pattern: str, fields: dict[str, str], said: str
) -> None:
    """The error says what is wrong, and nothing is looked for that was not there before."""
    with pytest.raises(InputError, match=said):
        memory.add_pattern(slot, pattern, **fields)
    assert memory.note("We have a cat at home, and it is old.", extract=True).memories == ()


class _Shouted:
    """Takes what is shouted as a decision."""

    def operations(
        self, text: str, source_id: str, document_date: str, metadata: Mapping[str, tuple[str, ...]]
    ) -> tuple[Create, ...]:
        """Return a memory for each line in capitals."""
        del metadata
        lines = [line for line in text.splitlines() if line.isupper()]
        return tuple(
            Create(Draft(line, "decision", valid_from=document_date, evidence=(Citation(source_id, line),)))
            for line in lines
        )


def test_an_extractor_of_the_users_own_takes_the_place_of_the_shipped_one(folder: Path) -> None:
    """Any object with the method will do; what it says is an agent's claim with the document's trust all the same."""
    with treering.open(folder, extractor=_Shouted()) as memory:
        said = memory.note("SHIP ON FRIDAY\nor later\n" + NOTES, trust="external", extract=True)
        (one,) = said.memories
        assert (memory.show(one.id).content, memory.show(one.id).trust) == ("SHIP ON FRIDAY", "external")
        with pytest.raises(InputError, match="takes no patterns"):
            memory.add_pattern("user/pet", "(?P<value>cat)")
