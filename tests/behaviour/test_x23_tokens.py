"""X23: tokens handed out are counted for each client and day; C05: ``stats`` counts what there is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory of a page and three memories."""
    (folder / "plan.md").write_text("# Plan\n\nThe launch is on Friday, and Ines leads it.\n")
    with treering.open() as opened:
        opened.index([folder])
        opened.remember("Lockers are orange", kind="decision", metadata={"category": "design"})
        opened.remember("The gateway retries five times", metadata={"category": "gateway"})
        old = opened.remember("Lockers were green").id
        opened.archive(old)
        yield opened


def test_what_there_is_is_counted(memory: MemoryStore) -> None:
    """Memories by kind, category, status and verification, sources, chunks and what has a vector."""
    memory.ensure_embeddings()
    stats = memory.stats()
    assert stats.by_kind == {"decision": 1, "semantic": 1}
    assert stats.by_category == {"design": 1, "gateway": 1}
    assert stats.by_status == {"active": 2, "archived": 1}
    assert sum(stats.by_verification.values()) == 2
    assert (stats.memories, stats.chunks, stats.entries, stats.embedded) == (3, 1, 3, 3)
    assert stats.handed == ()


def test_each_client_has_its_tokens(memory: MemoryStore, run: Callable[..., Ran]) -> None:
    """What the command line and a client print is counted under their names, once, however often it is looked at."""
    first = json.loads(run("search", "when is the launch", "--json").out)["tokens"]
    second = json.loads(run("context", "who leads the launch", "--json").out)["tokens"]
    memory.hand_out("claude-code", 120)
    for _ in range(2):
        handed = {one.client: (one.answers, one.tokens) for one in memory.stats().handed}
        assert handed == {"cli": (2, first + second), "claude-code": (1, 120)}
    run("search", "when is the launch")
    assert {one.client: one.answers for one in memory.stats().handed} == {"cli": 3, "claude-code": 1}


@pytest.mark.sqlite
def test_counting_changes_no_database(memory: MemoryStore, folder: Path, run: Callable[..., Ran]) -> None:
    """A search is counted beside the store: whoever holds it open need not look at it anew."""
    memory.ensure_embeddings()  # else the search would
    memory.write_mirror()  # else its thread may write meanwhile
    before = (folder / ".treering/memory.db").read_bytes(), Path(folder / ".treering/memory.db-wal").read_bytes()
    assert run("search", "when is the launch").status == 0
    assert before == ((folder / ".treering/memory.db").read_bytes(), (folder / ".treering/memory.db-wal").read_bytes())
    ledger = folder / ".treering/memory.db-handed"
    assert ledger.stat().st_mode & 0o777 == 0o600
    assert "launch" not in ledger.read_text()
    memory.stats()
    assert not ledger.exists()


def test_lines_that_are_none_are_passed_over(memory: MemoryStore, run: Callable[..., Ran]) -> None:
    """A broken line, a name with tabs and line breaks, and nothing at all do no harm."""
    memory.hand_out("a\tb\nc", 5)
    memory.hand_out("nothing", 0)
    from treering.api import tally

    path = Path(tally.path_of(memory.place))
    with path.open("ab") as file:
        file.write(b"\xff\xfe torn\n2026-11-30\tcli\n2026-11-30\tcli\tmany\n")
    assert [(one.client, one.tokens) for one in memory.stats().handed] == [("a b c", 5)]
    assert run("stats").status == 0


def test_the_command_line_shows_the_numbers(memory: MemoryStore, run: Callable[..., Ran], tmp_path: Path) -> None:
    """Words and JSON have the same numbers; a memory that is not there yet has none."""
    memory.hand_out("claude-code", 1200)
    said = run("stats").out
    assert "claude-code: ~1,200 tokens in 1" in said
    assert "decision 1" in said
    found = json.loads(run("stats", "--json").out)
    assert found["tokens"] == 1200
    assert found["handed"][0]["client"] == "claude-code"
    assert found["by_status"] == {"active": 2, "archived": 1}
    assert json.loads(run("--store", tmp_path / "none", "stats", "--json").out)["memories"] == 0
