"""What holds of a store whatever happens to its folder: it is as good as a new one, and as exact."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw
from hypothesis import given, settings
from hypothesis import strategies as st

import treering
from treering.api import MemoryStore
from treering.domain.query import Filter
from treering.domain.text import query_terms

PATHS: Final = ("a.md", "b.md", "sub/c.md", "sub/deep/d.txt", "e f.md", "ünï/漢.md", "100%_.md")
TEXTS: Final = (
    "",
    "# Gateway\n\nIt retries five times.\n\n## Limits\n\nThe retry_limit is 5.\n",
    "# Billing\n\n- runs at night\n  - and on Sundays\n- is logged\n",
    "---\nkind: note\ntags: [red, blue]\n---\n# Note\n\nAbout the retries of the gateway.\n",
    "---\nkind: event\nbroken\n---\nNo title here, but café and 支付网关重试。\n",
    "Plain words.\n\n" + "The ledger balances every hour. 🎉 " * 60 + "\n\n| a | b |\n| --- | --- |\n| retry | 5 |\n",
    "\ufeff# Marked\r\n\r\nWindows wrote this gateway page.\r\n",
    "# Long\n\n" + "".join(f"Paragraph {i} of the gateway log, é漢🎉.\n\n" for i in range(2500)),
)
QUESTIONS: Final = ("gateway retry limit", "billing at night", "支付网关重试", "café", "ledger balance", "nothing such")


class Step(NamedTuple):
    """One thing done to the folder: write, remove, rename or touch a file, or index what is there."""

    action: str
    path: str
    text: int
    other: str


STEPS: Final = st.lists(
    st.builds(
        Step,
        st.sampled_from(["write", "write", "append", "remove", "rename", "touch", "index"]),
        st.sampled_from(PATHS),
        st.integers(0, len(TEXTS) - 1),
        st.sampled_from(PATHS),
    ),
    min_size=1,
    max_size=10,
)


def do(folder: Path, step: Step, memory: MemoryStore) -> None:
    """Carry one step out; what cannot be done is left."""
    file, other = folder / step.path, folder / step.other
    if step.action == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(TEXTS[step.text].encode())
    elif step.action == "index":
        memory.index([folder], prune=True)
    elif not file.exists():
        return
    elif step.action == "append":
        file.write_bytes(file.read_bytes() + TEXTS[step.text].encode())
    elif step.action == "remove":
        file.unlink()
    elif step.action == "rename":
        other.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, other)
    elif step.action == "touch":
        os.utime(file, ns=(step.text * 10**9, step.text * 10**9))


@contextmanager
def workshop() -> Iterator[tuple[Path, Path]]:
    """Yield an empty project with a folder of documents in it, and its own folder for stores."""
    project = Path(tempfile.mkdtemp())
    try:
        (project / "docs").mkdir()
        (project / ".git").mkdir()
        yield project / "docs", project
    finally:
        shutil.rmtree(project)


def open_memory(project: Path, name: str) -> MemoryStore:
    """Return the memory with a database of that name."""
    return treering.open(project, store=str(project / f"{name}.db"))


def contents(memory: MemoryStore) -> dict[str, Any]:
    """Return all that a store knows under names that do not depend on how it came to know it."""
    with memory._reading() as tx:
        sources = tx.sources.list_sources(Filter(), 1000, "")
        keys = {source.id: source.key for source in sources}
        chunks = {chunk.entry: chunk for source in sources for chunk in tx.sources.chunks_of(source.version)}
        return {
            "roots": [root[:4] for root in tx.sources.roots()],
            "skips": tx.sources.skips(),
            "sources": [(source.key, source.title, *source[7:11]) for source in sources],
            "texts": {source.key: tx.sources.text(source.version, 0, source.chars) for source in sources},
            "tracked": [tracked._replace(source=keys[tracked.source]) for tracked in tx.sources.tracked()],
            "metadata": {keys[id]: values for id, values in tx.sources.metadata(list(keys)).items()},
            "chunks": sorted((keys[chunk.source], *chunk[3:]) for chunk in chunks.values()),
            "entries": tx.keywords.size(),
            "hits": {question: ranked(tx, keys, chunks, question) for question in QUESTIONS},
            "counts": tx.sources.count(Filter()),
        }


def ranked(tx: Any, keys: dict[str, str], chunks: dict[int, Any], question: str) -> list[tuple[float, str, int]]:
    """Return what the keyword index finds for a question, with scores."""
    terms = query_terms(question)
    hits = tx.keywords.rank(terms, tx.keywords.frequencies(terms), 10_000, Filter())
    return sorted((round(hit.score, 9), keys[chunks[hit.entry].source], chunks[hit.entry].ordinal) for hit in hits)


def answers(memory: MemoryStore) -> list[Any]:
    """Return what is answered to each question, apart from the order of equals."""
    found = [
        memory.search(question, limit=100, max_tokens=100_000, empty_gate=0, mode="keyword") for question in QUESTIONS
    ]
    return [(answer.reason, round(answer.confidence, 9), sorted(r.key for r in answer.results)) for answer in found]


def raw(project: Path, name: str, sql: str) -> Sequence[Any]:
    """Return what the database itself says."""
    connection = apsw.Connection(str(project / f"{name}.db"))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def vocabulary(project: Path, name: str) -> Sequence[Any]:
    """Return every word of the keyword index with how often it occurs, after checking the whole file."""
    assert raw(project, name, "pragma integrity_check") == [("ok",)]
    assert raw(project, name, "pragma foreign_key_check") == []
    raw(project, name, "insert into words (words) values ('integrity-check')")
    return raw(project, name, "select term, doc, cnt from words_vocabulary order by term")


@settings(max_examples=20)
@given(STEPS)
def test_any_history_ends_like_a_new_store(steps: list[Step]) -> None:
    """After any edits, renames and removals with runs between them, the store equals one made from scratch."""
    with workshop() as (folder, project), open_memory(project, "old") as old, open_memory(project, "new") as new:
        old.init()
        for step in steps:
            do(folder, step, old)
        old.index([folder], prune=True)
        new.init()
        new.index([folder])
        assert contents(old) == contents(new)
        assert answers(old) == answers(new)
        assert vocabulary(project, "old") == vocabulary(project, "new")


@settings(max_examples=12)
@given(STEPS)
def test_a_second_run_changes_no_row(steps: list[Step]) -> None:
    """Indexing what did not change writes nothing but the time of the run."""
    with workshop() as (folder, project), open_memory(project, "one") as memory:
        memory.init()
        for step in steps:
            do(folder, step, memory)
        memory.index([folder], prune=True)
        tables = ("source", "version", "content", "tracked", "skipped", "label", "chunk", "counter", "setting")
        queries = [f"select * from {table}" for table in tables]  # noqa: S608  names of our own
        queries += ["select space, number, path, glob, rules_hash from root", "select * from words_vocabulary"]
        before = [raw(project, "one", query) for query in queries]
        report = memory.index([folder], prune=True)[0]
        assert (report.added, report.changed, report.removed, report.refreshed) == (0, 0, 0, 0)
        assert [raw(project, "one", query) for query in queries] == before


@settings(max_examples=12)
@given(STEPS)
def test_reindex_gives_what_indexing_gave(steps: list[Step]) -> None:
    """Chunks and keywords made again from the stored text are those that indexing made file by file."""
    with workshop() as (folder, project), open_memory(project, "one") as memory:
        memory.init()
        for step in steps:
            do(folder, step, memory)
        memory.index([folder], prune=True)
        before, words, said = contents(memory), vocabulary(project, "one"), answers(memory)
        memory.reindex()
        assert contents(memory) == before
        assert vocabulary(project, "one") == words
        assert answers(memory) == said


@settings(max_examples=12)
@given(STEPS)
def test_chunks_rebuild_every_file(steps: list[Step]) -> None:
    """The chunks of a file, joined, are its text: what is on disk less a byte order mark."""
    with workshop() as (folder, project), open_memory(project, "one") as memory:
        memory.init()
        for step in steps:
            do(folder, step, memory)
        memory.index([folder], prune=True)
        with memory._reading() as tx:
            sources = tx.sources.list_sources(Filter(), 1000, "")
            joined = {s.key: "".join(chunk.text for chunk in tx.sources.chunks_of(s.version)) for s in sources}
        files = [path for path in folder.rglob("*") if path.is_file()]
        expected = {
            f"file:{file.relative_to(project).as_posix()}": file.read_bytes().decode().removeprefix("\ufeff")
            for file in files
        }
        assert joined == expected
