"""The reference pages say what the program does: made pages are current, described JSON is what comes out."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treering.backends.sqlite.engine import SqliteBackend
from treering.settings import Settings, load
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[2]
REFERENCE = REPOSITORY / "docs" / "reference"
SMALL_SET = REPOSITORY / "tests" / "behaviour" / "small_set"


def generator() -> ModuleType:
    """Return the script that makes the pages."""
    spec = importlib.util.spec_from_file_location("reference", REPOSITORY / "scripts" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "settings.md", "settings.example.toml", "errors.md", "mcp.md"])
def test_made_pages_are_current(name: str) -> None:
    """A page is what its script makes now; if this fails, run scripts/reference.py."""
    assert (REFERENCE / name).read_text(encoding="utf-8") == generator().pages()[name]


def test_the_example_names_every_default(tmp_path: Path) -> None:
    """With its settings uncommented, the example is valid, names each of them and changes nothing."""
    lines = (REFERENCE / "settings.example.toml").read_text(encoding="utf-8").splitlines()
    text = "\n".join(re.sub(r"^# (?=\w+ = )", "", line) for line in lines)
    named = {f"{table}_{name}" for table, values in tomllib.loads(text).items() for name in values}
    assert named == set(Settings._fields)
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    assert load((str(file),), {}) == Settings()


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return what commands print with --json in a small project, by what they are."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "pump.md").write_text("---\ntags: [a]\n---\n# Pump\n\nThe pump stops at 40 degrees.\n")
    (tmp_path / "docs" / "bad.md").symlink_to(tmp_path / "nowhere")

    def run(*words: str) -> Any:
        main(["--store", str(tmp_path / "store"), *words, "--json"])
        return json.loads(capsys.readouterr().out)

    main(["demo", "docs", "--json"])
    demo = json.loads(capsys.readouterr().out)
    measured = []
    for words in (
        [
            "run",
            "--set",
            str(SMALL_SET),
            "--rows",
            "keyword",
            "--by",
            "category",
            "--foreign",
            str(SMALL_SET),
            "--out",
            "a.json",
        ],
        ["compare", "a.json", "a.json"],
        ["strata"],
    ):
        main(["eval", *words, "--json"])
        measured.append(json.loads(capsys.readouterr().out))
    made: dict[str, Any] = {
        "index": run("index", "docs"),
        "search": run("search", "when does the pump stop"),
        "context": run("context", "when does the pump stop"),
        "status": run("status"),
        "list": run("list", "sources"),
        "errors": run("show", "nowhere.md"),
        "help": run("--help"),
        "command help": run("search", "--help"),
        "version": run("--version"),
        "demo": demo,
        "eval run": measured[0],
        "measured set": measured[0]["sets"][0],
        "measured row": measured[0]["sets"][0]["rows"]["keyword"],
        "measured question": measured[0]["sets"][0]["questions"][0],
        "eval compare": measured[1],
        "comparison": measured[1]["comparisons"][0],
        "eval strata": measured[2],
        **_own_questions(run),
        **_workbench(run, tmp_path),
    }
    made |= _tree(run)
    made["import"] = run("import", "docs/pump.md", "--key", "pump")
    made |= {
        "imported original": made["import"]["outcomes"][0],
        "outcome": made["index"]["outcomes"][0],
        "file left out": made["index"]["outcomes"][0]["skipped"][0],
        "result": made["search"]["results"][0],
        "source of a result": made["search"]["results"][0]["source"],
        "hit": made["search"]["results"][0]["chunks"][0],
        "trace step": made["search"]["trace"][0],
        "root": made["status"]["roots"][0],
        "source": made["list"]["items"][0],
        "shown": run("show", "docs/pump.md")["items"][0],
        "error": made["errors"]["error"],
        "demo step": demo["steps"][0],
        "command": made["help"]["commands"][0],
    }
    assert run("help") == made["help"]
    assert run("help", "search") == made["command help"]
    made["heading"] = made["shown"]["outline"][0]
    made |= _memories(run)
    Path(tmp_path / "store" / "mirror" / "new.md").write_text("A line of somebody's own\n", encoding="utf-8")
    made["sync"] = run("sync")
    made["synced file"] = made["sync"]["items"][0]
    main(["--store", "rebuilt", "rebuild", "--from", str(tmp_path / "store" / "mirror"), "--json"])
    return {**made, "rebuild": json.loads(capsys.readouterr().out)}


def _memories(run: Callable[..., Any]) -> dict[str, Any]:
    """Return what commands on memories print."""
    claim = ("--slot", "pump/limit", "--value")
    first = run("remember", "The limit is 40.", *claim, "40", "--entity", "Pump", "--valid-from", "2026-01-01")
    later = run("remember", "The limit is 45.", *claim, "45", "--valid-from", "2026-02-01")
    rumour = run("--as-agent", "bot", "remember", "The limit is 50.", *claim, "50")
    run("update", later["id"], "The limit is 45 degrees.")
    run("link", first["id"], later["id"])
    made = {
        "change": later,
        "changed memory": later["changed"][0],
        "batch": run("confirm", first["id"], later["id"]),
        "memory": run("show", later["id"])["items"][0],
        "slot": run("timeline", "pump/limit")["items"][0],
        "proposal": run("review", "show", rumour["proposal"])["items"][0],
        "entity": run("list", "entities")["items"][0],
        "briefing": _pinned(run, later["id"]),
        "candidate": _asked_back(run),
        "act": run("audit")["items"][0],
        "forget": run("forget", first["id"], "--yes"),
        "doctor": run("doctor"),
        **_kept_clean(run),
    }
    return made | {
        "erasure": made["forget"]["outcomes"][0],
        "receipt": made["forget"]["outcomes"][0]["receipt"],
        "proof": made["forget"]["outcomes"][0]["receipt"]["proof"],
        "finding": made["doctor"]["findings"][0],
        "quote": made["memory"]["quotes"][0],
        "link": made["memory"]["links"][0],
        "revision": made["memory"]["history"][0],
        "stretch": made["slot"]["stretches"][0],
        "disputed claim": made["slot"]["disputed"][0],
    }


def _kept_clean(run: Callable[..., Any]) -> dict[str, Any]:
    """Return what commands print that keep a memory clean."""
    run("remember", "The pier is closed in winter.")
    again = run("remember", "The pier is really closed in the winter.")
    made = {
        "similar memory": again["similar"][0],
        "duplicates": run("duplicates"),
        "stats": run("stats"),
        "pause": run("pause"),
        "resume": run("resume"),
    }
    return made | {"group": made["duplicates"]["items"][0], "handed": made["stats"]["handed"][0]}


def _tree(run: Callable[..., Any]) -> dict[str, Any]:
    """Return what commands on the tree of digests print."""
    made = {"consolidate": run("consolidate"), "tree": run("tree"), "changes": run("changes", "--since", "1h")}
    return made | {
        "tree node": made["tree"]["tree"],
        "descent": run("search", "--mode", "tree", "when does the pump stop")["descent"],
        "one change": made["changes"]["items"][0],
    }


def _pinned(run: Callable[..., Any], id: str) -> Any:
    """Return a briefing as lists have it."""
    run("pin", id, "--ttl", "3d")
    return run("briefings")["items"][0]


def _asked_back(run: Callable[..., Any]) -> Any:
    """Return one of the things that a question may mean."""
    for name in ("Alder", "Birch"):
        run("remember", f"Luis lives near the {name.lower()}.", "--entity", f"Luis {name}")
    return run("search", "where does Luis live")["ambiguous"]["candidates"][0]


def _workbench(run: Callable[..., Any], folder: Path) -> dict[str, Any]:
    """Return what the commands of the workbench print."""
    (folder / "src").mkdir()
    (folder / "src" / "pump.py").write_text("def stop_pump():\n    return 40\n", encoding="utf-8")
    (folder / "test.log").write_text("error: the pump is hot\n", encoding="utf-8")
    assert run("scratch", "note", "the pump is hot") == {"schema": 1, "outcome": "noted", "notes": 1}
    made = {
        "code map": run("code", "map", "src", "--detail", "symbols"),
        "code find": run("code", "find", "stop_pump", "--path", "src"),
        "code read": run("code", "read", "src/pump.py"),
        "digest": run("digest", "test.log"),
        "scratch recall": run("scratch", "recall", "pump"),
    }
    assert run("scratch", "end") == {"schema": 1, "outcome": "ended", "kept": True}
    return made | {
        "source file": made["code map"]["files"][0],
        "place": made["code find"]["results"][0],
        "recalled": made["scratch recall"]["items"][0],
    }


def _own_questions(run: Callable[..., Any]) -> dict[str, Any]:
    """Return what ``eval golden`` and ``eval calibrate`` print."""
    rows = [{"query": f"when does pump {n} stop?", "relevant": ["docs/pump.md"]} for n in range(20)]
    rows += [{"query": f"zymurgy {n}", "relevant": []} for n in range(19)]
    rows.append({"query": "when does the pump stop?", "relevant": []})
    Path("q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    golden = run("eval", "golden", "q.jsonl")
    calibrated = run("eval", "calibrate", "q.jsonl", "--dry-run")
    return {
        "eval golden": golden,
        "missed question": golden["missed"][0],
        "eval calibrate": calibrated,
        "choice": calibrated["choices"][0],
    }


def described(page: str) -> dict[str, set[str]]:
    """Return the keys in the first column of each section's table."""
    sections = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return {title: _keys(body.splitlines()) for title, body in sections}


def _keys(lines: Sequence[str]) -> set[str]:
    """Return what stands in backquotes in the first cells of a table."""
    return {key for line in lines if line.startswith("| `") for key in re.findall(r"`(\w+)`", line.split(" | ")[0])}


def test_json_is_described_as_it_is(printed: dict[str, Any]) -> None:
    """Every object that is printed has exactly the keys that the page gives it."""
    keys = {title: set(value) for title, value in printed.items()}
    assert described((REFERENCE / "json.md").read_text(encoding="utf-8")) == keys


def test_decisions_are_listed() -> None:
    """The list of decisions links every decision page, and no other."""
    folder = REPOSITORY / "docs" / "decisions"
    pages = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8")) == pages


def test_tables_are_described_as_they_are() -> None:
    """The page about the format has every table of a store with exactly its columns."""
    store = SqliteBackend(":memory:", create=True)
    connection = store._connection
    names = "select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')"
    tables = [name for (name,) in connection.execute(names) if not name.startswith(("sqlite_", "words_"))]
    columns = {name: {row[1] for row in connection.execute(f"pragma table_info({name})")} for name in tables}
    store.close()
    page = (REPOSITORY / "docs" / "format.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    assert {name: _keys(body.splitlines()) for name, body in sections} == columns
