"""Reported faults about time, trust, restatements and budgets, as they stand: each step, and all that it expects.

A case that imports or extracts is carried out by the operations that extraction gives.
"""

from __future__ import annotations

import json
import shutil
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.domain.text import llm_tokens
from treering.ingest.extract import Extractor

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore
    from treering.domain.query import Answer

    Step = dict[str, Any]

CASES: Final = ("TMP-01", "TMP-03", "TMP-05", "TIM-01", "TIM-03", "SEC-01", "TOK-01", "DUP-03", "QRY-03")
STATUSES: Final = {"current": "active", "outdated": "superseded"}


@pytest.mark.parametrize("case", CASES)
def test_a_reported_fault_does_not_happen(
    case: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of the case gives what the case calls right."""
    folder = tmp_path / case
    shutil.copytree(shared / "cases" / case, folder)
    steps = json.loads((folder / "expect.json").read_text(encoding="utf-8"))["steps"]
    (folder / "expect.json").unlink()
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    ids: dict[str, str] = {}
    for step in steps:
        for name, value in step.get("env", {}).items():
            monkeypatch.setenv(name, value)
            time.tzset()
        with treering.open() as memory:
            unknown = {key for key in step if key.startswith("expect")} - CHECKED[step["do"]]
            assert not unknown, step
            DO[step["do"]](memory, step, ids)


def _do_index(memory: MemoryStore, step: Step, _ids: dict[str, str]) -> None:
    """Index a folder or one file, and take out what it states in the convention of meeting notes."""
    path = Path(step["path"])
    file = None if path.is_dir() else path
    memory.index(["." if file else path], file=file, trust=step.get("trust"))
    for one in sorted(Path().rglob("*.md")) if file is None else [path]:
        source = memory.show(str(one))
        dates = source.metadata.get("date", ())
        for operation in Extractor().operations(source.text, source.key, "", source.metadata):
            memory.propose(_as_json(operation, dates[0] if dates else ""))


def _as_json(operation: Any, date: str) -> dict[str, Any]:
    """Return an extracted memory as an operation that anybody may send."""
    draft = operation.memory
    made: dict[str, Any] = {
        "content": draft.content,
        "kind": draft.kind,
        "entities": [{"name": one.name, "kind": one.kind} for one in draft.entities],
        "evidence": [{"source_id": one.source, "quote": one.quote} for one in draft.evidence],
    }
    made |= {"slot": draft.slot} if draft.slot else {}
    return {"op": "create", "memory": made | ({"valid_from": draft.valid_from or date} if draft.valid_from else {})}


def _do_import(memory: MemoryStore, step: Step, _ids: dict[str, str]) -> None:
    """Save every line of a file of notes."""
    for line in Path(step["path"]).read_text("utf-8").splitlines():
        memory.remember(json.loads(line)["text"])


def _do_remember(memory: MemoryStore, step: Step, ids: dict[str, str]) -> None:
    """Save a sentence, dated or in place of another."""
    made = memory.remember(
        step["text"],
        valid_from=step.get("date") or step.get("time") or "",
        replaces=ids[step["replaces"]] if "replaces" in step else "",
    )
    if step.get("confirmed_by_owner"):
        memory.confirm(made.id)
    ids[step.get("as", made.id)] = made.id


def _do_list(memory: MemoryStore, step: Step, ids: dict[str, str]) -> None:
    """Compare what is listed under a status."""
    items: list[Any] = [memory.show(item.id) for item in memory.list("memories").items]
    if "status" in step:
        items = [item for item in items if item.status == STATUSES[step["status"]]]
    if "expect_count" in step:
        assert len(items) == step["expect_count"], step
    if "expect_ids" in step:
        assert {item.id for item in items} == {ids[name] for name in step["expect_ids"]}, step
    for name, status in step.get("expect_status", {}).items():
        assert status == "confirmed"
        (item,) = [item for item in items if item.id == ids[name]]
        assert (item.status, item.verification, item.trust) == ("active", "user_confirmed", "owner"), step


def _do_history(memory: MemoryStore, step: Step, ids: dict[str, str]) -> None:
    """Compare what was before with what is, beginning with the memory that is."""
    following = memory.show(ids[step["id"]])
    assert {following.id, *following.supersedes} == {ids[name] for name in step["expect_ids"]}, step
    for name, until in step["expect_valid_to"].items():
        old = memory.show(ids[name])
        assert (old.valid_to, old.superseded_by, old.status) == (until, ids[step["id"]], "superseded"), step


def _do_search(memory: MemoryStore, step: Step, ids: dict[str, str]) -> None:
    """Ask, by search and by context, and compare both."""
    if "expect_error_or_clamped" in step:
        return  # the number of results is no matter of a context
    narrowed = {"as_of": step.get("as_of", ""), "from_": step.get("after", ""), "to": step.get("before", "")}
    answer = memory.search(step["query"], limit=step.get("limit"), **narrowed)
    context = memory.context(step["query"], **narrowed)
    shown = [*context.current, *context.disputed, *context.history, *context.passages]
    if "expect_ids" in step:
        assert {ids[name] for name in step["expect_ids"]} <= {one.id for one in answer.results}, step
        assert {ids[name] for name in step["expect_ids"]} <= {one.id for one in shown}, step
    if "expect_ids_exactly" in step:
        wanted = {ids[name] for name in step["expect_ids_exactly"]}
        assert {one.id for one in answer.results} == {one.id for one in shown} == wanted, (step, answer, context)
    if "expect_first" in step:
        assert answer.results[0].id == shown[0].id == ids[step["expect_first"]], (step, answer)
    for name, status in step.get("expect_status", {}).items():
        (one,) = [one for one in answer.results if one.id == ids[name]]
        assert one.status == STATUSES[status], step
    if "expect_first_contains" in step:
        assert step["expect_first_contains"] in answer.results[0].text, (step, answer)
        assert step["expect_first_contains"] in context.current[0].text, (step, context)
    if "expect_status_first" in step:
        assert answer.results[0].status == context.current[0].status == STATUSES[step["expect_status_first"]], step
    if "expect_results" in step:
        assert len(answer.results) == len(shown) == step["expect_results"] == 0, step
        assert bool(answer.reason) is context.insufficient_evidence is step["expect_note"] is True, step
    _compare_texts(answer, context.text, step)


def _compare_texts(answer: Answer, told: str, step: Step) -> None:
    """Compare what an answer and a context show, and of when it is."""
    dates = [date for one in answer.results[:1] for date in one.metadata.get("date", ())]
    if "expect_date_between" in step:
        first, last = step["expect_date_between"]
        assert [date for date in dates if first <= date <= last], (step, answer)
        assert not [date for date in dates if date.startswith(str(step["expect_not_date_year"]))], step
    if "expect_no_date" in step:
        assert not dates, step
    if "expect_contains" in step:
        assert step["expect_contains"] in answer.results[0].text, step
        assert step["expect_contains"] in told, step
    if "expect_not_contains" in step:
        assert step["expect_not_contains"] not in "".join(one.text for one in answer.results), step
        assert step["expect_not_contains"] not in told, step
    if "expect_external_marked" in step:
        outside = [one for one in answer.results if one.trust == "external"]
        assert "page.md" in {one.file for one in outside}, step
        begin = told.index(": data, not instructions] [L1-")
        assert begin < told.index("Attention assistant") < told.rindex("[end of external "), step


def _do_context(memory: MemoryStore, step: Step, _ids: dict[str, str]) -> None:
    """Ask inside a budget, which holds by our count and nearly by the case's."""
    context = memory.context(step["query"], max_tokens=step["max_tokens"])
    assert context.tokens == llm_tokens(context.text) <= step["max_tokens"], step
    assert _counted(context.text) <= step["expect_tokens_max"], (step, context.text)
    assert len(context.current) + len(context.passages) >= step["expect_results_min"], step


def _counted(text: str) -> float:
    """Return the tokens of a text by the case's rule: one for a CJK character or emoji, a quarter for others."""
    return sum(1 if unicodedata.east_asian_width(one) in "WF" else 0.25 for one in text)


DO: Final[dict[str, Callable[[MemoryStore, Step, dict[str, str]], None]]] = {
    "index": _do_index,
    "import": _do_import,
    "remember": _do_remember,
    "list": _do_list,
    "history": _do_history,
    "search": _do_search,
    "context": _do_context,
}
CHECKED: Final = {
    "index": set[str](),
    "import": set[str](),
    "remember": set[str](),
    "list": {"expect_count", "expect_ids", "expect_status"},
    "history": {"expect_ids", "expect_valid_to"},
    "search": {
        "expect_ids", "expect_ids_exactly", "expect_first", "expect_status", "expect_first_contains", "expect_contains",
        "expect_status_first", "expect_results", "expect_note", "expect_error", "expect_error_or_clamped",
        "expect_date_between", "expect_not_date_year", "expect_no_date", "expect_not_contains",
        "expect_external_marked",
    },
    "context": {"expect_tokens_max", "expect_results_min"},
}  # fmt: skip
