"""B22: ``verify`` checks the database, digests, quotes, chains, histories, the index, and complete forgetting."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

import treering
from treering.records import StoredSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory with a file, a slot with a history, and something forgotten."""
    (folder / "a.md").write_text("# Lockers\n\nA locker door stays open for 45 seconds.\n", encoding="utf-8")
    with treering.open() as opened:
        opened.index(["."])
        source = opened.list("sources").items[0]
        assert isinstance(source, StoredSource)
        opened.remember("The door stays open for 45 seconds", source=source.id, quote="stays open for 45 seconds")
        opened.remember("Staging runs PostgreSQL 16", slot="staging/database", valid_from="2025-01-01")
        opened.remember("Staging runs PostgreSQL 17", slot="staging/database", valid_from="2026-01-01")
        opened.forget(opened.remember("A word that has to go").id)
        yield opened


def change(folder: Path, sql: str) -> None:
    """Change a store behind the program's back, as a failing disk does."""
    with sqlite3.connect(folder / ".treering" / "memory.db") as connection:
        connection.execute(sql)
    connection.close()


@pytest.mark.sqlite
def test_a_sound_store_is_sound(memory: MemoryStore) -> None:
    """Nothing is wrong, and it says how much was looked at."""
    checked = memory.verify()
    assert checked.problems == ()
    assert checked.sound
    assert checked.counts["memories"] == 3
    assert checked.counts["quotes"] == 3


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("sql", "kind", "words"),
    [
        ("update content set text = replace(text, '45', '46') where text like '%locker%'", "quote", "does not stand"),
        ("update content set text = 'x' where text like '%PostgreSQL 17%'", "hash", "characters"),
        ("update memory set superseded_by = 'mem_none' where status = 'superseded'", "chain", "not there"),
        ("update memory set status = 'active' where status = 'superseded'", "history", "follows from its claims"),
        ("delete from evidence where claim in (select id from claim where note <> '') and 1 = 0", "", ""),
    ],
)
def test_what_is_wrong_is_named(memory: MemoryStore, folder: Path, sql: str, kind: str, words: str) -> None:
    """Each kind of damage is found, and what it is about is named."""
    memory.close()
    change(folder, sql)
    with treering.open() as again:
        checked = again.verify()
    assert checked.sound == (not kind)
    if kind:
        assert any(one.kind == kind and words in one.text for one in checked.problems), checked.problems


@pytest.mark.sqlite
def test_fix_makes_what_is_derived_again(memory: MemoryStore, folder: Path) -> None:
    """A status that does not follow, and an index with a row too few, are mended; afterwards all is sound."""
    memory.close()
    change(folder, "update memory set status = 'active' where status = 'superseded'")
    with treering.open() as again:
        with again._opened(create=False).write() as tx:
            tx.keywords.clear()
        found = again.verify(fix=True)
        assert {one.kind for one in found.problems} == {"derived", "history"}
        assert all(one.mended for one in found.problems)
        assert again.verify().problems == ()
        assert again.search("locker door").found


@pytest.mark.sqlite
def test_the_command_says_the_same(memory: MemoryStore, folder: Path, run: Callable[..., Ran]) -> None:
    """Exit status 0 when all is well and 1 when not, as text and as JSON."""
    assert run("verify").status == 0
    memory.close()
    change(folder, "update memory set status = 'active' where status = 'superseded'")
    ran = run("verify")
    assert ran.status == 1
    assert "treering verify --fix" in ran.out
    shown = json.loads(run("verify", "--json").out)
    assert shown["schema"] == 1
    assert not shown["sound"]
    assert [one["kind"] for one in shown["problems"]] == ["history"]
    assert run("verify", "--fix").status == 0
    assert run("verify").status == 0
