"""Briefings as JSON objects and as compact text."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from treering.domain.citation import marked
from treering.domain.dates import plain
from treering.surfaces.views import JsonObject, list_json
from treering.surfaces.views_text import clean, clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from treering.domain.briefing import Briefing
    from treering.domain.operation import Outcome


def briefings_json(found: Sequence[Briefing]) -> JsonObject:
    """Return what is pinned, as a list."""
    return list_json(map(briefing_json, found), len(found))


def briefing_json(one: Briefing) -> JsonObject:
    """Return one briefing."""
    return {
        "id": one.id,
        "type": "briefing",
        "scope": one.scope or None,
        "text": one.text,
        "memories": list(one.memories),
        "trust": one.trust,
        "pinned_at": one.pinned_at,
        "until": one.until,
        "author": one.author,
        "notices": list(one.notices),
    }


def briefing_text(one: Briefing, zone: tzinfo = UTC) -> str:
    """Return one briefing: until when, then what it says."""
    text = marked(clean(one.text), one.trust).rstrip()
    lines = [f"{one.id}  until {plain(one.until, zone)}", *text.split("\n")]
    notes = "".join(f"  note: {clean_line(notice)}\n" for notice in one.notices)
    return "\n  ".join(lines) + f"\n{notes}"


def briefings_text(found: Sequence[Briefing], zone: tzinfo = UTC) -> str:
    """Return what is pinned, or how to pin something."""
    if not found:
        return "Nothing is pinned.\nnext: treering pin ID --ttl 3d\n"
    return "".join(briefing_text(one, zone) for one in found)


def pinned_text(outcome: Outcome, done: str, following: str) -> str:
    """Return what became of a pin or its end, and what comes next."""
    notices = "".join(f"  {clean_line(notice)}" for notice in outcome.notices)
    return f"{done} {outcome.id}{notices}\nnext: {following}\n"
