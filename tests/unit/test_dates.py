"""Dates as people write them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from treering.domain.dates import instant, span, written
from treering.errors import InputError


@pytest.mark.parametrize(
    ("text", "start", "stop"),
    [
        ("2026", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("2026-12", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("2024-02", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"),
        ("2026-03-10", "2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z"),
        ("9998-12-31", "9998-12-31T00:00:00Z", "9999-01-01T00:00:00Z"),
        ("2026-03-10T09:00", "2026-03-10T09:00:00Z", "2026-03-10T09:00:00Z"),
        ("2026-03-10 09:00:30.5-05:30", "2026-03-10T14:30:30.500000Z", "2026-03-10T14:30:30.500000Z"),
        ("2026-03-10T09:00:00+14:00", "2026-03-09T19:00:00Z", "2026-03-09T19:00:00Z"),
    ],
)
def test_a_date_is_a_span_of_time(text: str, start: str, stop: str) -> None:
    """A partial date lasts, an instant does not, and both are told in UTC."""
    found = span(text)
    assert (written(found.start), written(found.stop)) == (start, stop)


def test_a_day_lasts_as_long_as_it_does_where_it_is_meant() -> None:
    """The day on which the clocks are set forward has 23 hours; an offset of its own beats the store's zone."""
    madrid = ZoneInfo("Europe/Madrid")
    day = span("2026-03-29", madrid)
    assert (written(day.start), written(day.stop)) == ("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")
    assert instant("2026-07-01T09:00", madrid) == datetime(2026, 7, 1, 7, tzinfo=UTC)
    assert instant("2026-07-01T09:00Z", madrid) == datetime(2026, 7, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "2026-02-30", "2026-13", "2026-00", "2026-1-1", "26", "20260310", "2026-W10", "2026-W10-1T10:00",
        "0000", "0001", "0001-01-01T00:00:00Z", "9999", "9999-12-31", "2026-03-10T24:00", "2026-03-10T09:60",
        "2026-03-10T09:00:60Z", "2026-03-10T09:00+25:00", "2026-03-10T09:00+02", "2026-03-10T09:00z", "2026-03-10T09",
        "2026-03-10T", "٢٠٢٦", "2026-03-10\n", "yesterday", "None", "2026-03-10T09:00:00.1234567Z", "-2026", "\0",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused(text: str) -> None:
    """The error shows what was written, and its hint how dates are written."""
    with pytest.raises(InputError, match="is no date") as caught:
        span(text)
    assert repr(text) in str(caught.value)
    assert "2026-03-10" in caught.value.hint
