"""B03, B20: equal content is one version, a changed file another beside it, and quotes that vanish are told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from importing import agent, outcomes

import treering
from treering.errors import Conflict, InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def test_the_same_file_again_is_nothing_new(folder: Path, memory: MemoryStore) -> None:
    """A folder imported twice has one version of each file; only the tags that come along are added."""
    inner = folder / "in"
    inner.mkdir()
    for name in ("a", "b"):
        (inner / f"{name}.md").write_text(f"# {name}\n\nWords of {name}.\n")
    first = memory.import_(inner)
    again = memory.import_(inner, tags=["later"], domain="harbour")
    assert set(outcomes(again).values()) == {"exists"}
    assert [(one.id, one.version) for one in again] == [(one.id, one.version) for one in first]
    for one in again:
        shown = memory.show(one.id)
        assert len(shown.versions) == 1
        assert shown.metadata == {"tags": ("later",), "domain": ("harbour",)}
    assert len(memory.search("words", where={"domain": "harbour"}, mode="keyword").results) == 2


def test_the_same_content_under_another_name_is_kept_once(folder: Path, memory: MemoryStore) -> None:
    """A copy of a file, or the same text as a note, is the source that is there; another trust is another source."""
    (folder / "a.md").write_text("# A\n\nThe harbour is frozen.\n")
    (folder / "copy.md").write_text("# A\n\nThe harbour is frozen.\n")
    first, copy = memory.import_([folder / "a.md", folder / "copy.md"])
    assert (copy.outcome, copy.id) == ("exists", first.id)
    assert "a.md" in copy.notices[0]
    assert memory.note("# A\n\nThe harbour is frozen.\n").id == first.id
    other = memory.note("# A\n\nThe harbour is frozen.\n", trust="external")
    assert (other.outcome, other.id != first.id) == ("accepted", True)
    named = memory.note("# A\n\nThe harbour is frozen.\n", key="mine")
    assert (named.outcome, named.key) == ("accepted", "mine")


def test_what_remember_kept_is_no_import(folder: Path, memory: MemoryStore) -> None:
    """A note with the words of a memory is a source of its own, which outlives the memory."""
    id = memory.remember("The harbour is frozen.").id
    note = memory.note("The harbour is frozen.")
    assert note.outcome == "accepted"
    memory.forget(id)
    assert memory.show(note.id).text == "The harbour is frozen."
    memory.reindex()
    assert [result.source for result in memory.search("harbour", mode="keyword").results] == [note.id]


def test_a_changed_file_is_a_new_version_and_the_old_one_stays(folder: Path, memory: MemoryStore) -> None:
    """Every version can be read, pages included; searches see the newest; a version that comes again is another."""
    file = folder / "a.md"
    texts = ["# A\n\nThe harbour is frozen.\n", "# A\n\nThe ferry is late.\n", "# A\n\nThe harbour is frozen.\n"]
    ids = []
    for number, text in enumerate(texts):
        file.write_text(text)
        (one,) = memory.import_(file)
        assert one.outcome == ("superseded" if number else "accepted")
        ids.append(one.version)
        if number == 1:
            assert not memory.search("harbour", mode="keyword").found
            assert memory.search("ferry", mode="keyword").found
    assert memory.show(one.id).versions == tuple(ids)
    for id, text in zip(ids, texts, strict=True):
        shown = memory.show(id)
        assert (shown.text, shown.version, shown.source) == (text, id, one.id)
        assert memory.show(id, start_line=3).text == text.split("\n", 2)[2]
    with pytest.raises(NotFound):
        memory.show(f"{ids[0]}#0")


def test_quotes_that_vanish_with_a_version_are_told(folder: Path, memory: MemoryStore) -> None:
    """A new version names the memories whose quotes it no longer has; their quotes stay checkable where they stood."""
    file = folder / "a.md"
    file.write_text("The harbour is frozen.\nThe ferry is late.\n")
    (one,) = memory.import_(file)
    gone = memory.remember("No ship leaves.", source=one.id, quote="The harbour is frozen.").id
    stays = memory.remember("Wait for the ferry.", source="import:a.md", quote="The ferry is late.").id
    file.write_text("The harbour is open.\nThe ferry is late.\n")
    (again,) = memory.import_(file)
    (notice,) = again.notices
    assert gone in notice
    assert "The harbour is frozen." in notice
    assert stays not in notice
    (quote,) = memory.show(gone).quotes
    assert (quote.changed_since, quote.lines, quote.version) == (True, (1, 1), one.version)
    assert memory.show(one.version).text.startswith("The harbour is frozen.")


def test_importing_an_indexed_file_keeps_a_copy_of_its_own(folder: Path, memory: MemoryStore) -> None:
    """An index run over an imported file, and an import of an indexed one, leave the other's versions alone."""
    (folder / "docs").mkdir()
    file = folder / "docs" / "a.md"
    file.write_text("The harbour is frozen.\n")
    memory.index(folder / "docs")
    (one,) = memory.import_(file)
    assert one.outcome == "accepted"
    for text in ("The harbour is open.\n", "The harbour is closed.\n"):
        file.write_text(text)
        memory.index(folder / "docs")
        memory.import_(file)
    assert len(memory.show(one.id).versions) == 3
    assert memory.show("file:docs/a.md").custody == "tracked"
    memory.forget_directory(folder / "docs")
    assert memory.show("docs/a.md").source == one.id


def test_a_source_keeps_its_trust(folder: Path, memory: MemoryStore) -> None:
    """A later version has the trust that the source came with; saying another is refused with the way out."""
    file = folder / "a.md"
    file.write_text("One.\n")
    memory.import_(file, trust="external")
    file.write_text("Two.\n")
    with pytest.raises(Conflict, match="was kept with trust external"):
        memory.import_(file, trust="owner")
    (one,) = memory.import_(file)
    assert (one.outcome, one.trust) == ("superseded", "external")
    with agent(memory) as bot:
        file.write_text("Three.\n")
        assert bot.import_(file)[0].outcome == "superseded"


def test_a_title_that_was_given_stays(folder: Path, memory: MemoryStore) -> None:
    """A new version without a title of its own keeps the source's."""
    memory.note("Some words.", title="Some PRD", url="https://example.org/prd")
    again = memory.note("Some other words.", url="http://www.example.org/prd/#top")
    assert (again.outcome, again.title) == ("superseded", "Some PRD")
    assert memory.note("Plain first line\nand more").title == "Plain first line"


@pytest.mark.parametrize("text", ["", " \n\t", "a\0b", "half \ud800"])
def test_what_is_no_text_is_no_note(memory: MemoryStore, text: str) -> None:
    """Nothing, a NUL or half a character is refused, and no store is made."""
    with pytest.raises(InputError):
        memory.note(text)
    assert not memory.status().exists


def test_dates_are_dates(folder: Path, memory: MemoryStore) -> None:
    """A document's date is the one given, else that of its front matter; an impossible one is refused."""
    (folder / "a.md").write_text("---\ndate: 2026-10-01\n---\nWords.\n")
    (one,) = memory.import_(folder / "a.md")
    assert memory.show(one.id).source_time == "2026-10-01"
    noted = memory.note("Words of March.", source_time="2026-03")
    assert memory.show(noted.id).source_time == "2026-03"
    with pytest.raises(InputError, match="2026-02-30"):
        memory.note("Never.", source_time="2026-02-30")
