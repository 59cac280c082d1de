"""Names as keys of slots, and the day of a document."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Final

from treering.domain.said_dates import said_dates

_NO_KEY: Final = re.compile(r"[^\w.+#]+|_+")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_NO_YEAR: Final = date(2, 1, 1)


def slug(name: str) -> str:
    """Return a name as part of a slot: ``Project A`` is ``project-a``; letters of every script stay."""
    return _NO_KEY.sub("-", unicodedata.normalize("NFKC", name).casefold()).strip("-.")


def day_of(written: str) -> date | None:
    """Return the day that a document's date names; None for a month, a year and what is no date."""
    found = _DAY.match(written)
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None


def dated(text: str) -> str:
    """Return a date in words or digits as it is stored, when it has its year; empty for none.

    Args:
        text: what front matter or a heading says; the first date in it counts.
    """
    found = next((one for one in said_dates(text, _NO_YEAR) if one.given), None)
    return found.written if found else ""
