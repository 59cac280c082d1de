"""How the forms of a date are read: the words for numbers, days, months and units, and what they come to.

For ``date_forms``. A reader returns the first day and the day after the last; None where it is no date after all.
"""

# ruff: noqa: ARG001, ARG005 - readers have one signature

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias

Lean = Literal["past", "future"]

_DAY: Final = timedelta(days=1)
MONTHS_EN: Final = "january february march april may june july august september october november december".split()
SHORT_EN: Final = "jan feb mar apr may jun jul aug sep oct nov dec sept".split()
MONTHS_ES: Final = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
DAYS_EN: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
DAYS_ES: Final = "lunes martes miércoles jueves viernes sábado domingo".split()
_DIGITS_ZH: Final = {letter: number for number, letter in enumerate("零一二三四五六七八九十")} | {"两": 2}
COUNTS: Final = {
    **{word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)},
    **{word: number for number, word in enumerate("un dos tres cuatro cinco seis siete ocho nueve diez".split(), 1)},
    "a": 1,
    "an": 1,
    "una": 1,
    "uno": 1,
    "couple": 2,
    "eleven": 11,
    "twelve": 12,
    "once": 11,
    "doce": 12,
}
_NUMBER_OF: Final = {
    **{name: number for number, name in enumerate(MONTHS_EN, 1)},
    **{name: min(number, 12) for number, name in enumerate(SHORT_EN, 1)},
    **{name: number for number, name in enumerate(MONTHS_ES, 1)},
    "sept": 9,
    "setiembre": 9,
}
_WEEKDAY: Final = {
    **{name: number for names in (DAYS_EN, DAYS_ES, "一二三四五六日") for number, name in enumerate(names)},
    "天": 6,
    "miercoles": 2,
    "sabado": 5,
}
_UNIT: Final[dict[str, Literal["day", "week", "month", "year"]]] = {
    "day": "day", "día": "day", "dia": "day", "天": "day", "日": "day", "week": "week", "semana": "week", "周": "week",
    "星期": "week", "礼拜": "week", "month": "month", "mes": "month", "meses": "month", "月": "month", "year": "year",
    "año": "year", "年": "year",
}  # fmt: skip

Reader: TypeAlias = Callable[[re.Match[str], date, Lean], "tuple[date, date] | None"]


def full(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
    """Read a year, a month or a day with whatever of the three is given."""
    groups = match.groupdict()
    year = int(groups["year"]) if groups.get("year") else None
    month, day = _month(groups.get("month")), _day(groups.get("day"))
    if year is None and month is None:
        return None
    if month is None:
        return date(year or 0, 1, 1), date((year or 0) + 1, 1, 1)
    if year is None:
        year = _leaning_year(month, day, today, lean, _lead(match))
    first = date(year, month, day or 1)
    return (first, first + _DAY) if day else (first, shift(first, "month", 1))


def _lead(match: re.Match[str]) -> str:
    """Return the word before a date, where one was looked for."""
    return str(match.groupdict().get("lead") or "")


def _leaning_year(month: int, day: int | None, today: date, lean: Lean, lead: str) -> int:
    """Return the year of a month without one: the last or the next time that it began."""
    if lead in ("next", "próximo", "el próximo"):
        lean = "future"
    current = date(today.year, month, min(day or 1, 28))
    here = date(today.year, today.month, min(today.day, 28) if day else 1)
    if lead in ("last", "past", "pasado", "el pasado") and current == here:
        return today.year - 1
    if lead in ("this", "este"):
        return today.year
    if lean == "past":
        return today.year - (current > here)
    return today.year + (current < here)


def _month(word: str | None) -> int | None:
    """Return the number of a month by its name or number."""
    if not word:
        return None
    return _NUMBER_OF.get(word.rstrip(".")) or _number_zh(word)


def _day(word: str | None) -> int | None:
    """Return the number of a day."""
    return _number_zh(word) if word else None


def _number_zh(word: str) -> int:
    """Return a number in digits or in Chinese, up to 99."""
    if word.isascii():
        return int(word)
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return _DIGITS_ZH[word]
    return (_DIGITS_ZH[tens] if tens else 1) * 10 + (_DIGITS_ZH[ones] if ones else 0)


def year_and_month(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
    """Read 2026-10; a month that is the next year, too, as in "the season 2011-12", is not read."""
    return None if (int(match["year"]) + 1) % 100 == int(match["month"]) else full(match, today, lean)


def slashed(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
    """Read 25/12/2026 or 12/25/2026; what can be read in two ways is not."""
    one, two = int(match["one"]), int(match["two"])
    if (one > 12) == (two > 12) and one != two:
        return None
    day, month = (one, two) if one > 12 else (two, one)
    first = date(int(match["year"]), month, day)
    return first, first + _DAY


def days(offset: int) -> Reader:
    """Return the reader of a day so many days from today."""
    return lambda match, today, lean: (today + offset * _DAY, today + (offset + 1) * _DAY)


def units(offset: int) -> Reader:
    """Return the reader of the week, month or year so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        unit = _unit(match["unit"])
        first = shift(_begin(today, unit), unit, offset)
        return first, shift(first, unit, 1)

    return read


def years(offset: int) -> Reader:
    """Return the reader of the year so many from this one."""
    return lambda match, today, lean: (date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1))


def quarter(offset: int) -> Reader:
    """Return the reader of the quarter so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        first = shift(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), "month", 3 * offset)
        return first, shift(first, "month", 3)

    return read


def weekend(offset: int) -> Reader:
    """Return the reader of the weekend of the week so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        first = _begin(today, "week") + (7 * offset + 5) * _DAY
        return first, first + 2 * _DAY

    return read


def ago(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "two weeks ago": that day; for months and years the month and the year."""
    unit = _unit(match["unit"])
    then = shift(today, unit, -_count(match["count"]))
    if unit in ("day", "week"):
        return then, then + _DAY
    first = _begin(then, unit)
    return first, shift(first, unit, 1)


def lately(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "the last three days", up to today."""
    groups = match.groupdict()
    count = _count(groups["count"]) if groups.get("count") else 1
    return shift(today, _unit(match["unit"]), -count), today + _DAY


def coming(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "the next three days", from today."""
    return today, shift(today, _unit(match["unit"]), _count(match["count"])) + _DAY


def on_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "on Friday": the last or the next one; today counts."""
    ahead = (_WEEKDAY[match["weekday"]] - today.weekday()) % 7
    day = today + (ahead - 7 if lean == "past" and ahead else ahead) * _DAY
    return day, day + _DAY


def last_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "last Friday": the last one before today."""
    day = today - ((today.weekday() - _WEEKDAY[match["weekday"]] - 1) % 7 + 1) * _DAY
    return day, day + _DAY


def next_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "next Friday": the first one after today."""
    day = today + ((_WEEKDAY[match["weekday"]] - today.weekday() - 1) % 7 + 1) * _DAY
    return day, day + _DAY


def weekday_of(offset: int) -> Reader:
    """Return the reader of a day of the week so many from this one, as Chinese says it."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        day = _begin(today, "week") + (7 * offset + _WEEKDAY[match["weekday"]]) * _DAY
        return day, day + _DAY

    return read


def named_day(direction: int) -> Reader:
    """Return the reader of "el lunes pasado" (-1) and "el próximo lunes" (1) in either order of words."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        wanted = _WEEKDAY[match["weekday"] or match["other"]]
        away = ((wanted - today.weekday()) * direction - 1) % 7 + 1
        day = today + direction * away * _DAY
        return day, day + _DAY

    return read


def in_year(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read a month, or a day, of last year, this year or the next."""
    year = today.year + {"去年": -1, "前年": -2, "今年": 0, "明年": 1}[match["past"]]
    month, day = _month(match["month"]) or 1, _day(match["day"])
    first = date(year, month, day or 1)
    return (first, first + _DAY) if day else (first, shift(first, "month", 1))


def _unit(word: str) -> Literal["day", "week", "month", "year"]:
    """Return the unit that a word names, in the plural, too."""
    return _UNIT[word] if word in _UNIT else _UNIT[word.removesuffix("s")]


def _count(word: str) -> int:
    """Return a number in digits or words."""
    return COUNTS[word] if word in COUNTS else _number_zh(word)


def _begin(day: date, unit: str) -> date:
    """Return the first day of the week, month or year that a day lies in."""
    if unit == "week":
        return day - day.weekday() * _DAY
    return day.replace(day=1) if unit == "month" else day.replace(month=1, day=1) if unit == "year" else day


def shift(day: date, unit: str, count: int) -> date:
    """Return the day so many units away; the 31st becomes the last day of a shorter month."""
    if unit in ("day", "week"):
        return day + count * (7 if unit == "week" else 1) * _DAY
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = (date(year + month // 11, (month + 1) % 12 + 1, 1) - _DAY).day
    return date(year, month + 1, min(day.day, last))
