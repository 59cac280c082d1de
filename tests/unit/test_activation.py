"""Activation and ambiguity: numbers in, numbers out."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain import activation, ambiguity


@given(age=st.floats(-1e6, 1e6), half=st.floats(1, 1e4))
def test_recency_stays_between_floor_and_one(age: float, half: float) -> None:
    """Nothing is raised for being young, and nothing falls below the floor."""
    assert activation.FLOOR <= activation.recency(age, half) <= 1.0


def test_raw_sources_fade_fastest() -> None:
    """After the same time a talk has lost more than a memory, and the floor is the same."""
    assert activation.recency(60, activation.RAW_DAYS) < activation.recency(60, activation.MEMORY_DAYS) < 1
    assert activation.recency(1e5, activation.RAW_DAYS) == activation.recency(1e5, activation.MEMORY_DAYS) == 0.7


@given(times=st.integers(0, 10**9), matches=st.integers(0, 1000))
def test_use_and_tags_are_capped(times: int, matches: int) -> None:
    """Use brings at most a fifth, tags at most 15 %; more of either never brings less."""
    assert 1.0 <= activation.used(times) <= activation.used(times + 1) <= 1.2
    assert 1.0 <= activation.tagged(matches) <= activation.tagged(matches + 1) <= 1.15


def test_a_briefing_outweighs_age() -> None:
    """One that has faded to the floor stands above a fresh equal."""
    assert activation.PINNED * activation.FLOOR > 1.0


@given(day=st.dates(date(1600, 1, 1)))
def test_days_are_counted_as_the_calendar_does(day: date) -> None:
    """The number of a day is its distance from 1970."""
    assert activation.day_number(f"{day.isoformat()}T12:00:00Z") == (day - date(1970, 1, 1)).days


def test_a_month_and_a_year_begin_with_their_first_day() -> None:
    """Partial dates have a number, too."""
    assert activation.day_number("2026-03") == activation.day_number("2026-03-01")
    assert activation.day_number("2026") == activation.day_number("2026-01-01")


@pytest.mark.parametrize(
    ("text", "is_personal", "said"),
    [
        ("Vacaciones con Luis, mi primo.", False, "primo"),
        ("Dinner with my cousin Luis.", False, "cousin"),
        ("Luis is my dentist.", False, "dentist"),
        ("Luis Marín revisó el código.", True, "Marín"),
        ("Luis Marín revisó el código.", False, ""),
        ("Se lo dije a Luis y a Marta.", True, ""),
        ("LUIS MARÍN firmó.", True, "MARÍN"),
    ],
)
def test_what_tells_whom_a_name_means(text: str, is_personal: bool, said: str) -> None:  # noqa: FBT001  a column
    """A surname or what somebody is to whoever writes; a capital behind a name counts where people are told of."""
    assert ambiguity.sense("luis", text, is_personal=is_personal) == said


def test_a_name_is_never_written_small() -> None:
    """A word that also stands without a capital is no name."""
    assert ambiguity.is_name("luis", ["Luis came.", "with Luis"])
    assert not ambiguity.is_name("rose", ["Rose came.", "a rose"])
    assert not ambiguity.is_name("luis", ["nobody"])


@given(coverage=st.floats(0, 1), margin=st.floats(0, 1))
def test_confidence_is_a_share(coverage: float, margin: float) -> None:
    """Whatever goes in, what comes out is between 0 and 1."""
    assert 0.0 <= ambiguity.confidence(coverage, margin) <= 1.0
