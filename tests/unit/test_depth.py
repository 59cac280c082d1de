"""What a text says at depth L1."""

from __future__ import annotations

import pytest

from treering.domain.depth import ABOUT_CHARS, beginning, brief, in_short

LONG = "The gateway waits thirty seconds for an answer of the ledger. " * 9


def test_a_summary_stands_for_its_text() -> None:
    """Whoever wrote a summary said what the text comes to, however long either is."""
    assert in_short(LONG, "The gateway waits\n30 s.") == "The gateway waits 30 s."


def test_a_short_text_is_shown_whole() -> None:
    """What fits is not cut, only put on one line."""
    assert in_short("Staging runs\nPostgreSQL 17.") == "Staging runs PostgreSQL 17."


def test_a_long_text_is_cut_behind_a_sentence() -> None:
    """What is shown are whole sentences, as many as fit."""
    assert in_short(LONG) == ("The gateway waits thirty seconds for an answer of the ledger. " * 3).strip()


@pytest.mark.parametrize("text", ["word " * 300, "字" * 900, "x" * 900, "数据库。" * 200, ". " * 700])
def test_it_is_never_longer_than_was_allowed(text: str) -> None:
    """Text without sentences, without spaces, or made of marks is cut as well."""
    assert 0 < len(in_short(text)) <= ABOUT_CHARS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Lamps\n\n## By night\n\nNine of them.", "Nine of them."),
        ("---\ntopic: x\n---\n# Lamps\n\nNine.", "Nine."),
        ("---\ntopic: x\n---\n", ""),
        ("---\ntopic: never closed", ""),
        ("# Only a heading", "# Only a heading"),
        ("", ""),
    ],
)
def test_a_beginning_is_text(text: str, shown: str) -> None:
    """Headings stand in the path, and front matter is metadata."""
    assert beginning(text) == shown


@pytest.mark.parametrize("text", [LONG, "word " * 300, "字。" * 300, "# A\n\n" + LONG])
def test_a_beginning_of_a_beginning_is_the_same(text: str) -> None:
    """What is reduced once is not cut further."""
    assert beginning(beginning(text)) == beginning(text)


def test_a_summary_stands_for_everything() -> None:
    """The text's own words are not shown beside one."""
    assert brief("Nine lamps", LONG) == "Nine lamps"
