"""The forms in which a date is written, in digits, English, Spanish and Chinese, and how each is read.

For ``said_dates``. A form that needs a preposition beside it has the group ``lead``.
"""

# ruff: noqa: ARG001, ARG005 - readers have one signature

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

Lean = Literal["past", "future"]

_DAY: Final = timedelta(days=1)
_MONTHS_EN: Final = "january february march april may june july august september october november december".split()
_SHORT_EN: Final = "jan feb mar apr may jun jul aug sep oct nov dec sept".split()
_MONTHS_ES: Final = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
_DAYS_EN: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAYS_ES: Final = "lunes martes miércoles jueves viernes sábado domingo".split()
_DIGITS_ZH: Final = {letter: number for number, letter in enumerate("零一二三四五六七八九十")} | {"两": 2}
_COUNTS: Final = {
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
    **{name: number for number, name in enumerate(_MONTHS_EN, 1)},
    **{name: min(number, 12) for number, name in enumerate(_SHORT_EN, 1)},
    **{name: number for number, name in enumerate(_MONTHS_ES, 1)},
    "sept": 9,
    "setiembre": 9,
}
_WEEKDAY: Final = {
    **{name: number for names in (_DAYS_EN, _DAYS_ES, "一二三四五六日") for number, name in enumerate(names)},
    "天": 6,
    "miercoles": 2,
    "sabado": 5,
}
_UNIT: Final[dict[str, Literal["day", "week", "month", "year"]]] = {
    "day": "day", "día": "day", "dia": "day", "天": "day", "日": "day", "week": "week", "semana": "week", "周": "week",
    "星期": "week", "礼拜": "week", "month": "month", "mes": "month", "meses": "month", "月": "month", "year": "year",
    "año": "year", "年": "year",
}  # fmt: skip

_MONTH_EN: Final = f"(?P<month>{'|'.join(_MONTHS_EN)}|(?:{'|'.join(_SHORT_EN)})\\b\\.?)"
_MONTH_ES: Final = f"(?P<month>{'|'.join(_MONTHS_ES)}|setiembre)"
_WEEKDAY_EN: Final = f"(?P<weekday>{'|'.join(_DAYS_EN)})"
_WEEKDAY_ES: Final = f"(?P<weekday>{'|'.join(_DAYS_ES)}|miercoles|sabado)"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY_NUMBER: Final = r"(?P<day>[0-3]?\d)"
_COUNT: Final = f"(?P<count>\\d{{1,3}}|{'|'.join(_COUNTS)})"
_COUNT_ZH: Final = "(?P<count>\\d{1,2}|[一二两三四五六七八九十]{1,3})"
_MONTH_AFTER_ZH: Final = "(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]) ?月(?!月|球|亮|饼|经|薪|票)"
_MONTH_ZH: Final = f"(?<![\\d一二三四五六七八九十个]){_MONTH_AFTER_ZH}"
_DAY_ZH: Final = " ?(?P<day>[0-3]?\\d|[一二三]?十?[一二三四五六七八九十]) ?[日号]"  # many set blanks around numbers
_OTHER_DAY_ES: Final = _WEEKDAY_ES.replace("weekday", "other")
_NO_DAY_ZH: Final = "(?![一二三四五六日天边围期])"
# Chinese sets no blank before and behind a date; another letter makes it a part of something.
_NO_NUMBER: Final = r"(?<![A-Za-z0-9_\u00c0-\u024f.,:/-])"
_NO_MORE: Final = r"(?![A-Za-z0-9_\u00c0-\u024f-])(?!\.\d)"
# A number in front of a plural counts something: "in 2000 files".
_NO_PLURAL: Final = r"(?! (?!this\b|was\b|is\b|does\b|has\b|as\b|us\b|its\b)[a-z]+s\b)"
_LEADS_EN: Final = (
    r"\b(?P<lead>in|since|during|until|till|before|after|by|from|through|between|and|to|of|for|around|as of|late"
    r"|early|mid|"
    r"last|next|this|past|back in|prior to|throughout)"
)
_LEADS_ES: Final = (
    r"\b(?P<lead>en|desde|durante|hasta|antes de|después de|despues de|para|entre|y|a|de|del|a partir de|"
    r"a principios de|a finales de|a mediados de|este|en el mes de|el pasado|el próximo|pasado|próximo)"
)

_Reader: TypeAlias = Callable[[re.Match[str], date, Lean], "tuple[date, date] | None"]


class Form(NamedTuple):
    """One way to write a date: what it looks like, and how it is read; None where it is no date after all."""

    pattern: str
    read: _Reader


def _full(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
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


def _year_and_month(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
    """Read 2026-10; a month that is the next year, too, as in "the season 2011-12", is not read."""
    return None if (int(match["year"]) + 1) % 100 == int(match["month"]) else _full(match, today, lean)


def _slashed(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date] | None:
    """Read 25/12/2026 or 12/25/2026; what can be read in two ways is not."""
    one, two = int(match["one"]), int(match["two"])
    if (one > 12) == (two > 12) and one != two:
        return None
    day, month = (one, two) if one > 12 else (two, one)
    first = date(int(match["year"]), month, day)
    return first, first + _DAY


def _days(offset: int) -> _Reader:
    """Return the reader of a day so many days from today."""
    return lambda match, today, lean: (today + offset * _DAY, today + (offset + 1) * _DAY)


def _units(offset: int) -> _Reader:
    """Return the reader of the week, month or year so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        unit = _unit(match["unit"])
        first = shift(_begin(today, unit), unit, offset)
        return first, shift(first, unit, 1)

    return read


def _years(offset: int) -> _Reader:
    """Return the reader of the year so many from this one."""
    return lambda match, today, lean: (date(today.year + offset, 1, 1), date(today.year + offset + 1, 1, 1))


def _quarter(offset: int) -> _Reader:
    """Return the reader of the quarter so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        first = shift(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), "month", 3 * offset)
        return first, shift(first, "month", 3)

    return read


def _weekend(offset: int) -> _Reader:
    """Return the reader of the weekend of the week so many from this one."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        first = _begin(today, "week") + (7 * offset + 5) * _DAY
        return first, first + 2 * _DAY

    return read


def _ago(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "two weeks ago": that day; for months and years the month and the year."""
    unit = _unit(match["unit"])
    then = shift(today, unit, -_count(match["count"]))
    if unit in ("day", "week"):
        return then, then + _DAY
    first = _begin(then, unit)
    return first, shift(first, unit, 1)


def _lately(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "the last three days", up to today."""
    groups = match.groupdict()
    count = _count(groups["count"]) if groups.get("count") else 1
    return shift(today, _unit(match["unit"]), -count), today + _DAY


def _coming(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "the next three days", from today."""
    return today, shift(today, _unit(match["unit"]), _count(match["count"])) + _DAY


def _on_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "on Friday": the last or the next one; today counts."""
    ahead = (_WEEKDAY[match["weekday"]] - today.weekday()) % 7
    day = today + (ahead - 7 if lean == "past" and ahead else ahead) * _DAY
    return day, day + _DAY


def _last_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "last Friday": the last one before today."""
    day = today - ((today.weekday() - _WEEKDAY[match["weekday"]] - 1) % 7 + 1) * _DAY
    return day, day + _DAY


def _next_weekday(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
    """Read "next Friday": the first one after today."""
    day = today + ((_WEEKDAY[match["weekday"]] - today.weekday() - 1) % 7 + 1) * _DAY
    return day, day + _DAY


def _weekday_of(offset: int) -> _Reader:
    """Return the reader of a day of the week so many from this one, as Chinese says it."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        day = _begin(today, "week") + (7 * offset + _WEEKDAY[match["weekday"]]) * _DAY
        return day, day + _DAY

    return read


def _named_day(direction: int) -> _Reader:
    """Return the reader of "el lunes pasado" (-1) and "el próximo lunes" (1) in either order of words."""

    def read(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
        wanted = _WEEKDAY[match["weekday"] or match["other"]]
        away = ((wanted - today.weekday()) * direction - 1) % 7 + 1
        day = today + direction * away * _DAY
        return day, day + _DAY

    return read


def _in_year(match: re.Match[str], today: date, lean: Lean) -> tuple[date, date]:
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
    return _COUNTS[word] if word in _COUNTS else _number_zh(word)


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


_UNITS_EN: Final = "(?P<unit>day|week|month|year)s?\\b"
_PERIOD_EN: Final = "(?P<unit>week|month|year)\\b"
_UNITS_ES: Final = "(?P<unit>días?|dias?|semanas?|mes|meses|años?)\\b"
_UNIT_ZH: Final = "(?P<unit>天|周|星期|礼拜|月|年)"
_WEEK_ZH: Final = "(?P<unit>周|星期|礼拜)"
_NOT_IN_WORD_ZH: Final = "(?<![晚早马线网地海路车班身以上下])"

FORMS: Final = (
    # Digits.
    Form(rf"{_NO_NUMBER}{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?=t\d|{_NO_MORE})", _full),
    Form(rf"{_NO_NUMBER}{_YEAR}/(?P<month>[01]?\d)/{_DAY_NUMBER}{_NO_MORE}(?!/)", _full),
    Form(rf"{_NO_NUMBER}{_YEAR}-(?P<month>0[1-9]|1[0-2]){_NO_MORE}", _year_and_month),
    Form(rf"{_NO_NUMBER}{_YEAR}(?= ?[-–—~到至] ?(?:19|20)\d\d(?![\d.]))", _full),
    Form(rf"(?<=(?:19|20)\d\d[-–—~到至]){_YEAR}年?(?![\w.])", _full),
    Form(rf"{_NO_NUMBER}(?P<one>[0-3]?\d)/(?P<two>[0-3]?\d)/{_YEAR}{_NO_MORE}(?!/)", _slashed),
    # English.
    Form(rf"\b{_MONTH_EN} {_DAY_NUMBER}(?:st|nd|rd|th)?(?:,? {_YEAR})?{_NO_MORE}(?!:)", _full),
    Form(rf"{_NO_NUMBER}{_DAY_NUMBER}(?:st|nd|rd|th)? (?:of )?{_MONTH_EN}(?:,? {_YEAR})?{_NO_MORE}", _full),
    Form(rf"\b{_MONTH_EN},? (?:of )?{_YEAR}{_NO_MORE}", _full),
    Form(rf"{_LEADS_EN} {_MONTH_EN}{_NO_MORE}(?! \d)(?! be\b| have\b| not\b| or may not\b)", _full),
    Form(
        rf"\b(?P<lead>in|since|during|until|till|before|after|by|from|through|throughout|back in|as of|prior to"
        rf"|between|and|"
        rf"to|of|for|late|early) (?:the year )?{_YEAR}{_NO_MORE}{_NO_PLURAL}(?! ?[%$€])",
        _full,
    ),
    Form(r"\b(?:today|this (?:morning|afternoon|evening)|tonight)\b", _days(0)),
    Form(r"\b(?:yesterday|last night)\b", _days(-1)),
    Form(r"\btomorrow\b", _days(1)),
    Form(r"\bthe day before yesterday\b", _days(-2)),
    Form(r"\bthe day after tomorrow\b", _days(2)),
    Form(rf"\b(?:last|the previous) {_PERIOD_EN}", _units(-1)),
    Form(rf"\bthis {_PERIOD_EN}", _units(0)),
    Form(rf"\bnext {_PERIOD_EN}", _units(1)),
    Form(r"\b(?:last|the previous) quarter\b", _quarter(-1)),
    Form(r"\bthis quarter\b", _quarter(0)),
    Form(r"\bnext quarter\b", _quarter(1)),
    Form(r"\blast weekend\b", _weekend(-1)),
    Form(r"\bthis weekend\b", _weekend(0)),
    Form(r"\bnext weekend\b", _weekend(1)),
    Form(rf"\b{_COUNT}(?: of)? {_UNITS_EN} ago\b", _ago),
    Form(rf"\b(?:in|during|over|within|for|from)? ?the (?:last|past|previous) {_COUNT}(?: of)? {_UNITS_EN}", _lately),
    Form(rf"\b(?:last|past) (?P<count>\d{{1,3}}|two|three|four|five|six|seven|ten) {_UNITS_EN}", _lately),
    Form(rf"\bthe past {_PERIOD_EN}", _lately),
    Form(rf"\b(?:in|during|over|within) the next {_COUNT} {_UNITS_EN}", _coming),
    Form(rf"\blast {_WEEKDAY_EN}\b", _last_weekday),
    Form(rf"\bnext {_WEEKDAY_EN}\b", _next_weekday),
    Form(
        rf"\b(?P<lead>on|since|by|until|till|before|after|from) {_WEEKDAY_EN}\b(?!s\b| (?:night|morning)s\b)",
        _on_weekday,
    ),
    Form(rf"\bthis {_WEEKDAY_EN}\b", _on_weekday),
    # Spanish.
    Form(rf"{_NO_NUMBER}{_DAY_NUMBER}(?:º|\.º)? de {_MONTH_ES}(?: del? (?:año )?{_YEAR})?{_NO_MORE}", _full),
    Form(rf"\b{_MONTH_ES} (?:del? )?(?:año )?{_YEAR}{_NO_MORE}", _full),
    Form(rf"{_LEADS_ES} {_MONTH_ES}{_NO_MORE}(?! del? \d)", _full),
    Form(
        rf"\b(?P<lead>en|desde|durante|hasta|antes de|antes del|después de|después del|para|entre|a partir de|de|del) "
        rf"(?:el )?(?:año )?{_YEAR}{_NO_MORE}(?! (?!nos\b|los\b|las\b|es\b|mis\b|sus\b|tus\b)[a-zñáéíóú]+s\b)(?! "
        rf"?[%$€])",
        _full,
    ),
    Form(r"\bhoy\b", _days(0)),
    Form(r"\b(?:ayer|anoche)\b", _days(-1)),
    Form(r"\b(?:anteayer|antes de ayer|antier)\b", _days(-2)),
    Form(r"(?<!la )(?<!esta )(?<!cada )(?<!una )(?<!de )(?<!por )\bmañana\b(?! por la tarde siguiente)", _days(1)),
    Form(r"\bpasado mañana\b", _days(2)),
    Form(r"\b(?:el|la) (?P<unit>semana|mes|año) (?:pasad[oa]|anterior)\b", _units(-1)),
    Form(r"\b(?:la pasada|el pasado) (?P<unit>semana|mes|año)\b", _units(-1)),
    Form(r"\best[ea] (?P<unit>semana|mes|año)\b", _units(0)),
    Form(r"\b(?:el|la) (?P<unit>semana|mes|año) (?:que viene|próxim[oa]|siguiente)\b", _units(1)),
    Form(r"\b(?:el próximo|la próxima|próximo|próxima) (?P<unit>semana|mes|año)\b", _units(1)),
    Form(r"\b(?:el )?(?:fin de semana pasado|pasado fin de semana)\b", _weekend(-1)),
    Form(r"\beste fin de semana\b", _weekend(0)),
    Form(rf"\bhace {_COUNT} {_UNITS_ES}", _ago),
    Form(rf"\b(?:en |durante )?(?:los|las) (?:últim|ultim)[oa]s {_COUNT} {_UNITS_ES}", _lately),
    Form(r"\b(?:la última|el último) (?P<unit>semana|mes|año)\b", _lately),
    Form(rf"\bel (?:{_WEEKDAY_ES} pasado|pasado {_OTHER_DAY_ES})\b", _named_day(-1)),
    Form(rf"\bel (?:próximo {_WEEKDAY_ES}|{_OTHER_DAY_ES} que viene)\b", _named_day(1)),
    Form(
        rf"\b(?P<lead>el|desde el|hasta el|antes del|después del|para el|este) {_WEEKDAY_ES}\b"
        r"(?! (?:pasado|que viene|\d))",
        _on_weekday,
    ),
    # Chinese.
    Form(f"(?<!\\d){_YEAR} ?年(?: ?{_MONTH_AFTER_ZH}份?(?:{_DAY_ZH})?)?(?!多|间)", _full),
    Form(f"{_MONTH_ZH}{_DAY_ZH}", _full),
    Form(f"(?<!年){_MONTH_ZH}(?! ?\\d| ?[一二三两几十]?十?[一二三四五六七八九十两几] ?[日号次回])份?", _full),
    Form(f"(?P<past>去年|前年|今年|明年) ?{_MONTH_AFTER_ZH}份?(?:{_DAY_ZH})?", _in_year),
    Form("今天|今日|今晚|今早", _days(0)),
    Form("昨天|昨日|昨晚", _days(-1)),
    Form("(?<!目)(?<!以)前天(?!线|地)", _days(-2)),
    Form("明天|明日", _days(1)),
    Form("(?<!以)(?<!之)后天", _days(2)),
    Form(f"{_NOT_IN_WORD_ZH}上个?{_WEEK_ZH}{_NO_DAY_ZH}", _units(-1)),
    Form(f"(?:本|这个?){_WEEK_ZH}{_NO_DAY_ZH}", _units(0)),
    Form(f"{_NOT_IN_WORD_ZH}下个?{_WEEK_ZH}{_NO_DAY_ZH}", _units(1)),
    Form(f"{_NOT_IN_WORD_ZH}上个?(?P<unit>月)(?!球|亮)", _units(-1)),
    Form("(?:本|这个)(?P<unit>月)", _units(0)),
    Form(f"{_NOT_IN_WORD_ZH}下个?(?P<unit>月)(?!球|亮)", _units(1)),
    Form("去年", _years(-1)),
    Form("前年", _years(-2)),
    Form("今年", _years(0)),
    Form("明年", _years(1)),
    Form("上(?:个)?季度", _quarter(-1)),
    Form("(?:本|这个?)季度", _quarter(0)),
    Form(f"{_COUNT_ZH}(?:个(?=月|星期|礼拜)|(?=天|周|年|星期|礼拜)){_UNIT_ZH}(?:以|之)?前(?!天)", _ago),
    Form(f"(?:最近|过去|近)(?:的)?{_COUNT_ZH}个?(?P<unit>天|周|星期|礼拜|月|年)", _lately),
    Form(f"{_NOT_IN_WORD_ZH}上个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_of(-1)),
    Form(f"{_NOT_IN_WORD_ZH}下个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_of(1)),
    Form("(?:本|这个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_of(0)),
    Form("(?<![上下本这个每隔])(?:周|星期|礼拜)(?P<weekday>[一二三四五六日])(?![至到围])", _on_weekday),
)  # fmt: skip
