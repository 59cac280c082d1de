"""Activation: how much more something counts for being recent, used before, pinned, or tagged with a question's words.

Numbers in, numbers out. ``docs/decisions/0085-activation.md`` says what was measured.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


FLOOR: Final = 0.7
"""What recency leaves of a score at the least: an old address is not buried by a fresh triviality."""

MEMORY_DAYS: Final = 730.0
"""In which a memory fades to a half, if there were no floor; four times the next one and more, since no public set
has memories of several years: a choice, not a measurement."""

RAW_DAYS: Final = 90.0
"""The same for raw records of their own day: talks, meetings, tickets, transcripts.

Asked on the day after the newest text (``bench/activation.py``), LoCoMo by words loses .002 of MRR@10 with 90 days,
.006 with 180, .011 with 365, and any@10 stays or gains; BEAM and LongMemEval lose nothing with 90.
"""

_MOST_USED: Final = 0.2
_HALF_USED: Final = 10.0
"""Recalls that bring half of what use can bring."""

PINNED: Final = 1.5
"""What a briefing counts while it is active: more than 1/.7, so that an old one stands above a fresh equal."""

_FEBRUARY: Final = 2
_DAYS_BEFORE_1970: Final = 719_469
_TAG: Final = 0.03
_MOST_TAGS: Final = 0.15


def recency(age_days: float, half_days: float) -> float:
    """Return what its age leaves of a score, ``FLOOR``..1; what is not told yet counts whole."""
    return 1.0 if age_days <= 0 else max(FLOOR, 2.0 ** (-age_days / half_days))


def used(times: int) -> float:
    """Return what having been recalled counts, 1..1.2: much for the first times, ever less for further ones."""
    return 1.0 + _MOST_USED * times / (times + _HALF_USED)


def tagged(matches: int) -> float:
    """Return what tags count that a question names, 1..1.15."""
    return 1.0 + min(_MOST_TAGS, _TAG * matches)


def day_number(date: str) -> float:
    """Return the day of a date or instant as it is written, in days since 1970; of a month or year its first.

    By hand, since a search from the shell has no other use for a calendar and would pay 2 ms for its import.
    """
    year, month, day = int(date[:4]), int(date[5:7] or 1), int(date[8:10] or 1)
    if month <= _FEBRUARY:
        year, month = year - 1, month + 12
    leaps = year // 4 - year // 100 + year // 400
    return float(365 * year + leaps + (153 * (month - 3) + 2) // 5 + day - _DAYS_BEFORE_1970)
