"""Dates at the beginning of a line, as people write them in three languages."""

from __future__ import annotations

import pytest

from treering.domain.written_dates import opening, order_of


@pytest.mark.parametrize(
    "line,date,time",
    [
        ("2026-03-01 10:32 hello", "2026-03-01", "10:32"),
        ("## 2026-03-01", "2026-03-01", ""),
        ("- **2026-03-01**: did it", "2026-03-01", ""),
        ("[2026-03-01T10:32:05Z] boot", "2026-03-01", "10:32:05"),
        ("> 2026/3/1 said", "2026-03-01", ""),
        ("March 1, 2026", "2026-03-01", ""),
        ("Monday, March 2nd 2026 - lunch", "2026-03-02", ""),
        ("2 Mar 2026 at 9:05 pm", "2026-03-02", "21:05"),
        ("1 de marzo de 2026", "2026-03-01", ""),
        ("Lunes, 2 de marzo de 2026", "2026-03-02", ""),
        ("2026年3月1日 星期日", "2026-03-01", ""),
        ("星期一 2026年3月2日", "2026-03-02", ""),
        ("Date: 2026-03-01", "2026-03-01", ""),
        ("fecha: 13/03/2026", "2026-03-13", ""),
        ("March 2026", "2026-03", ""),
        ("[13/03/26, 10:32:11] Ana: hi", "2026-03-13", "10:32:11"),
        ("01/03/2026, 10:32 - Ana: hi", "", "10:32"),
        ("03/03/2026 x", "2026-03-03", ""),
        ("10:32 Ana: hi", "", "10:32"),
        ("12:05 am woke up", "", "00:05"),
        ("12:30:45,123 INFO x", "", "12:30:45"),
    ],
)
def test_a_date_is_read(line: str, date: str, time: str) -> None:
    """The day is ISO 8601, the time has 24 hours; a date that could be two has none."""
    said = opening(line)
    assert said is not None
    assert (said.date, said.time) == (date, time)


@pytest.mark.parametrize(
    "line",
    [
        "", "words", "3.4.5 release", "2026-13-45", "45/67/2026", "2026-02-30", "2026-03-01foo", "2026-03-011", "2026",
        "May the force be with you", "mar y sol", "In 2026-03-01 it was", "1. Mix", "25:00 x", "the\n2026-03-01",
    ],
)  # fmt: skip
def test_what_is_no_date(line: str) -> None:
    """Versions, days that no calendar has, and dates within a sentence open nothing."""
    assert opening(line) is None


def test_the_order_comes_from_the_dates_that_show_it() -> None:
    """One date with a day above twelve settles the others; dates that contradict one another settle nothing."""
    assert order_of([("01/03/2026 x", 0), ("13/03/2026 x", 0)]) == "dmy"
    assert order_of([("03/01/2026 x", 0), ("03/13/2026 x", 0)]) == "mdy"
    assert order_of([("13/03/2026 x", 0), ("03/13/2026 x", 0)]) == ""
    said = opening("01/03/2026 x", 0, "dmy")
    assert said is not None
    assert said.date == "2026-03-01"
