"""Activation: what is recent, used, pinned or tagged with a word of the question is raised."""

from __future__ import annotations

import re
import time

from treering.domain import activation
from treering.domain.source import DATED
from treering.records import FOREVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.domain.query import Query
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.records import Attended

_DAY: Final = 86_400_000_000


def activate(tx: Transaction, passed: Sequence[Candidate], query: Query) -> tuple[list[Candidate], str]:
    """Return candidates with what activation makes of their scores, best first; and what it came to, in words.

    A file that is read in place says what it says now and does not age; a talk or a ticket tells of its day.

    Args:
        tx: the store.
        passed: candidates with enough evidence.
        query: the question; where its ``now`` is 0, nothing ages.
    """
    memories = list(dict.fromkeys(one.memory.id for one in passed if one.memory is not None))
    attended = tx.attention.of(memories, _written(query.now)) if memories else {}
    words = frozenset(re.findall(r"\w+", query.text.casefold())) if any(one.tags for one in passed) else frozenset()
    raised = []
    ages, matched = [1.0], 0
    for one in passed:
        faded = _recency(one, query.now)
        factor = faded
        if one.memory is not None and one.memory.id in attended:
            factor *= _attention(attended[one.memory.id])
        matches = sum(words.issuperset(re.findall(r"\w+", tag.casefold())) for tag in one.tags) if words else 0
        if matches:
            factor *= activation.tagged(matches)
            matched += 1
        ages.append(faded)
        raised.append(one if factor == 1.0 else one._replace(score=one.score * factor))
    pinned = sum(bool(one.pinned_until) for one in attended.values())
    used = sum(bool(one.times) for one in attended.values())
    why = f"recency down to ×{min(ages):.2f}, {used} recalled before, {pinned} pinned, {matched} with a tag named"
    return sorted(raised, key=lambda one: -one.score), why


def _attention(found: Attended) -> float:
    """Return what use and a briefing count."""
    return activation.used(found.times) * (activation.PINNED if found.pinned_until else 1.0)


def _recency(one: Candidate, now: int) -> float:
    """Return what the age of a candidate leaves of its score."""
    if not now:
        return 1.0
    memory = one.memory
    if memory is not None:
        told_at = memory.starts / _DAY if memory.starts > -FOREVER else activation.day_number(memory.recorded_at)
        return activation.recency(now / _DAY - told_at, activation.MEMORY_DAYS)
    source = one.source
    if source.custody != "kept" or source.kind not in DATED:
        return 1.0
    told_at = activation.day_number(source.source_time or source.recorded_at)
    return activation.recency(now / _DAY - told_at, activation.RAW_DAYS)


def _written(now: int) -> str:
    """Return an instant as dates are stored, ISO 8601; one later than any where it is not said."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now // 1_000_000)) if now else "9999"
