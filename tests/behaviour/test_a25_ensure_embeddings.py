"""A25: everything can be embedded on demand, which fails aloud; searches after that write nothing."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering import wiring
from treering.embedders.hashing import HashingEmbedder
from treering.errors import EmbedderFailed, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


PAGES = {f"p{n}.md": f"# Page {n}\n\nThe petrel fact number {n}.\n" for n in range(5)}


@pytest.fixture
def unembedded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose store has text and no vector."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder) as memory:
        memory.index([folder])
    monkeypatch.delenv("TREERING_EMBEDDING_PROVIDER")
    return folder


def bytes_of(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of every file of the store."""
    store = folder / ".treering"
    return {
        entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns)
        for entry in os.scandir(store)
        if not entry.name.endswith("-shm")
    }


def test_it_says_how_many_were_embedded(unembedded: Path) -> None:
    """All that lacks a vector gets one, once; what comes later is counted alone."""
    with treering.open(unembedded) as memory:
        assert memory.status().embedded == 0
        assert memory.ensure_embeddings() == 5
        assert memory.ensure_embeddings() == 0
        memory.remember("The skua fact.")
        assert memory.ensure_embeddings() == 1
        status = memory.status()
    assert (status.embedded, status.model) == (6, "static/potion-base-8M")


def test_without_a_store_there_is_nothing_to_embed(folder: Path) -> None:
    """No store is made."""
    with treering.open(folder) as memory, pytest.raises(NotFound):
        memory.ensure_embeddings()
    assert list(folder.iterdir()) == [folder / ".git"]


@pytest.mark.sqlite
def test_a_failure_is_an_error_and_nothing_is_written(unembedded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder's error comes through; the text stays, and the next call goes on."""

    class Failing(HashingEmbedder):
        def embed_texts(self, texts: Sequence[str]) -> bytes:
            raise OSError("no such device")

    with monkeypatch.context() as patch, treering.open(unembedded) as memory:
        patch.setattr(wiring, "make_embedder", lambda _settings: Failing())
        with pytest.raises(EmbedderFailed, match="no such device"):
            memory.ensure_embeddings()
        assert memory.status().embedded == 0
        assert memory.search("petrel").found
    with treering.open(unembedded) as memory:
        assert memory.ensure_embeddings() == 5


@pytest.mark.sqlite
def test_later_searches_write_nothing(unembedded: Path) -> None:
    """Once everything is embedded, no search changes any file of the store."""
    with treering.open(unembedded) as memory:
        memory.ensure_embeddings()
        before = bytes_of(unembedded)
        for question in ("petrel", "seabird facts", "number 3", "nothing of this kind"):
            for mode in (None, "semantic", "hybrid", "keyword"):
                memory.search(question, mode=mode)  # type: ignore[arg-type]
        assert bytes_of(unembedded) == before


def test_a_warm_handle_notices_what_others_commit(unembedded: Path) -> None:
    """What another handle adds, changes and removes is found, or not, by the next search by meaning."""
    with treering.open(unembedded) as memory, treering.open(unembedded) as other:
        memory.ensure_embeddings()
        assert not memory.search("automobile petrol", mode="semantic").found
        id = other.remember("Vehicles need fuel.").id
        for _ in range(2):
            assert memory.search("automobile petrol").results[0].id == id
        other.update(id, text="Flour makes bread.")
        assert not memory.search("automobile petrol").found
        assert memory.search("baking a loaf").results[0].id == id
        other.archive(id)
        assert not memory.search("baking a loaf").found
        other.restore_memory(id)
        assert memory.search("baking a loaf").results[0].id == id
        other.forget([id])
        assert not memory.search("baking a loaf").found


def test_threads_share_a_handle(unembedded: Path) -> None:
    """Searches, saves and embedding from several threads at once give no error and lose nothing."""
    failures: list[BaseException] = []
    with treering.open(unembedded) as memory:

        def work(number: int) -> None:
            try:
                for turn in range(5):
                    memory.remember(f"Fact {turn} of worker {number}: a bird was seen.")
                    assert memory.search("seabird facts", empty_gate=0).found
                    with memory.lock:
                        memory.ensure_embeddings()
            except BaseException as error:  # noqa: BLE001 - handed to the test
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        memory.ensure_embeddings()
        status = memory.status()
    assert (status.memories, status.embedded) == (20, 25)


def test_the_command_line_embeds_what_it_saves(unembedded: Path, run: Callable[..., Any]) -> None:
    """``remember`` leaves nothing without a vector; ``reindex --vectors`` says how many it made."""
    assert "Embedded 5 entries by static/potion-base-8M." in run("reindex", "--vectors").out
    assert run("remember", "Vehicles need fuel.").status == 0
    assert "Vectors  6 of 6 entries by static/potion-base-8M" in run("status").out
    assert "Embedded 0 entries" in run("reindex", "--vectors").out


def test_a_search_embeds_what_little_is_missing(unembedded: Path) -> None:
    """The second search of an open memory finds by meaning what was saved since; the first one never embeds."""
    with treering.open(unembedded) as memory:
        memory.search("petrel")
        memory.remember("Vehicles need fuel.")
        memory.search("petrel")
        assert memory.status().embedded == 6
        assert memory.search("automobile petrol").found
