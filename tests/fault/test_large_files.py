"""A file of 100 MB: indexed, found in, grown; a larger one is left out with the setting that would take it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.sqlite

SIZE = 100_000_000
LINE = "-" * 99_999 + "\n"
"""Lines without words: what is measured is whether so much text is carried, not how quickly words are indexed."""


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder of a project, which is the working directory; vectors are left out."""
    (tmp_path / "own" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "own")
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    made = tmp_path / "own" / "docs"
    made.mkdir()
    return made


@pytest.fixture
def large(docs: Path) -> Path:
    """Return a log of 100 MB with a sentence at its beginning, in its middle and at its end."""
    path = docs / "large.log.txt"
    half = SIZE // len(LINE) // 2
    with path.open("w", encoding="utf-8") as file:
        file.write("The amber valve leaks.\n\n")
        file.writelines(LINE for _ in range(half))
        file.write("\nThe basalt gate is closed.\n\n")
        file.writelines(LINE for _ in range(half))
        file.write("\nThe cedar bridge is open.\n")
    assert path.stat().st_size > SIZE
    return path


def test_a_file_of_100_mb_is_found_in_everywhere_and_may_grow(large: Path) -> None:
    """Each sentence is cited with its line, the answer stays in its budget, and what is appended is found."""
    half = SIZE // len(LINE) // 2
    lines = {"amber valve": 1, "basalt gate": half + 4, "cedar bridge": 2 * half + 7}
    with treering.open() as memory:
        assert memory.index(large.parent)[0].added == 1
        for question, line in lines.items():
            answer = memory.search(question)
            first, last = answer.results[0].lines
            assert first <= line <= last, question
            assert answer.tokens <= memory.settings.search_max_tokens
        with large.open("a", encoding="utf-8") as file:
            file.write("\nThe dune path is lit.\n")
        assert memory.index(large.parent)[0].changed == 1
        assert "dune path" in memory.search("dune path").results[0].text
        assert memory.search("amber valve").found


def test_a_file_over_the_limit_is_left_out_unread(docs: Path) -> None:
    """A sparse file of 200 MB is named with the reason and the setting; the file beside it is indexed."""
    (docs / "small.md").write_text("The ember lamp burns.\n", encoding="utf-8")
    with (docs / "sparse.txt").open("wb") as file:
        file.truncate(2 * SIZE)
    with treering.open() as memory:
        [report] = memory.index(docs)
        assert report.added == 1
        [skip] = report.skipped
        assert (skip.path, skip.reason) == ("sparse.txt", "it is larger than 128 MB (setting index.max_file_mb)")
        assert memory.search("ember lamp").found
