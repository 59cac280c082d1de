"""Dates as people write them: partial dates and instants, as spans of time in UTC.

Not in this room: dates in words ("last week"), and what a span means for a claim.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple

from treering.errors import InputError

FORMS: Final = "write 2026, 2026-03, 2026-03-10 or 2026-03-10T09:00:00+02:00"

_PARTIAL: Final = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_INSTANT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?"
)
# Other programs write the first and the last year for "none"; without them no offset leads out of the calendar.
_FIRST_YEAR: Final = 2
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_YEAR: Final = 9998


class Span(NamedTuple):
    """The time that a date names.

    Attributes:
        start: its first instant, in UTC.
        stop: the instant after a partial date, in UTC; of an instant, that instant itself.
    """

    start: datetime
    stop: datetime

    @property
    def after(self) -> datetime:
        """The first instant that lies after all of it."""
        return self.stop if self.stop > self.start else self.stop + timedelta.resolution


# Recomputing a slot of 1,000 claims after one more reads the same dates again: 2 of its 8 ms without this.
@lru_cache(maxsize=4096)
def span(text: str, zone: tzinfo = UTC) -> Span:
    """Return the time that a date names.

    Args:
        text: a year, a month, a day, or an instant with or without an offset.
        zone: where dates, and instants without an offset, are meant.

    Raises:
        InputError: if it is none of these, or names no day of the calendar.
    """
    partial = _PARTIAL.fullmatch(text)
    if partial is None and not _INSTANT.fullmatch(text):
        raise InputError(f"{text!r} is no date", hint=FORMS)
    try:
        return _partial(partial, zone) if partial else _instant(text, zone)
    except ValueError as error:
        raise InputError(f"{text!r} is no date: {error}", hint=FORMS) from error


def instant(text: str, zone: tzinfo = UTC) -> datetime:
    """Return the first instant of the time that a date names, in UTC.

    Args:
        text: as for ``span``.
        zone: as for ``span``.

    Raises:
        InputError: as for ``span``.
    """
    return span(text, zone).start


# A stretch stops where the next one starts, and most of them stay when a slot is recomputed: 1 of its 7 ms.
@lru_cache(maxsize=4096)
def written(moment: datetime) -> str:
    """Return an instant in UTC as it is stored and shown: ``2026-03-10T09:00:00Z``."""
    return moment.isoformat().replace("+00:00", "Z")


def plain(text: str, zone: tzinfo = UTC) -> str:
    """Return a date or an instant as a reader in the zone writes it; midnight is the day alone.

    Args:
        text: a date, a partial one, or an instant; what is none comes back as it is.
        zone: where dates are meant.
    """
    if not _INSTANT.fullmatch(text):
        return text
    try:
        there = instant(text, zone).astimezone(zone)
    except InputError:
        return text
    midnight = there.replace(hour=0, minute=0, second=0, microsecond=0)
    return there.date().isoformat() if there == midnight else there.replace(tzinfo=None).isoformat(" ", "seconds")


def stamped(moment: datetime) -> str:
    """Return an instant in UTC as the store records its own: with milliseconds, so that their texts have its order."""
    return f"{moment.isoformat(timespec='milliseconds').removesuffix('+00:00')}Z"


def micros(moment: datetime) -> int:
    """Return an instant in microseconds since 1970, exactly."""
    return (moment - _EPOCH) // timedelta.resolution


def from_micros(number: int) -> datetime:
    """Return the instant that ``micros`` gave the number of, in UTC."""
    return _EPOCH + timedelta(microseconds=number)


def _partial(match: re.Match[str], zone: tzinfo) -> Span:
    """Return the span of a year, month or day."""
    year, month, day = match.groups()
    first = datetime.fromisoformat(f"{year}-{month or '01'}-{day or '01'}").replace(tzinfo=zone)
    _check_year(first)
    if day:
        following = first + timedelta(days=1)
    elif month and first.month < 12:
        following = first.replace(month=first.month + 1)
    else:
        following = first.replace(year=first.year + 1, month=1)
    if zone is UTC:
        return Span(first, following)
    return Span(first.astimezone(UTC), following.astimezone(UTC))


def _instant(text: str, zone: tzinfo) -> Span:
    """Return the span of an instant, which has no length."""
    moment = datetime.fromisoformat(text)
    _check_year(moment)
    moment = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    return Span(moment, moment)


def _check_year(moment: datetime) -> None:
    """Raise for a year that stands for no time."""
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise ValueError(f"the years are {_FIRST_YEAR:04} to {_LAST_YEAR}; leave out a date that is not known")
