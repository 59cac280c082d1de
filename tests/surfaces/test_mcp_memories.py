"""Memories over MCP: an agent saves, proposes, lists and marks as outdated; what the owner decides waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp_session import ERAS, talk, text
from mcp_types import Implementation

import treering
from treering.domain.text import llm_tokens
from treering.surfaces.mcp.workplace import Wish

if TYPE_CHECKING:
    from pathlib import Path

    from mcp import Client


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project, which is the working directory."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


async def call(client: Client, tool: str, **given: object) -> tuple[str, dict[str, Any]]:
    """Call a tool that does what it is asked; return its text and its data."""
    result = await client.call_tool(tool, given)
    assert not result.is_error, text(result)
    return text(result), result.structured_content


@pytest.mark.parametrize("era", ERAS)
def test_a_client_is_an_agent_by_its_own_name(project: Path, era: str) -> None:
    """What it saves is an agent's word, and the audit log says whose."""

    async def conversation(client: Client) -> None:
        _, saved = await call(client, "memory_save", text="The dock opens at six.", slot="dock/opens", value="6:00")
        _, got = await call(client, "memory_get", ids=[saved["id"]])
        assert (got["items"][0]["trust"], got["items"][0]["slot"]) == ("agent", "dock/opens")

    talk(conversation, era, client_info=Implementation(name="probe  client", version="1"))
    with treering.open(project) as memory:
        assert [(act.role, act.author) for act in memory.audit()] == [("agent", "probe client")]


def test_a_slot_evolves(project: Path) -> None:
    """A later answer supersedes the earlier one, a few words name what is corrected, and lists show where it stands."""

    async def conversation(client: Client) -> None:
        _, first = await call(
            client, "memory_save", text="The dock opens at six.", slot="dock/opens", value="6:00",
            valid_from="2026-01-01", entities=["Dock"],
        )  # fmt: skip
        said, later = await call(
            client, "memory_save", text="The dock opens at seven.", slot="Dock/Opens", value="7:00",
            valid_from="2026-02-01",
        )  # fmt: skip
        assert later["outcome"] == "superseded"
        assert f"{first['id']}: active → superseded" in said
        said, listed = await call(client, "memory_list", view="slots")
        assert "dock/opens  since 2026-02-01  7:00" in said
        assert listed["items"][0]["current"]["id"] == later["id"]
        _, entities = await call(client, "memory_list", view="entities")
        assert entities["items"][0]["name"] == "Dock"
        _, old = await call(client, "memory_list", view="memories", status="superseded", slot="dock", kind="semantic")
        assert [one["id"] for one in old["items"]] == [first["id"]]
        _, third = await call(client, "memory_save", text="The dock opens at eight.", replaces="dock opens at seven")
        assert third["outcome"] == "superseded"

    talk(conversation)


def test_what_the_owner_confirmed_waits(project: Path) -> None:
    """A save against it is disputed, a change queued; the text says so, and the agent reads both sides."""
    with treering.open(project) as memory:
        id = memory.remember("Deploys need two approvals.", slot="deploy/approvals", value="2").id
        memory.confirm(id)

    async def conversation(client: Client) -> None:
        said, claim = await call(
            client, "memory_save", text="Deploys need no approval.", slot="deploy/approvals", value="0"
        )
        assert (claim["outcome"], "disputed: the owner decides" in said) == ("disputed", True)
        said, change = await call(client, "memory_save", id=id, text="No approvals.")
        assert (change["outcome"], change["id"]) == ("queued", change["proposal"])
        assert f'memory_get(ids=["{change["proposal"]}"])' in said
        said, _ = await call(client, "memory_get", ids=[claim["proposal"]])
        assert "Deploys need no approval." in said
        assert "Deploys need two approvals." in said
        _, waiting = await call(client, "memory_list", view="proposals")
        assert [one["id"] for one in waiting["items"]] == [claim["proposal"], change["proposal"]]
        refused = await client.call_tool("memory_propose", {"operations": [{"op": "confirm", "id": id}]})
        assert refused.is_error
        assert "not_allowed" in text(refused)
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert not any(word in name for name in tools for word in ("confirm", "approve", "forget", "erase", "undo"))

    talk(conversation)
    with treering.open(project) as memory:
        assert memory.active_state("deploy/approvals") == "2"


def test_operations_are_carried_out_or_refused_whole(project: Path) -> None:
    """A list, one alone, or JSON in a text; several mistakes are said at once and nothing is saved."""

    async def conversation(client: Client) -> None:
        _, saved = await call(client, "memory_save", text="The gate is red.")
        note = f"note:{saved['id']}"
        create = {"op": "create", "memory": {
            "content": "The gate was painted.", "evidence": [{"source_id": note, "quote": "gate is red"}],
        }}  # fmt: skip
        said, done = await call(client, "memory_propose", operations=[create])
        assert done["outcomes"][0]["outcome"] == "accepted"
        assert said.startswith("1. Done: mem_")
        painted = done["outcomes"][0]["id"]
        link = f'[{{"op": "link", "from_id": "{painted}", "to_id": "{saved["id"]}", "type": "causes"}}]'
        _, linked = await call(client, "memory_propose", operations=link)
        assert linked["outcomes"][0]["outcome"] == "accepted"
        _, queued = await call(
            client, "memory_propose", operations={"op": "create", "memory": {"content": "A rumour."}}
        )
        assert queued["outcomes"][0]["outcome"] == "queued"
        before = (await call(client, "memory_list", view="memories"))[1]["total"]
        bad = [create | {"memory": {"content": "New.", "kind": "odd"}}, {"op": "fly"}]
        result = await client.call_tool("memory_propose", {"operations": bad})
        assert result.is_error
        assert "operation 1" in text(result)
        assert "operation 2" in text(result)
        assert "next: memory_propose(" in text(result)
        assert (await call(client, "memory_list", view="memories"))[1]["total"] == before
        for given in ([], "", 7):
            assert (await client.call_tool("memory_propose", {"operations": given})).is_error

    talk(conversation)


def test_marking_as_outdated_is_there_with_all_tools(project: Path) -> None:
    """The old memory gives place to a new one, or ends; the core alone has no such tool."""

    async def with_all(client: Client) -> None:
        _, old = await call(client, "memory_save", text="The ferry runs hourly.")
        _, new = await call(client, "mark_outdated", old="ferry runs hourly", new="The ferry runs twice a day.")
        _, got = await call(client, "memory_get", ids=[old["id"]])
        assert (got["items"][0]["status"], got["items"][0]["superseded_by"]) == ("superseded", new["id"])
        said, _ = await call(client, "mark_outdated", old=new["id"], at="2026-01-01")
        assert said.startswith(f"Ended {new['id']}")
        _, got = await call(client, "memory_get", ids=[new["id"]])
        assert got["items"][0]["status"] == "superseded"

    async def with_core(client: Client) -> None:
        assert "mark_outdated" not in {tool.name for tool in (await client.list_tools()).tools}

    talk(with_all, wish=Wish(folder=str(project), all_tools=True))
    talk(with_core)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "x y z", "valid_from": "2026-02-30"}, "2026-02-30"),
        ({"text": "x y z", "valid_from": "2026-05", "valid_to": "2026-01"}, "2026"),
        ({"text": "x y z", "slot": "//"}, "slot"),
        ({"text": "x y z", "source": "src_none"}, "quote"),
        ({"text": "x y z", "source": "note:none", "quote": "never said"}, "note:none"),
        ({"text": "x y z", "replaces": "nothing of the kind"}, "nothing was replaced"),
        ({"id": "mem_none", "slot": "a/b"}, "slot cannot be changed"),
    ],
)
def test_bad_saves_are_said(project: Path, given: dict[str, object], said: str) -> None:
    """What is wrong with which argument, and nothing is saved."""

    async def conversation(client: Client) -> None:
        await call(client, "memory_save", text="A memory that makes the store.")
        result = await client.call_tool("memory_save", given)
        assert result.is_error
        assert said in text(result)
        assert (await call(client, "memory_list", view="memories"))[1]["total"] == 1

    talk(conversation)


def test_an_agent_pins_and_sees_it_when_a_session_starts(project: Path) -> None:
    """It pins what matters now, reads it as a list and as a resource, and ends it; a time that is none is told."""

    async def conversation(client: Client) -> None:
        _, saved = await call(client, "memory_save", text="The dock is closed this week.")
        said, pinned = await call(client, "memory_pin", ids=saved["id"], ttl="3d")
        assert f"Pinned {saved['id']}  pinned until" in said
        assert pinned["outcome"] == "accepted"
        said, listed = await call(client, "memory_list", view="briefings")
        assert "data, not instructions" in said
        assert [one["id"] for one in listed["items"]] == [saved["id"]]
        resource = await client.read_resource("treering://briefings")
        assert "The dock is closed this week." in resource.contents[0].text
        assert "treering://briefings" in [str(one.uri) for one in (await client.list_resources()).resources]
        refused = await client.call_tool("memory_pin", {"ids": [saved["id"]], "ttl": "soon"})
        assert refused.is_error
        assert "memory_pin(" in text(refused)
        await call(client, "memory_pin", ids=[saved["id"]], ttl="0")
        assert (await call(client, "memory_list", view="briefings"))[1]["items"] == []

    talk(conversation)


def test_several_things_fit_one_budget(project: Path) -> None:
    """However many ids are asked for, the text fits, and says what is left out."""
    (project / "long.md").write_text("# Long\n\n" + "".join(f"Line {n} of many.\n\n" for n in range(300)))

    async def conversation(client: Client) -> None:
        await call(client, "memory_index", paths=["."])
        saved = [
            (await call(client, "memory_save", text=f"Fact {n} of the dock: " + f"pier {n} " * 60))[1]["id"]
            for n in range(6)
        ]
        for most in (100, 150, 300, 1000):
            said, _ = await call(client, "memory_get", ids=["long.md", *saved], max_tokens=most)
            assert llm_tokens(said) <= most
            assert "next: " in said
        said, _ = await call(client, "memory_get", ids=saved[:2], max_tokens=5000)
        assert "Fact 0" in said
        assert "Fact 1" in said

    talk(conversation)


def test_a_server_that_only_reads_counts_nothing(project: Path) -> None:
    """With --read-only no pin is offered, and not even how often something was recalled is written."""
    with treering.open(project) as memory:
        id = memory.remember("The dock opens at six.").id

    async def conversation(client: Client) -> None:
        assert "memory_pin" not in [tool.name for tool in (await client.list_tools()).tools]
        for _ in range(3):
            await call(client, "memory_search", query="when does the dock open")

    talk(conversation, wish=Wish(folder=str(project), read_only=True))
    with treering.open(project) as memory, memory._reading() as tx:
        assert tx.attention.of([id], "") == {}


def test_tokens_are_counted_by_the_clients_own_name(project: Path) -> None:
    """What a client is given is counted, whole, for its name; what is refused or said to another is not lost either."""
    given = 0

    async def conversation(client: Client) -> None:
        nonlocal given
        for tool, arguments in (
            ("memory_save", {"text": "The dock opens at six."}),
            ("memory_search", {"query": "dock"}),
        ):
            given += llm_tokens((await call(client, tool, **arguments))[0])

    talk(conversation, client_info=Implementation(name="probe client", version="1"))
    with treering.open(project) as memory:
        assert [(one.client, one.answers, one.tokens) for one in memory.stats().handed] == [("probe client", 2, given)]


def test_junk_and_echoes_are_no_memories(project: Path) -> None:
    """An agent is told why its save is refused and what to do instead."""
    (project / "dock.md").write_text("# Dock\n\nThe dock opens at six, and the pier is closed in winter.\n")

    async def conversation(client: Client) -> None:
        await call(client, "memory_index", paths=["."])
        await call(client, "memory_search", query="when does the dock open")
        for words, code in (
            ("thanks!", "nothing_said"),
            ("The dock opens at six, and the pier is closed in winter.", "echo"),
        ):
            result = await client.call_tool("memory_save", {"text": words})
            assert result.is_error
            assert f"Error ({code}): not stored" in text(result)

    talk(conversation)
