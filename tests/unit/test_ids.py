"""Identifiers: how they are made, sorted and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain import ids
from treering.errors import InputError

KINDS = st.sampled_from(("src", "ver", "mem", "ent", "prp", "brf", "era"))
TIMES = st.integers(0, 2**50 - 1)
ENTROPY = st.binary(min_size=8, max_size=8)


@given(KINDS, TIMES, ENTROPY)
def test_an_id_is_read_back(kind: ids.Kind, at_ms: int, entropy: bytes) -> None:
    """Any id that is made can be parsed: a kind, 22 characters without look-alikes, no ordinal."""
    made = ids.make(kind, at_ms, entropy)
    assert len(made) == 26
    assert not set(made[4:]) & set("ilou")
    assert ids.parse(made) == (kind, made, None)


@given(st.lists(TIMES, min_size=2, unique=True), ENTROPY, ENTROPY)
def test_ids_sort_by_time(times: list[int], one: bytes, other: bytes) -> None:
    """Ids of one kind sort like the times they were made at, whatever their random part."""
    made = [ids.make("ver", at, one if number % 2 else other) for number, at in enumerate(times)]
    assert sorted(made) == [id for _, id in sorted(zip(times, made, strict=True))]


def test_the_random_part_counts() -> None:
    """Ids of one millisecond differ by 60 random bits: all but the last four of eight bytes."""
    base = bytes(8)
    made = {ids.make("src", 0, (1 << bit).to_bytes(8, "big")) for bit in range(4, 64)}
    assert len(made | {ids.make("src", 0, base)}) == 61
    assert ids.make("src", 0, (15).to_bytes(8, "big")) == ids.make("src", 0, base) == "src_" + "0" * 22


@given(KINDS, st.integers(0, 10**9))
def test_a_chunk_has_a_place_in_a_version(kind: ids.Kind, ordinal: int) -> None:
    """The id of a chunk is its version's with a place, and is read back as both."""
    version = ids.make(kind, 1, bytes(8))
    assert ids.parse(ids.chunk_id(version, ordinal)) == (kind, version, ordinal)


@given(KINDS, KINDS)
def test_an_id_is_of_one_kind(kind: ids.Kind, other: ids.Kind) -> None:
    """An id is one of its own kind and of no other; a chunk's is none, nor is a word."""
    made = ids.make(kind, 1, bytes(8))
    assert ids.is_id(made, other) == (kind == other)
    assert not ids.is_id(f"{made}#1", kind)
    assert not ids.is_id(f"{kind}_staging", kind)


GOOD = "src_" + "0" * 22


@pytest.mark.parametrize(
    "text",
    ["", "src", "src_", GOOD[:-1], GOOD + "0", GOOD.upper(), "SRC" + GOOD[3:], "doc" + GOOD[3:], GOOD[:-1] + "l",
     GOOD[:-1] + "u", GOOD + "#", GOOD + "#x", GOOD + "#-1", GOOD + "#1#2", f" {GOOD}", f"{GOOD}\n", "docs/a.md"],
)  # fmt: skip
def test_what_is_no_id(text: str) -> None:
    """Anything else is refused, with what an id looks like and where to find one."""
    with pytest.raises(InputError, match="is no id: ids look like") as raised:
        ids.parse(text)
    assert raised.value.hint == "treering list sources"
