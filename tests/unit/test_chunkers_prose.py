"""Plain text cut into chunks by its paragraphs."""

from __future__ import annotations

import pytest

from treering.chunkers import chunk


def cut(text: str, *, front_matter_chars: int = 0, target_chars: int = 600, max_leaf_tokens: int = 3000) -> list[str]:
    """Return the text of each chunk after checking that they join to the whole."""
    chunked = chunk(
        text,
        "log.txt",
        front_matter_chars=front_matter_chars,
        target_chars=target_chars,
        max_leaf_tokens=max_leaf_tokens,
    )
    parts = [text[found.start : found.stop] for found in chunked.chunks]
    assert "".join(parts) == text
    assert (chunked.title, chunked.headings) == (None, ())
    return parts


def test_paragraphs_are_packed_to_the_target() -> None:
    """Blank lines, also of spaces, part paragraphs and stay with the one above."""
    text = "\nOne\none.\n \t\n\nTwo.\n\nThree three.\n"
    assert cut(text, target_chars=20) == ["\nOne\none.\n \t\n\nTwo.\n\n", "Three three.\n"]
    assert cut(text) == [text]


def test_markup_is_not_read() -> None:
    """A hash line of a text file is a line like any other."""
    assert cut("# not a heading\n\n- not a list\n", target_chars=5) == ["# not a heading\n\n", "- not a list\n"]


def test_only_a_very_long_paragraph_is_divided_and_at_line_ends() -> None:
    """Up to four target sizes it stays whole; a log without blank lines parts between lines."""
    line = "a heron was seen\n"
    assert cut(line * 4, target_chars=17) == [line * 4]
    assert cut(line * 5, target_chars=17) == [line] * 5
    assert cut(line * 9, target_chars=35) == [line * 2] * 4 + [line]


def test_a_line_is_never_cut() -> None:
    """One endless line is one chunk, flagged."""
    text = "word " * 10_000
    (only,) = chunk(text, "a.txt", front_matter_chars=0).chunks
    assert (only.stop, only.oversized, only.kind) == (len(text), True, "prose")


def test_front_matter_comes_first() -> None:
    """A text file can have it too."""
    assert cut("---\na: b\n---\n\nText.\n", front_matter_chars=13) == ["---\na: b\n---\n", "\nText.\n"]
    assert cut("---\na: b\n---\n", front_matter_chars=13) == ["---\na: b\n---\n"]


@pytest.mark.parametrize("text", [" \n\n", "\r", "\u3000"])
def test_a_blank_text_is_one_blank_chunk(text: str) -> None:
    """White space is kept."""
    (only,) = chunk(text, "a", front_matter_chars=0).chunks
    assert only.kind == "blank"


def test_an_empty_text_has_no_chunks() -> None:
    """Nothing in, nothing out."""
    assert cut("") == []


def test_lines_end_with_any_line_break() -> None:
    """CR LF and lone CR part paragraphs; only line feeds are counted."""
    text = "a\r\n\r\nb\r\rc\n"
    chunked = chunk(text, "a.txt", front_matter_chars=0, target_chars=1)
    assert [text[found.start : found.stop] for found in chunked.chunks] == ["a\r\n\r\n", "b\r\r", "c\n"]
    assert [(found.first_line, found.last_line) for found in chunked.chunks] == [(1, 2), (3, 3), (3, 3)]
