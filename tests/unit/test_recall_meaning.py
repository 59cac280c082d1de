"""Entries compared with a question: all of them with numpy, or some in plain Python, with one result."""

from __future__ import annotations

import random
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from treering.backends.sqlite.engine import SqliteBackend
from treering.derived import vectors
from treering.domain.chunk import Chunk
from treering.domain.query import Filter
from treering.domain.source import Document
from treering.embedders.static import StaticEmbedder
from treering.intake import KeptText
from treering.recall import matrix as matrices
from treering.recall import meaning as meanings
from treering.recall.matrix import Matrix
from treering.recall.meaning import Rescored, Scanned, Unasked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Backend

EMBEDDER = StaticEmbedder()
MODEL = vectors.name_of(EMBEDDER)
AT = "2026-01-01T00:00:00.000Z"
WORDS = (
    "harbour parcel locker courier invoice refund retry gateway queue replica disk sensor robot barcode window".split()
)


def put(store: Backend, number: int, *texts: str) -> None:
    """Keep texts as the chunks of one source, and embed them."""
    joined = "".join(texts)
    chunks, at = [], 0
    for place, text in enumerate(texts):
        chunks.append(Chunk(place, at, at + len(text), 1, 1, "prose"))
        at += len(text)
    with store.write() as tx:
        kept = KeptText(f"page:{number}", "", "page", "owner", Document(joined, "0", at, "utf-8"), chunks)
        entries = tx.sources.put_kept(kept, f"src_{number}", f"ver_{number}_{len(joined)}", AT)
        tx.keywords.add([(entry, "", text) for entry, text in zip(entries, texts, strict=True)])
    vectors.catch_up(store, EMBEDDER)


@pytest.fixture
def store() -> Iterator[Backend]:
    """Return a store with texts of random words, some of punctuation."""
    chance = random.Random(5)  # noqa: S311 - the same in each run
    with closing(SqliteBackend(":memory:", create=True)) as opened:
        texts = [" ".join(chance.choices(WORDS, k=chance.randint(2, 9))) + ". " for _ in range(300)]
        put(opened, 1, *texts[:150], "*** ")
        put(opened, 2, *texts[150:], "——— ")
        yield opened


def asked(text: str, matrix: Matrix | None = None) -> Rescored | Scanned:
    """Return a question, for plain Python or for a matrix."""
    question = vectors.embed_question(EMBEDDER, text)
    assert question is not None
    if matrix is None:
        return Rescored(question, MODEL, EMBEDDER.id, english_only=True)
    return Scanned(question, matrix, EMBEDDER.id, english_only=True)


def near(found: dict[int, float], other: dict[int, float]) -> bool:
    """Tell whether two ways give the same entries with the same cosines."""
    return found.keys() == other.keys() and all(abs(found[entry] - other[entry]) < 1e-5 for entry in found)


@pytest.mark.parametrize("few", [10, 4000], ids=["signs first", "all at once"])
def test_both_ways_agree(store: Backend, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The nearest and the cosines are the same with numpy and in plain Python; what means nothing is in neither."""
    monkeypatch.setattr(matrices, "_FEW", few)
    monkeypatch.setattr(matrices, "_EXACT", 200)
    matrix = Matrix(MODEL, 256)
    with store.read() as tx:
        for text in ("where is the courier", "replica of the queue", "zebra"):
            plain, scanned = asked(text), asked(text, matrix)
            everything = list(range(1, 303))
            assert near(plain.cosines(tx, everything), scanned.cosines(tx, everything))
            assert len(plain.cosines(tx, everything)) == 300
            found = scanned.nearest(tx, 20, Filter(), needed=False)
            assert near(found, plain.nearest(tx, 20, Filter(), needed=True))
            assert list(found.values()) == sorted(found.values(), reverse=True)
    assert matrix.count == 302


def test_a_filter_narrows_before_anything_is_ranked(store: Backend) -> None:
    """Both ways give the nearest of those that pass, as many as there are."""
    matrix = Matrix(MODEL, 256)
    with store.read() as tx:
        only = Filter(source="src_2")
        found = asked("courier", matrix).nearest(tx, 500, only, needed=True)
        assert near(found, asked("courier").nearest(tx, 500, only, needed=True))
        assert set(found) <= set(tx.vectors.passing(only))
        assert asked("courier", matrix).nearest(tx, 5, Filter(source="src_absent"), needed=True) == {}


def test_plain_python_looks_at_everything_only_where_it_must(store: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where words brought something, or there are too many rows, nothing is scanned."""
    with store.read() as tx:
        assert asked("courier").nearest(tx, 5, Filter(), needed=False) == {}
        monkeypatch.setattr(meanings, "MOST_IN_PYTHON", 100)
        assert asked("courier").nearest(tx, 5, Filter(), needed=True) == {}


def test_a_matrix_follows_the_store(store: Backend) -> None:
    """Rows that come, go and are replaced are taken over; the result is that of a fresh matrix."""
    matrix = Matrix(MODEL, 256)

    def agree() -> bool:
        with store.read() as tx:
            everything = list(range(1, 1000))
            old, new = asked("the courier", matrix), asked("the courier", Matrix(MODEL, 256))
            return near(old.cosines(tx, everything), new.cosines(tx, everything)) and near(
                old.nearest(tx, 50, Filter(), needed=False), new.nearest(tx, 50, Filter(), needed=False)
            )

    assert agree()
    put(store, 3, "The courier waits. ", "A parcel waits. ")
    assert agree()
    put(store, 3, "The courier left. ")
    assert agree()
    with store.write() as tx:
        tx.sources.remove_source("src_1")
    assert agree()
    put(store, 4, *(f"Parcel {number} of the courier. " for number in range(700)))
    assert agree()
    with store.write() as tx:
        tx.vectors.drop(MODEL)
    assert agree()
    assert matrix.count == 0
    vectors.catch_up(store, EMBEDDER)
    assert agree()
    assert matrix.count > 700


def test_an_unchanged_store_is_not_read_again(store: Backend) -> None:
    """A matrix that saw a state does not look for changes in it."""
    matrix = Matrix(MODEL, 256)
    with store.read() as tx:
        matrix.refresh(tx)
        seen = []
        connection = store._connection  # type: ignore[attr-defined]
        connection.exec_trace = lambda _cursor, sql, _bindings: seen.append(sql) is None
        matrix.refresh(tx)
        connection.exec_trace = None
    assert seen == []


def test_nothing_is_asked_of_no_model(store: Backend) -> None:
    """The stand-in for no meaning finds nothing, and says why."""
    with store.read() as tx:
        nothing = Unasked("because")
        assert nothing.nearest(tx, 5, Filter(), needed=True) == nothing.cosines(tx, [1]) == {}
    assert (nothing.why, nothing.model) == ("because", "")
