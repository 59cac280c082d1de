"""Keyword scores of PostgreSQL, beside those of SQLite for the same entries."""

from __future__ import annotations

import random
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest

from treering.backends.postgres.engine import PostgresBackend
from treering.backends.sqlite.engine import SqliteBackend
from treering.domain.address import Address
from treering.domain.query import Filter, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Keywords

WORDS = ["gateway", "retry", "billing", "payment", "error", "the", "locker", "harbour", "walrus", "支付", "naïve", "x1"]


@pytest.fixture
def both(databases: Any) -> Iterator[tuple[Keywords, Keywords]]:
    """Return the same 400 entries in both databases."""
    chosen = random.Random(7)  # noqa: S311  no secret
    entries = [
        (
            number,
            " ".join(chosen.choices(WORDS, k=chosen.randint(0, 6))),
            " ".join(chosen.choices(WORDS, weights=range(1, 13), k=chosen.randint(0, 90))),
        )
        for number in range(1, 401)
    ]
    with ExitStack() as stack:
        sides = []
        for store in (
            SqliteBackend(":memory:", create=True),
            PostgresBackend(Address(databases.new()), create=True),
        ):
            tx = stack.enter_context(stack.enter_context(closing(store)).write())
            tx.keywords.add(entries)
            tx.keywords.remove(entries[:50])
            sides.append(tx.keywords)
        yield sides[0], sides[1]


@pytest.mark.parametrize(
    "words", [["walrus"], ["gateway", "harbour"], ["the", "支付", "x1", "naive"], ["retry", "error", "absent"], WORDS]
)
def test_scores_are_those_of_sqlite(both: tuple[Keywords, Keywords], words: list[str]) -> None:
    """The same entries with the same BM25, best first, however often a word occurs in head and body."""
    terms = [Term((word,)) for word in words]
    sqlite, postgres = (side.rank(terms, side.frequencies(terms), 400, Filter()) for side in both)
    assert dict(postgres) == pytest.approx(dict(sqlite), rel=1e-6, abs=1e-12)
    assert [hit.score for hit in postgres] == sorted((hit.score for hit in postgres), reverse=True)


def test_frequencies_are_those_of_sqlite(both: tuple[Keywords, Keywords]) -> None:
    """Words, words side by side and beginnings of words are in as many entries of one as of the other."""
    terms = [Term((word,)) for word in WORDS]
    terms += [Term(("gateway", "retry")), Term(("the", "locker", "harbour")), Term(("wal",), prefix=True)]
    sqlite, postgres = (side.frequencies(terms) for side in both)
    assert postgres == sqlite


def test_a_very_long_entry(databases: Any) -> None:
    """A text of more words and bytes than one row can hold is found by its first word, its last and all between."""
    body = " ".join(f"word{number}" for number in range(60_000)) + " " + "y" * 3000 + " zebra"
    with closing(PostgresBackend(Address(databases.new()), create=True)) as store, store.write() as tx:
        tx.keywords.add([(1, "head", body), (2, "other", "zebra")])
        for word in ("head", "word0", "word30000", "word59999", "zebra", "y" * 3000):
            terms = [Term((word,))]
            frequencies = tx.keywords.frequencies(terms)
            found = tx.keywords.rank(terms, frequencies, 10, Filter())
            assert (frequencies[0], {hit.entry for hit in found}) == ((2, {1, 2}) if word == "zebra" else (1, {1})), (
                word
            )
        tx.keywords.remove([(1, "head", body)])
        assert tx.keywords.size() == 1
        assert tx.keywords.frequencies([Term(("word1",)), Term(("zebra",))]) == [0, 1]
