"""C07: what changes is embedded again, and only that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

CARS = "# Cars\n\nAn automobile needs petrol.\n"
BREAD = "# Bread\n\nA loaf is baked from flour.\n"


@pytest.fixture
def memory(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory of two pages."""
    return remember_files({"a.md": CARS, "b.md": BREAD})


def found(memory: MemoryStore, question: str) -> list[str | None]:
    """Return the files that answer, by meaning."""
    return [result.file for result in memory.search(question, mode="semantic").results]


def test_a_changed_file_means_what_it_says_now(memory: MemoryStore, folder: Path) -> None:
    """After a run the new text is found by its meaning and the old one is not."""
    assert found(memory, "vehicle fuel") == ["a.md"]
    (folder / "a.md").write_text("# Boats\n\nThe ferry to the island leaves at noon.\n", encoding="utf-8")
    memory.index([folder])
    assert found(memory, "vehicle fuel") == []
    assert memory.search("ship departure time", mode="semantic", empty_gate=0).results[0].file == "a.md"
    assert memory.status().embedded == memory.status().chunks == 2


def test_what_did_not_change_keeps_its_vector(memory: MemoryStore, folder: Path) -> None:
    """A run over one changed file embeds that file alone; one over none embeds nothing."""

    def change() -> int:
        with memory._opened(create=False).read() as tx:
            return tx.vectors.mark(tx.vectors.models()[0])[1]

    before = change()
    memory.index([folder])
    assert change() == before
    (folder / "a.md").write_text(CARS + "\nIt stands outside.\n", encoding="utf-8")
    memory.index([folder])
    assert change() == before + 1
    assert found(memory, "baking a loaf") == ["b.md"]


def test_a_memory_that_changes_means_something_else(memory: MemoryStore) -> None:
    """The vector of what it said before is gone with its words, even before the new one is made."""
    id = memory.remember("Vehicles burn fuel in winter.").id
    memory.ensure_embeddings()
    memory.update(id, text="The choir sings on Sunday.")
    with memory._opened(create=False).read() as tx:
        assert tx.vectors.mark(tx.vectors.models()[0])[0] == 2
    memory.ensure_embeddings()
    assert memory.search("music in church", mode="semantic", empty_gate=0).results[0].id == id


def test_removed_files_have_no_meaning(memory: MemoryStore, folder: Path) -> None:
    """A file that is gone is not found by its meaning, in the same open memory."""
    assert found(memory, "vehicle fuel") == ["a.md"]
    (folder / "a.md").unlink()
    memory.index([folder], prune=True)
    assert found(memory, "vehicle fuel") == []


def test_a_rebuild_embeds_again(memory: MemoryStore) -> None:
    """``reindex`` leaves every entry with a vector."""
    status = memory.reindex()
    assert status.embedded == status.chunks == 2
    assert found(memory, "vehicle fuel") == ["a.md"]
