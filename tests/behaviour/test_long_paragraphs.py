"""A paragraph stays whole in the store, however long; an answer shows what answers of it, with marks at the cuts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from treering.domain.text import llm_tokens
from treering.recall.excerpt import CUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

WORDS: Final = "reed weir heron boat lamp rope tide mill gate barn".split()
FILLER: Final = " ".join(WORDS[n % 10] for n in range(20))
LINES: Final = 200
ANSWER: Final = "Line 120: the ferryman hid the brass compass below the loose board."


def line(number: int) -> str:
    """Return one line of an export."""
    return ANSWER if number == 120 else f"Line {number}: {FILLER}, and nothing else on day {number}."


EXPORT: Final = "# Export\n\n" + "\n".join(line(number) for number in range(LINES)) + "\n\nBehind the export.\n"
# Short notes that hold one word of the question each, so that BM25 prefers them to a paragraph of 26,000 letters.
NOTES: Final = {
    f"notes/{n}.md": f"# Note {n}\n\nThe {('ferryman', 'brass', 'compass')[n % 3]} is described in part {n}.\n"
    for n in range(120)
}


@pytest.fixture
def memory(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory with the export among many notes."""
    return remember_files({"export.md": EXPORT, **NOTES})


def test_it_is_one_chunk(memory: MemoryStore) -> None:
    """The store has the paragraph as one chunk, which is shown whole when it is asked for by its name."""
    found = memory.search("ferryman hid brass compass loose board").results[0]
    chunk = memory.show(found.chunks[0].id)
    assert chunk.text.rstrip("\n") == EXPORT.partition("\n\nBehind")[0]


def test_an_answer_shows_its_passage(memory: MemoryStore) -> None:
    """The lines around the answer stand there, under their heading, with a mark where the paragraph goes on."""
    found = memory.search("where was it that the ferryman hid the brass compass").results[0]
    assert found.file is not None
    assert found.file.endswith("export.md")
    assert ANSWER in found.text
    first, last = found.lines
    assert first <= 123 <= last < first + 30  # heading and blank line stand above the lines
    mark, before, *shown, behind = found.text.split("\n")[1:]
    assert (before, behind) == (CUT, CUT)
    assert re.match(r"\[L\d+-\d+", mark)
    assert found.text.startswith("# Export\n")
    assert all(text in EXPORT for text in shown)


def test_its_first_lines_have_no_mark_before_them(memory: MemoryStore) -> None:
    """Nothing is left out before the first line of a paragraph."""
    text = memory.search("export line 0 day 0 reed weir heron", limit=1).results[0].text
    assert text.count(CUT) >= 1
    if "Line 0:" in text:
        assert not text[: text.index("Line 0:")].count(CUT)


@pytest.mark.parametrize("max_tokens", [60, 100, 150, 200, 300, 500, 900, 3000])
def test_marks_are_paid_for(memory: MemoryStore, max_tokens: int) -> None:
    """Whatever is shown of it, marks included, stays within the budget."""
    for question in (
        "ferryman hid the brass compass",
        "reed weir heron boat day 7",
        "compass, and nothing else on day 120",
    ):
        answer = memory.search(question, max_tokens=max_tokens)
        assert sum(result.tokens for result in answer.results) <= answer.tokens <= max_tokens
        assert all(llm_tokens(result.text) <= result.tokens for result in answer.results)


def test_a_filter_holds(memory: MemoryStore, folder: Path) -> None:
    """Nothing of it is shown where it is not meant."""
    question = "where was it that the ferryman hid the brass compass"
    assert ANSWER not in str([hit.text for hit in memory.search(question, path=folder / "notes").results])
    assert ANSWER not in str([hit.text for hit in memory.search(f"{question} -loose", syntax="web").results])
    assert ANSWER in memory.search(question, path=folder / "export.md").results[0].text


def test_a_context_and_the_whole_document_have_it(memory: MemoryStore) -> None:
    """The passage answers in a context; the depth that shows everything shows no mark within."""
    assert ANSWER in memory.context("where was it that the ferryman hid the brass compass").text
    whole = memory.search(
        "where was it that the ferryman hid the brass compass", depth="L3", max_tokens=20_000, limit=1
    )
    assert CUT not in whole.results[0].text


def test_a_paragraph_that_changes_is_cut_anew(memory: MemoryStore, folder: Path) -> None:
    """What is appended to the paragraph is found, and what is gone is not."""
    text = EXPORT.replace("\n\nBehind the export.\n", "\nLine 200: the sexton sold a silver astrolabe.\n")
    (folder / "export.md").write_text(text.replace(ANSWER, "Line 120: erased."), encoding="utf-8")
    memory.index([folder])
    assert "silver astrolabe" in memory.search("who sold a silver astrolabe").results[0].text
    assert ANSWER not in str([hit.text for hit in memory.search("ferryman hid brass compass loose board").results])
