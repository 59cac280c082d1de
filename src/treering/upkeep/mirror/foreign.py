"""Front matter of the Open Knowledge Format as a memory has it; what it does not know is kept as metadata."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from treering.domain.memory import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

# What a memory has a place of its own for, or what the store says for itself.
_KNOWN: Final = frozenset({
    "type", "title", "description", "tags", "status", "stale_after", "generated", "verified", "sources", "id", "kind",
    "slot", "value", "state", "trust", "verification", "valid_from", "valid_to", "entities", "metadata", "links",
    "revision", "recorded_at", "holds", "source", "why", "superseded_by", "changed_at", "claims",
    "literal_marks",
    "pinned",
})  # fmt: skip


def kind_of(values: Mapping[str, Any]) -> str:
    """Return the kind of memory that a concept is: its own word for it, else its type, else a plain statement."""
    for name in ("kind", "type"):
        word = str(values.get(name) or "").strip().lower()
        if word in KINDS:
            return word
    return "semantic"


def labels_of(values: Mapping[str, Any], *, whole: bool = False) -> dict[str, tuple[str, ...]]:
    """Return tags and metadata of a concept.

    Args:
        values: its front matter.
        whole: whether also of what a memory has no place for, under the names it has there: nothing is lost.
    """
    tags = _texts(values.get("tags"))
    found: dict[str, tuple[str, ...]] = {"tags": tags} if tags else {}
    metadata = values.get("metadata")
    if isinstance(metadata, dict):
        found |= {str(key): _texts(value) for key, value in metadata.items() if str(key) != "tags" and _texts(value)}
    for key, value in values.items():
        if (whole or key not in _KNOWN) and key not in {"tags", "metadata", "title", "description", "kind", "id"}:
            given = _texts(value)
            if given and str(key) not in found:
                found[str(key)] = given
    return found


def line(value: object) -> str:
    """Return a value on one line; empty for none."""
    return "" if value is None else " ".join(_text(value).split())


def _texts(value: object) -> tuple[str, ...]:
    """Return one or several values as texts."""
    if value is None:
        return ()
    if isinstance(value, list):
        return tuple(_text(one) for one in value if one is not None and _text(one))
    return (_text(value),) if _text(value) else ()


def _text(value: object) -> str:
    """Return a value as a text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
