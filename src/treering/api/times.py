"""The time that a question is about, as callers give it: a day, a range, what was known by then."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from treering.domain.dates import micros, span, stamped, written
from treering.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime, tzinfo


class Times(NamedTuple):
    """What dates of a question mean.

    Attributes:
        at: the instant whose truth is asked for, ISO 8601 in UTC; empty for now.
        known_at: only what was recorded by then, as the store records instants; empty for all.
        since: only what held or was told from here on, in microseconds since 1970; None for any time.
        until: only what held or was told before; None for any time.
    """

    at: str = ""
    known_at: str = ""
    since: int | None = None
    until: int | None = None


def times(as_of: str, known_at: str, first: str, last: str, zone: tzinfo) -> Times:
    """Return what dates mean; each may be empty.

    Args:
        as_of: of a day its end is meant: what happened on it counts.
        known_at: of a day its end is meant.
        first: the first day of a range.
        last: its last day.
        zone: where dates without an offset are meant.

    Raises:
        InputError: if one is no date, or the range is empty.
    """
    found = Times(
        at=written(_end(as_of, zone)) if as_of else "",
        known_at=stamped(_end(known_at, zone)) if known_at else "",
        since=micros(span(first, zone).start) if first else None,
        until=micros(span(last, zone).after) if last else None,
    )
    if found.since is not None and found.until is not None and found.since >= found.until:
        raise InputError(f"from {first} to {last} ends before it begins", hint="swap --from and --to")
    return found


def _end(date: str, zone: tzinfo) -> datetime:
    """Return the last instant of a date."""
    meant = span(date, zone)
    return max(meant.start, meant.stop - timedelta.resolution)
