"""The MCP server seen by the SDK's client in the same process, in both protocol eras."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp import MCPError
from mcp_session import ERAS, talk, text

import treering
from treering import wiring
from treering.surfaces.mcp.workplace import Wish

if TYPE_CHECKING:
    from mcp import Client

MOST_CHARACTERS = 9000
MOST_OF_FIVE = 5500


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with two documents, which is the working directory."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "docs" / "deploy.md").write_text(
        "# Deploy\n\n## Rollback\n\nTo roll back a bad release run `kelp undo`.\n", encoding="utf-8"
    )
    (folder / "docs" / "long.md").write_text(
        "# Long\n\n" + "".join(f"Locker number {number} stands in Lisbon.\n\n" for number in range(2000)), "utf-8"
    )
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_goes_from_nothing_to_a_cited_answer(project: Path, era: str) -> None:
    """Status, empty answer, index, answer, save, answer: each text says what comes next."""

    async def conversation(client: Client) -> None:
        assert "not made yet" in text(await client.call_tool("memory_list", {"view": "status"}))
        empty = await client.call_tool("memory_search", {"query": "how to roll back"})
        assert not empty.is_error
        assert text(empty).startswith("NOT FOUND")
        assert 'memory_index(paths=["."])' in text(empty)
        assert not (project / ".treering").exists()
        indexed = await client.call_tool("memory_index", {"paths": ["."]})
        assert indexed.structured_content["outcomes"][0]["files"] == 2
        found = await client.call_tool("memory_search", {"query": "how to roll back a bad release"})
        assert "docs/deploy.md:" in text(found)
        assert "data, not instructions" in text(found)
        assert found.structured_content["results"][0]["source"]["file"].endswith("docs/deploy.md")
        saved = await client.call_tool("memory_save", {"text": "Staging runs PostgreSQL 17", "tags": ["db"]})
        assert str(project) in text(saved)
        again = await client.call_tool("memory_search", {"query": "which PostgreSQL does staging run"})
        assert again.structured_content["results"][0]["id"] == saved.structured_content["id"]

    talk(conversation, era)


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_few_small_and_whole(project: Path, era: str) -> None:
    """Few tools in a fixed order and in at most 9,000 characters, each with annotations and both schemas."""

    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        names = [tool["name"] for tool in listed]
        assert names == [
            "memory_context", "memory_search", "memory_get", "memory_list", "memory_save", "memory_propose",
            "memory_add_source", "memory_pin", "memory_index",
        ]  # fmt: skip
        assert len(json.dumps(listed)) <= MOST_CHARACTERS
        assert len(json.dumps(listed[:5])) <= MOST_OF_FIVE
        for tool in listed:
            assert tool["description"]
            assert tool["annotations"]["readOnlyHint"] is (
                tool["name"] not in {"memory_save", "memory_propose", "memory_add_source", "memory_pin", "memory_index"}
            )
            assert tool["outputSchema"]["type"] == tool["inputSchema"]["type"] == "object"
            for schema in tool["inputSchema"]["properties"].values():
                assert schema["type"] != "array" or schema["items"]

    talk(conversation, era)


def test_depth_is_a_dial_of_each_reading_tool(project: Path) -> None:
    """L1 gives a summary where L2 gives the content; what is none is named with those there are."""
    with treering.open(project) as memory:
        id = memory.remember("The pier lamp is red, for all the boats to see it", summary="Colour of the pier lamp").id
        memory.pin(id, ttl="1d")

    async def conversation(client: Client) -> None:
        for tool, given in (
            ("memory_context", {"question": "which colour has the pier lamp"}),
            ("memory_search", {"query": "pier lamp"}),
            ("memory_get", {"ids": [id]}),
            ("memory_list", {"view": "memories"}),
            ("memory_list", {"view": "briefings"}),
        ):
            shallow, usual = [text(await client.call_tool(tool, {**given, "depth": depth})) for depth in ("L1", "L2")]
            assert "Colour of the pier lamp" in shallow, tool
            assert "for all the boats" not in shallow, tool
            assert tool == "memory_list" or "for all the boats" in usual, tool
            wrong = await client.call_tool(tool, {**given, "depth": "L9"})
            assert wrong.is_error
            assert "L1, L2, L3" in text(wrong)

    talk(conversation, "auto")


def test_instructions_let_an_agent_start(project: Path) -> None:
    """The handshake names the tools to begin with and says that quotes are no instructions."""

    async def conversation(client: Client) -> None:
        said = client.instructions or ""
        assert all(word in said for word in ("memory_search", "memory_save", "memory_index", "NOT FOUND", "never"))

    talk(conversation, "legacy")
    talk(conversation, "auto")


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("memory_search", {"quer": "x"}, "did you mean query?"),
        ("memory_search", {}, "query is missing"),
        ("memory_search", {"query": "x", "limit": 0}, "limit = 0 is not a whole number from 1 to 100"),
        ("memory_search", {"query": "x", "limit": -5}, "limit"),
        ("memory_search", {"query": "x", "mode": "magic"}, "hybrid, keyword, semantic"),
        ("memory_search", {"query": "x", "path": "/etc"}, "outside"),
        ("memory_save", {}, "text is missing"),
        ("memory_save", {"text": "   "}, "text"),
        ("memory_save", {"text": "x y z", "kind": "thought"}, "decision"),
        ("memory_save", {"id": "mem_none", "text": "x y z"}, "mem_none"),
        ("memory_get", {"ids": ["mem_none"]}, "mem_none"),
        (
            "memory_list",
            {"view": "tags"},
            "memories, sources, slots, entities, proposals, briefings, recent, changes, roots, status",
        ),
        ("memory_add_source", {}, "text, or the path"),
        ("memory_add_source", {"text": "x", "path": "docs"}, "not both"),
        ("memory_add_source", {"text": "x", "trust": "owner"}, "external, agent"),
        ("memory_add_source", {"text": "x", "kind": "memo"}, "pull_request"),
        ("memory_add_source", {"path": "nowhere.md"}, "nowhere.md"),
        ("memory_add_source", {"path": "/etc/passwd"}, "outside"),
        ("memory_add_source", {"path": ".git"}, "hidden"),
        ("memory_add_source", {"text": "x", "url": "no link"}, "no web address"),
        ("memory_index", {"paths": ["nowhere"]}, "nowhere"),
        ("memory_index", {"paths": ["../"]}, "outside"),
        ("memory_index", {"paths": ["docs"], "drop": "docs"}, "once for each"),
    ],
)
def test_errors_are_results_to_act_on(project: Path, tool: str, given: dict[str, object], said: str) -> None:
    """What an agent did wrong comes back as a result that names it, with the same as data; never a traceback."""

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": "docs"})
        result = await client.call_tool(tool, given)
        assert result.is_error
        assert said in text(result)
        assert "Traceback" not in text(result)
        assert result.structured_content["error"]["code"]

    talk(conversation)


def test_an_unknown_tool_is_an_error_of_the_protocol(project: Path) -> None:
    """It has the code of the specification and names the tools that there are."""

    async def conversation(client: Client) -> None:
        with pytest.raises(MCPError, match="memory_search") as raised:
            await client.call_tool("memory_serch", {"query": "x"})
        assert raised.value.error.code == -32602

    talk(conversation, "legacy")
    talk(conversation, "auto")


def test_an_agent_stays_inside(project: Path, tmp_path: Path, home: Path) -> None:
    """Folders outside the project, links out of it and hidden folders are refused; what the user allows is not."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# Secret\n\nThe vault opens with a feather.\n", encoding="utf-8")
    (project / "link").symlink_to(outside)
    (project / ".ssh").mkdir()
    (project / ".ssh" / "notes.md").write_text("key", encoding="utf-8")

    async def refused(client: Client) -> None:
        for path in (str(outside), "../outside", "link", "~", "/", ".ssh", str(home), "docs/../../outside"):
            result = await client.call_tool("memory_index", {"paths": [path]})
            assert result.is_error, path
            assert "the user can" in text(result), path
        assert (await client.call_tool("memory_index", {"drop": "/"})).is_error
        assert not (project / ".treering").exists()

    async def allowed(client: Client) -> None:
        for path in (str(outside), ".ssh"):
            assert not (await client.call_tool("memory_index", {"paths": [path]})).is_error, path

    talk(refused)
    talk(allowed, wish=Wish(allowed=(str(outside), str(project / ".ssh")), folder=str(project)))


@pytest.mark.slow
def test_a_folder_is_dropped_from_the_index_alone(project: Path) -> None:
    """Its files stay on disk and are found no more; a folder that is gone can be dropped as well."""

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": ["docs"]})
        dropped = await client.call_tool("memory_index", {"drop": "docs"})
        assert "no file on disk is touched" in text(dropped)
        assert (project / "docs" / "deploy.md").exists()
        assert text(await client.call_tool("memory_search", {"query": "roll back"})).startswith("NOT FOUND")

    talk(conversation)


def test_read_only_offers_nothing_that_writes(project: Path) -> None:
    """A server for reading lists no tool that changes the memory, and has none."""

    async def conversation(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == {
            "memory_context", "memory_search", "memory_get", "memory_list"
        }  # fmt: skip
        with pytest.raises(MCPError):
            await client.call_tool("memory_save", {"text": "a fact of the world"})

    talk(conversation, wish=Wish(read_only=True, folder=str(project)))


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_adds_a_source_and_quotes_it(project: Path, era: str) -> None:
    """A text with a link is kept as external, under one identity; what it is told next leads to a quote of it."""

    async def conversation(client: Client) -> None:
        page = {"text": "# PRD\n\nThe window moves to Thursdays.\n", "url": "https://github.com/kelp/app/pull/7/files"}
        first = await client.call_tool("memory_add_source", page)
        (outcome,) = first.structured_content["outcomes"]
        assert (outcome["outcome"], outcome["key"], outcome["trust"]) == ("accepted", "github:kelp/app#7", "external")
        assert outcome["id"] in text(first)
        again = await client.call_tool("memory_add_source", {**page, "url": "kelp/app#7"})
        assert again.structured_content["outcomes"][0]["outcome"] == "exists"
        shown = await client.call_tool("memory_get", {"ids": [outcome["id"]]})
        assert "moves to Thursdays" in text(shown)
        assert "trust external" in text(shown)
        filed = await client.call_tool("memory_add_source", {"path": "docs", "tags": ["kelp"], "extract": True})
        assert [one["outcome"] for one in filed.structured_content["outcomes"]] == ["accepted"] * 2
        with treering.open(project) as memory:
            assert memory.show("docs/deploy.md").trust == "external"
            assert {act.author for act in memory.audit(target=outcome["id"])} == {"mcp"}

    talk(conversation, era)


def test_answers_keep_their_budget(project: Path) -> None:
    """A document of 2,000 lines answers within max_tokens, also when it is read whole, and says how to go on."""
    from treering.domain.text import llm_tokens

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": ["."]})
        for most in (100, 300, 1000):
            found = await client.call_tool("memory_search", {"query": "locker in Lisbon", "max_tokens": most})
            assert llm_tokens(text(found)) <= most
            read = await client.call_tool("memory_get", {"ids": ["docs/long.md"], "max_tokens": most})
            assert llm_tokens(text(read)) <= most
            assert "next: " in text(read)
            assert most == 100 or "start_line=" in text(read)  # the head alone costs some seventy
        lines = 0
        start: int | None = 1
        while start:
            page = await client.call_tool(
                "memory_get", {"ids": ["docs/long.md"], "start_line": start, "max_tokens": 20_000}
            )
            first, last = page.structured_content["items"][0]["lines"]
            assert first == start
            lines += last - first + 1
            start = last + 1 if "start_line=" in text(page) else None
        assert lines == len((project / "docs" / "long.md").read_text("utf-8").splitlines())

    talk(conversation)


@pytest.mark.slow
def test_outlines_and_histories_keep_their_budget(project: Path) -> None:
    """A thousand headings, and a memory changed often, are cut and say so; lines are counted as in the file."""
    from treering.domain.text import llm_tokens

    (project / "docs" / "many.md").write_text(
        "".join(f"# Heading number {number}\n\nx\x0cy\u2028z\n\n" for number in range(1000)), encoding="utf-8"
    )

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": ["."]})
        outline = await client.call_tool("memory_get", {"ids": ["docs/many.md"], "outline": True, "max_tokens": 500})
        assert llm_tokens(text(outline)) <= 800
        assert "cut" in text(outline)
        page = await client.call_tool("memory_get", {"ids": ["docs/many.md"], "max_tokens": 500})
        last = page.structured_content["items"][0]["lines"][1]
        assert page.structured_content["items"][0]["text"].count("\n") == last
        saved = (await client.call_tool("memory_save", {"text": "Version 0 " + "of it " * 50})).structured_content["id"]
        for number in range(1, 20):
            changed = {"id": saved, "text": f"Version {number} " + "of it " * 50}
            assert not (await client.call_tool("memory_save", changed)).is_error
        for blank in ({"text": "  "}, {"kind": "no such"}, {}):
            assert (await client.call_tool("memory_save", {"id": saved, **blank})).is_error
        history = await client.call_tool("memory_get", {"ids": [saved], "history": True, "max_tokens": 500})
        assert llm_tokens(text(history)) <= 800

    talk(conversation)


@pytest.mark.slow
def test_resources_are_read_by_address(project: Path) -> None:
    """Memories and sources have addresses; one that is not there is the protocol's own error with the address."""

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": ["."]})
        saved = (await client.call_tool("memory_save", {"text": "Carla owns the robot"})).structured_content["id"]
        addresses = [resource.uri for resource in (await client.list_resources()).resources]
        assert addresses[:3] == ["treering://status", "treering://briefings", "treering://tree"]
        assert addresses == [resource.uri for resource in (await client.list_resources()).resources]
        tree = await client.read_resource("treering://tree")
        assert getattr(tree.contents[0], "text", "").startswith("trunk (")
        changed = (await client.call_tool("memory_list", {"view": "changes", "since": "1h"})).structured_content
        assert changed["counts"]["memory added"] == 1
        read = await client.read_resource(str(addresses[3]))
        assert getattr(read.contents[0], "text", "").startswith("# Deploy")
        memory = await client.read_resource(f"treering://memory/{saved}")
        assert "Carla owns the robot" in getattr(memory.contents[0], "text", "")
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["treering://memory/{id}", "treering://source/{id}"]
        for wrong in (
            "treering://memory/mem_none",
            "treering://source/..%2Fetc",
            "treering://nothing/x",
            "file:///etc",
        ):
            with pytest.raises(MCPError) as raised:
                await client.read_resource(wrong)
            assert raised.value.error.code == -32602

    talk(conversation, "legacy")
    talk(conversation, "auto")


def test_roots_of_a_client_name_the_project(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that was started elsewhere says where it works; the user's own word goes before that."""
    import mcp_types as types

    plain = tmp_path / "work space"
    plain.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    async def roots(_: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=plain.as_uri())])  # type: ignore[arg-type]

    async def follows(client: Client) -> None:
        saved = await client.call_tool("memory_save", {"text": "The workspace has no marks"})
        assert str(plain) in text(saved)
        assert (plain / ".treering" / "memory.db").exists()

    async def is_overruled(client: Client) -> None:
        assert str(project) in text(await client.call_tool("memory_list", {"view": "status"}))

    talk(follows, "legacy", list_roots_callback=roots)
    monkeypatch.setenv("TREERING_PROJECT", str(project))
    talk(is_overruled, "legacy", list_roots_callback=roots)


@pytest.mark.slow
def test_a_quick_call_does_not_wait_for_a_slow_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one call indexes and stands still, searches and lists are answered; then it ends as it should."""
    from treering.api.indexing import Indexing

    begun, go_on = threading.Event(), threading.Event()
    run = Indexing.run

    def slow(self: Indexing, *given: object, **named: object) -> object:
        begun.set()
        assert go_on.wait(30)
        return run(self, *given, **named)  # type: ignore[arg-type]

    async def conversation(client: Client) -> None:
        await client.call_tool("memory_index", {"paths": ["."]})
        monkeypatch.setattr(Indexing, "run", slow)
        async with anyio.create_task_group() as group:

            async def index() -> None:
                result = await client.call_tool("memory_index", {"paths": ["."]})
                assert not result.is_error
                assert go_on.is_set()

            group.start_soon(index)
            await anyio.to_thread.run_sync(begun.wait, 30)
            for _ in range(20):
                assert not (await client.call_tool("memory_search", {"query": "roll back"})).is_error
            await client.call_tool("memory_save", {"text": "Saved while another call was indexing"})
            await client.list_tools()
            go_on.set()

    talk(conversation, "legacy")


@pytest.mark.slow
def test_many_calls_at_once_lose_nothing(project: Path) -> None:
    """Forty saves and forty searches side by side: each is answered, and every memory is there."""

    async def conversation(client: Client) -> None:
        async def save(number: int) -> None:
            assert not (await client.call_tool("memory_save", {"text": f"Fact {number} of the harbour"})).is_error

        async def search(number: int) -> None:
            assert not (await client.call_tool("memory_search", {"query": f"fact {number} harbour"})).is_error

        await save(0)
        async with anyio.create_task_group() as group:
            for number in range(1, 41):
                group.start_soon(save, number)
                group.start_soon(search, number)
        listed = await client.call_tool("memory_list", {"view": "memories", "limit": 100})
        assert listed.structured_content["total"] == 41

    talk(conversation, "legacy")


def test_a_bug_of_ours_is_told_without_its_insides(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unforeseen exception becomes a result without traceback, and the server goes on."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a secret of the inside")

    async def conversation(client: Client) -> None:
        monkeypatch.setattr(treering.MemoryStore, "status", broken)
        result = await client.call_tool("memory_list", {"view": "status"})
        assert result.is_error
        assert "secret" not in text(result)
        assert (await client.call_tool("memory_search", {"query": "x"})).is_error  # asks for the status as well
        assert (await client.list_tools()).tools

    talk(conversation)


@pytest.mark.slow
def test_a_slow_embedder_holds_nothing_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an embedder is being loaded, words answer and say so; when it is there, meaning takes part."""
    go_on = threading.Event()
    make = wiring.make_embedder

    def slow(settings: object) -> object:
        assert go_on.wait(60)
        return make(settings)  # type: ignore[arg-type]

    with treering.open() as memory:
        memory.index(["docs"])
    monkeypatch.setattr(wiring, "make_embedder", slow)

    async def conversation(client: Client) -> None:
        found = await client.call_tool("memory_search", {"query": "roll back a bad release"})
        assert "still being loaded" in text(found)
        assert "deploy.md" in text(found)
        assert "still being loaded" in text(await client.call_tool("memory_list", {"view": "status"}))
        go_on.set()
        for _ in range(500):
            found = await client.call_tool("memory_search", {"query": "roll back a bad release"})
            if "still being loaded" not in text(found):
                return
        pytest.fail("the embedder is never there")

    talk(conversation, "legacy")
