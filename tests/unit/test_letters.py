"""Unusual letters: what is told of a whole text serves each of its lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.letters import Letters, letters_of
from treering.domain.text import search_text

# Of each kind some letters, and such as change when they are put together or taken apart.
SOME = "aZ0 .－ＡĿ½́é¨가각网络，カﾞがשׁלוֹםعَرَكـไทยမြန်🚀\U00020001ᏣᎳᎩ𐐀…–\t"
lines = st.lists(st.text(st.sampled_from(SOME), max_size=30), min_size=1, max_size=6)


@given(lines)
def test_a_line_is_indexed_as_by_itself(texts: list[str]) -> None:
    """With the letters of the whole text, or of any text that it is a part of, a line comes to the same."""
    letters = letters_of("\n".join(texts))
    assert [search_text(text, letters) for text in texts] == [search_text(text) for text in texts]


@pytest.mark.parametrize("text", ["", "plain ASCII", "naïve café – “quoted” → done"])
def test_most_text_is_plain(text: str) -> None:
    """ASCII, Western letters and the marks of print ask for nothing."""
    assert letters_of(text) == Letters(strange=False)
