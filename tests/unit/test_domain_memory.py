"""What is a statement, and which statements say the same."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.memory import KINDS, memory_kind, one_line, same_as, tidy
from treering.errors import InputError

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Builds need 8 GB.\nNever less.", "Builds need 8 GB.\nNever less."),
        ("Builds need 8 GB.\r\nNever less.  \r\n", "Builds need 8 GB.\nNever less."),
        ("one\rtwo", "one\ntwo"),
        ("\n\n  one \t\n\n\n\n two\n", "one\n\n two"),
        ("cafe\u0301", "café"),
        ("  - a\n    - b", "- a\n    - b"),
        ("!!!", "!!!"),
        (".", "."),
        ("🎉", "🎉"),
        ("\u200b", "\u200b"),
    ],
)
def test_a_statement_loses_what_only_an_editor_sees(text: str, kept: str) -> None:
    """Line ends become line feeds, blanks at ends of lines and blank lines in a row go; nothing else does."""
    assert tidy(text) == kept


@pytest.mark.parametrize("text", ["", " ", "\n\t\r\n", "\u3000", "\0", "a\0b", "a\ud800", "\udfff", None, 7, b"bytes"])
def test_no_text_is_refused(text: Any) -> None:
    """Nothing, a NUL, half a character and what is no string are bad input, in words."""
    with pytest.raises(InputError):
        tidy(text)


@pytest.mark.parametrize("text", ["a\0b", "a\ud800", None, 7])
def test_no_title_is_refused(text: Any) -> None:
    """A title or summary is a text, too; the error says which of them is none."""
    with pytest.raises(InputError, match="the title "):
        one_line("title", text)


def test_a_title_is_one_line() -> None:
    """White space of any kind is one blank; a title may be empty."""
    assert one_line("title", "  One\n two\t\u2028three ") == "One two three"
    assert one_line("title", " \n") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We keep one queue", "we keep  one\nqueue."),
        ("Use tabs!", "USE TABS"),
        ("部署在周五。", "部署在周五"),
        ("Straße 3", "STRASSE 3."),
        ("a", " a "),
    ],
)
def test_statements_that_say_the_same(one: str, other: str) -> None:
    """Case, white space and a final stop make no other statement."""
    assert same_as(tidy(one)) == same_as(tidy(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The limit is 5", "The limit is 6"),
        ("Use tabs", "Use tabs?"),
        ("1.5", "15"),
        ("a b", "ab"),
        ("!!!", "."),
        (".", "..."),
        ("!!!", "。"),
        ("!", "a!"),
        ("naïve", "naive"),
    ],
)
def test_statements_that_differ(one: str, other: str) -> None:
    """A digit, a letter, an accent, a question mark, and texts of stops alone keep statements apart."""
    assert same_as(tidy(one)) != same_as(tidy(other))


def test_a_megabyte_is_a_statement() -> None:
    """A very long text is kept whole."""
    text = "word " * 200_000
    assert tidy(text) == text.strip()
    assert same_as(text) == same_as(text.upper())


@given(st.text(LETTERS))
def test_tidying_again_changes_nothing(text: str) -> None:
    """What is kept is its own tidy form, composed, and equal to itself."""
    try:
        kept = tidy(text)
    except InputError:
        assert not text.strip()
        return
    assert tidy(kept) == kept
    assert kept == unicodedata.normalize("NFC", kept)
    assert same_as(kept) == same_as(f"{kept}\n")
    assert -(2**63) <= same_as(kept) < 2**63


def test_kinds() -> None:
    """There are eight kinds; any other is refused with their names."""
    assert [memory_kind(kind) for kind in KINDS] == list(KINDS)
    assert len(KINDS) == 8
    for kind in ("", "Semantic", "fact"):
        with pytest.raises(InputError, match="episodic, semantic"):
            memory_kind(kind)
