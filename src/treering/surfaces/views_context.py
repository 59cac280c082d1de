"""A context as a JSON object and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.surfaces.views import SCHEMA, JsonObject, result_json, trace_json
from treering.surfaces.views_text import clean

if TYPE_CHECKING:
    from treering.domain.context import Context

_SECTIONS = ("current", "disputed", "history", "open_questions", "briefings", "passages")


def context_json(answer: Context, scope: str) -> JsonObject:
    """Return a context with its sections; ``text`` is what an agent is shown."""
    return {
        "schema": SCHEMA,
        "question": answer.question,
        **{name: [result_json(one, scope) for one in getattr(answer, name)] for name in _SECTIONS},
        "insufficient_evidence": answer.insufficient_evidence,
        "notices": list(answer.notices),
        "text": context_text(answer),
        "tokens": answer.tokens,
        "trace": trace_json(answer.trace),
    }


def context_text(answer: Context) -> str:
    """Return the text that an agent is shown."""
    return clean(answer.text)
