"""Stored vectors: rounding to signed bytes, and the cosine of a question with one of them."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.vector import SCALE, cosine_with, quantise

NUMBERS = st.lists(st.floats(-1, 1, width=32), min_size=8, max_size=8)


def packed(numbers: list[float]) -> bytes:
    """Return numbers scaled to unit length as little-endian float32."""
    length = math.hypot(*numbers) or 1.0
    return struct.pack(f"<{len(numbers)}f", *(max(-1.0, min(1.0, number / length)) for number in numbers))


def test_numbers_become_signed_bytes() -> None:
    """1 is 127, −1 is −127, 0 is 0, and the rest lies between."""
    stored = quantise(struct.pack("<5f", 1, -1, 0, 0.25, -0.25))
    assert struct.unpack("5b", stored) == (127, -127, 0, 32, -32)


def test_nothing_becomes_nothing() -> None:
    """No rows give no bytes."""
    assert quantise(b"") == b""


@given(NUMBERS)
def test_rounding_moves_a_number_by_half_a_step(numbers: list[float]) -> None:
    """Each number comes back within 1/254."""
    row = packed(numbers)
    for number, stored in zip(struct.unpack("<8f", row), struct.unpack("8b", quantise(row)), strict=True):
        assert abs(number - stored / SCALE) <= 0.5 / SCALE + 1e-6


@given(NUMBERS, NUMBERS)
def test_cosine_is_the_sum_of_products(one: list[float], other: list[float]) -> None:
    """The shortcut gives what multiplying and adding gives."""
    query, row = packed(one), quantise(packed(other))
    products = zip(struct.unpack("<8f", query), struct.unpack("8b", row), strict=True)
    assert cosine_with(query)(row) == pytest.approx(sum(a * b for a, b in products) / SCALE, abs=1e-9)


def test_a_row_of_zeros_has_the_cosine_zero() -> None:
    """A text without words is as far from everything as two unrelated texts."""
    zeros = quantise(bytes(32))
    assert zeros == bytes(8)
    assert cosine_with(packed([1.0, 2.0, 3.0, 0, 0, 0, 0, 0]))(zeros) == pytest.approx(0, abs=1e-9)
    assert cosine_with(bytes(32))(quantise(packed([1.0] * 8))) == pytest.approx(0, abs=1e-9)


def test_another_dimension_is_refused() -> None:
    """Vectors of two models are never compared by accident."""
    with pytest.raises(ValueError, match="dimension"):
        cosine_with(packed([1.0] * 8))(bytes(16))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 2.0, -2.0])
@pytest.mark.parametrize("numpy", [True, False])
def test_what_is_no_unit_vector_is_refused(monkeypatch: pytest.MonkeyPatch, number: float, *, numpy: bool) -> None:
    """Not a number, infinity and numbers beyond 1 are errors, with numpy and without."""
    if not numpy:
        monkeypatch.delitem(sys.modules, "numpy")
    with pytest.raises(ValueError, match="vector"):
        quantise(struct.pack("<2f", 0.0, number))


def test_numpy_changes_speed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes are the same whether numpy is loaded or not, ties included."""
    halves = (np.arange(-254, 255) / 254).astype("<f4")
    numbers = np.concatenate([halves, np.random.default_rng(1).uniform(-1, 1, 20_000).astype("<f4")]).tobytes()
    fast = quantise(numbers)
    monkeypatch.delitem(sys.modules, "numpy")
    assert quantise(numbers) == fast


def test_comparing_needs_no_numpy() -> None:
    """A fresh process rounds and compares without importing numpy."""
    code = (
        "import sys; from treering.domain.vector import cosine_with, quantise;"
        "cosine_with(bytes(1024))(quantise(bytes(1024))); assert 'numpy' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
