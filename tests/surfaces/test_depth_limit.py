"""C02: depth as a limit. A limited caller gets no byte beyond titles, keys, headings, summaries and beginnings.

Every column that holds a user's words has a canary in it. Whatever leaves a limited memory, by each method, command,
tool, resource, error and log, is searched for those that it must not hold. A column, method, command or tool that is
new fails here until somebody says what of it may be shown.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.api import limits
from treering.api.store import MemoryStore
from treering.backends.registry import TABLES
from treering.errors import TreeringError
from treering.surfaces.cli import _COMMANDS, main
from treering.surfaces.mcp import resources
from treering.surfaces.mcp.bench import BENCH
from treering.surfaces.mcp.protocol import Handlers
from treering.surfaces.mcp.tools import TOOLS
from treering.surfaces.mcp.workplace import Wish, Workplace

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.sqlite

MARK: Final = "zq"
"""Begins every canary; no other word here does."""

OPEN: Final = {
    ("root", "path"), ("root", "glob"), ("source", "key"), ("source", "title"), ("tracked", "path"),
    ("skipped", "path"), ("folder", "path"), ("chunk", "path"), ("claim", "slot"), ("claim", "title"),
    ("claim", "summary"), ("memory", "slot"), ("memory", "title"), ("memory", "summary"), ("stretch", "slot"),
}  # fmt: skip
"""What L1 is made of: titles, topics, keys, paths, headings, summaries."""

CLOSED: Final = {
    ("content", "text"): "zqbody", ("label", "key"): "zqkey", ("label", "value"): "zqlabel",
    ("claim", "content"): "zqsaid", ("claim", "value"): "zqvalue", ("claim_revision", "title"): "zqoldtitle",
    ("claim_revision", "content"): "zqbefore", ("claim_revision", "summary"): "zqoldbrief",
    ("claim_revision", "value"): "zqoldvalue", ("claim_revision", "labels"): "zqoldtag",
    ("evidence", "quote"): "zqsaid", ("decision", "reason"): "zqreason", ("proposal", "operation"): "zqasked",
    ("proposal", "reason"): "zqdecided", ("entity", "name"): "zqentity", ("alias", "key"): "zqalias",
    ("alias", "name"): "zqalias", ("memory", "content"): "zqsaid", ("memory", "value"): "zqvalue",
    ("memory_label", "key"): "zqmetakey", ("memory_label", "value"): "zqtag", ("source", "url"): "zqurl",
    ("tombstone", "reason"): "zqgone",
    ("digest", "first"): "", ("digest", "last"): "", ("digest", "text"): "", ("digest", "row"): "",
    ("departed", "key"): "", ("mirror_file", "path"): "",
    ("digest_leaf", "rank"): "", ("erasure", "receipt"): "", ("copy", "path"): "",
    ("skipped", "reason"): "", ("tracked", "error"): "",
    ("version", "notice"): "", ("chunk", "lead"): "", ("vector", "row"): "",
}  # fmt: skip
"""What L1 does not show, by the word that stands in it; without a word where the program itself writes there."""

LONG: Final = (
    "The harbour has nine lamps, and each of them is lit by hand at dusk by whoever keeps the watch that day. "
)


PAD: Final = "Whoever comes last puts the gear away and locks the store room with both keys before leaving. " * 3


def proposed(operation: dict[str, Any]) -> str:
    """Have an agent propose something, and return the proposal that waits for the owner; empty where none does."""
    with treering.open(as_agent="helper") as agent:
        return agent.propose([operation])[0].proposal


def test_every_column_with_words_is_sorted() -> None:
    """A new column in which a user's words stand is shown at L1, or it has a canary."""
    words = {(table, column) for table, known in TABLES.items() for column in known.words}
    assert words == OPEN | set(CLOSED)
    assert not OPEN & set(CLOSED)


def test_every_method_is_sorted() -> None:
    """A new method of a memory is off for a limited caller until somebody says how its outcome is reduced."""
    public = {name for name in dir(MemoryStore) if not name.startswith("_")}
    sorted_ = limits.AS_IT_IS | limits.READS | limits.WRITES | limits.ONLY_L2 | limits.OFF
    assert public <= sorted_
    assert sorted_ - public <= {"beside", "lock", "place", "settings"}


@pytest.fixture
def ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return ids by name in a project full of canaries, which is the working directory."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "docs" / "lamps.md").write_text(
        f"---\ntopic: zqlabel\nzqkey: x\n---\n# Lamps\n\n{LONG}{LONG}{LONG}\n\n"
        f"## Watch\n\n{LONG * 3}The zqbody is kept.\n"
    )
    (folder / "docs" / "bad.md").write_text("---\ntopic: [zqbroken\n---\n# Bad\n\nA harbour without lamps.\n")
    monkeypatch.chdir(folder)
    found: dict[str, str] = {}
    with treering.open() as memory:
        memory.index(["docs"])
        found["source"] = getattr(memory.list("sources").items[-1], "id", "")
        saved = memory.remember(
            f"{LONG}{LONG}{LONG}Then comes zqbefore.", summary="zqoldbrief lamps", title="zqoldtitle",
            value="zqoldvalue", slot="harbour/lamps", tags=["zqoldtag"], entities=["zqentity Lamp Office"],
            valid_from="2026-01-01",
        )  # fmt: skip
        found["memory"] = saved.id
        memory.update(
            saved.id, text=f"{LONG}{LONG}{LONG}Then comes zqsaid.", summary="Lamps of the harbour", title="Lamps",
            value="zqvalue", tags=["zqtag"], metadata={"zqmetakey": "x"},
        )  # fmt: skip
        memory.entity_alias("zqentity Lamp Office", "zqalias")
        found["other"] = memory.remember(
            f"Lanterns are of brass. {LONG}{LONG}{LONG} zqsaid", summary="Lanterns", slot="harbour/lanterns"
        ).id
        memory.archive(found["other"], reason="zqreason")
        memory.pin(found["memory"], ttl="3d")
        gone = memory.remember("A rope is gone").id
        memory.forget(gone, reason="zqgone")
        memory.note(f"{LONG}{LONG}{LONG} zqbody", title="Watch book", url="https://example.com/zqurl", key="wiki:watch")
    asked = proposed({"op": "update", "id": found["memory"], "changes": {"content": f"{LONG}{LONG}zqasked"}})
    waits = proposed({"op": "create", "memory": {"content": f"Boats lie in the north basin at night. {PAD} zqasked"}})
    found["proposal"] = waits or asked
    third = proposed({"op": "create", "memory": {"content": f"Nets are mended by the east wall. {PAD} zqasked"}})
    with treering.open() as memory:
        if third:
            memory.reject(third, reason="zqdecided")
    return found


def test_the_canaries_sing(ids: dict[str, str]) -> None:
    """Each of them stands where it is said to, or this proves nothing."""
    assert ids["memory"]
    with treering.open() as memory, memory._reading() as tx:
        rows = {table: json.dumps(list(tx.tables.rows(table)), default=str) for table in TABLES}
    for (table, column), canary in CLOSED.items():
        assert canary in rows[table], f"no canary in {table}.{column}"


def closed_in(said: str) -> set[str]:
    """Return the canaries in what was said."""
    return {canary for canary in {*CLOSED.values(), "zqbroken"} - {""} if canary in said.lower()}


def calls(ids: dict[str, str]) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """Return what each method is called with; what is not named takes nothing."""
    one = ids["memory"]
    return {
        "search": (("harbour lamps lit by hand",), {"max_tokens": 4000, "empty_gate": 0.0}),
        "context": (("who keeps the harbour lamps",), {"max_tokens": 4000, "history": True, "empty_gate": 0.0}),
        "show": ((one,), {}), "list": (("memories",), {"status": "all"}), "timeline": (("harbour/lamps",), {}),
        "timelines_about": (("harbour",), {}), "review_show": ((ids["proposal"],), {}),
        "approve": ((ids["proposal"],), {}), "reject": ((ids["proposal"],), {}), "archive": ((one,), {}),
        "confirm": ((one,), {}), "entity_alias": (("Lamp Office", "x"), {}), "entity_merge": (("a", "b"), {}),
        "forget": ((one,), {"dry_run": True}), "forget_directory": (("docs",), {"dry_run": True}),
        "import_": ((["docs/lamps.md"],), {}), "import_bytes": ((b"harbour lamps",), {}), "index": ((["docs"],), {}),
        "link": ((one, ids["other"]), {}), "mark_outdated": (("harbour lamps lit hand",), {}),
        "note": (("harbour lamps of note",), {}), "record_fact": (("harbour", "lamps", "ten"), {}),
        "propose": (([{"op": "create", "memory": {"content": "x", "evidence": [
            {"source_id": ids["source"], "quote": "The harbour has ten lamps, and each"}]}}],), {}),
        "remember": (("The harbour has ten lamps",), {"replaces": "harbour lamps lit"}),
        "pin": ((one,), {"ttl": "3d"}), "unpin": ((one,), {}), "ask": (("harbour lamps",), {}),
        "restore_memory": ((ids["other"],), {}), "update": ((one,), {"text": "Lamps are lit by hand"}),
        "active_state": (("harbour/lamps",), {}), "state_at": (("harbour/lamps", "2026-02-01"), {}),
        "backup": (("out",), {}), "export": (("out.jsonl",), {}), "take_in": (("out.jsonl",), {}),
        "code_find": (("lamps",), {}), "read_file": (("docs/lamps.md",), {}), "digest_output": (("x",), {}),
        "scratch_note": (("x",), {}),
    }  # fmt: skip


def test_no_method_tells(ids: dict[str, str]) -> None:
    """Outcomes and errors of every method of a memory that is limited to L1."""
    given = calls(ids)
    order = sorted(limits.READS) + sorted(limits.ONLY_L2 | limits.OFF) + sorted(limits.WRITES)
    with treering.open(max_depth="L1") as memory:
        for name in order:
            words, named = given.get(name, ((), {}))
            try:
                said = repr(getattr(memory, name)(*words, **named))
            except (TreeringError, RuntimeError) as error:
                said = f"{error!r} {getattr(error, 'hint', '')}"
            assert not closed_in(said), f"{name}: {said}"


def test_no_list_tells(ids: dict[str, str]) -> None:
    """Every list, and everything that can be shown by an id."""
    with treering.open(max_depth="L1") as memory:
        for what in ("memories", "sources", "slots", "entities", "proposals", "briefings", "recent", "roots"):
            try:
                said = repr(memory.list(what))
            except TreeringError as error:
                said = repr(error)
            assert not closed_in(said), f"{what}: {said}"
        version = getattr(memory.show(ids["source"]), "version", "")
        for name in (*ids.values(), "docs/lamps.md", version, *(f"{version}#{number}" for number in range(4))):
            for start in (1, 5, 9, 12):
                try:
                    said = repr(memory.show(name, start_line=start))
                except TreeringError as error:
                    said = repr(error)
                assert not closed_in(said), f"{name}: {said}"


def test_it_is_asked_for_no_more(ids: dict[str, str]) -> None:
    """A deeper depth is refused in words, and what is off says why."""
    with treering.open(max_depth="L1") as memory:
        with pytest.raises(TreeringError, match="limited to L1"):
            memory.show(ids["memory"], depth="L2")
        with pytest.raises(TreeringError, match="limited to L1"):
            memory.export("out.jsonl")
        assert memory.search("harbour lamps").found


COMMANDS: Final = {
    "init": "", "trust": ".", "index": "docs", "import": "docs/lamps.md", "note": "harbour", "remember":
    "lamps --replaces harbour", "context": "who keeps the harbour lamps --explain --history --max-tokens 4000",
    "search": "harbour lamps --explain --empty-gate 0 --max-tokens 4000", "status": "", "show": "{memory} --history",
    "list": "memories --status all", "timeline": "", "facts": "", "conflicts": "", "propose": "docs/lamps.md",
    "review": "list", "confirm": "{memory}", "update": "{memory} --title T", "link": "{memory} {other}",
    "entity": "list", "undo": "", "audit": "", "archive": "{memory}", "restore-memory": "{memory}",
    "forget": "{memory} --dry-run", "code": "map docs", "scratch": "recall", "digest": "docs/lamps.md", "verify": "",
    "backup": "", "restore": "none --to there", "export": "--out all.jsonl", "reindex": "", "serve": "--help",
    "eval": "--help", "demo": "--help", "ask": "harbour lamps", "pin": "{memory} --ttl 3d", "unpin": "{memory}",
    "changes": "--since 2026-01-01", "tree": "", "consolidate": "",
    "sync": "", "rebuild": "--help",
    "briefings": "", "doctor": "", "stats": "", "duplicates": "", "pause": "--help", "resume": "--help",
}  # fmt: skip
"""What each command is given; those with ``--help`` read no store of the project's."""


@pytest.mark.slow
def test_no_command_tells(
    ids: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both streams of every command, as text and as JSON, where the setting limits the store."""
    assert set(COMMANDS) >= set(_COMMANDS), "say what a new command is given here"
    monkeypatch.setenv("TREERING_ACCESS_MAX_DEPTH", "L1")
    capsys.readouterr()
    for name in _COMMANDS:
        for form in ((), ("--json",)):
            words = COMMANDS[name].format(**ids).split()
            assert main([name, *words, *form]) != 70, name
            said = "".join(capsys.readouterr())
            assert not closed_in(said), f"{name}: {said}"


CALLS: Final[dict[str, dict[str, Any]]] = {
    "memory_context": {"question": "who keeps the harbour lamps", "history": True, "max_tokens": 4000},
    "memory_search": {"query": "harbour lamps", "empty_gate": 0, "max_tokens": 4000},
    "memory_get": {"ids": ["{memory}", "{source}", "{proposal}"], "history": True, "start_line": 4},
    "memory_list": {"view": "proposals"}, "memory_save": {"text": "lamps", "replaces": "harbour lamps"},
    "memory_propose": {"operations": [{"op": "archive", "id": "{memory}"}]},
    "memory_add_source": {"text": "harbour lamps"}, "memory_index": {"paths": ["docs"]},
    "mark_outdated": {"old": "harbour lamps lit"}, "memory_pin": {"ids": ["{memory}"], "ttl": "3d"},
}  # fmt: skip


@pytest.fixture
def handlers(ids: dict[str, str]) -> Iterator[Handlers]:
    """Yield a server's handlers, limited to L1, with all tools."""
    assert ids
    workplace = Workplace(Wish(folder=".", all_tools=True, max_depth="L1"))
    yield Handlers(workplace)
    workplace.close()


def test_no_tool_tells(ids: dict[str, str], handlers: Handlers, caplog: pytest.LogCaptureFixture) -> None:
    """Every tool, resource and line of the log; the workbench is not offered."""
    assert not {tool.name for tool in BENCH} & set(handlers.tools)
    for name, tool in handlers.tools.items():
        given = json.loads(
            json.dumps(CALLS.get(name, {}))
            .replace("{memory}", ids["memory"])
            .replace("{source}", ids["source"])
            .replace("{proposal}", ids["proposal"])
        )
        assert given or name not in {one.name for one in TOOLS if one.is_core}, f"what is {name} given?"
        reply = handlers._carried_out(tool, given, threading.Event())
        said = f"{reply.text} {json.dumps(reply.json)}"
        assert not closed_in(said), f"{name}: {said}"
    for address in (
        resources.STATUS,
        resources.BRIEFINGS,
        resources.TREE,
        f"treering://memory/{ids['memory']}",
        f"treering://source/{ids['source']}",
    ):
        assert not closed_in(resources.read(handlers.workplace, address)[0]), address
    assert not closed_in(caplog.text)


def test_what_is_closed_says_so_and_what_is_open_says_something(ids: dict[str, str], handlers: Handlers) -> None:
    """The map of digests leads on in words, and a briefing has its memory's summary or beginning."""
    said, _ = resources.read(handlers.workplace, resources.TREE)
    assert "limited to L1" in said
    assert "next: memory_list" in said
    with treering.open() as memory:
        memory.restore_memory(ids["other"])
        memory.pin([ids["memory"], ids["other"]], ttl="2d")
    with treering.open(max_depth="L1") as memory:
        alone, several = (one.text for one in memory.briefings())
    assert alone == "Lamps of the harbour"
    assert several == f"Lamps of the harbour [{ids['memory']}]\nLanterns [{ids['other']}]"
    assert "Lamps of the harbour" in resources.read(handlers.workplace, resources.BRIEFINGS)[0]


def test_an_unforeseen_error_tells_nothing(ids: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of a bug of ours may be anybody's."""
    assert ids

    def fail(*_: object, **__: object) -> None:
        raise ValueError("zqsaid")

    with treering.open(max_depth="L1") as memory:
        monkeypatch.setattr(MemoryStore, "search", fail)
        with pytest.raises(RuntimeError) as failed:
            memory.search("lamps")
    assert "zqsaid" not in "".join(map(str, (failed.value, failed.value.__cause__)))
    assert failed.value.__suppress_context__


def test_l2_gives_no_whole_text(ids: dict[str, str], tmp_path: Path) -> None:
    """At L2 contents and passages are shown, and of a source no more than its beginning."""
    (tmp_path / "kelp" / "docs" / "long.md").write_text(
        "# Long\n\n" + "\n\n".join(f"Line {n} of it." for n in range(99))
    )
    with treering.open() as memory:
        memory.index(["docs"])
    with treering.open(max_depth="L2") as memory:
        assert "zqsaid" in repr(memory.show(ids["memory"]))
        text = getattr(memory.show("docs/long.md", start_line=60), "text", "")
        assert "Line 10 " in text
        assert "Line 60 " not in text
        with pytest.raises(TreeringError, match="limited to L2"):
            memory.backup()
