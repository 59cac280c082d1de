"""B13, B14: operations arrive as JSON, also on behalf of an agent; a setting decides about claims without evidence."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLAIM = {"op": "create", "memory": {"content": "The mill grinds at night.", "slot": "mill/hours", "value": "night"}}


def propose(run: Callable[..., Any], folder: Path, operations: object, *words: str) -> Any:
    """Run `propose` on a file with operations, and return what it left behind."""
    file = folder / "ops.json"
    file.write_text(json.dumps(operations), encoding="utf-8")
    return run("propose", file, *words)


def test_a_batch_from_a_file(folder: Path, run: Callable[..., Any]) -> None:
    """Each operation's outcome in order, as numbered lines and as JSON."""
    ran = propose(run, folder, [CLAIM, {"op": "create", "memory": {"content": "The miller is Ana."}}])
    assert ran.status == 0
    assert [line[:2] for line in ran.out.splitlines()] == ["1.", "2.", "ne"]
    again = json.loads(propose(run, folder, [CLAIM], "--json").out)
    assert [outcome["outcome"] for outcome in again["outcomes"]] == ["exists"]


def test_from_a_pipe(folder: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a dash, or nothing, operations come from standard input."""
    for words in ((), ("-",)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CLAIM).encode())))
        assert run("propose", *words).status == 0


def test_on_behalf_of_an_agent(folder: Path, run: Callable[..., Any]) -> None:
    """The same claim without evidence waits for the owner; before or behind the command the name counts."""
    for words in (("--as-agent", "scout", "propose"), ("propose", "--as-agent=scout")):
        file = folder / "ops.json"
        file.write_text(json.dumps(CLAIM), encoding="utf-8")
        ran = run(*words, file, "--json")
        assert ran.status == 0
        [outcome] = json.loads(ran.out)["outcomes"]
        assert outcome["proposal"].startswith("prp_")
    assert json.loads(run("list", "proposals", "--json").out)["items"][0]["author"] == "scout"
    ran = propose(run, folder, {"op": "confirm", "id": "mem_" + "0" * 22}, "--as-agent", "scout")
    assert ran.status == 3  # whether it is there comes first
    assert run("--as-agent", " ", "list", "memories").status == 2


@pytest.mark.parametrize(("setting", "status", "outcome"), [("apply", 0, "accepted"), ("deny", 4, None)])
def test_a_setting_decides_about_claims_without_evidence(
    folder: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, setting: str, status: int, outcome: object
) -> None:
    """`policy.inferred_create`: they take effect, or are refused."""
    monkeypatch.setenv("TREERING_POLICY_INFERRED_CREATE", setting)
    ran = propose(run, folder, CLAIM, "--as-agent", "scout", "--json")
    assert ran.status == status
    given = json.loads(ran.out)
    assert given.get("outcomes", [{"outcome": None}])[0]["outcome"] == outcome


def test_mistakes_change_nothing(folder: Path, run: Callable[..., Any]) -> None:
    """No file, no JSON, no operation, one bad operation among good ones: said with its exit status, nothing saved."""
    assert run("propose", "nowhere.json").status == 3
    assert run("propose", folder).status == 6
    (folder / "bad.json").write_bytes(b"[{\xff}]")
    assert run("propose", "bad.json").status == 2
    assert run("propose", "a", "b").status == 2
    ran = propose(run, folder, [CLAIM, {"op": "create", "memory": {"content": "x y z", "kind": "fact"}}])
    assert (ran.status, "operation 2" in ran.err) == (2, True)
    ran = propose(run, folder, [CLAIM, {"op": "archive", "id": "mem_" + "0" * 22}])
    assert (ran.status, "nothing was changed" in ran.err) == (3, True)
    assert run("list", "memories").status in {0, 3}
    assert "mem_" not in run("list", "memories").out
