"""A quote is found where it stands, and nowhere else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from treering.domain.quotes import NEAREST, Span, locate, nearest
from treering.errors import InputError

TEXT = "We chose option A.\r\n\r\nOption B costs\ttwice as much, said Ana.\n"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("option A", "option A"),
        ("  option   A.  ", "option A."),
        ("option A. Option B costs twice", "option A.\r\n\r\nOption B costs\ttwice"),
        ("twice as\nmuch", "twice as much"),
    ],
)
def test_white_space_is_folded(quote: str, found: str) -> None:
    """Line ends and tabs of the text and blanks of the quote do not matter; the span is of the text as it is."""
    span = locate(TEXT, quote)
    assert span is not None
    assert TEXT[span.start : span.stop] == found


@pytest.mark.parametrize("quote", ["Option a", "optionA.", "option C", "chose .ption"])
def test_case_words_and_patterns_count(quote: str) -> None:
    """Nothing but white space and composition is forgiven, and nothing in a quote is a pattern."""
    assert locate(TEXT, quote) is None


@pytest.mark.parametrize("quote", ["", "   ", "abc", " a  b ", "上线"])
def test_too_short_a_quote_is_refused(quote: str) -> None:
    """Fewer than four characters prove nothing."""
    with pytest.raises(InputError, match="too short"):
        locate(TEXT, quote)


def test_composition_does_not_matter() -> None:
    """A decomposed text is quoted by composed words and the other way round; the span keeps whole letters."""
    composed = "Das Café öffnet früher, 한국어 문장."
    decomposed = unicodedata.normalize("NFD", composed)
    for text, quote in ((decomposed, "Café öffnet"), (composed, unicodedata.normalize("NFD", "Café öffnet"))):
        span = locate(text, quote)
        assert span is not None
        assert unicodedata.normalize("NFC", text[span.start : span.stop]) == "Café öffnet"
    span = locate(decomposed, "한국어 문장")
    assert span is not None
    assert unicodedata.normalize("NFC", decomposed[span.start : span.stop]) == "한국어 문장"


@given(st.text(max_size=60), st.text(max_size=30), st.sampled_from(["NFC", "NFD"]), st.text(max_size=60))
@example("", "a\u0301bcd", "NFD", "\u0301")
@example("", "가나다라", "NFD", "x")
def test_what_stands_there_is_found(before: str, quote: str, form: str, after: str) -> None:
    """Whatever stands around it, a quote is found, and what is found reads like it."""
    words = unicodedata.normalize("NFC", quote).split()
    text = f"{before}. {unicodedata.normalize(form, quote)} .{after}"  # type: ignore[arg-type]
    if len(" ".join(words)) < 4:
        return
    span = locate(text, quote)
    assert span is not None
    assert unicodedata.normalize("NFC", text[span.start : span.stop]).split() == words


def test_the_nearest_text_is_shown() -> None:
    """A quote that was changed is answered by the words that it was made from."""
    text = "Intro.\n\nThe launch moves to the third of March.\n\nEnd of the notes. " + "padding words here " * 50
    assert nearest(text, "the launch moved to the third of May") == "The launch moves to the third of March."
    assert nearest(text, "nothing shared whatsoever") == ""
    assert nearest("", "anything at all") == ""
    assert len(nearest("long " * 1000, "long " * 1000)) <= NEAREST


def test_the_first_place_is_taken() -> None:
    """Words that stand twice are cited where they stand first."""
    assert locate("again and again and again", "again") == Span(0, 5)
