"""Dates as question sets write them: read for their order, and put into words for the index."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBERS: Final = {name[:3].lower(): number for number, name in enumerate(_MONTHS, start=1)}
_APART: Final = r"(?:st|nd|rd|th)?[\s,./-]+"
_DIGITS: Final = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_CHINESE: Final = re.compile(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日")
_MONTH_FIRST: Final = re.compile(rf"\b([A-Za-z]{{3,9}})\.?[\s-]+(\d{{1,2}}){_APART}(\d{{4}})\b")
_DAY_FIRST: Final = re.compile(rf"\b(\d{{1,2}}){_APART}([A-Za-z]{{3,9}})\.?[\s,-]+(\d{{4}})\b")

_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, int, str]]], ...]] = (
    (_DIGITS, lambda found: (found[1], int(found[2]), found[3])),
    (_CHINESE, lambda found: (found[1], int(found[2]), found[3])),
    (_MONTH_FIRST, lambda found: (found[3], _month(found[1]), found[2])),
    (_DAY_FIRST, lambda found: (found[3], _month(found[2]), found[1])),
)


def day_of(text: str) -> date | None:
    """Return the first day that a text names in full; None when it names none."""
    for pattern, read in _FORMS:
        found = pattern.search(text)
        if found:
            year, month, day = read(found)
            try:
                return date(int(year), month, int(day))
            except ValueError:
                continue
    return None


def in_words(text: str) -> str:
    """Return a date in digits as people say it: ``10 April 2023``; any other stays as it is written."""
    day = day_of(text) if _DIGITS.search(text) else None
    return text if day is None else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _month(name: str) -> int:
    """Return the number of a month in English; 0 for another word."""
    return _NUMBERS.get(name[:3].lower(), 0)
