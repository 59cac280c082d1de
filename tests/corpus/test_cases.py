"""Faults that users of such tools reported, as they stand: each case's steps, and everything it expects.

A case names product-neutral verbs; the functions called ``_do_…`` carry them out with Treering.
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
from treering.domain import quotes
from treering.errors import TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore
    from treering.domain.query import Answer
    from treering.domain.report import Status

    Step = dict[str, Any]

# EMB-01 and EMB-03 need another embedder and a start without network: tests/behaviour has them,
# test_a27_embedders.py::test_a_switch_is_told_and_embeds_everything_again and test_x18_offline_meaning.py.
CASES: Final = (
    "MD-01", "MD-03", "MD-05", "MD-07", "FM-01", "FM-03", "ENC-01", "ENC-03", "ENC-05", "PATH-01", "PATH-03",
    "CJK-01", "CJK-03", "QRY-01", "QRY-03", "DEL-01", "DEL-05", "DUP-01", "DUP-03", "DOC-01", "DOC-03",
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
    told = Case(treering.open())
    try:
        for number, step in enumerate(steps, 1):
            step["said"] = f"step {number}: {json.dumps(step, ensure_ascii=False)}"
            DO[step["do"]](told, step)
            unknown = [key for key in step if key.startswith("expect") and key not in CHECKED[step["do"]]]
            assert not unknown, f"{step['said']}: nothing here checks {unknown}"
    finally:
        told.close()


class Case:
    """A case while its steps are carried out.

    Attributes:
        memory: the open memory of the case's project.
        ids: what the case calls a memory, and its id.
        other: a process that has the same store open and answers questions; None until one is wanted.
    """

    def __init__(self, memory: MemoryStore) -> None:
        """Begin with an open memory."""
        self.memory = memory
        self.ids: dict[str, str] = {}
        self.other: subprocess.Popen[str] | None = None

    def close(self) -> None:
        """Close the memory and end the other process."""
        self.memory.close()
        if self.other is not None:
            self.other.communicate(timeout=60)

    def names(self, answer: Answer) -> list[str]:
        """Return what the case calls the results, best first: memories by name, files without suffix."""
        called = {id: name for name, id in self.ids.items()}
        return [called.get(result.id) or Path(result.file or result.key).stem for result in answer.results]


def _do_index(case: Case, step: Step) -> None:
    """Index a folder or a file of the case."""
    if os.path.isfile(step["path"]):
        case.memory.index(["."], file=step["path"])
    else:
        case.memory.index([step["path"]])


def _do_verify_quote(case: Case, step: Step) -> None:
    """See whether a quote stands in the text of a source."""
    text = case.memory.show(step["path"]).text  # type: ignore[union-attr]
    assert (quotes.locate(text, step["quote"]) is not None) is (step["expect"] == "accepted"), (step["said"], text)


def _do_remember(case: Case, step: Step) -> None:
    """Save a text, in the case's project or in another one."""
    if step.get("scope") == "other project":
        other = Path("..", "other")
        (other / ".git").mkdir(parents=True)
        with treering.open(other) as elsewhere:
            outcome = elsewhere.remember(step["text"], tags=step.get("tags", ()))
    else:
        outcome = case.memory.remember(step["text"], tags=step.get("tags", ()))
    if "as" in step:
        case.ids[step["as"]] = outcome.id
    if "expect_same_id" in step:
        assert outcome.id == case.ids[step["expect_same_id"]], step["said"]
    if "expect_different_id" in step:
        assert outcome.id != case.ids[step["expect_different_id"]], step["said"]
    if "expect_flag" in step:
        assert {"exists": "existing", "accepted": "new"}[outcome.outcome] == step["expect_flag"], step["said"]


def _do_forget(case: Case, step: Step) -> None:
    """Erase memories."""
    case.memory.forget([case.ids[name] for name in step["ids"]])


def _do_list(case: Case, step: Step) -> None:
    """Compare the list of memories, narrowed by labels."""
    wanted = step.get("filter", {})
    assert set(wanted) <= {"tags"}, step["said"]
    items = [
        item
        for item in case.memory.list("memories", limit=1000).items
        if not wanted or wanted["tags"] in item.tags  # type: ignore[union-attr]
    ]
    for key in ("expect_count", "expect_count_in_scope"):
        assert len(items) == step.get(key, len(items)), step["said"]
    tags = {tag for item in items for tag in item.tags}  # type: ignore[union-attr]
    assert set(step.get("expect_tags_include", ())) <= tags, step["said"]


def _do_open_second_process(case: Case, step: Step) -> None:
    """Open the same store in another process, which then answers questions: the number of results for each line."""
    code = (
        "import sys, treering\n"
        "with treering.open() as memory:\n"
        "    for line in sys.stdin:\n"
        "        print(len(memory.search(line.strip(), empty_gate=0, mode='keyword').results), flush=True)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    case.other = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert _ask_other(case, "linnet") > 0


def _ask_other(case: Case, question: str) -> int:
    """Return how many results the other process has for a question."""
    assert case.other is not None
    assert case.other.stdin is not None
    assert case.other.stdout is not None
    case.other.stdin.write(f"{question}\n")
    case.other.stdin.flush()
    return int(case.other.stdout.readline())


def _do_restart(case: Case, step: Step) -> None:
    """Close the memory and open it again."""
    case.memory.close()
    case.memory = treering.open()


def _do_run(case: Case, step: Step) -> None:
    """Run a script of the case where it stands."""
    starter = {".py": sys.executable, ".sh": "sh"}[Path(step["script"]).suffix]
    subprocess.run([starter, step["script"]], check=True, stdin=subprocess.DEVNULL)


def _do_move(case: Case, step: Step) -> None:
    """Rename a file, or every name from one form of Unicode into another."""
    if Path(step["from"]).exists():
        Path(step["to"]).parent.mkdir(exist_ok=True)
        Path(step["from"]).rename(step["to"])
        return
    forms = (step["from"].removesuffix(" name"), step["to"].removesuffix(" name"))
    assert set(forms) == {"NFC", "NFD"}, step["said"]
    for path in [path for path in Path("vault").rglob("*") if not path.name.isascii()]:
        path.rename(path.with_name(unicodedata.normalize(forms[1], path.name)))


def _do_outline(case: Case, step: Step) -> None:
    """Compare the headings of a source."""
    titles = [title for _, title, _ in case.memory.show(step["path"]).outline]
    assert titles == step["expect_headings"], step["said"]
    assert not set(titles) & set(step.get("expect_not_headings", [])), step["said"]


def _do_read(case: Case, step: Step) -> None:
    """Read one source, which may have to be refused."""
    if step.get("expect_refused"):
        with pytest.raises(TreeringError):
            case.memory.show(step["path"])
    else:
        assert step["expect_contains"] in case.memory.show(step["path"]).text, step["said"]


def _do_export(case: Case, step: Step) -> None:
    """Look through everything that the memory holds: keys, titles, texts."""
    for item in case.memory.list("memories", limit=1000).items:
        assert step["expect_not_contains"] not in repr(case.memory.show(item.id))  # type: ignore[union-attr]
    for source in case.memory.list("sources", limit=1000).items:
        shown = case.memory.show(source.key)
        assert step["expect_not_contains"] not in f"{shown.key}\n{shown.title}\n{shown.text}\n{shown.outline}"


def _do_status(case: Case, step: Step) -> None:
    """Compare what the memory says about itself."""
    status = case.memory.status()
    skipped = {skip.path: skip.reason for root in status.roots for skip in root.skipped}
    if "expect_errors" in step:
        assert len(skipped) == step["expect_errors"], (step["said"], skipped)
    if "expect_files" in step:
        assert status.sources == step["expect_files"], step["said"]
    if "expect_total" in step:
        assert status.sources == status.memories == step["expect_total"], step["said"]
    if "expect_unparsed_front_matter" in step:
        unparsed = [skip.path for root in status.roots for skip in root.unparsed]
        assert sorted(unparsed) == sorted(step["expect_unparsed_front_matter"]), step["said"]
    for name in step.get("expect_skipped_with_reason", []):
        assert skipped.get(name), (step["said"], skipped)


def _do_search(case: Case, step: Step) -> None:
    """Ask, and compare the answer."""
    limits = {"limit": step["limit"]} if "limit" in step else {}
    if "expect_error_or_clamped" in step:
        with suppress(TreeringError):
            answer = case.memory.search(step["query"], **limits)
            assert answer.found, step["said"]
            assert len(answer.results) <= 100, step["said"]
        return
    if step.get("process") == 2:
        assert _ask_other(case, step["query"]) == step["expect_results"], step["said"]
        return
    answer = case.memory.search(step["query"], where=step.get("filter"), **limits)  # an error fails the test
    if "or_expect" in step and _names_as_unreadable(case.memory.status(), step["or_expect"]):
        return
    for key, check in ANSWERS.items():
        if key in step:
            assert check(case.names(answer) if key in BY_NAME else answer, step[key]), (step["said"], answer)


def _names_as_unreadable(status: Status, alternative: str) -> bool:
    """Tell whether the status names the file that a case allows to be unreadable."""
    name = alternative.split()[2]
    return any(name in f"{skip.path} {skip.reason}" for root in status.roots for skip in root.skipped)


def _shown(answer: Answer) -> str:
    """Return all text of an answer."""
    return "\n".join(result.text for result in answer.results)


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


ANSWERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "expect_contains": lambda answer, text: text in _shown(answer),
    "expect_contains_all": lambda answer, texts: all(text in _shown(answer) for text in texts),
    "expect_contains_in_order": _in_order,
    "expect_indent_strictly_increasing": _indents_rise,
    "expect_heading_path": lambda answer, path: [heading.title for heading in answer.results[0].path] == path,
    "expect_files_exactly": lambda answer, names: sorted(result.file or "" for result in answer.results) == names,
    "expect_file": lambda answer, name: os.path.basename(answer.results[0].file or "") == name,
    "expect_any_title": lambda answer, titles: answer.results[0].title in titles,
    "expect_results": lambda answer, number: len(answer.results) == number,
    "expect_count": lambda answer, number: len(answer.results) == number,
    "expect_ids": lambda given, names: set(names) <= set(given),
    "expect_not_ids": lambda given, names: not set(names) & set(given),
    "expect_first": lambda given, name: given[:1] == [name],
    "expect_note": lambda answer, wanted: bool(answer.reason) is wanted,
    "expect_error": lambda _answer, wanted: wanted is None,
}
BY_NAME: Final = {"expect_ids", "expect_not_ids", "expect_first"}
"""What is compared with the names of the results."""

DO: Final[dict[str, Callable[[Case, Step], None]]] = {
    "index": _do_index,
    "remember": _do_remember,
    "forget": _do_forget,
    "list": _do_list,
    "open_second_process": _do_open_second_process,
    "restart": _do_restart,
    "run": _do_run,
    "move": _do_move,
    "outline": _do_outline,
    "read": _do_read,
    "export": _do_export,
    "status": _do_status,
    "search": _do_search,
    "verify_quote": _do_verify_quote,
}
CHECKED: Final = {
    "index": set[str](),
    "remember": {"expect_same_id", "expect_different_id", "expect_flag"},
    "forget": set[str](),
    "list": {"expect_count", "expect_count_in_scope", "expect_tags_include"},
    "open_second_process": set[str](),
    "restart": set[str](),
    "run": set[str](),
    "move": set[str](),
    "outline": {"expect_headings", "expect_not_headings"},
    "read": {"expect_refused", "expect_contains"},
    "export": {"expect_not_contains"},
    "status": {
        "expect_errors", "expect_crashes", "expect_files", "expect_unparsed_front_matter",
        "expect_skipped_with_reason", "expect_total",
    },
    "search": {*ANSWERS, "expect_error_or_clamped"},
    "verify_quote": {"expect"},
}  # fmt: skip
