"""What every embedder promises, see ``treering.ports.Embedder``: one suite over all adapters."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.embedders.hashing import HashingEmbedder
from treering.embedders.static import StaticEmbedder

if TYPE_CHECKING:
    from treering.ports import Embedder

ADAPTERS = {"static": StaticEmbedder, "hashing": HashingEmbedder}
TEXTS = (
    "The cat sat on the mat.",
    "retry_timeout = 30  # seconds",
    "¿Dónde está la configuración?",
    "支付服务的重试次数",
    "café naïve Straße İstanbul ΣΊΣΥΦΟΣ 한국어 हिन्दी",
    "a",
    "x" * 5000,
    "supercalifragilistic antidisestablishmentarianism",
    "one two\x00three\u200bfour\ufefffive",
)
WORDLESS = ("", " ", "\n\t", "?!… — ***", "| --- | --- |", "🎉🎉", "\u0301", "\x00\x01", "\ud800", "=" * 3000)


@pytest.fixture(params=ADAPTERS, scope="module")
def embedder(request: pytest.FixtureRequest) -> Embedder:
    """Return one embedder of each kind."""
    made: Embedder = ADAPTERS[request.param]()
    return made


def rows(embedder: Embedder, vectors: bytes) -> list[tuple[float, ...]]:
    """Return vectors as rows of numbers."""
    return list(struct.iter_unpack(f"<{embedder.dimension}f", vectors))


def is_unit(row: tuple[float, ...]) -> bool:
    """Whether a row has the length 1."""
    return math.isclose(math.hypot(*row), 1, abs_tol=1e-5)


def is_near(one: bytes, other: bytes) -> bool:
    """Whether two lists of vectors agree within 1e-5 in every number."""
    pairs = zip(struct.iter_unpack("<f", one), struct.iter_unpack("<f", other), strict=True)
    return all(abs(a - b) <= 1e-5 for (a,), (b,) in pairs)


def test_names_itself(embedder: Embedder) -> None:
    """Id and revision are stable words of one line, and equal for a second instance."""
    again = type(embedder)()
    for word in (embedder.id, embedder.revision):
        assert word
        assert not set(word) & set(" \n\t")
    assert (embedder.id, embedder.revision, embedder.dimension) == (again.id, again.revision, again.dimension)
    assert embedder.dimension > 0
    assert embedder.english_only in {True, False}


def test_each_text_gives_a_unit_row(embedder: Embedder) -> None:
    """A batch has a row of unit length for each text that holds a word."""
    found = rows(embedder, embedder.embed_texts(["hello world", *TEXTS[:2]]))
    assert len(found) == 3
    assert all(map(is_unit, found))


def test_nothing_to_embed_gives_nothing(embedder: Embedder) -> None:
    """An empty batch gives no bytes."""
    assert embedder.embed_texts([]) == b""


@pytest.mark.parametrize("text", WORDLESS, ids=ascii)
def test_a_text_without_words_is_a_row_of_zeros(embedder: Embedder, text: str) -> None:
    """Marks, blanks, emoji and control characters alone match nothing, alone and in a batch."""
    zeros = bytes(4 * embedder.dimension)
    assert embedder.embed_query(text) == zeros
    first, middle, last = rows(embedder, embedder.embed_texts(["word", text, "word"]))
    assert not any(middle)
    assert first == last
    assert is_unit(first)


def test_a_batch_equals_its_texts_one_by_one(embedder: Embedder) -> None:
    """Size and neighbours of a batch do not change a vector."""
    texts = [*TEXTS, *WORDLESS] * 10
    singly = b"".join(embedder.embed_texts([text]) for text in texts)
    assert is_near(embedder.embed_texts(texts), singly)


def test_a_question_equals_the_same_text(embedder: Embedder) -> None:
    """Without prefixes a question and a stored text have the same vector."""
    for text in TEXTS:
        assert is_near(embedder.embed_query(text), embedder.embed_texts([text]))


def test_order_is_kept(embedder: Embedder) -> None:
    """Reversing the texts reverses the rows."""
    texts = [f"note number {number} about topic {number * number}" for number in range(200)]
    forward = rows(embedder, embedder.embed_texts(texts))
    assert rows(embedder, embedder.embed_texts(texts[::-1]))[::-1] == forward


def test_another_process_gives_the_same(embedder: Embedder) -> None:
    """Vectors do not depend on the process, its hash seed or what it embedded before."""
    code = (
        f"import sys; from {type(embedder).__module__} import {type(embedder).__name__} as E;"
        f"e = E(); sys.stdout.buffer.write(e.embed_texts({TEXTS!r}) + e.embed_query({TEXTS[0]!r}))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    here = embedder.embed_texts(TEXTS) + embedder.embed_query(TEXTS[0])
    assert is_near(found.pop(), here)


def test_near_is_nearer_than_far(embedder: Embedder) -> None:
    """Texts about the same thing, in partly the same words, are nearer than unrelated ones."""
    ask = rows(embedder, embedder.embed_query("restart the payment service"))[0]
    near, far = rows(
        embedder,
        embedder.embed_texts(["How to restart a payment service that hangs", "Grandmother's recipe for plum cake"]),
    )
    assert sum(a * b for a, b in zip(ask, near, strict=True)) > 0.4
    assert sum(a * b for a, b in zip(ask, far, strict=True)) < 0.3


@pytest.mark.parametrize("unit", ["word ", "x", "漢字", " ", "-", "a\u0301", "\ud800"], ids=ascii)
def test_time_does_not_grow_faster_than_the_text(embedder: Embedder, unit: str) -> None:
    """Four million characters of anything take no more than 40 times as long as a hundredth of them, and a bit."""

    def seconds(text: str) -> float:
        begin = time.process_time()
        embedder.embed_query(text)
        embedder.embed_texts([text])
        return time.process_time() - begin

    seconds(unit)
    short, long = unit * (40_000 // len(unit)), unit * (4_000_000 // len(unit))
    assert seconds(long) < 40 * seconds(short) + 0.1


def test_threads_do_not_disturb_one_another(embedder: Embedder) -> None:
    """Eight threads that share an embedder get what one thread gets."""
    batches = [[f"{word} {number} {word * 2}" for number in range(70)] for word in "alpha beta gamma delta eta".split()]
    fresh = type(embedder)()
    expected = [embedder.embed_texts(batch) for batch in batches]
    with ThreadPoolExecutor(8) as pool:
        many = list(pool.map(fresh.embed_texts, batches * 4))
        questions = list(pool.map(fresh.embed_query, [batch[0] for batch in batches] * 4))
    assert all(is_near(found, wanted) for found, wanted in zip(many, expected * 4, strict=True))
    width = 4 * embedder.dimension
    assert all(is_near(found, wanted[:width]) for found, wanted in zip(questions, expected * 4, strict=True))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(st.characters(), max_size=60), max_size=5))
def test_any_text_is_embedded(embedder: Embedder, texts: list[str]) -> None:
    """Any code points, lone surrogates too, give a row of unit length or of zeros, the same each time."""
    found = embedder.embed_texts(texts)
    assert all(is_unit(row) or not any(row) for row in rows(embedder, found))
    assert is_near(found, b"".join(map(embedder.embed_query, texts)))
