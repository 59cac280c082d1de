"""Commands on memories: exit statuses, errors as data, and stored text that steers no terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EVIL: Final = "a\x1b[31mb\x1b]0;title\x07\u202ec\x08\x9bd"
NOBODY: Final = "mem_" + "0" * 22


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Return a function that runs a command in a project and returns its exit status, output and messages."""
    (tmp_path / "own" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "own")

    def call(*words: str) -> tuple[int, str, str]:
        """Run one command."""
        capsys.readouterr()
        status = main(words)
        return status, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("confirm",), 2),
        (("confirm", "docs"), 2),
        (("confirm", NOBODY), 3),
        (("archive", NOBODY, "--reason", "x"), 3),
        (("link", NOBODY), 2),
        (("link", NOBODY, NOBODY), 2),
        (("review", "judge"), 2),
        (("review", "show"), 2),
        (("review", "list", "prp_x"), 2),
        (("review", "approve", "prp_x"), 3),
        (("review", "approve", "prp_x", "--reason", "r"), 2),
        (("entity", "alias"), 2),
        (("entity", "list", "x"), 2),
        (("undo", "x"), 2),
        (("audit", "x"), 2),
        (("audit", "--limit", "0"), 2),
        (("facts", "x"), 2),
        (("conflicts", "x"), 2),
        (("timeline", "a/b", "--subject", "a"), 2),
        (("timeline", "a/b"), 3),
        (("timeline", "a//b"), 3),
        (("list", "proposals", "--tag", "x"), 2),
        (("list", "slots", "--status", "active"), 2),
        (("remember", "x y z", "--slot", "//"), 2),
        (("remember", "x y z", "--source", "src_x"), 2),
        (("propose", "nowhere.json"), 3),
    ],
)
def test_bad_input_has_its_status_and_is_data_with_json(run: Any, words: tuple[str, ...], status: int) -> None:
    """Words on standard error without --json, an error object with it; never a traceback."""
    assert run("remember", "A memory that makes the store.")[0] == 0
    got, out, err = run(*words)
    assert (got, out) == (status, "")
    assert err.startswith("error: ")
    assert "Traceback" not in err
    got, out, _ = run(*words, "--json")
    assert (got, json.loads(out)["error"]["exit"]) == (status, status)


@pytest.mark.parametrize("words", [("review", "list"), ("timeline",), ("facts",), ("audit",), ("undo",)])
def test_without_a_store_nothing_is_made(run: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    """What only reads says that there is no store."""
    assert run(*words)[0] == 3
    assert not (tmp_path / "own" / ".treering").exists()


@pytest.mark.parametrize(
    "words", [("confirm",), ("forget", "--yes"), ("review", "approve"), ("review", "reject"), ("undo",)]
)
def test_what_only_the_owner_does_is_refused_to_agents(run: Any, words: tuple[str, ...]) -> None:
    """Exit status 4, and nothing has changed."""
    id = json.loads(run("remember", "Deploys need two approvals.", "--slot", "a/b", "--json")[1])["id"]
    run("confirm", id)
    run("--as-agent", "bot", "remember", "Deploys need none.", "--slot", "a/b")
    waits = json.loads(run("list", "proposals", "--json")[1])["items"][0]["id"]
    target = () if words == ("undo",) else (waits,) if words[0] == "review" else (id,)
    before = run("audit", "--json")[1]
    assert run("--as-agent", "bot", *words, *target)[0] == 4
    assert run("audit", "--json")[1] == before


def test_stored_text_steers_no_terminal(run: Any) -> None:
    """Whatever a memory, an entity, an agent or a reason says, no escape sequence gets out."""
    id = json.loads(run("remember", EVIL, "--slot", "a/b", "--value", EVIL, "--entity", "Bo\u202eb", "--json")[1])["id"]
    run("confirm", id)
    run("--as-agent", f"bot{EVIL}", "remember", f"{EVIL} too", "--slot", "a/b", "--value", "x")
    proposal = json.loads(run("list", "proposals", "--json")[1])["items"][0]["id"]
    printed = [
        run(*words)
        for words in (
            ("show", id, "--history"), ("timeline", "a/b"), ("facts",), ("conflicts",), ("list", "memories"),
            ("list", "slots"), ("list", "entities"), ("review", "list"), ("review", "show", proposal), ("audit",),
            ("review", "reject", proposal, "--reason", EVIL), ("show", proposal), ("timeline", EVIL), ("undo",),
        )
    ]  # fmt: skip
    for _, out, err in printed:
        assert not {"\x1b", "\x07", "\u202e", "\x08", "\x9b"} & set(out + err)


def test_the_next_page_is_a_command_that_works(run: Any) -> None:
    """What the last line proposes, typed as it stands, gives the next page, narrowed in the same way."""
    import shlex

    for number in range(5):
        run("remember", f"Crate {number} holds rope.", "--slot", f"crate/{number}", "--kind", "project")
    _, out, _ = run("list", "memories", "--kind", "project", "--slot", "crate", "--limit", "2")
    seen = [line.split()[0] for line in out.splitlines() if line.startswith("mem_")]
    while "next: " in out:
        _, out, _ = run(*shlex.split(out.rpartition("next: treering ")[2]))
        seen += [line.split()[0] for line in out.splitlines() if line.startswith("mem_")]
    assert len(seen) == len(set(seen)) == 5
    _, out, _ = run("list", "slots", "--limit", "4")
    _, out, _ = run(*shlex.split(out.rpartition("next: treering ")[2]))
    assert out.startswith("crate/4  since ")
