"""Slots: what is in force, what was, what is disputed, as JSON objects and as compact text."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from treering.domain.dates import plain
from treering.surfaces.views import quotes_json
from treering.surfaces.views_dates import period_text
from treering.surfaces.views_text import clean_line

if TYPE_CHECKING:
    from datetime import tzinfo

    from treering.domain.report import SlotHistory, SlotStretch
    from treering.surfaces.views import JsonObject

_LONGEST: Final = 200
_EMPTY: Final = {
    "unknown": "nothing is known",
    "disputed": "nothing: what was said of it waits for the owner",
    "ended": "nothing: what held before has ended",
    "archived": "nothing: what held was archived",
    "erased": "nothing: what held was erased",
    "future": "nothing yet: what was said holds later",
}


def slot_json(found: SlotHistory) -> JsonObject:
    """Return a slot with its history."""
    return {
        "slot": found.slot,
        "at": found.at,
        "known_at": found.known_at or None,
        "current": _stretch_json(found.current) if found.current else None,
        "empty": found.empty or None,
        "stretches": [_stretch_json(one) for one in found.stretches],
        "disputed": [
            {"id": memory, "text": text, "why": why, "trust": trust} for memory, text, why, trust in found.disputed
        ],
        "quotes": {memory: quotes_json(quotes) for memory, quotes in found.quotes},
        "scope": found.scope or None,
        "notices": list(found.notices),
    }


def _stretch_json(stretch: SlotStretch) -> JsonObject:
    """Return a time in which one memory answers a slot."""
    return {
        "id": stretch.memory or None,
        "value": stretch.value or None,
        "text": stretch.content or None,
        "valid_from": stretch.start or None,
        "valid_to": stretch.stop or None,
        "state": stretch.state,
        "contested_since": stretch.contested_since or None,
        "claims": stretch.claims,
    }


def timeline_text(found: SlotHistory, zone: tzinfo = UTC, *, asked: bool = False) -> str:
    """Return the history of a slot, a line for each stretch, and what it says at the instant that was asked about.

    Args:
        found: the history.
        zone: where dates are meant.
        asked: whether the instant was named; else it is now.
    """
    lines = "".join(f"  {_stretch_line(one, zone)}\n" for one in found.stretches)
    disputed = "".join(
        f"  disputed: {_short(text)} ({memory}, trust {trust}): {why}\n" for memory, text, why, trust in found.disputed
    )
    quotes = "".join(
        f"  {memory} quotes {clean_line(one.key)}:{one.lines[0]}: “{_short(one.text)}”\n"
        for memory, quoted in found.quotes
        for one in quoted
    )
    known = f", as known on {plain(found.known_at, zone)}" if found.known_at else ""
    when = f"on {plain(found.at, zone)}" if asked else "now"
    return f"{clean_line(found.slot)}{known}\n{lines}{disputed}{quotes}  {when}: {_answer(found)}\n"


def _answer(found: SlotHistory) -> str:
    """Return what a slot says at the instant, or why it says nothing."""
    if found.current is None:
        return _EMPTY.get(found.empty, found.empty)
    contested = " (contested)" if found.current.contested_since else ""
    return f"{_said(found.current)} ({found.current.memory}){contested}"


def _stretch_line(stretch: SlotStretch, zone: tzinfo) -> str:
    """Return a stretch: ``2024-03-11 – 2025-01-01  Madrid  (mem_…)``."""
    since = stretch.contested_since
    contested = f", contested since {plain(since, zone)}" if since else ""
    more = f", said {stretch.claims} times" if stretch.claims > 1 else ""
    source = f"  ({stretch.memory}{more}{contested})" if stretch.memory else ""
    return f"{period_text(stretch.start, stretch.stop, zone)}  {_said(stretch)}{source}"


def _said(stretch: SlotStretch) -> str:
    """Return the short answer, else the statement, else why there is none."""
    if stretch.state != "stated":
        return f"[{stretch.state}]"
    return _short(stretch.value or stretch.content)


def _short(text: str) -> str:
    """Return the beginning of a text on one line."""
    shown = clean_line(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST].rstrip()} …"


def fact_line(found: SlotHistory, zone: tzinfo = UTC) -> str:
    """Return what a slot says on a line."""
    slot = clean_line(found.slot)
    waiting = f"  {len(found.disputed)} disputed" if found.disputed else ""
    if found.current is None:
        return f"{slot}  {_EMPTY.get(found.empty, found.empty)}{waiting}\n"
    return f"{slot}  {_stretch_line(found.current, zone)}{waiting}\n"
