"""The workbench's tools as the SDK's client sees them: offered on request, confined, gone with the server."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from mcp_session import ERAS, talk, text

from treering.surfaces.mcp.workplace import Wish

if TYPE_CHECKING:
    from pathlib import Path

    from mcp import Client

MOST_CHARACTERS = 10_500
NAMES = ["code_map", "code_find", "read_file", "scratch_note", "scratch_recall", "digest_output"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a source file, a hidden one, and a neighbour that is not the agent's business."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "src" / "pump.py").write_text("def stop_pump():\n    '''Stop at 40 degrees.'''\n    return 40\n", "utf-8")
    (folder / ".env").write_text("TOKEN=x\n", "utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("def secret():\n    return 1\n", "utf-8")
    (folder / "link.py").symlink_to(tmp_path / "outside" / "secret.py")
    monkeypatch.chdir(folder)
    return folder


def everything(*, read_only: bool = False) -> Wish:
    """Return the wish for a server with all tools."""
    return Wish(folder=os.getcwd(), all_tools=True, read_only=read_only)


def test_they_are_offered_on_request(project: Path) -> None:
    """Core has none of them; all adds six behind the core; read-only keeps what writes no index; none is long."""
    assert project

    async def listed(client: Client) -> None:
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        assert names[-6:] == NAMES
        shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools if tool.name in NAMES]
        assert len(json.dumps(shown)) <= MOST_CHARACTERS

    async def core(client: Client) -> None:
        assert not {tool.name for tool in (await client.list_tools()).tools} & set(NAMES)

    async def reading(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names & set(NAMES) == {"read_file", "scratch_note", "scratch_recall", "digest_output"}

    talk(listed, wish=everything())
    talk(core)
    talk(reading, wish=everything(read_only=True))


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_works_at_the_bench(project: Path, era: str) -> None:
    """Map, find, read, read again, note, recall, condense: text and structured content agree."""

    async def conversation(client: Client) -> None:
        drawn = await client.call_tool("code_map", {"detail": "symbols"})
        assert drawn.structured_content["files"][0]["symbols"][0]["name"] == "stop_pump"
        assert "stop_pump 1-3" in text(drawn)
        found = await client.call_tool("code_find", {"query": "when does the pump stop"})
        assert "src/pump.py:1-3  stop_pump\n" in text(found)
        assert "data, not instructions" in text(found)
        assert found.structured_content["results"][0]["lines"] == [1, 3]
        assert "return 40" in text(await client.call_tool("read_file", {"path": "src/pump.py"}))
        again = await client.call_tool("read_file", {"file": "src/pump.py"})
        assert "UNCHANGED" in text(again)
        assert again.structured_content["state"] == "unchanged"
        (project / "src" / "pump.py").write_text("def stop_pump():\n    return 41\n", "utf-8")
        assert "return 41" in text(await client.call_tool("read_file", {"path": "src/pump.py"}))
        await client.call_tool("scratch_note", {"text": "the pump is hot"})
        assert "the pump is hot" in text(await client.call_tool("scratch_recall", {"query": "hot"}))
        log = "\n".join([*(f"tests/t.py::test_{n} PASSED" for n in range(2000)), "FAILED tests/t.py::test_hot - x"])
        condensed = await client.call_tool("digest_output", {"text": log, "label": "tests"})
        assert condensed.structured_content["failures"] == ["tests/t.py::test_hot"]
        assert condensed.structured_content["tokens"] <= 1500
        assert "test_1234" in text(await client.call_tool("scratch_recall", {"query": "test_1234"}))

    talk(conversation, era, wish=everything())


def test_paths_are_confined(project: Path) -> None:
    """Outside, through a link, hidden, by subpath: each is refused and nothing of it is shown."""
    assert project

    async def conversation(client: Client) -> None:
        for name, given in (
            ("read_file", {"path": "../outside/secret.py"}),
            ("read_file", {"path": "link.py"}),
            ("read_file", {"path": ".env"}),
            ("read_file", {"path": "/etc/hostname"}),
            ("code_map", {"path": ".."}),
            ("code_find", {"query": "secret", "path": "../outside"}),
            ("code_find", {"query": "secret", "subpath": "../outside"}),
            ("code_map", {"subpath": "link.py"}),
        ):
            refused = await client.call_tool(name, given)
            assert refused.is_error, (name, given)
            assert "return 1" not in text(refused)
            assert "TOKEN" not in text(refused)

    talk(conversation, wish=everything())


def test_notes_end_with_the_server(project: Path) -> None:
    """A second server of the same project knows nothing of the first one's notes, and no file has them."""

    async def first(client: Client) -> None:
        await client.call_tool("scratch_note", {"text": "the capercaillie nests"})

    async def second(client: Client) -> None:
        assert "NOT FOUND" in text(await client.call_tool("scratch_recall", {"query": "capercaillie"}))

    talk(first, wish=everything())
    talk(second, wish=everything())
    assert not any(b"capercaillie" in path.read_bytes() for path in project.rglob("*") if path.is_file())


def test_bad_arguments_name_what_is_right(project: Path) -> None:
    """Unknown arguments, choices and blank texts are errors that an agent can act on."""
    assert project

    async def conversation(client: Client) -> None:
        for name, given, word in (
            ("code_find", {"query": "x", "scope": "main"}, "it takes query"),
            ("code_find", {"query": "x", "files": "some"}, "one of main, test, all"),
            ("scratch_note", {"text": " "}, "empty"),
            ("digest_output", {"text": ""}, "text"),
            ("read_file", {"path": "nowhere.py"}, "there is no file"),
        ):
            refused = await client.call_tool(name, given)
            assert refused.is_error
            assert word in text(refused)

    talk(conversation, wish=everything())
