"""A27: the embedder is a setting; another one embeds everything again, and vectors are never mixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering
from treering import wiring
from treering.embedders.hashing import HashingEmbedder
from treering.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

Open = "Callable[[int], MemoryStore]"


@pytest.fixture
def opened_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], MemoryStore]:
    """Return a function that opens the folder's memory with a model of so many numbers."""

    def open_with(dimension: int) -> MemoryStore:
        monkeypatch.setattr(wiring, "make_embedder", lambda _settings: HashingEmbedder(dimension))
        return treering.open(folder)

    return open_with


def test_the_setting_names_the_embedder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``static`` unless set; ``none`` leaves words alone; anything else is refused with what is possible."""
    for provider, model in (("", "static/potion-base-8M"), ("hashing", "hashing/256"), ("none", "")):
        if provider:
            monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", provider)
        with treering.open(folder) as memory:
            memory.remember("The skua fact.")
            memory.ensure_embeddings()
            assert memory.status().model == model
            assert memory.search("skua").found
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "oracle")
    with pytest.raises(BadSetting, match="static, multilingual, none, hashing"):
        treering.open(folder)


def test_a_switch_is_told_and_embeds_everything_again(opened_with: Callable[[int], MemoryStore]) -> None:
    """After a switch every entry is found at once, a notice names both models, and writing goes on;
    then everything has a vector of the new model alone.
    """
    with opened_with(8) as memory:
        ids = [memory.remember(f"The petrel fact {number}.").id for number in range(5)]
        assert memory.ensure_embeddings() == 5
    with opened_with(16) as memory:
        answer = memory.search("petrel")
        assert {result.id for result in answer.results} == set(ids)
        assert "hashing/8" in answer.notices[0]
        assert "hashing/16" in answer.notices[0]
        memory.remember("The petrel fact six.")
        memory.update(ids[0], text="The petrel fact zero, changed.")
        memory.forget([ids[1]])
        memory.ensure_embeddings()
        answer = memory.search("petrel")
        assert len(answer.results) == 5
        assert (answer.mode, answer.notices) == ("hybrid", ())
        with memory._opened(create=False).read() as tx:
            assert tx.vectors.models() == ["hashing/16@1.1"]


def test_a_few_are_embedded_again_by_the_next_searches(opened_with: Callable[[int], MemoryStore]) -> None:
    """An open memory replaces few vectors by itself, and says so once."""
    with opened_with(8) as memory:
        memory.remember("The petrel fact.")
        memory.ensure_embeddings()
    with opened_with(16) as memory:
        notices = [notice for _ in range(4) for notice in memory.search("petrel").notices]
        assert memory.status().embedded == 1
    assert [notice for notice in notices if "replaced" in notice] == notices[-1:]
    assert notices[-1] == "the vectors of hashing/8 were replaced by those of hashing/16"


def test_switched_and_switched_back(opened_with: Callable[[int], MemoryStore]) -> None:
    """Switching back before anything was embedded again finds the old vectors; after it they are made anew."""
    with opened_with(8) as memory:
        memory.remember("The petrel fact.")
        memory.ensure_embeddings()
    with opened_with(16) as memory:
        assert memory.search("petrel", mode="keyword").found
        assert memory.status().embedded == 0
    with opened_with(8) as memory:
        assert memory.status().embedded == 1
        assert memory.ensure_embeddings() == 0
    with opened_with(16) as memory:
        assert memory.ensure_embeddings() == 1
    with opened_with(8) as memory:
        assert memory.status().embedded == 0
        assert memory.ensure_embeddings() == 1
        assert memory.search("petrel fact").found
