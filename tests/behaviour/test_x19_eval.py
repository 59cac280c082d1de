"""X19: retrieval is measured by one command, with grep and BM25 beside it and every definition stated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., tuple[int, str, str]]

SMALL = Path(__file__).with_name("small_set")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``treering eval`` and returns exit status, output and words."""

    def call(*words: str) -> tuple[int, str, str]:
        status = main(["eval", *words])
        caught = capsys.readouterr()
        return status, caught.out, caught.err

    return call


@pytest.fixture
def measured(run: Run) -> dict[str, Any]:
    """Return what a run over the small set prints as JSON."""
    found: dict[str, Any] = json.loads(run("run", "--set", str(SMALL), "--by", "category", "--json")[1])
    return found


def test_keyword_search_finds_what_was_asked(measured: dict[str, Any]) -> None:
    """On the project's own small set every question finds its evidence, and nothing is worse than plain BM25."""
    rows = measured["sets"][0]["rows"]
    found, plain = rows["keyword"]["measures"], rows["bm25"]["measures"]
    assert found["any@10"] == 1.0
    assert found["fraction@10"] >= 0.9
    assert found["session any@5"] == 1.0
    assert all(found[name] >= plain[name] for name in ("any@1", "any@10", "MRR@10"))


def test_the_tree_stands_beside_the_other_ways(run: Run) -> None:
    """A row of its own goes down the tree of digests, by the code of any such search, and says how much it opened."""
    found = json.loads(run("run", "--set", str(SMALL), "--rows", "hybrid,tree", "--json")[1])["sets"][0]["rows"]
    assert found["tree"]["measures"]["any@10"] >= 0.8 * found["hybrid"]["measures"]["any@10"]
    assert 0 < found["tree"]["opened"] <= found["tree"]["nodes"]
    assert "opened" not in found["hybrid"]
    assert "opened of nodes" in run("run", "--set", str(SMALL), "--rows", "tree")[1]


def test_answers_fit_their_budgets(measured: dict[str, Any]) -> None:
    """No answer is larger than its budget, and a larger budget shows no less of the evidence."""
    row = measured["sets"][0]["rows"]["keyword"]
    assert all(most <= int(budget) for budget, most in row["tokens_max"].items())
    assert row["measures"]["evidence@500"] <= row["measures"]["evidence@1500"] <= row["measures"]["evidence@4000"]


def test_what_the_set_cannot_answer_is_refused(measured: dict[str, Any]) -> None:
    """Answerable questions pass the gate, the one that nothing answers does not."""
    row = measured["sets"][0]["rows"]["keyword"]
    assert (row["answered"], row["refused"], row["auroc"]) == (1.0, 1.0, 1.0)


def test_everything_that_is_measured_is_counted(measured: dict[str, Any]) -> None:
    """Documents, memories, judged and unanswerable questions are counted apart, in all and by category."""
    found = measured["sets"][0]
    assert (found["documents"], found["sessions"], found["memories"]) == (8, 2, 2)
    assert found["n"] == {"questions": 8, "judged": 7, "unanswerable": 1}
    assert {part: row["n"] for part, row in found["rows"]["grep"]["by"].items()} == {"one": 6, "several": 1}
    assert len(found["questions"]) == 8


def test_the_table_says_what_its_names_mean(run: Run) -> None:
    """The printed table has a column for each row and the definition of each measure below."""
    status, out, _ = run("run", "--set", str(SMALL), "--foreign", str(SMALL))
    assert status == 0
    assert "n = 7 judged of 8 questions, 1 unanswerable" in out
    assert all(name in out for name in ("grep", "bm25", "keyword", "any@1/5/10", "session any@5/10", "evidence@500/"))
    assert "MRR@10       mean of 1 / rank" in out


def test_a_run_is_repeatable(run: Run, measured: dict[str, Any]) -> None:
    """The same set gives the same rankings and the same figures, times aside."""
    again = json.loads(run("run", "--set", str(SMALL), "--by", "category", "--json")[1])
    assert again["sets"][0]["questions"] == measured["sets"][0]["questions"]


def test_two_results_are_compared_question_by_question(run: Run, tmp_path: Path) -> None:
    """A result and a shorter one are compared over the questions that both have; a row can be put beside another."""
    first, second = str(tmp_path / "a.json"), str(tmp_path / "b.json")
    run("run", "--set", str(SMALL), "--out", first)
    run("run", "--set", str(SMALL), "--limit", "4", "--rows", "keyword", "--out", second)
    status, out, _ = run("compare", first, second, "--json")
    (alike,) = json.loads(out)["comparisons"]
    assert status == 0
    assert alike["rows"] == ["keyword", "keyword"]
    assert alike["measures"]["MRR@10"]["change"] == 0
    assert alike["moved"] == []
    status, out, _ = run("compare", first, first, "--rows", "grep,keyword")
    assert status == 0
    assert "grep → keyword" in out


def test_pooled_groups_are_one_memory(run: Run) -> None:
    """Pooled, the questions of all groups go to one memory."""
    found = json.loads(run("run", "--set", str(SMALL), "--pooled", "--rows", "keyword", "--json")[1])["sets"][0]
    assert (found["memories"], found["documents"]) == (1, 8)
    assert found["rows"]["keyword"]["measures"]["any@10"] == 1.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("walk",), "run, compare, golden, calibrate or strata"),
        (("run",), "no set was named"),
        (("run", "--set", "nowhere"), "queries.jsonl is absent"),
        (("run", "--set", str(SMALL), "--rows", "keyword,magic"), "there is no row magic"),
        (("compare", "a.json"), "two files"),
        (("compare", "a.json", "b.json"), "a.json is absent"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, words: tuple[str, ...], told: str) -> None:
    """A wrong command ends with words that say what is wrong, and a hint."""
    status, _, err = run(*words)
    assert status in {2, 3}
    assert told in err
    assert "hint: treering eval" in err or "there is no row" in err
