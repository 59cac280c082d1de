"""Setting the server up: the entries that the documentation gives, revisions of the protocol, the descriptor."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from mcp_session import CORE, START, Raw

import treering

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def entries(repository: Path) -> list[dict[str, Any]]:
    """Return every entry for a client that the page on connecting agents shows."""
    page = (repository / "docs" / "howto" / "connect-an-agent.md").read_text("utf-8")
    tables = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    tables += [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    return [servers["treering"] for table in tables for servers in table.values()]


def test_one_entry_is_the_whole_set_up(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each documented entry starts a server that saves and finds in a fresh project; nothing was done before."""
    found = entries(repository)
    assert len(found) >= 6
    scripts = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    for number, entry in enumerate(found):
        command, *words = entry["command"] if isinstance(entry["command"], list) else [entry["command"]]
        assert command in scripts
        project = tmp_path / str(number)
        (project / ".git").mkdir(parents=True)
        monkeypatch.chdir(project)
        with Raw(*words, *entry.get("args", ()), code=START, **entry.get("env", {})) as raw:
            raw.initialize()
            saved = raw.call("memory_save", text="Staging runs PostgreSQL 17")
            answer = raw.call("memory_search", query="which PostgreSQL runs on staging")
            assert saved["structuredContent"]["id"] in answer["content"][0]["text"]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2031-01-01"])
def test_every_revision_in_use_is_served(revision: str) -> None:
    """A client gets the revision that it asks for; one that nobody knows gets one that is known."""
    with Raw() as raw:
        hello = raw.ask(
            "initialize", protocolVersion=revision, capabilities={}, clientInfo={"name": "probe", "version": "0"}
        )
        answered = hello["result"]["protocolVersion"]
        assert answered == (revision if revision < "2030" else "2025-11-25")
        assert len(raw.ask("tools/list")["result"]["tools"]) == len(CORE)


def test_the_descriptor_says_what_is_there(repository: Path) -> None:
    """The registry's descriptor names this version, a script that exists, and the name that the README claims."""
    descriptor = json.loads((repository / "server.json").read_text("utf-8"))
    package = descriptor["packages"][0]
    assert descriptor["version"] == package["version"] == treering.__version__
    assert f"treering=={treering.__version__}" in json.dumps(package["runtimeArguments"])
    assert len(descriptor["description"]) <= 100
    assert f"mcp-name: {descriptor['name']}" in (repository / "README.md").read_text("utf-8")
