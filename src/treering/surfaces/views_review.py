"""What waits for the owner: both sides, whole, as JSON objects and as text."""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from treering.surfaces.views_memory import memory_json, memory_text
from treering.surfaces.views_text import clean, clean_line, counted

if TYPE_CHECKING:
    from datetime import tzinfo

    from treering.domain.report import Waiting
    from treering.surfaces.views import JsonObject

_LONGEST: Final = 100
_SHOWN_ELSEWHERE: Final = ("op", "memory", "id", "ids", "from_id", "to_id", "old_ids", "evidence")


def waiting_json(waiting: Waiting) -> JsonObject:
    """Return one proposal with both sides."""
    return {
        "id": waiting.id,
        "state": waiting.state,
        "what": waiting.what,
        "why": waiting.why,
        "author": waiting.author,
        "made_at": waiting.made_at,
        "operation": json.loads(waiting.operation) if waiting.operation else None,
        "memory": memory_json(waiting.memory) if waiting.memory else None,
        "against": [memory_json(one) for one in waiting.against],
        "reason": waiting.reason or None,
    }


def waiting_line(waiting: Waiting) -> str:
    """Return one proposal on a line: what is asked for, and why it waits."""
    said = clean_line(_said(waiting))
    shown = said if len(said) <= _LONGEST else f"{said[:_LONGEST].rstrip()} …"
    state = "" if waiting.state == "waiting" else f"{waiting.state}  "
    return f"{waiting.id}  {waiting.made_at[:10]}  {state}{waiting.what}  {shown}  ({clean_line(waiting.why)})\n"


def _said(waiting: Waiting) -> str:
    """Return what waits, in a few words."""
    if waiting.memory:
        return waiting.memory.content
    given = _operation(waiting)
    named = given.get("memory", {}).get("content", "")
    return named or " ".join(_ids(given))


def _operation(waiting: Waiting) -> dict[str, Any]:
    """Return the operation that waits."""
    given: dict[str, Any] = json.loads(waiting.operation) if waiting.operation else {}
    return given


def _ids(given: dict[str, Any]) -> list[str]:
    """Return the ids that an operation names."""
    single = [given[name] for name in ("id", "from_id", "to_id") if name in given]
    return [*single, *given.get("ids", ()), *given.get("old_ids", ())]


def waiting_text(waiting: Waiting, zone: tzinfo = UTC) -> str:
    """Return one proposal whole: what is asked for and by whom, why it waits, and what stands against it."""
    text = (
        f"{waiting.id}  {waiting.made_at[:10]}  {waiting.what} by {clean_line(waiting.author)}, {waiting.state}\n"
        f"why: {clean_line(waiting.why)}\n"
    )
    if waiting.reason:
        text += f"the owner: {clean_line(waiting.reason)}\n"
    text += f"\n── {'what waits' if waiting.state == 'waiting' else 'what was decided'} ──\n"
    text += memory_text(waiting.memory, zone=zone) if waiting.memory else _operation_text(_operation(waiting))
    if not waiting.against:
        return f"{text}\nnothing stands against it\n"
    text += f"\n── what stands against it, or would change: {counted(len(waiting.against), 'memory')} ──\n"
    return text + "\n".join(memory_text(one, zone=zone) for one in waiting.against)


def _operation_text(given: dict[str, Any]) -> str:
    """Return an operation as a person reads it: its content, then every other field, and the quotes whole."""
    draft: dict[str, Any] = given.get("memory", {})
    text = f"{given.get('op', '')} {' '.join(_ids(given))}".strip() + "\n"
    fields = {name: value for name, value in {**given, **draft}.items() if name not in {*_SHOWN_ELSEWHERE, "content"}}
    text += "".join(f"{clean_line(name)}: {clean_line(_value(value))}\n" for name, value in fields.items())
    if "content" in draft:
        text += f"\n{clean(draft['content'])}\n\n"
    quotes = [*given.get("evidence", ()), *draft.get("evidence", ())]
    text += "".join(f"quoted from {clean_line(one['source_id'])}: “{clean_line(one['quote'])}”\n" for one in quotes)
    return text


def _value(value: object) -> str:
    """Return a field's value: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
