"""D02, D03: each kind of text is cut its own way; the kind is told by the text, by its metadata, or by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from treering.errors import InputError
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

JOURNAL = "".join(
    f"2026-03-0{day}\n{bird} seen at the pier.\n\nIt was {weather}, and I stayed long.\n\n"
    for day, bird, weather in ((1, "Avocet", "cold"), (2, "Godwit", "windy"), (3, "Curlew", "warm"))
)
STEPS = "Wash the pier\n\n1. Rope off.\n2. Rinse.\n3. Scrub the planks.\n4. Dry.\n\nAfterwards write the log.\n\n"


def test_an_entry_comes_whole_and_alone(remember_files: Callable[..., MemoryStore]) -> None:
    """A question about a day brings that day's entry, its date in it, and no other day's."""
    memory = remember_files({"journal.txt": JOURNAL})
    [found] = memory.search("was it windy with the godwit").results
    assert "2026-03-02" in found.text
    assert "I stayed long" in found.text
    assert "2026-03-01" not in found.text


def test_a_journal_that_grows_stays_cut_by_its_entries(
    remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """An entry added at the end is an entry, and making all again gives the same answer."""
    memory = remember_files({"journal.txt": JOURNAL})
    with (folder / "journal.txt").open("a", encoding="utf-8") as file:
        file.write("2026-03-04\nDunlin in the fog.\n\nI left early.\n")
    memory.index(["."])
    [found] = memory.search("dunlin fog").results
    assert "I left early" in found.text
    assert "2026-03-03" not in found.text
    memory.reindex()
    assert memory.search("dunlin fog").results == (found,)


@pytest.mark.parametrize("where", ["rule", "front matter", "option"])
def test_the_kind_can_be_given(remember_files: Callable[..., MemoryStore], folder: Path, where: str) -> None:
    """By a path rule, by front matter or for a run: the text is cut so, and says so as metadata; reindex keeps it."""
    front = "---\ndomain: generic\n---\n" if where == "front matter" else ""
    (folder / ".git").mkdir(exist_ok=True)
    if where == "rule":
        (folder / ".treering.json").write_text(
            '{"rules": [{"glob": "**/*.txt", "metadata": {"domain": "generic"}}]}', encoding="utf-8"
        )
    (folder / "journal.txt").write_text(front + JOURNAL, encoding="utf-8")
    memory = remember_files({"other.md": "The knot.\n"}) if where != "option" else None
    if memory is None:
        assert main(["index", "--domain", "generic", "."]) == 0
        memory = remember_files({})
    for _ in range(2):
        [found] = memory.search("was it windy with the godwit", where={"domain": "generic"}).results
        assert "2026-03-01" in found.text
        memory.reindex()


def test_files_that_are_known_are_cut_so_once_everything_is_made_again(
    remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """A kind given for files that were read before is kept, and the run says what makes it count."""
    memory = remember_files({"journal.txt": JOURNAL})
    report = memory.index(["."], domain="generic")[0]
    assert report.refreshed == 1
    assert any("reindex" in notice for notice in report.notices)
    memory.reindex()
    [found] = memory.search("was it windy with the godwit").results
    assert "2026-03-01" in found.text


def test_a_kind_that_is_none_is_refused(remember_files: Callable[..., MemoryStore]) -> None:
    """The error names the kinds that there are."""
    memory = remember_files({"a.md": "The knot.\n"})
    with pytest.raises(InputError, match="clinical"):
        memory.index(["."], domain="poetry")


def test_steps_come_together(remember_files: Callable[..., MemoryStore]) -> None:
    """A question about one step brings the whole procedure, as long as it is short."""
    memory = remember_files({"wash.txt": STEPS.replace("1.", "Steps:\n1.")})
    [found] = memory.search("scrub planks").results
    assert "Rope off" in found.text
    assert "Dry" in found.text
