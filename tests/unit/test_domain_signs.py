"""Signs: the same bits in plain Python and numpy, and files that are read only when they are whole."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

from treering.domain.signs import BY_ALL, HEADER_BYTES, Header, SignFile, flips, padded, signs
from treering.domain.vector import quantise
from treering.recall.matrix import bit_count, signs_of

TOKEN = b"0123456789abcdef"


def unit(chance: random.Random, size: int) -> bytes:
    """Return a random unit vector as little-endian float32."""
    numbers = [chance.gauss(0, 1) for _ in range(size)]
    length = sum(number * number for number in numbers) ** 0.5
    return struct.pack(f"<{size}f", *(number / length for number in numbers))


def made(count: int, size: int = 256) -> tuple[bytes, list[bytes]]:
    """Return a file of signs of random rows whose entries are 10, 11 …, and the rows' vectors."""
    chance = random.Random(3)  # noqa: S311 - the same in each run
    vectors = [unit(chance, size) for _ in range(count)]
    words = signs_of(np.frombuffer(quantise(b"".join(vectors)), np.int8).reshape(-1, size))
    header = Header(TOKEN, count, 5, words.shape[1])
    entries = np.arange(10, 10 + count, dtype="<i8").tobytes()
    return header.packed() + words[:, 0].tobytes() + entries + words[:, 1:].tobytes(), vectors


@pytest.mark.parametrize("size", [8, 64, 256, 384, 512])
def test_both_ways_give_the_same_bits(size: int) -> None:
    """A question's signs and those of the row stored for the same vector differ only where a number is nearly 0."""
    chance = random.Random(size)  # noqa: S311
    for _ in range(20):
        vector = unit(chance, size)
        row = signs_of(np.frombuffer(quantise(vector), np.int8).reshape(1, size))[0]
        question = signs(vector)
        assert len(question) == len(row) == padded(size) // 64
        assert sum((word ^ int(other)).bit_count() for word, other in zip(question, row, strict=True)) <= size // 20


@pytest.mark.parametrize("size", [8, 64, 256, 384, 512])
def test_numpy_gives_a_question_the_same_bits(size: int) -> None:
    """A question's signs do not depend on who works them out."""
    chance = random.Random(size)  # noqa: S311
    vectors = [unit(chance, size) for _ in range(20)]
    rows = np.frombuffer(b"".join(vectors), "<f4").reshape(20, size)
    assert [tuple(map(int, row)) for row in signs_of(rows)] == [signs(vector) for vector in vectors]


def test_flips_are_the_same_in_every_process() -> None:
    """They are part of what is on disk."""
    assert flips(8) == (-1, 1, 1, -1, -1, -1, 1, -1)
    assert abs(sum(flips(256))) < 60


def test_bits_are_counted_by_any_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way for numpy 1 counts as numpy 2 does."""
    words = np.array([0, 1, 2**64 - 1, 0x5555555555555555], np.uint64)
    assert bit_count(words).tolist() == [0, 1, 64, 32]
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert bit_count(words).tolist() == [0, 1, 64, 32]


@pytest.mark.slow
def test_the_likeliest_come_out() -> None:
    """Of 12,000 rows the one equal to the question comes first, and its near ones are among those compared exactly."""
    raw, vectors = made(12_000)
    file = SignFile(memoryview(raw))
    found = file.nearest(signs(vectors[7000]), None)
    assert found[0] == 7010
    assert len(found) == BY_ALL
    assert len(set(found)) == BY_ALL


@pytest.mark.slow
def test_a_filter_never_empties_a_result() -> None:
    """Only what is allowed comes out, as much of it as there is, however unlike it is."""
    raw, vectors = made(9_000)
    file = SignFile(memoryview(raw))
    allowed = {11, 12, 8999, 123_456}
    assert set(file.nearest(signs(vectors[5]), allowed)) == {11, 12, 8999}
    assert file.nearest(signs(vectors[5]), set()) == []


def test_short_rows_have_no_second_word() -> None:
    """Rows of 64 bits and fewer are told apart by their only word."""
    raw, vectors = made(50, 8)
    assert 15 in SignFile(memoryview(raw)).nearest(signs(vectors[5]), None)[:10]


@pytest.mark.parametrize("cut", [0, 10, HEADER_BYTES - 1, HEADER_BYTES, -1])
def test_a_file_that_was_cut_short_is_refused(cut: int) -> None:
    """At every length but its own."""
    raw, _ = made(20)
    with pytest.raises(ValueError, match=r"short|no file"):
        SignFile(memoryview(raw[:cut]))
    with pytest.raises(ValueError, match="no file"):
        SignFile(memoryview(raw + b"x"))


@pytest.mark.parametrize("at", range(0, HEADER_BYTES, 5))
def test_a_header_with_a_flipped_bit_is_refused(at: int) -> None:
    """Whichever byte it is in."""
    raw = bytearray(made(20)[0])
    raw[at] ^= 4
    with pytest.raises(ValueError, match="no file"):
        SignFile(memoryview(bytes(raw)))
