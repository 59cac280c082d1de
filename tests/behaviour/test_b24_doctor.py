"""B24: ``doctor`` explains the machine, and its report says nothing of the user's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import treering
from treering.upkeep import machine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.behaviour.conftest import Ran


@pytest.mark.sqlite
def test_a_sound_machine(folder: Path, run: Callable[..., Ran]) -> None:
    """Everything is looked at, and it ends with status 0; without a store as well."""
    assert run("doctor").status == 0
    with treering.open() as memory:
        memory.remember("A word of mine")
    ran = run("doctor")
    assert (ran.status, ran.err) == (0, "")
    for topic in ("Python", "Packages", "Extras", "Embedder", "Store", "Paths", "File system", "Disk", "Permissions",
                  "Network", "Client"):  # fmt: skip
        assert f"  {topic}" in ran.out, topic
    assert "nothing leaves this machine" in ran.out


@pytest.mark.sqlite
def test_what_is_wrong_is_named_with_what_mends_it(
    folder: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open files, a bad setting, a file that a dead process left, an absolute path: each has its line."""
    with treering.open() as memory:
        memory.remember("A word of mine")
    store = folder / ".treering"
    (store / "memory.db").chmod(0o644)
    monkeypatch.setenv("TREERING_SEARCH_LIMIT", "5")
    ran = run("doctor")
    assert ran.status == 1
    assert "chmod 600" in ran.out
    assert "search.limit = 5, from TREERING_SEARCH_LIMIT" in ran.out
    (store / "memory.db").chmod(0o600)
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("# Far\n\nFar away.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.index([outside])
    ran = run("doctor")
    assert ran.status == 0
    assert str(outside) in ran.out


@pytest.mark.sqlite
def test_the_report_says_nothing_of_the_users(folder: Path, home: Path, run: Callable[..., Ran]) -> None:
    """No path of theirs, no word of a memory, also where an error would quote one."""
    outside = folder.parent / "secretplace"
    outside.mkdir()
    (outside / "a.md").write_text("# Far\n\nFar away.\n", encoding="utf-8")
    (folder / ".mcp.json").write_text('{"mcpServers": {"treering": {}}}', encoding="utf-8")
    with treering.open() as memory:
        memory.remember("A zyzzyva of mine")
        memory.index([outside])
    (folder / ".treering").chmod(0o755)
    for words in (("doctor", "--report"), ("doctor", "--report", "--json")):
        ran = run(*words)
        assert ran.status == 1
        for own in ("secretplace", "zyzzyva", str(folder), str(home), folder.parent.name):
            assert own not in ran.out, (words, own)
    found = json.loads(run("doctor", "--json").out)
    assert found["sound"] is False
    assert {"topic": "Client", "state": "ok", "text": "Claude Code (.mcp.json): starts Treering", "hint": ""} in found[
        "findings"
    ]


@pytest.mark.sqlite
def test_file_systems_by_the_mount_table(tmp_path: Path) -> None:
    """The innermost mount decides; one over the network is wrong, an unknown table is said to be."""
    real = str(tmp_path.resolve())
    assert machine.file_system(real, [("/", "ext4"), (real, "nfs4")]).state == "wrong"
    assert machine.file_system(real, [("/", "nfs4"), (real, "ext4")]).text == "ext4"
    assert machine.file_system(real, [("/", "ext4"), (real[:-1], "nfs4")]).state == "ok"
    assert machine.file_system(real, []).state == "note"
