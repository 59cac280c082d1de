"""Many processes on one PostgreSQL store, hostile texts in every field, and filters on an index of vectors."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import pytest

import treering
from treering.backends.postgres import vectors
from treering.backends.postgres.engine import PostgresBackend
from treering.domain.address import Address
from treering.domain.chunk import Chunk
from treering.domain.query import Filter
from treering.domain.source import Document
from treering.domain.vector import quantise
from treering.errors import InputError, NotFound
from treering.intake import KeptText

WRITERS: Final = 8
EACH: Final = 12
WRITE: Final = """
import sys, treering
who, count = sys.argv[1], int(sys.argv[2])
with treering.open() as memory:
    for number in range(count):
        memory.remember(f"Writer {who} saw the walrus number {number}.", tags=[f"writer{who}"])
"""
INDEX: Final = """
import sys, treering
with treering.open() as memory:
    for _ in range(3):
        [report] = memory.index([sys.argv[1]])
"""
CHUNK: Final = (Chunk(0, 0, 2, 1, 1, "prose"),)


def unit(number: int, size: int) -> bytes:
    """Return a unit vector of a number, as float32; all of them lie to the same side."""
    chosen = random.Random(number)  # noqa: S311  the same for each number
    values = [chosen.random() for _ in range(size)]
    length = sum(value * value for value in values) ** 0.5
    return struct.pack(f"<{size}f", *(value / length for value in values))


def start(url: str, code: str, *arguments: str, **environ: str) -> subprocess.Popen[str]:
    """Start a process of its own over a store."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TREERING_STORE": url, **environ}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE, text=True, env=environment
    )


def finish(processes: list[subprocess.Popen[str]]) -> None:
    """Wait for processes and require that all went well."""
    told = [process.communicate(timeout=300)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), told


def test_eight_processes_lose_nothing(databases: Any) -> None:
    """Everything that eight processes save at once, the making of the store included, is there and can be found."""
    url = databases.new()
    finish([start(url, WRITE, str(number), str(EACH)) for number in range(WRITERS)])
    with treering.open(store=url) as memory:
        assert memory.list("memories").total == WRITERS * EACH
        for number in range(WRITERS):
            assert memory.search("walrus number", tags=[f"writer{number}"], mode="keyword").found
        with memory._reading() as tx:
            assert tx.keywords.size() == WRITERS * EACH


@pytest.mark.parametrize("same_place", [True, False])
def test_two_machines_index_the_same_root(databases: Any, tmp_path: Path, same_place: bool) -> None:  # noqa: FBT001
    """Runs at once over the same files neither fail nor double anything: one path, or two checkouts of one project."""
    url = databases.new()
    names = ["one"] if same_place else ["one", "two"]
    for name in names:
        (tmp_path / name / "docs").mkdir(parents=True)
        for number in range(30):
            text = f"# Page {number}\n\nThe walrus of page {number}.\n"
            (tmp_path / name / "docs" / f"{number}.md").write_text(text, encoding="utf-8")
    folders = [tmp_path / name for name in (names * 2)[:2]]
    finish([start(url, INDEX, str(folder / "docs"), TREERING_PROJECT=str(folder)) for folder in folders])
    with treering.open(store=url) as memory:
        status = memory.status()
        assert (status.sources, len(status.roots)) == (30, 1)
        assert [source.key for source in memory.list("sources").items][:2] == ["file:docs/0.md", "file:docs/1.md"]
        with memory._reading() as tx:
            assert tx.keywords.size() == status.chunks
    if not same_place:
        again = start(url, INDEX, str(folders[0] / "docs"), TREERING_PROJECT=str(folders[0]))
        finish([again])


HOSTILE: Final = (
    "'; drop table memory; --", "\\'; drop schema treering cascade; --", "%s %(name)s %% :space ::text",
    "$$; select 1; $$", "$1 $2", "E'\\\\x00'", 'a" or "1"="1', "\\N\\t\\.\\", "{a,b}", "[1,2]", "a & b | !c <-> d:*",
    "\u202e\u0007 bell",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_every_field_takes_any_text(databases: Any, tmp_path: Path, text: str) -> None:
    """What looks like SQL, a parameter, a pattern or an escape comes back letter for letter from every field."""
    url = databases.new()
    folder = tmp_path / "files"
    folder.mkdir()
    name = "".join(letter for letter in text if letter.isprintable() and letter not in "/\\")
    (folder / f"{name}.md").write_text(
        f"---\nkey: {name}\n---\n# {text}\n\nA walrus: {text}\n".replace("\a", ""), "utf-8"
    )
    with treering.open(store=url) as memory:
        saved = memory.remember(
            f"fact {text}", title=text, summary=f"sum {text}", tags=[text], metadata={text: [text], "other": text}
        )
        shown = memory.show(saved.id)
        assert (shown.content, shown.title, shown.summary) == (f"fact {text}", text.strip(), f"sum {text}")  # type: ignore[union-attr]
        assert shown.tags == (text,)  # type: ignore[union-attr]
        memory.update(saved.id, text=f"changed {text}", title=f"t {text}")
        memory.index([folder])
        assert memory.search("walrus", path=folder).found
        for question in (text, f'"{text}"', f"-{text}", text * 200):
            memory.search(question, where={text: text}, tags=[text])
            memory.search(question)
        assert memory.search("changed", tags=[text], in_="memories").found
        assert not memory.search("walrus", where={"key": f"{text}x"}, path=folder).found
        memory.list("sources", after=text)
        memory.list("memories", after=text)
        with pytest.raises((NotFound, InputError)):
            memory.show(text)
        memory.forget([saved.id])
        assert memory.list("memories").total == 0
        assert memory.status().sources == 1


def test_a_filter_never_empties_an_answer(databases: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an index of vectors, narrow and wide filters give what comparing everything gives."""
    monkeypatch.setattr(vectors, "INDEX_FROM", 100)
    monkeypatch.setattr(vectors, "_FEW", 20)
    size = 16
    with ExitStack() as stack:
        store = stack.enter_context(closing(PostgresBackend(Address(databases.new()), create=True)))
        with store.write() as tx:
            rows = []
            for number in range(400):
                text = KeptText(
                    f"note:{number}", f"{number}", "note", "owner", Document("x\n", str(number), 2, "utf-8"), CHUNK
                )
                [entry] = tx.sources.put_kept(text, f"src_{number}", f"ver_{number}", "2026-01-01")
                rows.append((entry, 0, quantise(unit(number, size))))
            tx.vectors.put("model@1", rows)
        question = unit(3, size)
        with store.read() as tx:
            exact = {limit: tx.vectors.nearest("model@1", question, limit, Filter()) for limit in (1, 10, 50)}
        store.settle()
        with store.read() as tx:
            assert tx.vectors._index(1)[0]  # type: ignore[attr-defined]
            for limit, found in exact.items():
                assert list(tx.vectors.nearest("model@1", question, limit, Filter())) == list(found)
            alone = Filter(source="src_399")
            assert len(tx.vectors.nearest("model@1", question, 10, alone)) == 1
            assert len(tx.vectors.nearest("model@1", question, 50, Filter(part="sources"))) == 50
            assert tx.vectors.nearest("model@1", question, 10, Filter(source="src_absent")) == {}
        with store.write() as tx:
            tx.vectors.drop("model@1")
            assert tx.vectors.nearest("model@1", question, 10, Filter()) == {}
