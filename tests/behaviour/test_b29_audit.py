"""B29: the audit log has every change: who, what, to what, what became of it; and no word of what memories say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_every_change_has_its_line(folder: Path, run: Callable[..., Any]) -> None:
    """Newest first, in pages, and narrowed to one memory."""

    def did(*words: str) -> str:
        """Run a command that changes something and return the id."""
        ran = run(*words, "--json")
        assert ran.status == 0, ran
        return str(json.loads(ran.out)["id"])

    id = did("remember", "A secret garden lies behind the wall.")
    did("update", id, "--title", "Garden")
    did("confirm", id)
    did("archive", id, "--reason", "private")
    did("restore-memory", id)
    other = did("--as-agent", "scout", "remember", "A gate leads to it.")
    did("link", id, other, "--type", "supports")
    did("undo")
    assert run("forget", other, "--yes", "--reason", "wrong").status == 0
    log = json.loads(run("audit", "--json").out)
    assert [(act["author"], act["role"], act["act"]) for act in reversed(log["items"])] == [
        ("owner", "owner", "create"), ("owner", "owner", "update"), ("owner", "owner", "confirm"),
        ("owner", "owner", "archive"), ("owner", "owner", "restore"), ("scout", "agent", "create"),
        ("owner", "owner", "link"), ("owner", "owner", "undo"), ("owner", "owner", "forget"),
    ]  # fmt: skip
    assert "garden" not in json.dumps(log).lower()
    mine = json.loads(run("audit", "--target", other, "--json").out)
    assert ([act["act"] for act in mine["items"]], mine["total"]) == (["forget", "create"], 2)
    first = json.loads(run("audit", "--limit", "4", "--json").out)
    rest = json.loads(run("audit", "--before", first["next"], "--json").out)
    assert first["items"] + rest["items"] == log["items"]
    assert (rest["next"], rest["total"]) == (None, 9)
    assert "scout (agent)  create" in run("audit").out
    assert run("audit", "--limit", "4").out.endswith(f"next: treering audit --before {first['next']}\n")
