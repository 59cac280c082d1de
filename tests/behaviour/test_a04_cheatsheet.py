"""A04: several hits of one file are one cheatsheet in the order of the file, with ``[…]`` gaps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

TOLD = {3: 12, 4: 18, 9: 24}  # the more often, the better it scores
FILLER = "Nothing here speaks of the animal that the question names, only of lamps and ropes. " * 8
DIARY = "# Diary\n\n" + "".join(
    f"## Day {day}\n\n" + (f"The walrus of day {day} came. " * TOLD[day] if day in TOLD else FILLER) + "\n\n"
    for day in range(1, 13)
)
CRATES = "# Lists\n\nFor the van:\n\n" + "".join(
    f"- crate {number} of many\n  - lamp {number}, wrapped in paper and tied with a cord\n" for number in range(60)
)


@pytest.fixture
def diary(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory of one file in which days 3, 4 and 9 tell of a walrus."""
    return remember_files({"diary.md": DIARY, "other.md": "# Other\n\nThe walrus is a mammal.\n"})


def test_hits_of_one_file_are_one_result(diary: MemoryStore) -> None:
    """Three passages of one file make one entry of the answer, and the other file makes its own."""
    answer = diary.search("walrus", max_tokens=2000)
    assert sorted(result.file or "" for result in answer.results) == ["diary.md", "other.md"]
    sheet = next(result for result in answer.results if result.file == "diary.md")
    assert len(sheet.chunks) == 3


def test_hits_stand_in_the_order_of_the_file(diary: MemoryStore) -> None:
    """Day 9 is the best hit, and yet day 3 comes before day 4 before day 9."""
    found = diary.search("walrus", max_tokens=2000, mode="keyword").results
    sheet = next(result for result in found if result.file == "diary.md")
    assert sheet.path[-1].title == "Day 9"
    places = [sheet.text.index(f"## Day {day}\n") for day in (3, 4, 9)]
    assert places == sorted(places)
    assert [hit.lines for hit in sheet.chunks] == sorted(hit.lines for hit in sheet.chunks)


def test_gaps_are_marked_and_neighbours_are_not(diary: MemoryStore) -> None:
    """Between day 4 and day 9 stands ``[…]``; day 3 runs on into day 4."""
    sheet = next(r for r in diary.search("walrus", max_tokens=2000).results if r.file == "diary.md")
    third, fourth, ninth = (sheet.text.index(f"## Day {day}\n") for day in (3, 4, 9))
    assert "[…]" not in sheet.text[third:fourth]
    assert "\n[…]\n" in sheet.text[fourth:ninth]


def test_headings_shared_by_hits_are_shown_once(diary: MemoryStore) -> None:
    """The document's title stands above the first hit and is not repeated for the others."""
    sheet = next(r for r in diary.search("walrus", max_tokens=2000).results if r.file == "diary.md")
    assert sheet.text.count("# Diary\n") == 1


@pytest.mark.parametrize("max_tokens", [50, 100, 300, 900, 3000])
@pytest.mark.parametrize("question", ["walrus", "roll back", "locker", "Oslo", "数据库迁移", "guardia", "crate lamp"])
def test_line_numbers_are_true(memory: MemoryStore, project: Path, question: str, max_tokens: int) -> None:
    """What stands below ``[L7-12]`` is lines 7 to 12 of the file, besides a header, parents and fences of theirs."""
    (project / "diary.md").write_text(DIARY, encoding="utf-8")
    (project / "list.md").write_text(CRATES, encoding="utf-8")
    memory.index([project])
    for result in memory.search(question, max_tokens=max_tokens).results:
        file = (project / str(result.file)).read_text(encoding="utf-8").splitlines()
        _, *parts = re.split(r"^\[L(\d+)(?:-(\d+))?\]\n", result.text, flags=re.MULTILINE)
        assert parts, result.text
        parts[2:-1:3] = [body.rpartition("\n[…]\n")[0] for body in parts[2:-1:3]]  # without the next one's headings
        for first, last, body in zip(parts[0::3], parts[1::3], parts[2::3], strict=True):
            named = [line for line in file[int(first) - 1 : int(last or first)] if line.strip()]
            shown = [line.removeprefix("[…]").removesuffix("[…]") for line in body.splitlines()]
            shown = [line for line in shown if line.strip() and not line.startswith("```")]
            while shown and not any(shown[0] in one for one in named):  # the header of its table, the items above
                lead = shown.pop(0)
                assert any(lead in one for one in file), result.text
            named = [line for line in named if not line.startswith("```")]
            assert shown, (first, last, result.text)
            assert len(shown) == len(named), result.text
            assert all(line in one for line, one in zip(shown, named, strict=True)), result.text


def test_the_lines_of_a_result_are_those_of_its_best_hit(diary: MemoryStore) -> None:
    """What a citation names is one of the passages that are shown."""
    for result in diary.search("walrus", max_tokens=900).results:
        assert result.lines in [hit.lines for hit in result.chunks]


@pytest.mark.parametrize("max_tokens", [100, 300, 900])
def test_a_cut_hit_shows_the_word_that_was_asked_for(
    remember_files: Callable[..., MemoryStore], max_tokens: int
) -> None:
    """However little fits, a long paragraph under a heading is cut around the word, never down to its heading."""
    memory = remember_files(
        {"a.md": f"# Inventory\n\n## Cellar\n\n{FILLER * 3}The walrus tooth lies here. {FILLER * 3}\n"}
    )
    assert "walrus" in memory.search("walrus tooth", max_tokens=max_tokens).results[0].text


def test_the_introduction_of_a_list_has_its_lines_named(remember_files: Callable[..., MemoryStore]) -> None:
    """A line that comes along with an item far below it stands under the mark, and the mark is true."""
    items = "".join(f"- Item {n} is about the {'walrus' if n == 40 else 'seal'}.\n" for n in range(60))
    text = f"# Zoo\n\nWords before.\n\nThese animals are fed\nin the morning:\n\n{items}"
    memory = remember_files({"zoo.md": text})
    [result] = memory.search("walrus", mode="keyword", max_tokens=300).results
    [mark] = re.findall(r"\[L5-6, L(\d+)-(\d+)\]", result.text)
    shown = result.text.partition("]\n")[2].split("\n")
    assert shown[:2] == ["These animals are fed", "in the morning:"]
    first, last = map(int, mark)
    assert text.split("\n")[first - 1 : last] == shown[2 : 3 + last - first]
