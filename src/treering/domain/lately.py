"""An instant that is meant by words such as "last week": where a list of changes begins."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from treering.domain.dates import span
from treering.domain.said_dates import said_dates
from treering.errors import InputError

if TYPE_CHECKING:
    from datetime import tzinfo

_SPANS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_HINT: Final = "treering changes --since 2026-10-15, 7d or 'last week'"
_FOLLOWING: Final = re.compile(r"(\d{4,9})(?:-\d{1,2}){0,2}$")
"""A year, with a month and a day or without."""

_AGO: Final = re.compile(r"(\d{1,5})\s*(m|h|d|w)\w*(?:\s+ago)?")


def beginning(text: str, now: datetime, zone: tzinfo) -> datetime:
    """Return the first instant of the time that is meant, in UTC.

    Args:
        text: a date or an instant; ``7d``, ``36 hours``; or words such as "last week", "ayer" or "上周".
        now: the present.
        zone: where days begin.

    Raises:
        InputError: if it says no time, or one to come.
    """
    text = " ".join(text.split())
    if not text:
        raise InputError("since when?", hint=_HINT)
    ago = _AGO.fullmatch(text.lower())
    if ago:
        return now - timedelta(**{_SPANS[ago[2]]: int(ago[1])})
    said = said_dates(text, now.astimezone(zone).date()) if not text[:1].isdigit() else ()
    if said:
        first = said[0].first
        moment = datetime(first.year, first.month, first.day, tzinfo=zone).astimezone(UTC)
    else:
        try:
            moment = span(text, zone).start.astimezone(UTC)
        except InputError as error:
            year = _FOLLOWING.match(text)
            if year and int(year[1]) > now.year:  # beyond what a date can be, and yet plain
                raise InputError(f"{text[:40]} is yet to come", hint=_HINT) from error
            why = str(error) if text[:1].isdigit() else f"{text[:80]!r} says no time"
            raise InputError(why, hint=_HINT) from error
    if moment > now:
        raise InputError(f"{text[:40]} is yet to come", hint=_HINT)
    return moment
