"""Dates as a slot's oracle reads them: spans of time in UTC, by arithmetic of its own."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
INSTANT: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?\s*(Z|[+-]\d\d:?\d\d)?")


def span(text: str) -> tuple[datetime, datetime]:
    """Return the first instant of a date and the first one after it; an instant is a span without length."""
    if re.fullmatch(r"\d{4}", text):
        return datetime(int(text), 1, 1, tzinfo=UTC), datetime(int(text) + 1, 1, 1, tzinfo=UTC)
    if re.fullmatch(r"\d{4}-\d\d", text):
        year, month = int(text[:4]), int(text[5:])
        after = (year + 1, 1) if month == 12 else (year, month + 1)
        return datetime(year, month, 1, tzinfo=UTC), datetime(*after, 1, tzinfo=UTC)
    if day := DAY.fullmatch(text):
        start = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC)
        return start, start + timedelta(days=1)
    at = instant(text)
    return at, at


def instant(text: str) -> datetime:
    """Return an instant in UTC; one without an offset is in UTC, a date is its first instant."""
    found = INSTANT.fullmatch(text)
    if not found:
        return span(text)[0]
    year, month, day, hour, minute = map(int, found.groups()[:5])
    clock = datetime(year, month, day, hour, minute, int(found[6] or 0), tzinfo=UTC)
    clock += timedelta(microseconds=int((found[7] or "0").ljust(6, "0")))
    if found[8] in (None, "Z"):
        return clock
    ahead = timedelta(hours=int(found[8][1:3]), minutes=int(found[8][-2:]))
    return clock - ahead if found[8][0] == "+" else clock + ahead


def written(at: datetime | None) -> str | None:
    """Return an instant as history writes it."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")
