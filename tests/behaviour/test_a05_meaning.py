"""A05: search by words always works; meaning is fused in where an embedder is there."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering import wiring
from treering.embedders.hashing import HashingEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from treering import MemoryStore

PAGES = {
    "cars.md": "# Cars\n\nAn automobile needs petrol, oil and now and then new tyres.\n",
    "bread.md": "# Bread\n\nA loaf is baked from flour, water and salt.\n",
    "boats.md": "# Boats\n\nThe ferry to the island leaves at noon.\n",
}


class Failing(HashingEmbedder):
    """An embedder that works until it is told to fail in some way."""

    fault: str = ""

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return vectors, or what the fault makes of them."""
        rows = super().embed_texts(texts)
        if self.fault == "raises":
            raise RuntimeError("the model is gone")
        if self.fault == "nan":
            return struct.pack("<f", math.nan) * (len(rows) // 4)
        if self.fault == "zeros":
            return bytes(len(rows))
        if self.fault == "too few rows":
            return rows[: -4 * self.dimension]
        return rows + rows if self.fault == "another dimension" else rows

    def embed_query(self, text: str) -> bytes:
        """Return a vector; fails with the texts, except for zeros, which only say that no word is known."""
        return super().embed_query(text) if not self.fault else self._broken(super().embed_query(text))

    def _broken(self, row: bytes) -> bytes:
        """Return what the fault makes of a question's vector."""
        if self.fault == "raises":
            raise RuntimeError("the model is gone")
        if self.fault == "nan":
            return struct.pack("<f", math.nan) * (len(row) // 4)
        return {"zeros": bytes(len(row)), "too few rows": b"", "another dimension": row + row}[self.fault]


FAULTS = ("raises", "nan", "zeros", "too few rows", "another dimension")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Return the embedder of every memory that is opened from now on."""
    embedder = Failing()
    monkeypatch.setattr(wiring, "make_embedder", lambda _settings: embedder)
    return embedder


def names(memory: MemoryStore, question: str, **options: Any) -> list[str]:
    """Return the files that answer, best first."""
    return [result.title.lower() + ".md" for result in memory.search(question, **options).results]


def test_meaning_finds_what_words_do_not(remember_files: Callable[..., MemoryStore]) -> None:
    """A question without one word of the page finds it, and says by what."""
    memory = remember_files(PAGES)
    for _ in range(3):  # at first without, then with everything in memory
        answer = memory.search("vehicle fuel")
        assert [result.file for result in answer.results] == ["cars.md"]
        assert answer.mode == "semantic"
        assert answer.confidence > 0.2
    assert memory.search("vehicle fuel", mode="keyword").reason == "no_match"


def test_words_still_decide(remember_files: Callable[..., MemoryStore]) -> None:
    """A word of the question is worth more than a page that only sounds alike; relevance stays within 0 and 1."""
    memory = remember_files(PAGES | {"ferry.md": "# Xylograph\n\nThe xylograph shows a ship.\n"})
    for _ in range(2):
        answer = memory.search("xylograph of a boat on the sea", empty_gate=0)
        assert answer.results[0].file == "ferry.md"
        assert answer.mode == "hybrid"
        assert answer.results[0].score == pytest.approx(max(answer.confidence, 0.01), abs=1e-5)
        assert all(0 <= result.score <= 1 for result in answer.results)


def test_what_is_neither_said_nor_meant_is_not_found(remember_files: Callable[..., MemoryStore]) -> None:
    """A question about something else gets NOT FOUND, and no page without a word of the question is added to others."""
    memory = remember_files(PAGES)
    for _ in range(2):
        assert memory.search("quantum chromodynamics").reason == "no_match"
        assert names(memory, "tyres") == ["cars.md"]


def test_the_trace_tells_how(remember_files: Callable[..., MemoryStore]) -> None:
    """The line about candidates says how many came by words and by meaning, and what the model compared."""
    memory = remember_files(PAGES)
    traces = [memory.search("petrol for the automobile").trace for _ in range(2)]
    whys = [next(step.why for step in trace if step.step == "candidates") for trace in traces]
    assert "by words" in whys[0]
    assert "compared with what the words brought" in whys[0] or "compared with everything" in whys[0]
    assert "static/potion-base-8M, compared with everything" in whys[1]
    why = {step.step: step.why for step in memory.search("petrol", mode="keyword").trace}["candidates"]
    assert why == "keyword BM25; words alone were asked for"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_embedder_costs_no_answer(
    fault: str, failing: Failing, remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """An embedder that fails from the start leaves an index run and every search their words, with a notice."""
    failing.fault = fault
    memory = remember_files(PAGES)
    (folder / "more.md").write_text("# More\n\nThe lighthouse blinks.\n", encoding="utf-8")
    report = memory.index([folder])[0]
    assert report.added == 1
    assert any("hashing/256 failed" in notice for notice in report.notices)
    assert names(memory, "petrol for the automobile") == ["cars.md"]
    assert names(memory, "lighthouse") == ["more.md"]
    assert memory.status().embedded == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_an_embedder_that_fails_later_is_told_of(
    fault: str, failing: Failing, remember_files: Callable[..., MemoryStore]
) -> None:
    """Vectors that are there are of no use when the question cannot be embedded; words answer and a notice tells."""
    memory = remember_files(PAGES)
    assert memory.status().embedded == 3
    failing.fault = fault
    for _ in range(2):
        answer = memory.search("petrol for the automobile")
        assert [result.file for result in answer.results] == ["cars.md"]
        assert answer.mode == "keyword"
        if fault != "zeros":  # which say that no word of the question is known
            assert any("answered by words alone" in notice for notice in answer.notices), answer.notices
    failing.fault = ""
    assert memory.search("petrol for the automobile").mode == "hybrid"


def test_a_read_only_store_is_searched_by_what_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no vector where nothing can be written is found by its words."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder) as memory:
        memory.index([folder])
    monkeypatch.delenv("TREERING_EMBEDDING_PROVIDER")
    with treering.open(folder) as memory:
        memory._opened(create=False).read_only = True  # type: ignore[misc]
        for _ in range(3):
            assert names(memory, "petrol for the automobile") == ["cars.md"]
        assert memory.status().embedded == 0


def test_the_best_of_a_bad_lot_does_not_look_sure(remember_files: Callable[..., MemoryStore]) -> None:
    """Relevance can be compared between questions: without the gate a stray hit has next to none."""
    memory = remember_files(PAGES)
    memory.ensure_embeddings()
    sure = memory.search("which zeppelin quartz did the oboe knit", empty_gate=0)
    assert [result.score for result in sure.results] == sorted((r.score for r in sure.results), reverse=True)
    assert all(0 < result.score < 0.3 for result in sure.results)


def test_a_long_passage_that_holds_every_word_is_found_beside_meaning(folder: Path) -> None:
    """Meaning knows only its beginning, and words rank it below many short ones; still it is the one that answers."""
    words = [f"{name}{n}" for n in range(60) for name in ("basalt", "cedar", "dune", "ember", "fjord")]
    (folder / "docs").mkdir()
    long = f"{' '.join(words[:150])} The heron nests by the old pylon. {' '.join(words[150:])}\n"
    (folder / "docs" / "long.md").write_text(long, encoding="utf-8")
    for n in range(60):
        word = ("heron", "nests", "pylon")[n % 3]
        page = f"# Page {n}\n\n{word} {word} and {word}, said visitor {n}. {' '.join(words[n : n + 50])}\n"
        (folder / "docs" / f"page{n}.md").write_text(page, encoding="utf-8")
    with treering.open() as memory:
        memory.index("docs")
        memory.search("warm")
        assert names(memory, "where does the heron nest, by which pylon")[0] == "long.md"
