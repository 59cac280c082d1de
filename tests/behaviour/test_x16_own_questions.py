"""X16: quality is measured and calibrated on the user's own memory, with reasons for what is missed, and undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Run = Callable[..., tuple[int, str, str]]

THINGS = (
    "heron barge lighthouse ledger florin harbour pilot tide anchor ropewalk chandler ferry dredger beacon quay cargo"
    " customs salvage breakwater mooring capstan galley"
).split()
ELSEWHERE = (
    "quantum chess violin sourdough telescope glacier tango origami falcon marathon volcano saxophone bonsai karate"
    " pottery opera yoga sudoku cricket papyrus safari ballet"
).split()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs ``treering`` in a project with a page for each thing."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for number, thing in enumerate(THINGS):
        page = f"# About the {thing}\n\nThe {thing} is kept by office {number}. It was renewed in {1900 + number}.\n"
        Path(f"docs/{thing}.md").write_text(page, encoding="utf-8")

    def call(*words: str) -> tuple[int, str, str]:
        status = main(list(words))
        caught = capsys.readouterr()
        return status, caught.out, caught.err

    call("index", "docs")
    return call


def answerable(things: Sequence[str] = THINGS) -> list[dict[str, Any]]:
    """Return a question to each page."""
    return [{"query": f"who keeps the {thing}?", "relevant": [f"docs/{thing}.md"]} for thing in things]


def unanswerable(things: Sequence[str] = ELSEWHERE) -> list[dict[str, Any]]:
    """Return questions about something else."""
    return [{"query": f"which school teaches {thing} to beginners at night?", "relevant": []} for thing in things]


def written(rows: Sequence[object], name: str = "questions.jsonl") -> str:
    """Write a file of questions and return its name."""
    Path(name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return name


def test_own_questions_are_measured(run: Run) -> None:
    """Each question is asked as a user asks it; what is found and what is refused is counted."""
    status, out, _ = run("eval", "golden", written(answerable() + unanswerable()), "--json")
    figures = json.loads(out)["figures"]
    assert status == 0
    assert (figures["any@10"], figures["MRR@10"], figures["refused"]) == (1.0, 1.0, 1.0)
    assert (figures["answerable"], figures["unanswerable"]) == (22, 22)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"query": "zymurgy fermentation", "relevant": ["docs/heron.md"]}, "vocabulary"),
        ({"query": "who keeps the heron?", "relevant": ["docs/heron.md"], "path": "docs/quay.md"}, "filtered"),
        ({"query": "which office renewed the heron?", "relevant": ["docs/quay.md"]}, "ranking"),
        (
            {
                "query": "which xylophone academy teaches jazzy improvisation courses in Lyon near heron",
                "relevant": ["docs/heron.md"],
            },
            "gated",
        ),
        ({"query": "copper silver marble velvet", "relevant": ["apart.md"]}, "chunking"),
    ],
    ids=["vocabulary", "filtered", "ranking", "gated", "chunking"],
)
def test_a_miss_has_its_reason(run: Run, question: dict[str, Any], reason: str) -> None:
    """What answers and is not shown is told apart: no common word, filtered, refused, apart, outranked."""
    filler = "\n\n".join(f"Nothing to see in paragraph {n}. " * 18 for n in range(3))
    apart = [
        f"# {thing.title()}\n\nOnly {thing} is here.\n\n{filler}" for thing in ("copper", "silver", "marble", "velvet")
    ]
    Path("apart.md").write_text("\n\n".join(apart), encoding="utf-8")
    run("index", ".", "--glob", "*.md")
    for thing in ("a", "b", "c"):
        run("remember", f"copper silver marble velvet is what {thing * 3} calls the {thing} set of colours")
    limit = ["--k", "1"] if reason in {"vocabulary", "ranking", "chunking"} else []
    _, out, _ = run("eval", "golden", written([question]), "--json", *limit)
    assert [one["reason"] for one in json.loads(out)["missed"]] == [reason]


def test_reasons_are_told_in_words(run: Run) -> None:
    """The text names each miss with its reason and what helps, and what was answered though nothing answers it."""
    wrong = {"query": "who keeps the heron?", "relevant": []}
    _, out, _ = run("eval", "golden", written([{"query": "zymurgy", "relevant": ["docs/heron.md"]}, wrong]))
    assert "missed, vocabulary: 1" in out
    assert "[answered]" in out


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"query": "q", "relevant": ["docs/none.md"]}], "does not have what questions.jsonl:1 'docs/none.md' names"),
        ([{"query": "q", "relevant": []}, {"query": " Q ", "relevant": []}], "stands twice, first as number 1"),
        ([{"query": "", "relevant": []}], "'query' must be a question"),
        ([{"query": "q"}], "'relevant' must be a list"),
        ([{"query": "q", "relevant": "docs/heron.md"}], "'relevant' must be a list"),
        ([{"query": "q", "relevant": [], "where": "x"}], "'where' an object"),
        ([3], "no JSON object"),
        ([], "holds no question"),
    ],
    ids=["unknown", "twice", "empty", "no answers", "one text", "filter", "number", "nothing"],
)
def test_a_file_that_cannot_be_used_is_refused(run: Run, rows: list[object], told: str) -> None:
    """Unknown names, duplicates and lines of another shape are named with their place; nothing is measured or set."""
    file = written(rows)
    for action in ("golden", "calibrate"):
        status, out, err = run("eval", action, file)
        assert (status, out) == (2, "")
        assert told in err


def test_too_few_questions_say_how_many_are_needed(run: Run) -> None:
    """A calibration takes twenty of each kind; one kind alone, or fewer, is refused with the numbers that lack."""
    status, _, err = run("eval", "calibrate", written(answerable()))
    assert status == 4
    assert "20 more that nothing answers (0 of 20)" in err
    status, _, err = run("eval", "calibrate", written(answerable()[:19] + unanswerable()[:5]))
    assert status == 4
    assert "1 more that the memory answers (19 of 20) and 15 more that nothing answers (5 of 20)" in err


@pytest.mark.slow
@pytest.mark.sqlite  # it reads the settings file that stands beside a store in a folder
def test_calibration_sets_what_helps_and_is_undone(run: Run) -> None:
    """A gate that refuses everything is lowered, held-out questions agree, other settings stay, and undo restores."""
    settings = Path(".treering/config.toml")
    before = "# mine\n[search]\nlimit = 5\nempty_gate = 1.0  # strict\n\n[index]\nmax_file_mb = 1.0\n"
    settings.write_text(before, encoding="utf-8")
    short = [{"query": f"{thing} upkeep and responsibility", "relevant": [f"docs/{thing}.md"]} for thing in THINGS]
    file = written(short + unanswerable())
    _, out, _ = run("eval", "calibrate", file, "--dry-run", "--json")
    assert json.loads(out)["written"] == []
    assert settings.read_text(encoding="utf-8") == before
    _, out, _ = run("eval", "calibrate", file, "--json")
    gate = next(one for one in json.loads(out)["choices"] if one["name"] == "search.empty_gate")
    assert gate["before"] == 1.0
    assert gate["after"] < 1.0
    assert gate["held_after"] > gate["held_before"]
    after = settings.read_text(encoding="utf-8")
    assert f"empty_gate = {gate['after']}\n" in after
    assert "# mine" in after
    assert "limit = 5" in after
    assert run("search", "heron upkeep and responsibility")[0] == 0
    status, out, _ = run("eval", "calibrate", "--undo")
    assert status == 0
    assert "→ 1.0" in out
    assert "empty_gate = 1.0" in settings.read_text(encoding="utf-8")
    assert run("eval", "calibrate", "--undo")[0] == 3


@pytest.mark.slow
@pytest.mark.sqlite  # it reads the settings file that stands beside a store in a folder
def test_undo_leaves_what_was_changed_by_hand(run: Run) -> None:
    """A value that somebody changed after the calibration is not overwritten."""
    settings = Path(".treering/config.toml")
    settings.write_text("[search]\nempty_gate = 1.0\n", encoding="utf-8")
    short = [{"query": f"{thing} upkeep and responsibility", "relevant": [f"docs/{thing}.md"]} for thing in THINGS]
    run("eval", "calibrate", written(short + unanswerable()))
    settings.write_text("[search]\nempty_gate = 0.9\n", encoding="utf-8")
    status, _, err = run("eval", "calibrate", "--undo")
    assert status == 5
    assert "changed since" in err
    assert settings.read_text(encoding="utf-8") == "[search]\nempty_gate = 0.9\n"
