"""Faults that users of such servers reported, as they stand: each case's steps over a real process, by raw bytes."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering

sys.path.insert(0, str(Path(__file__).parents[1] / "surfaces"))
from mcp_session import START, Raw

if TYPE_CHECKING:
    from collections.abc import Callable

CASES: Final = ("MCP-01", "MCP-03", "MCP-05", "MCP-07")
TOOLS: Final = {
    "<index tool>": "memory_index",
    "<search tool>": "memory_search",
    "<remember tool>": "memory_save",
    "<get tool>": "memory_get",
}
ROOM: Final = 4
"""How many times longer than a case says a step may take: the machine that runs this may be busy."""

EXPECTED: Final = frozenset(
    "expect_id expect_seconds_max expect expect_text_roundtrip expect_tags expect_error expect_error_contains "
    "expect_every_stdout_line".split()
)
# Stands in for an embedder that takes a minute to load.
SLEEPING: Final = (
    "import time\n"
    "import treering.wiring as wiring\n"
    "make = wiring.make_embedder\n"
    "wiring.make_embedder = lambda settings: time.sleep(60) or make(settings)\n"
)


class Case:
    """A case while its steps are carried out."""

    def __init__(self, step: dict[str, Any], folder: Path) -> None:
        """Start the server as the case wants it."""
        assert set(step) <= {"do", "env", "home", "embedder", "rows_without_vectors"}, step
        if "rows_without_vectors" in step:
            self._fill(folder, step["rows_without_vectors"])
        code = SLEEPING + START if "embedder" in step else START
        self.raw = Raw(code=code, **step.get("env", {}))
        self.ids: dict[str, str] = {}

    @staticmethod
    def _fill(folder: Path, rows: int) -> None:
        """Make a store with that many entries and no vector."""
        (folder / "rows").mkdir()
        for file in range(20):
            text = "".join(f"## Row {file}-{number}\n\nText of row {number}.\n\n" for number in range(rows // 20))
            (folder / "rows" / f"{file}.md").write_text(text, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
            patch.setenv("TREERING_CHUNK_TARGET_CHARS", "100")
            with treering.open(folder) as memory:
                memory.index([folder / "rows"])
                assert memory.status().embedded == 0

    def send(self, step: dict[str, Any]) -> dict[str, Any]:
        """Send a message and return its answer."""
        self.raw.send(json.dumps(step["message"]).encode() + b"\n")
        return self._answer(step["message"]["id"])

    def _answer(self, id: int) -> dict[str, Any]:
        """Return the answer to a request."""
        while True:
            answer = self.raw.answer()
            if answer.get("id") == id:
                return answer

    def call(self, step: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its result, with what the case calls a memory put in its place."""
        given = {name: self.ids.get(str(value)[1:], value) for name, value in step["args"].items()}
        result = self.raw.call(TOOLS[step["tool"]], **given)
        if "as" in step:
            self.ids[step["as"]] = result["structuredContent"]["id"]
        return result


def _do_send(case: Case, step: dict[str, Any]) -> None:
    """Send a message and compare the answer."""
    answer = case.send(step)
    assert "result" in answer, step
    if step.get("expect") == "every array schema has items":
        tools = answer["result"]["tools"]
        schemas = [one for tool in tools for one in tool["inputSchema"]["properties"].values()]
        assert all("items" in one for one in schemas if one["type"] == "array")
        assert all(tool["description"] for tool in tools)
    else:
        assert "expect" not in step


def _do_call(case: Case, step: dict[str, Any]) -> None:
    """Call a tool and compare the result."""
    result = case.call(step)
    said = result["content"][0]["text"]
    if "expect_error_contains" in step:
        assert result["isError"], step
        assert step["expect_error_contains"] in said
        return
    assert not result["isError"] or step["tool"] == "<index tool>", (step, said)
    if "expect_tags" in step:
        saved = case.raw.call("memory_get", ids=[result["structuredContent"]["id"]])
        assert saved["structuredContent"]["items"][0]["tags"] == step["expect_tags"], step
    if "expect_text_roundtrip" in step:
        assert result["structuredContent"]["items"][0]["text"] == step["expect_text_roundtrip"]
        assert step["expect_text_roundtrip"] in said


def _do_send_raw(case: Case, step: dict[str, Any]) -> None:
    """Send text that is no proper message, and see that it is answered."""
    raw = step["bytes"]
    for neutral, tool in TOOLS.items():
        raw = raw.replace(neutral, tool)
    case.raw.send(raw.encode())
    assert step["expect"] == "error or cleaned text for id 7"
    answer = case.raw.answer()
    assert answer["id"] == 7
    assert "error" in answer or "\ud800" not in json.dumps(answer, ensure_ascii=False)


def _do_send_raw_hex(case: Case, step: dict[str, Any]) -> None:
    """Send bytes that are no text, and see that they are refused."""
    case.raw.send(bytes.fromhex(step["hex"]))
    assert step["expect"] == "parse error or ignored"
    assert case.raw.answer()["error"]["code"] == -32700


def _do_check(case: Case, step: dict[str, Any]) -> None:
    """Compare everything that came on standard output."""
    assert step["expect_every_stdout_line"] == "valid JSON-RPC 2.0 object"
    status, out, err = case.raw.end()
    assert status == 0
    assert b"Traceback" not in err
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in [*case.raw.seen, *out.splitlines()])


DO: Final[dict[str, Callable[[Case, dict[str, Any]], None]]] = {
    "mcp_send": _do_send,
    "mcp_call": _do_call,
    "mcp_send_raw": _do_send_raw,
    "mcp_send_raw_hex": _do_send_raw_hex,
    "mcp_check": _do_check,
}


@pytest.mark.parametrize("name", CASES)
def test_a_reported_fault_does_not_happen(
    name: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of the case gives what the case calls right, and in its time, with room for a busy machine."""
    folder = tmp_path / name
    shutil.copytree(shared / "cases" / name, folder)
    steps = json.loads((folder / "expect.json").read_text(encoding="utf-8"))["steps"]
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    assert steps[0]["do"] == "mcp_start"
    case = Case(steps[0], folder)
    with case.raw:
        for step in steps[1:]:
            assert {key for key in step if key.startswith("expect")} <= EXPECTED, step
            began = time.monotonic()
            DO[step["do"]](case, step)
            took_s = time.monotonic() - began
            assert took_s < ROOM * step.get("expect_seconds_max", 60), step
