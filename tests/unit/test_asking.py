"""The time that a question asks about, in three languages."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from treering.domain.asking import NEVER, Asked, when_asked
from treering.domain.dates import Span, written
from treering.domain.decided import ALWAYS, UNKNOWN

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


def _days(span: Span | None) -> str:
    """Return a span as its first and its following day; open ends are empty."""
    if span is None:
        return ""
    start = "" if span.start == UNKNOWN else written(span.start)[:10]
    return f"{start}..{'' if span.stop == ALWAYS else written(span.stop)[:10]}"


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("What did we do last week?", "2026-11-23..2026-11-30"),
        ("what happened in March?", "2026-03-01..2026-04-01"),
        ("What was decided on 2026-10-15?", "2026-10-15..2026-10-16"),
        ("who called yesterday", "2026-11-29..2026-11-30"),
        ("what changed since May", "2026-05-01.."),
        ("notes from before June 2025", "..2025-06-01"),
        ("what did we ship by October 10?", "..2026-10-11"),
        ("anything after October 10, 2026?", "2026-10-11.."),
        ("what did I say on Friday?", "2026-11-27..2026-11-28"),
        ("what was said two weeks ago", "2026-11-16..2026-11-17"),
        ("meetings in the last 3 days", "2026-11-27..2026-12-01"),
        ("what will we launch in March?", "2027-03-01..2027-04-01"),
        ("what is due on December 24?", "2026-12-24..2026-12-25"),
        ("meetings between March and May 2026", "2026-03-01..2026-06-01"),
        ("who led it 2010-2012?", "2010-01-01..2013-01-01"),
        ("2000到2005年的价格", "2000-01-01..2006-01-01"),
        ("It rained yesterday. What happened in March?", "2026-03-01..2026-04-01"),
        ("from 2026-01-05 to 2026-02-03", "2026-01-05..2026-02-04"),
        ("between November and February 2026", "2025-11-01..2026-03-01"),
        ("where did she work in 2024?", "2024-01-01..2025-01-01"),
        ("what did we do in March and in May", "2026-03-01..2026-04-01 2026-05-01..2026-06-01"),
        ("¿Qué hicimos el mes pasado?", "2026-10-01..2026-11-01"),
        ("¿qué pasó la semana pasada?", "2026-11-23..2026-11-30"),
        ("¿Qué decidimos hace dos días?", "2026-11-28..2026-11-29"),
        ("¿qué cambió desde mayo?", "2026-05-01.."),
        ("lo de antes de junio de 2025", "..2025-06-01"),
        ("¿qué se dijo el 15 de octubre?", "2026-10-15..2026-10-16"),
        ("entre marzo y mayo de 2026", "2026-03-01..2026-06-01"),
        ("¿Qué lanzaremos en marzo?", "2027-03-01..2027-04-01"),
        ("después del 10 de octubre", "2026-10-11.."),
        ("上周我们做了什么？", "2026-11-23..2026-11-30"),
        ("三月发生了什么？", "2026-03-01..2026-04-01"),
        ("2026年10月15日的决定", "2026-10-15..2026-10-16"),
        ("五月以来有什么变化", "2026-05-01.."),
        ("2025年6月之前的记录", "..2025-06-01"),
        ("3月到5月的会议", "2026-03-01..2026-06-01"),
        ("10月10日以后呢", "2026-10-11.."),
        ("昨天谁来过", "2026-11-29..2026-11-30"),
        ("两周前说了什么", "2026-11-16..2026-11-17"),
        ("去年的预算", "2025-01-01..2026-01-01"),
    ],
)
def test_a_question_about_a_time(question: str, spans: str) -> None:
    """The span that its words name; an open end stays open."""
    asked = when_asked(question, NOW)
    assert (" ".join(map(_days, asked.spans)), asked.as_of, asked.known_at) == (spans, None, None)
    assert asked.words


@pytest.mark.parametrize(
    "question",
    [
        "",
        "When does Project A launch?",
        "May I use it?",
        "what may we do",
        "march through the steps",
        "how long is a second?",
        "which version: 2025.1 or 3.14?",
        "what is in 2000 files",
        "port 2024",
        "10/11/2026 or so",
        "¿cuándo sale el proyecto?",
        "una reunión por la mañana",
        "什么时候上线？",
        "为什么不采用方案B",
        "三个月的计划",
        "the season 2011-12",
        "今天天气真好。那个人叫什么？",
    ],
)
def test_a_question_without_a_time(question: str) -> None:
    """Nothing is read where nothing is named, or it could be read in two ways."""
    assert when_asked(question, NOW) == NEVER


@pytest.mark.parametrize(
    ("question", "as_of", "known_at"),
    [
        ("When did it launch as of 2026-10-15?", "2026-10-15..2026-10-16", ""),
        ("where did I live back in March 2024", "2024-03-01..2024-04-01", ""),
        ("截至2026年10月15日，什么时候上线？", "2026-10-15..2026-10-16", ""),
        ("截至2026-10-15什么时候上线？", "2026-10-15..2026-10-16", ""),
        ("¿cuál era la fecha a fecha de 15 de octubre de 2026?", "2026-10-15..2026-10-16", ""),
        ("what did we believe on 2026-10-15?", "", "2026-10-15..2026-10-16"),
        ("¿qué creíamos el 15 de octubre de 2026?", "", "2026-10-15..2026-10-16"),
    ],
)
def test_the_two_clocks_of_a_question(question: str, as_of: str, known_at: str) -> None:
    """What held then, and what was known then, are told apart from what is about then."""
    asked = when_asked(question, NOW)
    assert (asked.spans, _days(asked.as_of), _days(asked.known_at)) == ((), as_of, known_at)


def test_days_are_those_of_the_one_who_asks() -> None:
    """Shortly before midnight in UTC it is tomorrow in Tokyo, and its days begin there."""
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    tokyo = ZoneInfo("Asia/Tokyo")
    (day,) = when_asked("what happened yesterday", late, tokyo).spans
    assert (written(day.start), written(day.stop)) == ("2026-11-29T15:00:00Z", "2026-11-30T15:00:00Z")


def test_what_was_read_can_be_told() -> None:
    """The words are those of the question, with the preposition that opened the span."""
    asked = when_asked("What changed since May, and before June  2025?", NOW)
    assert asked == Asked(asked.spans, None, None, ("since May", "before June 2025"))
