"""Slots: one key for every way to write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.fold import folded
from treering.domain.slot import LONGEST_SLOT, slot_key, slot_under
from treering.errors import InputError


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("project-a/launch-date", "project-a/launch-date"),
        ("Project A/Launch date", "project-a/launch-date"),
        (" project_a / launch\u2013date\n", "project-a/launch-date"),
        ("cafe\u0301/MENU", "café/menu"),
        ("項目／上線 時間", "項目/上線-時間"),
        ("Straße", "strasse"),
        ("проект/Дата Запуска", "проект/дата-запуска"),
        ("user/c++", "user/c++"),
        ("user/c#", "user/c#"),
        ("api/v1.2", "api/v1.2"),
        ("zero\u200bwidth", "zerowidth"),
        ("user", "user"),
        ("a/b/c", "a/b/c"),
    ],
)
def test_a_slot_has_one_key(text: str, key: str) -> None:
    """Case, composition, white space and kinds of dashes do not make another slot; other marks do."""
    assert slot_key(text) == key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the slot is empty"),
        (" \n", "the slot is empty"),
        ("--", "'--' is no slot"),
        ("/", "'/' is no slot"),
        ("a//b", "the slot 'a//b' has an empty part"),
        ("/launch-date", "has an empty part"),
        ("a/!?", r"has the part '!\?' without a letter or digit"),
        ("a\x1b[2Jb", "holds a control character"),
        ("a\0b", "the slot holds a NUL character"),
        ("a\ud800", "the slot holds half a character"),
        ("x" * (LONGEST_SLOT + 1), f"has 201 characters; at most {LONGEST_SLOT}"),
    ],
)
def test_what_is_no_slot(text: str, words: str) -> None:
    """A slot that is empty, too long or no text is refused in words."""
    with pytest.raises(InputError, match=words):
        slot_key(text)


@given(st.text(max_size=30))
def test_a_key_is_its_own_key(text: str) -> None:
    """Nothing but InputError comes of any text, and a key stays as it is."""
    try:
        key = slot_key(text)
    except InputError:
        return
    assert slot_key(key) == key


@given(st.text(max_size=30))
def test_folding_is_done_once(text: str) -> None:
    """What is folded is not changed by folding it again."""
    assert folded(folded(text)) == folded(text)


def test_a_slot_under_a_project() -> None:
    """A bare name belongs to the project at hand; one with a slash names its subject itself."""
    assert slot_under("Project A", "launch-date") == "project-a/launch-date"
    assert slot_under("", "launch-date") == "launch-date"
    assert slot_under("Project A", "user/location") == "user/location"
    assert slot_under("Web/API", "owner") == "web-api/owner"
