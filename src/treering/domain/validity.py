"""Validity: the time in which a statement is said to hold."""

from __future__ import annotations

import re
from datetime import UTC, tzinfo
from typing import Final

from treering.domain.dates import span
from treering.errors import InputError

_HAS_OFFSET: Final = re.compile(r":[0-9]{2}.*(?:Z|[+-][0-9]{2}:[0-9]{2})$")


def check_validity(valid_from: str, valid_to: str, zone: tzinfo | None = None) -> None:
    """Raise unless some instant lies between two dates.

    Args:
        valid_from: since when; empty when unknown.
        valid_to: until when, a partial date inclusive, an instant exclusive; empty without an end.
        zone: where dates, and instants without an offset, are meant; while it is not known, one that has an offset and
            one that has none are not compared.

    Raises:
        InputError: if one of them is no date, or the end does not lie behind the start.
    """
    start = span(valid_from, zone or UTC).start if valid_from else None
    stop = span(valid_to, zone or UTC).stop if valid_to else None
    if zone is None and bool(_HAS_OFFSET.search(valid_from)) != bool(_HAS_OFFSET.search(valid_to)):
        return
    if start is not None and stop is not None and stop <= start:
        raise InputError(
            f"valid_to {valid_to} is not after valid_from {valid_from}",
            hint="swap them, or leave out the one that is not known",
        )
