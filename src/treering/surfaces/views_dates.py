"""Times between two dates as people read them."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from treering.domain.dates import plain

if TYPE_CHECKING:
    from datetime import tzinfo


def period_text(start: str, stop: str, zone: tzinfo = UTC) -> str:
    """Return the time between two dates: ``2024-03-11 – 2025-01-01``; either may be open."""
    first, last = plain(start, zone), plain(stop, zone)
    if first and last:
        return f"{first} – {last}"
    if first:
        return f"since {first}"
    return f"until {last}" if last else "at any time"
