"""What every store promises of its keyword index, see ``treering.ports.Keywords``: one suite over all adapters."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.domain.query import Filter, Term
from treering.domain.text import query_terms, search_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.contract.conftest import Open

    from treering.ports import Backend, Keywords, Transaction
    from treering.records import KeywordHit

TEXTS = {
    1: ("Gateway", "The gateway retries a failed payment five times."),
    2: ("Billing", "Billing runs at night. The retry is logged."),
    3: ("Gateway logs", "Nothing of interest here."),
    4: ("支付", "网关重试次数是五次。"),
    5: ("Código", "La configuración del teléfono; see max_tokens and httpTimeoutMs in C++ 3.11."),
    6: ("Emoji", "🎉 the party's naïve café"),
}


@pytest.fixture
def tx(backend: Backend) -> Iterator[Transaction]:
    """Return a writing transaction of an empty store."""
    with backend.write() as tx:
        yield tx


@pytest.fixture
def keywords(tx: Transaction) -> Keywords:
    """Return a keyword index of six entries."""
    tx.keywords.add(rows(TEXTS))
    return tx.keywords


def rows(texts: dict[int, tuple[str, str]]) -> list[tuple[int, str, str]]:
    """Return entries as the index is given them."""
    return [(entry, search_text(head), search_text(body)) for entry, (head, body) in texts.items()]


def look(keywords: Keywords, terms: Sequence[Term], limit: int = 100) -> list[KeywordHit]:
    """Return what is found for terms."""
    return keywords.rank(terms, keywords.frequencies(terms), limit, Filter())


def ask(keywords: Keywords, question: str) -> set[int]:
    """Return the entries that are found for a question."""
    return {hit.entry for hit in look(keywords, query_terms(question))}


@pytest.mark.parametrize(
    ("question", "entries"),
    [
        ("retry", {1, 2}),
        ("RETRIES", {1, 2}),
        ("gateway", {1, 3}),
        ("billing gateway", {1, 2, 3}),
        ("configuracion telefono", {5}),
        ("Configuración", {5}),
        ("cafe naive", {6}),
        ("重试", {4}),
        ("网关重试次数", {4}),
        ("支", {4}),
        ("五", {4}),
        ("max_tokens", {5}),
        ("tokens", {5}),
        ("timeout", {5}),
        ("httpTimeoutMs", {5}),
        ("C++", {5}),
        ("3.11", {5}),
        ("3.12", set()),
        ("absent", set()),
        ("🎉", set()),
    ],
)
def test_what_is_found(keywords: Keywords, question: str, entries: set[int]) -> None:
    """Head and body are searched; case, accents and English endings are no matter; CJK goes by pairs of letters."""
    assert ask(keywords, question) == entries


def test_terms(keywords: Keywords) -> None:
    """A word counts where it occurs, words side by side only there, and the beginning of a word by its letters."""
    terms = [
        Term(("gateway",)), Term(("retries",)), Term(("failed", "payment")), Term(("payment", "failed")),
        Term(("conf",), prefix=True), Term(("con",)), Term(("支",), prefix=True), Term(("retries", "a"), weight=0.0),
        Term(("gateway", "lo"), prefix=True), Term(("absent",)),
    ]  # fmt: skip
    assert keywords.frequencies(terms) == [2, 2, 1, 0, 1, 0, 1, 1, 1, 0]
    assert keywords.frequencies([]) == []


@pytest.mark.parametrize(
    "word",
    ["AND", "OR", "NOT", "NEAR", "NEAR(a b, 2)", "head:gateway", "gateway*", '"', '""gateway""', "^gateway", "-gateway",
     "a' or 1=1", "(", "{head}", "", " ", "?!", "\U0001f389", "x" * 100_000],
)  # fmt: skip
def test_nothing_in_a_term_is_syntax(keywords: Keywords, word: str) -> None:
    """A term is words and nothing else: no operator, column, quote or pattern in it means anything."""
    for terms in ([Term((word,))], [Term((word, "gateway"))], [Term((word,), prefix=True)]):
        frequencies = keywords.frequencies(terms)
        assert frequencies[0] <= 2
        assert len(look(keywords, terms)) <= 2


def test_ranking(keywords: Keywords, tx: Transaction) -> None:
    """Best first: what is rare counts more, more of it counts more, and the limit cuts the tail alone."""
    tx.keywords.add(rows({n: ("Filler", f"The gateway and something else, number {n}.") for n in range(10, 40)}))
    hits = look(keywords, query_terms("failed gateway"))
    assert hits[0].entry == 1
    assert len(hits) == 32
    assert all(one.score >= other.score > 0 for one, other in pairwise(hits))
    assert look(keywords, query_terms("failed gateway"), 3) == hits[:3]
    assert look(keywords, query_terms("failed gateway"), 0) == []
    assert look(keywords, []) == []


def test_an_unknown_term_changes_nothing(keywords: Keywords) -> None:
    """A term that occurs nowhere neither finds nor hides anything."""
    with_it = look(keywords, [Term(("gateway",)), Term(("absent",))])
    assert with_it == look(keywords, [Term(("gateway",))])


def test_a_removed_entry(keywords: Keywords) -> None:
    """A removed entry is found by none of its words; the others are found as if it had never been."""
    keywords.remove(rows({1: TEXTS[1]}))
    assert keywords.size() == 5
    assert ask(keywords, "gateway") == {3}
    assert ask(keywords, "failed payment") == set()
    assert keywords.frequencies([Term(("gateway",)), Term(("payment",)), Term(("retry",))]) == [1, 0, 1]
    keywords.add(rows({7: TEXTS[1]}))
    assert ask(keywords, "failed payment") == {7}


def test_clear(keywords: Keywords) -> None:
    """A cleared index is empty, and can be filled again with the same numbers."""
    keywords.clear()
    assert keywords.size() == 0
    assert ask(keywords, "gateway retry 支付") == set()
    keywords.clear()
    keywords.add(rows(TEXTS))
    assert keywords.size() == 6
    assert ask(keywords, "gateway") == {1, 3}


def test_stems(keywords: Keywords) -> None:
    """The words of a text come as the index compares them, in order, doubled ones too."""
    assert keywords.stems(search_text("Retries, retry RETRYING; the Café's 3.11")) == [
        "retri", "retri", "retri", "the", "cafe", "s", "3", "11",
    ]  # fmt: skip
    assert keywords.stems("") == []
    assert keywords.stems("?! 🎉") == []
    assert keywords.stems(search_text("网关重试")) == ["网关", "关重", "重试", "试"]


WORDS = st.sampled_from(["gateway", "gateways", "retry", "retried", "Über", "uber", "payment", "支付", "the", "x1"])
BODIES = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=12)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies=BODIES, heads=BODIES, left=st.sets(st.integers(0, 11)), asked=st.lists(WORDS, max_size=4))
def test_frequencies_are_counts(
    tx: Transaction, bodies: list[str], heads: list[str], left: set[int], asked: list[str]
) -> None:
    """After any adding and removing, frequencies and hits are what counting by hand gives."""
    texts = {number: (heads[number % len(heads)], body) for number, body in enumerate(bodies)}
    tx.keywords.clear()
    tx.keywords.add(rows(texts))
    tx.keywords.remove(rows({number: text for number, text in texts.items() if number in left}))
    kept = {
        number: set(tx.keywords.stems(search_text(" ".join(t)))) for number, t in texts.items() if number not in left
    }
    terms = [Term((word.lower(),)) for word in dict.fromkeys(asked)]
    stems = [tx.keywords.stems(term.words[0])[0] for term in terms]
    assert tx.keywords.size() == len(kept)
    assert tx.keywords.frequencies(terms) == [sum(stem in words for words in kept.values()) for stem in stems]
    assert {hit.entry for hit in look(tx.keywords, terms)} == {
        number for number, words in kept.items() if words.intersection(stems)
    }


def test_entries_that_hold_every_term(keywords: Keywords) -> None:
    """Words, beginnings of words and phrases must all be there, wherever; no terms are held by nothing."""
    gateway, retries, billing = Term(("gateway",)), Term(("retr",), prefix=True), Term(("billing", "runs"))
    assert sorted(keywords.holding([gateway], 10)) == [1, 3]
    assert keywords.holding([gateway, retries], 10) == [1]
    assert keywords.holding([retries, billing], 10) == [2]
    assert keywords.holding([gateway, billing], 10) == []
    assert len(keywords.holding([gateway], 1)) == 1
    assert keywords.holding([], 10) == []


def test_entries_under_any_of_many_words(keywords: Keywords) -> None:
    """Of the entries that are named, those that have one of the words, among a thousand others that nothing has."""
    nothing = [Term((f"nowhere{number}",)) for number in range(1000)]
    assert keywords.under([*nothing, Term(("gateway",))], [1, 2, 3]) == {1, 3}
    assert keywords.under([Term(("gateway",)), Term(("billing",))], [2]) == {2}
    assert keywords.under(nothing, [1, 2, 3]) == keywords.under([], [1]) == keywords.under(nothing, []) == set()


def counts(store: Backend, question: str) -> tuple[int, list[int]]:
    """Return how many entries there are and hold each term, as a reader sees it."""
    with store.read() as tx:
        return tx.keywords.size(), tx.keywords.frequencies(query_terms(question))


def test_counts_follow_what_others_commit(open_store: Open) -> None:
    """Whoever has counted before sees what another connection adds, removes and clears."""
    store, other = open_store(), open_store()
    with other.write() as tx:
        tx.keywords.add(rows(TEXTS))
    assert counts(store, "gateway retry") == (6, [2, 2])
    assert counts(store, "gateway retry") == (6, [2, 2])
    with other.write() as tx:
        tx.keywords.add(rows({7: ("Gateway", "one more")}))
        tx.keywords.remove(rows({2: TEXTS[2]}))
    assert counts(store, "gateway retry") == (6, [3, 1])
    with other.write() as tx:
        tx.keywords.clear()
    assert counts(store, "gateway retry") == (0, [0, 0])


def test_counts_of_what_was_undone_are_forgotten(backend: Backend) -> None:
    """What a transaction counts is not what others find when it fails."""
    with backend.write() as tx:
        tx.keywords.add(rows({1: TEXTS[1]}))
    assert counts(backend, "gateway nothing") == (1, [1, 0])

    def count_and_fail() -> None:
        """Add an entry, count, and give up."""
        with backend.write() as tx:
            tx.keywords.add(rows({3: TEXTS[3]}))
            assert tx.keywords.size() == 2
            assert tx.keywords.frequencies(query_terms("gateway nothing")) == [2, 1]
            raise ValueError("undone")

    with pytest.raises(ValueError, match="undone"):
        count_and_fail()
    assert counts(backend, "gateway nothing") == (1, [1, 0])


def test_words_that_begin_like_another(keywords: Keywords) -> None:
    """As the index compares them, in order, each with its entries; no more than are asked for."""
    assert keywords.beginning("re", 10) == [("retri", 2)]
    assert keywords.beginning("ga", 10) == [("gatewai", 2)]
    assert [word for word, _ in keywords.beginning("c", 2)] == sorted(word for word, _ in keywords.beginning("c", 9))[
        :2
    ]
    assert keywords.beginning("zz", 10) == []
    assert keywords.beginning("%", 10) == []
