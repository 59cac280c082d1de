"""What became of imported originals, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.source import Skip
from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.domain.keeping import Imported
    from treering.domain.operation import Outcome

_WORDS: Final = {"accepted": "Kept", "superseded": "New version", "exists": "Already there:"}
_MOST_LINES: Final = 20
"""Files that are named one by one; of more only what is worth a word."""
_MOST_SKIPS: Final = 100


def imported_json(imported: Iterable[Imported]) -> JsonObject:
    """Return what became of originals, one outcome for each."""
    return {"schema": SCHEMA, "outcomes": [one_json(one) for one in imported]}


def one_json(one: Imported) -> JsonObject:
    """Return what became of one original."""
    changed = [change for memory in one.memories for change in memory.changed]
    return {
        "outcome": one.outcome,
        "id": one.id or None,
        "path": one.path,
        "key": one.key or None,
        "version": one.version or None,
        "title": one.title or None,
        "trust": one.trust or None,
        "reason": one.reason or None,
        "memories": [
            {"outcome": memory.outcome, "id": memory.id, "notices": list(memory.notices)} for memory in one.memories
        ],
        "changed": [{"id": to.id, "from": to.before, "to": to.after, "why": to.why} for to in changed],
        "notices": list(one.notices),
    }


def imported_text(imported: Sequence[Imported]) -> str:
    """Return what became of originals: a line for each of a few, else the figures; everything that was skipped."""
    kept = [one for one in imported if one.outcome != "skipped"]
    skipped = [Skip(one.path, one.reason) for one in imported if one.outcome == "skipped"]
    few = len(kept) <= _MOST_LINES
    told = [one for one in kept if few or one.notices or _waiting(one.memories)]
    text = "".join(map(one_text, told[:_MOST_LINES])) + _more(len(told) - _MOST_LINES, "with notes")
    if len(imported) > 1 or not kept:
        text += _figures(kept, skipped)
    lines = [f"  skipped {clean_line(skip.path)}: {clean_line(skip.reason)}\n" for skip in skipped]
    return text + "".join(lines[:_MOST_SKIPS]) + _more(len(lines) - _MOST_SKIPS, "skipped")


def _more(number: int, what: str) -> str:
    """Return that there are more than are shown; nothing when there are none."""
    return f"  … {number} more {what}: --json lists all\n" if number > 0 else ""


def one_text(one: Imported) -> str:
    """Return what became of one original that was not skipped."""
    head = f"{_WORDS[one.outcome]} {one.id}  {clean_line(one.key)}  {clean_line(one.title)}  (trust {one.trust})\n"
    memories = f"  {memories_text(one.memories)}\n" if one.memories else ""
    return head + memories + "".join(f"  note: {clean_line(notice)}\n" for notice in one.notices)


def memories_text(memories: Sequence[Outcome]) -> str:
    """Return how many memories were taken out, and what became of them."""
    numbers: dict[str, int] = {}
    for memory in memories:
        numbers[memory.outcome] = numbers.get(memory.outcome, 0) + 1
    said = ", ".join(f"{number} {outcome}" for outcome, number in numbers.items())
    review = "; treering review list" if _waiting(memories) else ""
    return f"{counted(len(memories), 'statement')} taken out: {said}{review}"


def _waiting(memories: Iterable[Outcome]) -> bool:
    """Tell whether any of them waits for the owner."""
    return any(memory.proposal for memory in memories)


def _figures(kept: Sequence[Imported], skipped: Sequence[Skip]) -> str:
    """Return how many originals became what."""
    numbers = {name: sum(one.outcome == name for one in kept) for name in _WORDS}
    said = f"{numbers['accepted']} new, {numbers['superseded']} changed, {numbers['exists']} already there"
    memories = [memory for one in kept for memory in one.memories]
    taken = f"; {memories_text(memories)}" if memories else ""
    left = f", {len(skipped)} skipped" if skipped else ""
    return f"{counted(len(kept), 'original')} ({said}){left}{taken}\n"
