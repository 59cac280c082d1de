"""A store of the first layout is brought up to date with all that it holds, on both databases."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import treering.backends.postgres.schema as postgres
import treering.backends.sqlite.engine as sqlite
from treering.domain.query import Filter, Term
from treering.records import Quote

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from treering.ports import Backend, Transaction

FIRST, LATER = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"


def insert(tx: Transaction, table: str, *values: Any) -> None:
    """Put a row as the first layout had it."""
    named = {f"v{number}": value for number, value in enumerate((1, *values))}
    places = ", ".join(f":{name}" for name in named)
    more = ", null" if table == "vector" and "postgres" in type(tx).__module__ else ""
    sql = f"insert into {table} values ({places}{more})"  # noqa: S608  the tests' own names
    tx.memories._db.run(sql, named)  # type: ignore[attr-defined]


def fill(tx: Transaction) -> None:
    """Save two memories: one that was changed and labelled, and one that was archived."""
    for number, status, revision in ((1, "active", 2), (2, "archived", 1)):
        id, source, version, text = f"mem_{number}", f"src_{number}", f"ver_{number}", f"Text {number}"
        insert(tx, "source", source, f"note:{id}", "", "note", "owner", "kept", version, FIRST)
        insert(tx, "version", version, source, "0", 6, "utf-8", "", 6, 1, FIRST)
        insert(tx, "content", version, 0, text)
        insert(
            tx, "memory", id, number, "decision", "Title", text, "Sum", source, status, "inferred", "owner", revision,
            number, FIRST, LATER,
        )  # fmt: skip
        insert(tx, "evidence", id, revision, 0, version, 0, 6, text)
        insert(tx, "memory_label", id, "tags", 0, f"tag{number}")
    insert(tx, "memory_revision", "mem_1", 1, "Old title", "Old text", "", LATER)
    insert(tx, "evidence", "mem_1", 1, 0, "ver_0", 0, 8, "Old text")
    insert(tx, "counter", "entry", 2)
    insert(tx, "model", 1, "static/x@1")
    insert(tx, "vector", 1, 1, 1, b"\x01\x02")
    tx.keywords.add([(1, "Title", "Sum Text 1")])


def test_nothing_is_lost(open_store: Callable[..., Backend], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories, what they said before, labels, quotes and vectors are there after it; keyword rows too, or due."""
    with monkeypatch.context() as before:
        for module in (sqlite, postgres):
            folder = tmp_path / module.__name__
            folder.mkdir()
            shutil.copy(Path(module._MIGRATIONS) / "0001_first.sql", folder)
            before.setattr(module, "_MIGRATIONS", str(folder))
        before.setattr(sqlite, "SCHEMA", 1)
        old = open_store()
        with old.write() as tx:
            fill(tx)
        old.close()
    new = open_store()
    with new.read() as tx:
        known = tx.memories.memories(["mem_1", "mem_2"])
        one, two = known["mem_1"], known["mem_2"]
        assert (one.content, one.title, one.summary, one.source, one.status) == (
            "Text 1",
            "Title",
            "Sum",
            "src_1",
            "active",
        )
        assert (one.entry, one.revision, one.fingerprint, one.recorded_at, one.changed_at) == (1, 2, 1, FIRST, LATER)
        assert (two.status, two.content, one.slot, one.value) == ("archived", "Text 2", "", "")
        assert tx.memories.labels(["mem_1", "mem_2"]) == {"mem_1": {"tags": ("tag1",)}, "mem_2": {"tags": ("tag2",)}}
        assert tx.memories.quotes(["mem_1"]) == {"mem_1": [Quote("ver_1", 0, 6, "Text 1")]}
        claims = tx.claims.claims(["mem_1", "mem_2"])
        assert [(one.memory, one.note, one.trust, one.content) for one in claims.values()] == [
            ("mem_1", "src_1", "owner", "Text 1"), ("mem_2", "src_2", "owner", "Text 2"),
        ]  # fmt: skip
        former = [(one.revision, one.title, one.content, one.changed_at) for one in tx.claims.revisions(["mem_1"])]
        assert former == [(1, "Old title", "Old text", LATER)]
        assert [(one.number, one.claim, one.kind) for one in tx.claims.decisions(["mem_1", "mem_2"])] == [
            (1, "mem_2", "archive")
        ]
        terms = [Term(("text",))]
        found = [hit.entry for hit in tx.keywords.rank(terms, tx.keywords.frequencies(terms), 5, Filter())]
        if isinstance(new, sqlite.SqliteBackend):  # whose index is laid out anew: whoever opens it makes the rows
            assert (found, tx.keywords.has_words(), tx.setting("analysis")) == ([], False, None)
        else:
            assert found == [1]
        rows = tx.memories._db.rows("select entry, model from vector")  # type: ignore[attr-defined]
        assert [tuple(row) for row in rows] == [(1, 1)]
    with new.write() as tx:
        tx.claims.resume_evidence("mem_1", 2)
        assert tx.claims.evidence(["mem_1"]) == {"mem_1": [Quote("ver_0", 0, 8, "Old text")]}
        tx.memories.remove("mem_1")
        assert tx.memories._db.rows("select entry from vector") == []  # type: ignore[attr-defined]
    new.close()
