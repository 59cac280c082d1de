"""Floors of retrieval on samples of public question sets, through ``treering eval``'s own code.

Each floor lies somewhat below what was measured (``docs/reference/quality.md`` has the whole sets), so that it
falls when a change loses evidence, not when a question or two move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from treering.evals import datasets, runs
from treering.evals.baselines import BM25, passages

if TYPE_CHECKING:
    from pathlib import Path


class Floor(NamedTuple):
    """A set, how many of its questions are asked, and the least that its measures must reach."""

    name: str
    questions: int
    least: dict[str, float]
    pooled: bool = False


FLOORS = (
    Floor("locomo10", 160, {"any@10": 0.58, "fraction@10": 0.51, "session any@5": 0.86, "evidence@500": 0.46}),
    Floor("beam_100k", 100, {"fraction@10": 0.37, "MRR@10": 0.31, "evidence@1500": 0.23}),
    Floor("longmemeval_pooled", 60, {"fraction@10": 0.71, "MRR@10": 0.67}),
    Floor("cosqa", 100, {"any@10": 0.45, "MRR@10": 0.28}),
    Floor("docs_xling_fastapi", 60, {"MRR@10": 0.52}),
    Floor("xquad_zh", 60, {"any@10": 0.93, "MRR@10": 0.86}),
    Floor("xquad_es", 60, {"any@10": 0.93, "MRR@10": 0.88}),
    Floor("timeqa_human", 50, {"any@10": 0.74, "MRR@10": 0.57}),
    Floor("chunking_eval", 25, {"span recall@1000": 0.75}),
)
HYBRID = (
    Floor("locomo10", 160, {"any@10": 0.76, "fraction@10": 0.68, "evidence@500": 0.58}),
    Floor("beam_100k", 60, {"fraction@10": 0.42}),
    Floor("longmemeval_pooled", 60, {"fraction@10": 0.73}),
    Floor("cosqa", 100, {"MRR@10": 0.28}),
    Floor("cranfield", 60, {"fraction@10": 0.36}),
    Floor("docs_xling_fastapi", 60, {"MRR@10": 0.5}),
    Floor("xquad_es", 60, {"MRR@10": 0.88}),
    Floor("timeqa_human", 60, {"any@10": 0.7}),
)
# A sample of 60 questions moves by two or three of them; whole sets lose at most a point (docs/reference/quality.md).
_MOST_LOST = 0.04


def measured(folder: Path, floor: Floor, rows: tuple[str, ...] = ("keyword",)) -> dict[str, Any]:
    """Return what a sample of a set measures."""
    found = datasets.read(folder / floor.name, limit=floor.questions, pooled=floor.pooled)
    return runs.run(found, runs.Plan(rows=rows))


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.name)
def test_keyword_retrieval_holds(shared: Path, floor: Floor) -> None:
    """Every measure of the sample reaches its floor, and no answer is larger than its budget."""
    row = measured(shared / "eval" / "sets", floor)["rows"]["keyword"]
    reached = {name: row["measures"][name] for name in floor.least}
    assert {name: value for name, value in reached.items() if value < floor.least[name]} == {}
    assert all(most <= int(budget) for budget, most in row["tokens_max"].items())


@pytest.mark.parametrize("floor", HYBRID, ids=lambda floor: floor.name)
def test_meaning_adds_to_words(shared: Path, floor: Floor) -> None:
    """With meaning every measure of the sample reaches its floor, and none is clearly below that of words alone."""
    rows = measured(shared / "eval" / "sets", floor, ("keyword", "hybrid"))["rows"]
    words, both = (rows[name]["measures"] for name in ("keyword", "hybrid"))
    assert {name: both[name] for name in floor.least if both[name] < floor.least[name]} == {}
    measures = ("fraction@10", "MRR@10")
    assert {name: both[name] - words[name] for name in measures if both[name] < words[name] - _MOST_LOST} == {}


def test_the_baseline_is_plain_bm25(shared: Path) -> None:
    """BM25 beside ours gives the figures that are published for a plain one over LoCoMo's turns."""
    found = datasets.read(shared / "eval" / "sets" / "locomo10")
    any10, fraction10 = [], []
    for group, documents in found.groups.items():
        texts = passages(documents)
        index = BM25(texts)
        for question in found.questions:
            if question.group == group and question.judged:
                first = {texts[place].document for place, _ in index.rank(question.text, 10)}
                hits = len(first & question.relevant.keys())
                any10.append(hits > 0)
                fraction10.append(hits / len(question.relevant))
    assert len(any10) == 1078
    assert sum(any10) / len(any10) == pytest.approx(0.557, abs=0.0005)
    assert sum(fraction10) / len(fraction10) == pytest.approx(0.507, abs=0.0005)


def test_every_handed_set_can_be_read(shared: Path) -> None:
    """Each folder is a set, and its judged questions name documents of their own memory."""
    for folder in sorted((shared / "eval" / "sets").iterdir()):
        found = datasets.read(folder)
        members = {group: {one.id for one in documents} for group, documents in found.groups.items()}
        for question in found.questions:
            assert question.relevant.keys() <= members.get(question.group, set()), (folder.name, question.id)
