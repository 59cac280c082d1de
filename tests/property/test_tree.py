"""The tree of digests stays whole, whatever comes, changes and goes, and in whatever portions it is digested."""

from __future__ import annotations

from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st
from whole_tree import check_whole

from treering.backends.sqlite.engine import SqliteBackend
from treering.derived.digests import grow
from treering.domain.condensing import MAX_CHARS, condense
from treering.domain.tree import label, partition, rank
from treering.records import StoredMemory

TOPICS = ("a/b", "a/c", "b", "c/d/e", "decision")


def memory(number: int, topic: str, text: str, status: str) -> StoredMemory:
    """Return a memory of a topic."""
    return StoredMemory(
        f"mem_{number}", number + 1, "decision", "", text, "", "", status, "inferred", "owner", 1, hash(text) % 1000,
        "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", topic,
    )  # fmt: skip


CHANGES = st.lists(
    st.one_of(
        st.tuples(
            st.integers(0, 60), st.sampled_from(TOPICS), st.text(max_size=30), st.sampled_from(["active", "archived"])
        ),
        st.tuples(st.integers(0, 60), st.just("gone"), st.just(""), st.just("gone")),
        st.just("digest"),
    ),
    max_size=120,
)


@given(CHANGES, st.integers(2, 9))
def test_it_is_whole_after_any_changes(changes: list[object], factor: int) -> None:
    """All that may hold is reached from the trunk once, no node is too large, and a second run does nothing."""
    with closing(SqliteBackend(":memory:", create=True)) as store:
        for change in [*changes, "digest"]:
            with store.write() as tx:
                if isinstance(change, tuple) and change[3] == "gone":
                    tx.memories.remove(f"mem_{change[0]}")
                elif isinstance(change, tuple):
                    tx.memories.put(memory(*change))
                else:
                    grow(tx, factor, lambda *_: "generic", tx.tree.due(1000))
                    check_whole(tx, factor)
                    before = store._connection.total_changes()
                    grow(tx, factor, lambda *_: "generic", tx.tree.due(1000))
                    assert store._connection.total_changes() == before


@given(st.lists(st.sampled_from([f"{a}/{b}.md" for a in "abc" for b in "defg"]), min_size=1, max_size=200),
       st.integers(2, 16))  # fmt: skip
def test_groups_are_of_the_right_size(paths: list[str], factor: int) -> None:
    """Parting gives groups in order that cover all, none too large and, but for a single one, none of one member."""
    ranks = [rank(path, place) for place, path in enumerate(sorted(paths))]
    ends = partition(ranks, factor)
    sizes = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    assert sum(sizes) == len(ranks)
    assert max(sizes) <= factor
    assert min(sizes) >= 1 if factor < 4 else min(sizes) >= min(2, len(ranks))


@given(st.lists(st.text(max_size=400), max_size=9))
def test_a_digest_is_short_and_of_their_words(texts: list[str]) -> None:
    """Whatever the texts are, the digest fits, is the same each time, and has something wherever they have a letter."""
    made = condense(texts)
    assert made == condense(texts)
    assert len(made.encode("utf-8", "replace")) <= MAX_CHARS
    if any(letter.isalnum() for text in texts for letter in text):
        assert made


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_pair_of_ranks_has_a_label(first: str, last: str) -> None:
    """What stands in a path breaks no label."""
    assert isinstance(label(rank(first, 0), rank(last, 1)), str)
