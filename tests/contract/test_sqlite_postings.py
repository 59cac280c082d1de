"""Keyword scores that a process keeps between questions, beside those of FTS5 for the same entries."""

from __future__ import annotations

import random
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.backends.sqlite import postings
from treering.backends.sqlite.engine import SqliteBackend
from treering.backends.sqlite.search import SqliteKeywords
from treering.domain.query import Filter, Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.records import KeywordHit

WORDS = ["gateway", "retry", "retries", "billing", "the", "locker", "walrus", "支付", "naïve", "x1", "C++", "a-b"]
ENTRIES = 300
TERMS = [
    *(Term((word,)) for word in WORDS),
    Term(("the", "gateway")),
    Term(("walrus", "walrus", "walrus", "gateway", "gateway")),
    Term(("lock",), prefix=True),
    Term(("absent",)),
    Term(("walrus",), weight=0.5),
]


def entries(count: int, seed: int = 7) -> list[tuple[int, str, str]]:
    """Return entries in which the first words are rare."""
    chosen = random.Random(seed)  # noqa: S311  no secret
    return [
        (
            number,
            " ".join(chosen.choices(WORDS, k=chosen.randint(0, 6))),
            " ".join(chosen.choices(WORDS, weights=range(1, len(WORDS) + 1), k=chosen.randint(0, 300))),
        )
        for number in range(1, count + 1)
    ]


@pytest.fixture(scope="module")
def store() -> Iterator[SqliteBackend]:
    """Return a store of which a part was removed, with the numbers that were left."""
    with closing(SqliteBackend(":memory:", create=True)) as backend:
        with backend.write() as tx:
            rows = entries(ENTRIES)
            tx.keywords.add(rows)
            tx.keywords.remove(rows[40:90])
        yield backend


def ranked(keywords: SqliteKeywords, terms: Sequence[Term], limit: int) -> list[KeywordHit]:
    """Return what is found for terms."""
    return keywords.rank(terms, keywords.frequencies(terms), limit, Filter())


def staying(backend: SqliteBackend) -> SqliteKeywords:
    """Return the index as a process sees it that has asked many questions."""
    for _ in range(20):
        with backend.read() as tx:
            ranked(tx.keywords, [Term(("walrus",))], 5)
    assert isinstance(tx.keywords, SqliteKeywords)
    return tx.keywords


def asking_once(warm: SqliteKeywords) -> SqliteKeywords:
    """Return the index as a process sees it that asks its first question."""
    return SqliteKeywords(warm._db, 1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TERMS), min_size=1, max_size=8), st.sampled_from([1, 7, 500]))
def test_a_process_that_stays_ranks_as_one_that_asks_once(store: SqliteBackend, terms: list[Term], limit: int) -> None:
    """The same entries in the same order with the same scores, for words, phrases and beginnings of words."""
    warm = staying(store)
    with store.read():
        for _ in range(3):  # a frequent term is read once it was asked for often enough
            kept, asked = ranked(warm, terms, limit), ranked(asking_once(warm), terms, limit)
            assert [hit.score for hit in kept] == pytest.approx([hit.score for hit in asked], rel=1e-9)
            assert dict(kept).keys() == dict(asked).keys()


def test_frequent_terms_add_to_the_rows_of_rare_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms that bring no rows count by as much, whether they are kept yet or not."""
    monkeypatch.setattr("treering.backends.keywords._RARE_ROWS", 20)
    with closing(SqliteBackend(":memory:", create=True)) as backend:
        with backend.write() as tx:
            tx.keywords.add(entries(600))
            tx.keywords.add([(1000 + number, "", "zebra quagga the gateway") for number in range(3)])
        warm = staying(backend)
        cold = asking_once(warm)
        terms = [Term(("zebra",)), Term(("gateway",)), Term(("the",)), Term(("x1",))]
        with backend.read():
            expected = ranked(cold, terms, 50)
            assert [entry for entry, _ in expected[:3]] == [1000, 1001, 1002]
            for _ in range(200):
                assert ranked(warm, terms, 50) == [(entry, pytest.approx(score, rel=1e-9)) for entry, score in expected]


def test_what_changes_is_seen_at_once(store: SqliteBackend) -> None:
    """Nothing that was read in another state is used: neither of a word nor of the lengths of entries."""
    warm = staying(store)
    terms = [Term(("walrus",)), Term(("okapi",))]
    with store.read():
        assert len(ranked(warm, terms, 500)) > 0
    with store.write() as tx:
        tx.keywords.add([(5000, "okapi", "an okapi and a walrus")])
        assert 5000 in dict(ranked(warm, terms, 500))
    with store.read():
        found, asked = ranked(warm, terms, 500), ranked(asking_once(warm), terms, 500)
        assert found[0].entry == 5000
        assert dict(found) == pytest.approx(dict(asked), rel=1e-9)
    with store.write() as tx:
        tx.keywords.remove([(5000, "okapi", "an okapi and a walrus")])
    with store.read():
        assert 5000 not in dict(ranked(warm, terms, 500))


def test_what_is_kept_stays_small(store: SqliteBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the most rows, the terms leave that were asked for least lately; scores stay as they are."""
    monkeypatch.setattr(postings, "MOST_ROWS", 50)
    warm = staying(store)
    with store.read():
        for word in WORDS * 2:
            terms = [Term((word,))]
            assert dict(ranked(warm, terms, 500)) == pytest.approx(
                dict(ranked(asking_once(warm), terms, 500)), rel=1e-9
            )


def test_terms_in_too_many_entries_are_left_to_fts5(store: SqliteBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether they bring entries or add to them, scores stay as they are."""
    warm = staying(store)
    monkeypatch.setattr(postings, "MOST_OF_A_TERM", 20)
    with store.read():
        for terms in ([Term(("the",))], [Term(("retry",)), Term(("the",))], TERMS):
            for _ in range(3):
                found, asked = ranked(warm, terms, 500), ranked(asking_once(warm), terms, 500)
                assert dict(found) == pytest.approx(dict(asked), rel=1e-9)


def test_an_index_that_is_made_again_is_read_again(tmp_path: object) -> None:
    """The view of the places of words outlives the index it was made of; an empty one has nothing."""
    with closing(SqliteBackend(f"{tmp_path}/memory.db", create=True)) as backend:
        with backend.write() as tx:
            tx.keywords.add(entries(50))
        warm = staying(backend)
        with backend.write() as tx:
            tx.keywords.remake()
        with backend.read():
            assert ranked(warm, TERMS, 10) == []
        with backend.write() as tx:
            tx.keywords.add(entries(50, seed=8))
        warm = staying(backend)
        cold = asking_once(warm)
        with backend.read():
            assert dict(ranked(warm, TERMS[:4], 500)) == pytest.approx(dict(ranked(cold, TERMS[:4], 500)), rel=1e-9)
