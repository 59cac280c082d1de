"""What interrupts the making of vectors leaves the text as it was, and the next call goes on."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from treering.derived import vectors
from treering.embedders.hashing import HashingEmbedder
from treering.errors import StorageFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

TEXTS = {f"f{n:02}": f"# Page {n}\n\nThe pump {n} runs.\n" for n in range(12)}


def unembedded(project: Any, monkeypatch: pytest.MonkeyPatch, name: str = "store") -> None:
    """Make a store that has text and no vector; batches of vectors are small from now on."""
    project.write(**TEXTS)
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    project.made(name)
    monkeypatch.delenv("TREERING_EMBEDDING_PROVIDER")
    monkeypatch.setattr(vectors, "BATCH", 5)


def test_every_statement_fails_once(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever statement fails, each batch has its vectors or none, words find all, and the next call goes on."""
    unembedded(project, monkeypatch)
    with project.open("store") as memory:
        memory.ensure_embeddings()
    whole = project.contents("store")
    failed = 0
    with project.watched() as statements:
        for number in itertools.count(1):
            with project.open("store") as memory:
                with memory._opened(create=False).write() as tx:
                    for model in tx.vectors.models():
                        tx.vectors.drop(model)
                statements.seen, statements.failing = 0, number
                try:
                    memory.ensure_embeddings()
                except StorageFailed:
                    failed += 1
                    done = False
                else:
                    done = True
                statements.failing = 0
                left = project.contents("store")
                assert set(left["vectors"]) <= set(whole["vectors"])
                assert len(left["vectors"]) in {0, 5, 10, 12}
                assert {key: left[key] for key in left if key not in {"vectors", "sizes"}} == {
                    key: whole[key] for key in whole if key not in {"vectors", "sizes"}
                }
                assert memory.search("pump 7", mode="keyword").results[0].file.endswith("f07.md")
                memory.ensure_embeddings()
            assert project.contents("store") == whole, number
            if done:
                break
    assert failed > 15
    assert project.is_whole("store")


def test_two_processes_catch_up_at_once(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes that embed the same store end like one."""
    unembedded(project, monkeypatch, "both")
    unembedded(project, monkeypatch, "alone")
    processes = [project.start("gate", 0, "both", "reindex", "--vectors") for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0, 0], ends
    with project.open("alone") as memory:
        memory.ensure_embeddings()
    assert project.contents("both") == project.contents("alone")
    assert project.is_whole("both")


def test_what_changes_while_it_is_embedded(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that another process removes or changes meanwhile gets no vector of what it was."""
    unembedded(project, monkeypatch)
    with project.open("store") as memory, project.open("store") as other:
        kept, changed, gone = (other.remember(f"The {bird} fact.").id for bird in ("petrel", "skua", "gannet"))

        class Slow(HashingEmbedder):
            """Works while somebody else writes."""

            meddled = False

            def embed_texts(self, texts: Sequence[str]) -> bytes:
                """Embed, after the other one has changed what it could."""
                if not self.meddled:
                    self.meddled = True
                    other.update(changed, text="The skua fact has changed.")
                    other.forget([gone])
                    (project.docs / "f11.md").unlink()
                    other.index([project.docs], prune=True)
                return super().embed_texts(texts)

        store = memory._opened(create=False)
        monkeypatch.setattr(other._meanings.covering, "after_index", lambda _store: [])
        slow = Slow()
        vectors.catch_up(store, slow)
        with store.read() as tx:
            model = tx.vectors.models()[0]
            entries = {id: tx.memories.memories([id])[id].entry for id in (kept, changed)}
            rows = tx.vectors.of(model, list(entries.values()))
            assert entries[kept] in rows
            assert entries[changed] not in rows
            lacking = {one.entry for one in tx.vectors.lacking(model, 100)}
        assert entries[changed] in lacking
        vectors.catch_up(store, slow)
    assert project.query("store", "select count(*) from vector") == [(13,)]
    assert project.is_whole("store")
