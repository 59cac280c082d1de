"""Dates in running text, in three languages, and words that are none."""

from __future__ import annotations

from datetime import date

import pytest

from treering.domain.said_dates import said_dates

TODAY = date(2026, 11, 30)  # a Monday


@pytest.mark.parametrize(
    ("text", "words", "written", "stop"),
    [
        ("on 2026-10-15", "2026-10-15", "2026-10-15", "2026-10-16"),
        ("at 2026-10-15T10:00", "2026-10-15", "2026-10-15", "2026-10-16"),
        ("2026/10/5", "2026/10/5", "2026-10-05", "2026-10-06"),
        ("in 2026-10", "2026-10", "2026-10", "2026-11-01"),
        ("25/12/2026", "25/12/2026", "2026-12-25", "2026-12-26"),
        ("October 10", "October 10", "2026-10-10", "2026-10-11"),
        ("Dec 24", "Dec 24", "2025-12-24", "2025-12-25"),
        ("Oct. 3rd, 2025", "Oct. 3rd, 2025", "2025-10-03", "2025-10-04"),
        ("the 10th of October 2026", "10th of October 2026", "2026-10-10", "2026-10-11"),
        ("in March", "March", "2026-03", "2026-04-01"),
        ("in may", "may", "2026-05", "2026-06-01"),
        ("last May", "last May", "2026-05", "2026-06-01"),
        ("June 2025", "June 2025", "2025-06", "2025-07-01"),
        ("in December", "December", "2025-12", "2026-01-01"),
        ("during 2024", "2024", "2024", "2025-01-01"),
        ("yesterday", "yesterday", "2026-11-29", "2026-11-30"),
        ("the day before yesterday", "the day before yesterday", "2026-11-28", "2026-11-29"),
        ("last week", "last week", "2026-11-23", "2026-11-30"),
        ("this month", "this month", "2026-11", "2026-12-01"),
        ("last year", "last year", "2025", "2026-01-01"),
        ("last quarter", "last quarter", "2026-07-01", "2026-10-01"),
        ("last weekend", "last weekend", "2026-11-28", "2026-11-30"),
        ("two weeks ago", "two weeks ago", "2026-11-16", "2026-11-17"),
        ("a month ago", "a month ago", "2026-10", "2026-11-01"),
        ("the last 3 days", "the last 3 days", "2026-11-27", "2026-12-01"),
        ("on Friday", "Friday", "2026-11-27", "2026-11-28"),
        ("last Monday", "last Monday", "2026-11-23", "2026-11-24"),
        ("el 15 de octubre de 2026", "15 de octubre de 2026", "2026-10-15", "2026-10-16"),
        ("el 3 de mayo", "3 de mayo", "2026-05-03", "2026-05-04"),
        ("en marzo", "marzo", "2026-03", "2026-04-01"),
        ("mayo de 2025", "mayo de 2025", "2025-05", "2025-06-01"),
        ("en 2024", "2024", "2024", "2025-01-01"),
        ("ayer", "ayer", "2026-11-29", "2026-11-30"),
        ("el mes pasado", "el mes pasado", "2026-10", "2026-11-01"),
        ("la semana pasada", "la semana pasada", "2026-11-23", "2026-11-30"),
        ("hace dos días", "hace dos días", "2026-11-28", "2026-11-29"),
        ("los últimos 3 días", "los últimos 3 días", "2026-11-27", "2026-12-01"),
        ("el lunes pasado", "el lunes pasado", "2026-11-23", "2026-11-24"),
        ("el próximo viernes", "el próximo viernes", "2026-12-04", "2026-12-05"),
        ("2026年10月15日", "2026年10月15日", "2026-10-15", "2026-10-16"),
        ("2025年6月", "2025年6月", "2025-06", "2025-07-01"),
        ("2025年", "2025年", "2025", "2026-01-01"),
        ("三月", "三月", "2026-03", "2026-04-01"),
        ("十一月十五日", "十一月十五日", "2026-11-15", "2026-11-16"),
        ("去年三月", "去年三月", "2025-03", "2025-04-01"),
        ("昨天", "昨天", "2026-11-29", "2026-11-30"),
        ("上周", "上周", "2026-11-23", "2026-11-30"),
        ("上个月", "上个月", "2026-10", "2026-11-01"),
        ("上周五", "上周五", "2026-11-27", "2026-11-28"),
        ("两周前", "两周前", "2026-11-16", "2026-11-17"),
        ("三个月前", "三个月前", "2026-08", "2026-09-01"),
        ("最近三天", "最近三天", "2026-11-27", "2026-12-01"),
    ],
)
def test_a_date_is_read(text: str, words: str, written: str, stop: str) -> None:
    """The words, what is stored for them, and the day after."""
    (one,) = said_dates(text, TODAY)
    assert (text[one.at : one.end], one.written, one.stop.isoformat()) == (words, written, stop)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "you may go",
        "May I ask?",
        "we march on",
        "a second later",
        "version 2025.1 of 3.11",
        "10/11/2026",
        "2026-02-30",
        "31 February 2026",
        "in 2000 files",
        "port 2024",
        "in 2024.5",
        "por la mañana",
        "三个月",
        "晚上周末",
        "前天线",
        "the sun sat on the sea",
        "el mar",
        "Python 3.14",
        "192.168.2026-10-15",
        "20261015",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    """A wrong reading is worse than none."""
    assert said_dates(text, TODAY) == ()


def test_the_next_one_is_meant_where_something_is_due() -> None:
    """A date without its year leans to what is to come when it is asked to."""
    written = [one.written for one in said_dates("by October 10 or on Friday", TODAY, lean="future")]
    assert written == ["2027-10-10", "2026-12-04"]


def test_it_is_known_whether_the_year_was_given() -> None:
    """What depends on the day it was said can be told from what does not."""
    assert [one.given for one in said_dates("in May, in May 2025 and yesterday", TODAY)] == [False, True, False]
