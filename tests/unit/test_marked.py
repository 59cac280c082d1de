"""How the marks of web searches are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.marked import MOST_MARKS, marked, phrase
from treering.domain.query import Term
from treering.errors import InputError


def written(question: str) -> tuple[str, list[list[str]], list[str]]:
    """Return a question as it was read, its terms as a reader would write them."""
    found = marked(question)
    return found.text, [[term.text for term in group] for group in found.must], [term.text for term in found.without]


@pytest.mark.parametrize(
    ("question", "text", "must", "without"),
    [
        ('how do "blue green" deploys work', 'how do "blue green" deploys work', [["blue green"]], []),
        ("deploy -staging fast", "deploy fast", [], ["staging"]),
        ('launch -"old plan"', "launch", [], ["old plan"]),
        ('a OR b OR "c d" backup', 'a b "c d" backup', [["a", "b", "c d"]], []),
        ("a OR b c OR d", "a b c d", [["a", "b"], ["c", "d"]], []),
        ("C++ OR max_tokens", "C++ max_tokens", [["cplusplus", "max tokens"]], []),
        ("OR a OR", "a", [], []),
        ("a OR -b", "a", [], ["b"]),
        ('5" and 6" pipes', '5" and 6" pipes', [], []),
        ('an "open quote', 'an "open quote', [], []),
        ("git --amend - now", "git --amend - now", [], []),
        ("well-known or not", "well-known or not", [], []),
        ("«uno dos» “tres”", "«uno dos» “tres”", [["uno dos"], ["tres"]], []),
        ("恢复 -数据库", "恢复", [], ["数据 据库"]),
    ],
)
def test_marks(question: str, text: str, must: list[list[str]], without: list[str]) -> None:
    """Quotes, dashes before words and `OR` between words are marks; all else is text."""
    assert written(question) == (text, must, without)


def test_a_phrase_ends_inside_a_run_of_letters() -> None:
    """Where letters stand without spaces the last one goes on in a text, alone or as the beginning of a pair."""
    assert phrase("数据库") == Term(("数据", "据库"))
    assert phrase("库") == Term(("库",), prefix=True)
    assert phrase("数据库 server") == Term(("数据", "据库", "库", "server"))
    assert phrase("ภาษาไทย") == Term(("ภาษ", "าษา", "ษาไ", "าไท", "ไทย"))


def test_what_has_no_word_is_no_condition() -> None:
    """Marks around nothing narrow nothing."""
    assert phrase("**") is None
    assert written('"" -* "…"') == ('"" "…"', [], [])


def test_no_more_marks_than_are_looked_up() -> None:
    """One too many is refused with its number."""
    words = " ".join(f"-w{number}" for number in range(MOST_MARKS))
    assert len(marked(words).without) == MOST_MARKS
    with pytest.raises(InputError, match="65 words"):
        marked(f'{words} "one more"')


@given(st.text(alphabet="ab OR\"“”-«»「」 库ไ\n'+#*", max_size=60))
def test_any_text_is_read(question: str) -> None:
    """Nothing raises but too many marks, and what is asked is made of what was typed."""
    found = marked(question)
    assert set(found.text) <= set(question) | {" "}
    assert all(term.words for group in (*found.must, found.without) for term in group)
