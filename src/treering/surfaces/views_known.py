"""Entities and the audit log, as JSON objects and as compact text."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from treering.domain.dates import plain
from treering.surfaces.views_text import clean_line, of_store

if TYPE_CHECKING:
    from datetime import tzinfo

    from treering.journal import StoredAct, StoredEntity
    from treering.surfaces.views import JsonObject


def entity_json(entity: StoredEntity) -> JsonObject:
    """Return one entity with all its names."""
    return {
        "id": entity.id,
        "scope": entity.scope or None,
        "kind": entity.kind,
        "name": entity.name,
        "aliases": list(entity.aliases),
    }


def entity_line(entity: StoredEntity) -> str:
    """Return one entity on a line."""
    also = f"  (also {clean_line(', '.join(entity.aliases))})" if entity.aliases else ""
    return f"{entity.id}  {entity.kind}  {clean_line(entity.name)}{also}\n"


def act_json(act: StoredAct) -> JsonObject:
    """Return one line of the audit log."""
    return {
        "number": act.number,
        "scope": act.scope or None,
        "at": act.at,
        "role": act.role,
        "author": act.author,
        "act": act.name,
        "target": act.target,
        "outcome": act.outcome,
        "undone": act.undone,
    }


def act_line(act: StoredAct, zone: tzinfo = UTC, scope: str = "") -> str:
    """Return one line of the audit log: when, who, what, to what, and what became of it.

    Args:
        act: the line.
        zone: in which its time is shown.
        scope: of the store that was asked; a line of another one names it.
    """
    who = act.author if act.role == "owner" else f"{act.author} ({act.role})"
    undone = "  taken back" if act.undone else ""
    words = f"{plain(act.at, zone)}  {who}  {act.name} {act.target}: {act.outcome}{undone}{of_store(act.scope, scope)}"
    return f"{act.number:>5}  {clean_line(words)}\n"
