"""What lists and ``show`` have beside sources and directories: memories, slots, entities, proposals."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from treering.domain.briefing import Briefing
from treering.domain.report import Remembered, SlotHistory, Waiting

if TYPE_CHECKING:
    from datetime import tzinfo

    from treering.journal import StoredEntity
    from treering.surfaces.views import JsonObject

    Kept = Remembered | SlotHistory | Waiting | StoredEntity | Briefing


def kept_json(item: Kept) -> JsonObject:
    """Return one of them."""
    if isinstance(item, Remembered):
        from treering.surfaces.views_memory import memory_json

        return memory_json(item)
    if isinstance(item, SlotHistory):
        from treering.surfaces.views_slots import slot_json

        return slot_json(item)
    if isinstance(item, Waiting):
        from treering.surfaces.views_review import waiting_json

        return waiting_json(item)
    if isinstance(item, Briefing):
        from treering.surfaces.views_briefings import briefing_json

        return briefing_json(item)
    from treering.surfaces.views_known import entity_json

    return entity_json(item)


def kept_line(item: Kept, zone: tzinfo = UTC) -> str:
    """Return one of them on a line."""
    if isinstance(item, Remembered):
        from treering.surfaces.views_memory import memory_line

        return memory_line(item, zone)
    if isinstance(item, SlotHistory):
        from treering.surfaces.views_slots import fact_line

        return fact_line(item, zone)
    if isinstance(item, Waiting):
        from treering.surfaces.views_review import waiting_line

        return waiting_line(item)
    if isinstance(item, Briefing):
        from treering.surfaces.views_briefings import briefing_text

        return briefing_text(item, zone)
    from treering.surfaces.views_known import entity_line

    return entity_line(item)


def kept_text(item: Remembered | Waiting, *, history: bool = False, zone: tzinfo = UTC) -> str:
    """Return a memory or a proposal, whole."""
    if isinstance(item, Waiting):
        from treering.surfaces.views_review import waiting_text

        return waiting_text(item, zone)
    from treering.surfaces.views_memory import memory_text

    return memory_text(item, history=history, zone=zone)
