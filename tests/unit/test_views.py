"""JSON objects of the surfaces: their keys are a promise to programs."""

from __future__ import annotations

import json

from treering.domain.chunk import Heading
from treering.domain.query import Answer, ChunkHit, Result, TraceStep
from treering.domain.report import IndexReport, RootStatus, Shown, Status
from treering.domain.source import Skip
from treering.records import StoredSource
from treering.surfaces import views

HIT = ChunkHit("ver_1#2", (Heading(1, "Guide"), Heading(2, "Install")), (12, 18), 0.87123)
RESULT = Result(
    id="ver_1#2",
    title="Guide",
    text="# Guide\n\nrun it",
    citation="docs/guide.md:12-18  Guide › Install",
    path=HIT.path,
    source="src_1",
    key="docs/guide.md",
    file="guide.md",
    version="ver_1",
    trust="owner",
    lines=(12, 18),
    metadata={"tags": ("a", "b"), "team": ("core",)},
    chunks=(HIT,),
    score=0.87123,
    tokens=12,
    restatements=2,
    notices=("read again",),
)
ANSWER = Answer("how", "keyword", (RESULT,), None, 0.9, 12, ("one",), (TraceStep("gate", 9, 3, "enough", 0.12345),))


def test_an_answer_has_every_key_of_the_interface() -> None:
    """A search's object carries the documented keys, the trace with in and out."""
    given = views.answer_json(ANSWER, "project")
    assert {key: value for key, value in given.items() if key != "results"} == {
        "schema": 1,
        "query": "how",
        "mode": "keyword",
        "found": True,
        "reason": None,
        "ambiguous": None,
        "confidence": 0.9,
        "tokens": 12,
        "notices": ["one"],
        "trace": [{"step": "gate", "in": 9, "out": 3, "why": "enough", "ms": 0.123}],
        "descent": None,
    }
    assert json.loads(json.dumps(given)) == given


def test_a_result_has_every_key_that_programs_rely_on() -> None:
    """Keys of memories are there with null or nothing, those of a chunk are filled in."""
    given = views.result_json(RESULT, "project")
    assert {key for key, value in given.items() if value in (None, [])} == {
        "status", "verification", "kind", "slot", "value", "valid_from", "valid_to", "superseded_by", "quotes",
        "entities", "recorded_at",
    }  # fmt: skip
    assert given["type"] == "chunk"
    assert given["scope"] == "project"
    assert given["path"] == ["Guide", "Install"]
    assert given["lines"] == [12, 18]
    assert given["tags"] == ["a", "b"]
    assert given["metadata"] == {"tags": ["a", "b"], "team": ["core"]}
    assert given["chunks"] == [{"id": "ver_1#2", "path": ["Guide", "Install"], "lines": [12, 18], "score": 0.8712}]
    assert given["source"] == {
        "id": "src_1", "key": "docs/guide.md", "file": "guide.md", "version": "ver_1", "trust": "owner",
    }  # fmt: skip


def test_nothing_found_says_why() -> None:
    """An empty answer is an object with its reason, not an error."""
    given = views.answer_json(Answer("x", "keyword", (), "empty_gate", 0.1, 0), "global")
    assert (given["found"], given["reason"], given["results"]) == (False, "empty_gate", [])


def test_an_index_run_is_a_batch_of_outcomes() -> None:
    """Each root has its outcome, in order, with every file that was left out."""
    skip = Skip("docs/x.bin", "binary")
    given = views.index_json([IndexReport("docs", files=3, skipped=(skip,)), IndexReport("notes")])
    assert given["schema"] == 1
    assert [outcome["root"] for outcome in given["outcomes"]] == ["docs", "notes"]
    assert given["outcomes"][0]["skipped"] == [{"path": "docs/x.bin", "reason": "binary"}]


def test_a_status_names_every_skipped_file() -> None:
    """JSON is complete: no list is cut short."""
    skips = tuple(Skip(f"{number}.bin", "binary") for number in range(100))
    root = RootStatus("docs", True, "", 3, 5, "", 1, 2, "", skips, ())
    given = views.status_json(Status("/s/memory.db", "project", "/p", exists=True, roots=(root,)))
    assert len(given["roots"][0]["skipped"]) == 100
    assert (given["roots"][0]["unscanned"], given["roots"][0]["stale"]) == (1, 2)
    assert given["roots"][0]["scanned_at"] is None


def test_a_list_has_a_cursor_or_null() -> None:
    """The last page says null, any other the cursor of the next."""
    source = StoredSource("src_1", "a.md", "A", "file", "owner", "tracked", "ver_1", "00", "utf-8", 9, 2, "2025-01-01")
    page = views.list_json([views.source_json(source)], 7, "a.md")
    assert (page["total"], page["next"], page["items"][0]["id"]) == (7, "a.md", "src_1")
    assert views.list_json([], 0)["next"] is None


def test_what_is_shown_keeps_its_text_untouched() -> None:
    """Programs get the exact text, control characters included."""
    outline = ((1, "A", 1),)
    shown = Shown("src_1", "source", "A", "a.md", "src_1", "v", (1, 1), "a\x1b[31m", outline, {}, "owner", "kept", "")
    given = views.shown_json(shown)
    assert given["text"] == "a\x1b[31m"
    assert given["outline"] == [{"level": 1, "title": "A", "line": 1}]


def test_an_error_is_one_object() -> None:
    """Code, message, hint and exit status, the hint null when there is none."""
    assert views.error_json("not_found", "no such id", "", 3) == {
        "schema": 1,
        "error": {"code": "not_found", "message": "no such id", "hint": None, "exit": 3},
    }
