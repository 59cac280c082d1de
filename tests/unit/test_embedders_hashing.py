"""The hashing embedder: what is special about it beside the contract."""

from __future__ import annotations

from struct import unpack

import pytest

from treering.embedders.hashing import HashingEmbedder


def cosine(embedder: HashingEmbedder, one: str, other: str) -> float:
    """Return how near two texts are."""
    form = f"<{embedder.dimension}f"
    pairs = zip(unpack(form, embedder.embed_query(one)), unpack(form, embedder.embed_query(other)), strict=True)
    return sum(a * b for a, b in pairs)


@pytest.mark.parametrize("dimension", [1, 64, 256, 1000])
def test_dimension_can_be_chosen(dimension: int) -> None:
    """A vector has as many numbers as asked for, and the id says so."""
    embedder = HashingEmbedder(dimension)
    assert len(embedder.embed_query("hello")) == 4 * dimension
    assert str(dimension) in embedder.id


def test_word_forms_are_near() -> None:
    """Letter triples bring forms of one word together; other words stay apart."""
    embedder = HashingEmbedder(1024)
    assert cosine(embedder, "configuration", "configurations") > 0.6
    assert abs(cosine(embedder, "configuration", "penguin")) < 0.2


def test_every_script_counts() -> None:
    """A Chinese question is near a Chinese text that holds its words."""
    embedder = HashingEmbedder()
    assert cosine(embedder, "支付服务", "我们的支付服务在哪里") > 0.5


def test_vectors_never_change() -> None:
    """A pinned vector: stores made with this revision stay comparable."""
    assert HashingEmbedder(8).embed_query("tree ring").hex() == (
        "ef5b713eef5b71be00000000ef5b713eef5b71beef5bf1bef30435bfef5b71be"
    )
