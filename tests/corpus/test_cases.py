"""Faults that users of such tools reported, as they stand: each case's steps, and everything it expects.

A case names product-neutral verbs; the functions called ``_do_…`` carry them out with Treering. Saving
single memories does not exist yet, so what a case remembers is put as a file of that name and indexed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.errors import TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore
    from treering.domain.query import Answer
    from treering.domain.report import Status

    Step = dict[str, Any]

CASES: Final = (
    "MD-01", "MD-03", "MD-05", "MD-07", "FM-01", "FM-03", "ENC-01", "ENC-03", "ENC-05", "PATH-01", "PATH-03",
    "CJK-01", "CJK-03", "QRY-01", "QRY-03",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_reported_fault_does_not_happen(
    case: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of the case gives what the case calls right."""
    folder = tmp_path / case
    shutil.copytree(shared / "cases" / case, folder, symlinks=True)
    steps = json.loads((folder / "expect.json").read_text(encoding="utf-8"))["steps"]
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    with treering.open() as memory:
        for number, step in enumerate(steps, 1):
            step["said"] = f"step {number}: {json.dumps(step, ensure_ascii=False)}"
            DO[step["do"]](memory, step)
            unknown = [key for key in step if key.startswith("expect") and key not in CHECKED[step["do"]]]
            assert not unknown, f"{step['said']}: nothing here checks {unknown}"


def _do_index(memory: MemoryStore, step: Step) -> None:
    """Index a folder of the case."""
    memory.index([step["path"]])


def _do_remember(memory: MemoryStore, step: Step) -> None:
    """Put a text as a file and index it."""
    Path("notes").mkdir(exist_ok=True)
    Path("notes", f"{step['as']}.md").write_text(step["text"] + "\n", encoding="utf-8")
    memory.index(["notes"])


def _do_run(memory: MemoryStore, step: Step) -> None:
    """Run a script of the case where it stands."""
    starter = {".py": sys.executable, ".sh": "sh"}[Path(step["script"]).suffix]
    subprocess.run([starter, step["script"]], check=True, stdin=subprocess.DEVNULL)


def _do_move(memory: MemoryStore, step: Step) -> None:
    """Rename a file, or every name from one form of Unicode into another."""
    if Path(step["from"]).exists():
        Path(step["from"]).rename(step["to"])
        return
    forms = (step["from"].removesuffix(" name"), step["to"].removesuffix(" name"))
    assert set(forms) == {"NFC", "NFD"}, step["said"]
    for path in [path for path in Path("vault").rglob("*") if not path.name.isascii()]:
        path.rename(path.with_name(unicodedata.normalize(forms[1], path.name)))


def _do_outline(memory: MemoryStore, step: Step) -> None:
    """Compare the headings of a source."""
    titles = [title for _, title, _ in memory.show(step["path"]).outline]
    assert titles == step["expect_headings"], step["said"]
    assert not set(titles) & set(step.get("expect_not_headings", [])), step["said"]


def _do_read(memory: MemoryStore, step: Step) -> None:
    """Read one source, which may have to be refused."""
    if step.get("expect_refused"):
        with pytest.raises(TreeringError):
            memory.show(step["path"])
    else:
        assert step["expect_contains"] in memory.show(step["path"]).text, step["said"]


def _do_export(memory: MemoryStore, step: Step) -> None:
    """Look through everything that the memory holds: keys, titles, texts."""
    for source in memory.list("sources", limit=1000).items:
        shown = memory.show(source.key)
        assert step["expect_not_contains"] not in f"{shown.key}\n{shown.title}\n{shown.text}\n{shown.outline}"


def _do_status(memory: MemoryStore, step: Step) -> None:
    """Compare what the memory says about itself."""
    status = memory.status()
    skipped = {skip.path: skip.reason for root in status.roots for skip in root.skipped}
    if "expect_errors" in step:
        assert len(skipped) == step["expect_errors"], (step["said"], skipped)
    if "expect_files" in step:
        assert status.sources == step["expect_files"], step["said"]
    if "expect_unparsed_front_matter" in step:
        unparsed = [skip.path for root in status.roots for skip in root.unparsed]
        assert sorted(unparsed) == sorted(step["expect_unparsed_front_matter"]), step["said"]
    for name in step.get("expect_skipped_with_reason", []):
        assert skipped.get(name), (step["said"], skipped)


def _do_search(memory: MemoryStore, step: Step) -> None:
    """Ask, and compare the answer."""
    limits = {"limit": step["limit"]} if "limit" in step else {}
    if "expect_error_or_clamped" in step:
        with suppress(TreeringError):
            answer = memory.search(step["query"], **limits)
            assert answer.found, step["said"]
            assert len(answer.results) <= 100, step["said"]
        return
    answer = memory.search(step["query"], where=step.get("filter"), **limits)  # an error fails the test
    if "or_expect" in step and _names_as_unreadable(memory.status(), step["or_expect"]):
        return
    for key, check in ANSWERS.items():
        if key in step:
            assert check(answer, step[key]), (step["said"], answer)


def _names_as_unreadable(status: Status, alternative: str) -> bool:
    """Tell whether the status names the file that a case allows to be unreadable."""
    name = alternative.split()[2]
    return any(name in f"{skip.path} {skip.reason}" for root in status.roots for skip in root.skipped)


def _shown(answer: Answer) -> str:
    """Return all text of an answer."""
    return "\n".join(result.text for result in answer.results)


def _names(answer: Answer) -> list[str]:
    """Return the names of the files in an answer, without suffix, best first."""
    return [Path(result.file or result.key).stem for result in answer.results]


def _in_order(answer: Answer, texts: list[str]) -> bool:
    """Tell whether the texts stand in the best result, one behind the other."""
    at = 0
    for text in texts:
        at = answer.results[0].text.find(text, at) + 1
        if not at:
            return False
    return True


def _indents_rise(answer: Answer, texts: list[str]) -> bool:
    """Tell whether each text stands further to the right than the one before."""
    lines = answer.results[0].text.splitlines()
    indents = [
        next(len(line) - len(line.lstrip()) for line in lines if line.lstrip(" -*+0123456789.)").startswith(text))
        for text in texts
    ]
    return all(one < other for one, other in pairwise(indents))


ANSWERS: Final[dict[str, Callable[[Answer, Any], bool]]] = {
    "expect_contains": lambda answer, text: text in _shown(answer),
    "expect_contains_all": lambda answer, texts: all(text in _shown(answer) for text in texts),
    "expect_contains_in_order": _in_order,
    "expect_indent_strictly_increasing": _indents_rise,
    "expect_heading_path": lambda answer, path: [heading.title for heading in answer.results[0].path] == path,
    "expect_file": lambda answer, name: os.path.basename(answer.results[0].file or "") == name,
    "expect_any_title": lambda answer, titles: answer.results[0].title in titles,
    "expect_results": lambda answer, number: len(answer.results) == number,
    "expect_count": lambda answer, number: len(answer.results) == number,
    "expect_ids": lambda answer, names: set(names) <= set(_names(answer)),
    "expect_not_ids": lambda answer, names: not set(names) & set(_names(answer)),
    "expect_first": lambda answer, name: _names(answer)[:1] == [name],
    "expect_note": lambda answer, wanted: bool(answer.reason) is wanted,
    "expect_error": lambda _answer, wanted: wanted is None,
}
DO: Final[dict[str, Callable[[MemoryStore, Step], None]]] = {
    "index": _do_index,
    "remember": _do_remember,
    "run": _do_run,
    "move": _do_move,
    "outline": _do_outline,
    "read": _do_read,
    "export": _do_export,
    "status": _do_status,
    "search": _do_search,
}
CHECKED: Final = {
    "index": set[str](),
    "remember": set[str](),
    "run": set[str](),
    "move": set[str](),
    "outline": {"expect_headings", "expect_not_headings"},
    "read": {"expect_refused", "expect_contains"},
    "export": {"expect_not_contains"},
    "status": {
        "expect_errors", "expect_crashes", "expect_files", "expect_unparsed_front_matter",
        "expect_skipped_with_reason",
    },
    "search": {*ANSWERS, "expect_error_or_clamped"},
}  # fmt: skip
