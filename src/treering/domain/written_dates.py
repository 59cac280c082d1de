"""Dates at the beginning of a line as people write them, in English, Spanish and Chinese.

Pure. A date is taken only where it can be read in one way: ``03/04/2026`` is April in one country and March in
another, so it opens an entry but gives no date unless the caller knows the order. Not here: dates within a
sentence, and dates in words ("yesterday").
"""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Final, Literal, NamedTuple

Order = Literal["", "dmy", "mdy"]
"""What comes first in a date of three numbers that does not begin with the year; empty when it is not known."""

_MONTHS: Final = {
    **dict.fromkeys(("jan", "january", "enero", "ene"), 1),
    **dict.fromkeys(("feb", "february", "febrero"), 2),
    **dict.fromkeys(("mar", "march", "marzo"), 3),
    **dict.fromkeys(("apr", "april", "abril", "abr"), 4),
    **dict.fromkeys(("may", "mayo"), 5),
    **dict.fromkeys(("jun", "june", "junio"), 6),
    **dict.fromkeys(("jul", "july", "julio"), 7),
    **dict.fromkeys(("aug", "august", "agosto", "ago"), 8),
    **dict.fromkeys(("sep", "sept", "september", "septiembre", "setiembre"), 9),
    **dict.fromkeys(("oct", "october", "octubre"), 10),
    **dict.fromkeys(("nov", "november", "noviembre"), 11),
    **dict.fromkeys(("dec", "december", "diciembre", "dic"), 12),
}
_MONTH: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WEEKDAY: Final = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?|lunes|martes|mi[ée]rcoles|jueves|viernes"
    r"|s[áa]bado|domingo|(?:星期|周|週)[一二三四五六日天])\b\.?[,，]?[^\S\n]*"
)
_TIME: Final = r"(?P<hour>[01]?\d|2[0-3])[:：](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,6})?)?(?!\d)"
_HALF: Final = r"(?:[^\S\n]?(?P<half>[ap])\.?[^\S\n]?m\b\.?)?"
_DAY: Final = (
    r"(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>\d{1,2})(?:(?P=s)(?P<d>\d{1,2}))?(?!\d|(?P=s)\d)"
    r"|(?P<zy>(?:19|20)\d\d)[^\S\n]?年[^\S\n]?(?P<zm>\d{1,2})[^\S\n]?月(?:[^\S\n]?(?P<zd>\d{1,2})[^\S\n]?[日号號])?"
    rf"|(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?\.?[^\S\n]+(?:of[^\S\n]+|de[^\S\n]+)?(?P<em>{_MONTH})\b\.?,?[^\S\n]+(?:de[^\S\n]+|del[^\S\n]+)?(?P<ey>(?:19|20)\d\d)\b"
    rf"|(?P<um>{_MONTH})\b\.?[^\S\n]+(?:(?P<ud>\d{{1,2}})(?:st|nd|rd|th)?,?[^\S\n]+|de[^\S\n]+)?(?P<uy>(?:19|20)\d\d)\b"
    r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<c>(?:19|20)\d\d|\d\d)(?!\d)"
)
_MARKUP: Final = r"(?:[ \t]*(?:[-*+>•]|\#{1,6}|\d{1,3}[.)])[ \t]+)*[ \t]*(?:\*\*|__|\[|\(|<)?[ \t]*"
_LABEL: Final = r"(?:(?:date|fecha|entry|entrada|日期|时间)[^\S\n]*[:：][^\S\n]*)?"
_OPENING: Final = re.compile(
    rf"{_MARKUP}{_LABEL}(?:{_WEEKDAY})?(?:{_DAY})(?:[T,，]?[^\S\n]*(?:at[^\S\n]+|a las[^\S\n]+)?{_TIME}{_HALF})?",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(rf"{_MARKUP}{_TIME}{_HALF}", re.IGNORECASE)
AMBIGUOUS: Final = re.compile(r"\d{1,2}([-/.])\d{1,2}\1\d\d")
"""A date of which the first two numbers may be the day."""

# What may stand behind a date or time for the line to be an entry: not the rest of a word or number.
_END: Final = re.compile(r"[Z\]\)>*_:：,，.;\-–—|\s]|[+-]\d\d|$|[\u3040-\u9fff]")
_CENTURY_TURNS: Final = 70
_MOST_DAYS: Final = 12


class Opening(NamedTuple):
    """What a line begins with.

    Attributes:
        date: ``2026-03-01`` or ``2026-03``; empty for a clock time alone, or where the order is not known.
        time: ``10:32`` or ``10:32:05``; empty when there is none.
        stop: offset after it in the text.
    """

    date: str
    time: str
    stop: int


def opening(text: str, at: int = 0, order: Order = "") -> Opening | None:
    """Return the date or clock time that the line at ``at`` begins with; None when it begins with neither.

    Marks of Markdown, a weekday, a bracket and a word such as ``Date:`` may stand before it.

    Args:
        text: the text.
        at: where the line begins.
        order: of dates such as ``03/04/2026``.
    """
    found = _OPENING.match(text, at) or _CLOCK.match(text, at)
    if found is None or not _END.match(text, found.end()):
        return None
    said = found.groupdict()
    date = _date(said, order)
    is_ambiguous = bool(said.get("a")) and max(int(said["a"] or 0), int(said["b"] or 0)) <= _MOST_DAYS
    if not (date or is_ambiguous or found.re is _CLOCK):
        return None
    return Opening(date, _time(said), found.end())


def order_of(lines: list[tuple[str, int]]) -> Order:
    """Return which number of ambiguous dates is the day, as far as any of the lines shows it.

    Args:
        lines: texts, each with the offset at which a line begins that ``opening`` takes.
    """
    orders: set[Order] = set()
    for text, at in lines:
        found = _OPENING.match(text, at)
        if found is not None and found["a"]:
            if int(found["a"]) > 12:
                orders.add("dmy")
            elif int(found["b"]) > 12:
                orders.add("mdy")
    return orders.pop() if len(orders) == 1 else ""


def _date(said: dict[str, str | None], order: Order) -> str:
    """Return the date as ISO 8601; empty where there is none, or where it is not sure."""
    for year, month, day in (("y", "m", "d"), ("zy", "zm", "zd"), ("ey", "em", "ed"), ("uy", "um", "ud")):
        if said.get(year):
            named = said[month] or ""
            return _iso(int(said[year] or 0), _MONTHS.get(named.lower()) or int(named), int(said[day] or 0))
    if not said.get("a"):
        return ""
    first, second, year_ = int(said["a"] or 0), int(said["b"] or 0), int(said["c"] or 0)
    if year_ < 100:
        year_ += 2000 if year_ < _CENTURY_TURNS else 1900
    if first > 12 or (order == "dmy" and second <= 12) or first == second:
        return _iso(year_, second, first)
    return _iso(year_, first, second) if second > 12 or order == "mdy" else ""


def _iso(year: int, month: int, day: int) -> str:
    """Return a date as ISO 8601, without a day where that is 0; empty when the calendar has no such day."""
    if not 1 <= month <= 12 or day > monthrange(year, month)[1]:
        return ""
    return f"{year:04}-{month:02}-{day:02}" if day else f"{year:04}-{month:02}"


def _time(said: dict[str, str | None]) -> str:
    """Return the clock time in 24 hours; empty when there is none."""
    if not said.get("hour"):
        return ""
    hour = int(said["hour"] or 0)
    half = (said.get("half") or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    second = said.get("second")
    return f"{hour:02}:{said['minute']}" + (f":{second}" if second else "")
