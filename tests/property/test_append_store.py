"""A store whose files grew between runs is as one that was made anew, and what stayed was not written again."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treering
from treering.api import MemoryStore
from treering.domain.query import Filter

OPENINGS: Final = (
    "# Log\n\nWhat happened.\n\n",
    "---\nkind: log\n---\n# Log\n\nWhat happened.\n\n",
    "---\nkind: log\n",
    "\ufeff# Log\r\n\r\nWhat happened.\r\n\r\n",
    "",
)
ADDED: Final = (
    "## Day\n\nThe gateway retried.\n\n", "Words and words.\n\n", "- item\n", "  - sub\n", "```\n", "===\n", "\n",
    "  \n", "| a | b |\n|---|---|\n| c | d |\n", "[x]: /url\n", "## [x]\n", "no newline", "é 漢字\n\n", "---\n",
    "key: v\n", "\x01\n", "\ufeff", "## Day\r\n\r\nLine.\r\n\r\n",
    "Paragraph of some length, to fill chunks faster than all others.\n\n" * 30,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: they follow the entries."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


@contextmanager
def project() -> Iterator[Path]:
    """Yield an empty project with a folder for documents."""
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "docs").mkdir()
        (folder / ".git").mkdir()
        yield folder
    finally:
        shutil.rmtree(folder)


QUERIES: Final = """
select s.key, s.title, v.sha256, v.size_bytes, v.encoding, v.notice, v.chars, v.lines
  from source s join version v on v.id = s.version order by s.key;
select s.key, c.start, c.text from content c join source s on s.version = c.version order by 1, 2;
select s.key, c.ordinal, c.start, c.stop, c.first_line, c.last_line, c.kind, c.path, c.lead, c.parent, c.oversized,
  c.opens, c.fingerprint from chunk c join source s on s.id = c.source order by 1, 2;
select s.key, t.path, t.size_bytes, t.mtime_ns, t.ctime_ns, t.rules_hash, t.state, t.error
  from tracked t join source s on s.id = t.source order by 1;
select s.key, l.key, l.place, l.value from label l join source s on s.id = l.source order by 1, 2, 3;
select term, doc, cnt from words_vocabulary order by term;
select (select count(*) from version), (select count(*) from content), (select count(*) from words_docsize);
select path, mtime_ns from folder order by path
"""
"""What a store knows of its files, but for ids, entries and times."""


def contents(memory: MemoryStore) -> list[Any]:
    """Return what a store knows, after checking that it is sound."""
    connection = memory._opened(create=False)._connection  # type: ignore[attr-defined]
    connection.execute("insert into words (words) values ('integrity-check')")
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    return [connection.execute(query).fetchall() for query in QUERIES.split(";")]


@settings(max_examples=25)
@given(
    st.sampled_from(OPENINGS),
    st.lists(st.lists(st.sampled_from(ADDED), max_size=6).map("".join), min_size=1, max_size=5),
    st.sampled_from(["log.md", "log.txt"]),
)
def test_a_file_that_grew_is_as_if_read_whole(opening: str, additions: list[str], name: str) -> None:
    """Chunks, text, words, titles, metadata and outline equal those of a new store after every addition."""
    with project() as folder, treering.open(folder, store=str(folder / "old.db")) as old:
        file = folder / "docs" / name
        file.write_bytes(opening.encode())
        old.index([folder / "docs"])
        for number, added in enumerate(additions):
            with file.open("ab") as end:
                end.write(added.encode())
            old.index([folder / "docs"])
            with treering.open(folder, store=str(folder / f"{number}.db")) as new:
                new.index([folder / "docs"])
                assert contents(old) == contents(new)
                assert old.show(f"docs/{name}").outline == new.show(f"docs/{name}").outline


def entries(memory: MemoryStore) -> list[int]:
    """Return the keyword rows of the only file, in order."""
    with memory._reading() as tx:
        [source] = tx.sources.list_sources(Filter(), 10, "")
        return [chunk.entry for chunk in tx.sources.chunks_of(source.version)]


def test_what_stays_keeps_its_rows() -> None:
    """All chunks but the last few keep their entries; the version is a new one, over several parts of text."""
    log = "# Log\n\n" + "".join(f"## Day {n}\n\nThe gateway retried payment {n}, é.\n\n" for n in range(4000))
    with project() as folder, treering.open(folder) as memory:
        file = folder / "docs" / "log.md"
        file.write_text(log, encoding="utf-8")
        memory.index([folder / "docs"])
        before, version = entries(memory), memory.show("docs/log.md").version
        for number in range(3):
            with file.open("a", encoding="utf-8") as end:
                end.write(f"## More {number}\n\n" + "A paragraph of the ledger.\n\n" * 900)
            memory.index([folder / "docs"])
            after = entries(memory)
            assert after[: len(before) - 1] == before[:-1]
            assert memory.show("docs/log.md").version != version
            before, version = after, memory.show("docs/log.md").version
        text = file.read_text(encoding="utf-8")
        assert memory.show("docs/log.md").text == text
        with treering.open(folder, store=str(folder / "new.db")) as new:
            new.index([folder / "docs"])
            assert contents(memory) == contents(new)


def test_real_writing_by_a_log_handler(tmp_path: Path) -> None:
    """A log that is written line by line, some of them halves, and indexed in between, is known to the last word."""
    (tmp_path / ".git").mkdir()
    os.chdir(tmp_path)
    with treering.open() as memory:
        for part in range(12):
            with Path("agent.md").open("a", encoding="utf-8") as end:
                end.write(f"the {'word ' * part}\n\n## Turn {part}\n\n- asked\n- answered {part}\n\nHalf a sent")
            memory.index(["."])
            assert memory.search(f"turn {part}", mode="keyword").found
        assert memory.show("agent.md").text == Path("agent.md").read_text(encoding="utf-8")


def test_the_statement_cost_does_not_grow_with_the_file() -> None:
    """Adding a line to a file of 60 chunks and to one of 6,000 writes as many rows."""
    changed = []
    for days in (60, 6000):
        with project() as folder, treering.open(folder) as memory:
            file = folder / "docs" / "log.md"
            file.write_text(
                "# Log\n\n" + "".join(f"## Day {n}\n\nRetried {n}.\n\n" for n in range(days)), encoding="utf-8"
            )
            memory.index([folder / "docs"])
            connection = memory._opened(create=False)._connection  # type: ignore[attr-defined]
            with file.open("a", encoding="utf-8") as end:
                end.write("## Today\n\nOnce more.\n")
            before = connection.total_changes()
            memory.index([folder / "docs"])
            changed.append(connection.total_changes() - before)
    assert changed[1] <= changed[0] + 5
