"""Briefings: for how long something is pinned, and what several memories come to when they are told together."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from treering.domain.depth import ABOUT_CHARS, in_short
from treering.domain.named import NamedTuple
from treering.domain.sentences import sentences
from treering.domain.text import content_words
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MEMORIES: Final = 20
"""Memories of one briefing: what does not fit one look is no briefing."""

LONGEST: Final = timedelta(days=5 * 365)
"""What is to last longer is no briefing: a memory that the owner confirms stays for good."""

_TTL: Final = re.compile(r"(\d{1,9}) ?([mhdwy])")
_UNITS: Final = {
    "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}  # fmt: skip

# Of what a sentence says, the share that was said before from which it adds nothing.
_SAID: Final = 0.8


class Briefing(NamedTuple):
    """What is pinned, as it is told.

    Attributes:
        id: of one memory its own id; of several that of their briefing.
        text: what it says: of one memory the words of it, of several a sentence of each with its id.
        memories: the memories, in order.
        trust: the lowest of theirs.
        pinned_at: since when, ISO 8601 in UTC.
        until: when it ends.
        author: who pinned it.
        notices: what a reader must know: what was superseded and what holds now, what is disputed.
        scope: of the store that it stands in; empty where one store was asked.
        brief: what it says at L1: of each memory the summary, else the beginning.
    """

    id: str
    text: str
    memories: tuple[str, ...]
    trust: str
    pinned_at: str
    until: str
    author: str
    notices: tuple[str, ...] = ()
    scope: str = ""
    brief: str = ""


def ttl(text: str) -> timedelta:
    """Return for how long something is to be pinned: ``90m``, ``12h``, ``3d`` or ``2w``.

    Raises:
        InputError: if it is no such time, none at all, or more than five years.
    """
    found = _TTL.fullmatch(text.strip().lower())
    if found is None:
        raise InputError(f"ttl {text[:40]!r} is no time such as 90m, 12h, 3d or 2w", hint="treering pin ID --ttl 3d")
    if not int(found.group(1)):
        raise InputError(f"ttl {text.strip()!r} is no time at all", hint="treering unpin ID ends a briefing")
    try:
        lasts = int(found.group(1)) * _UNITS[found.group(2)]
    except OverflowError:
        lasts = timedelta.max
    if lasts > LONGEST:
        raise InputError(
            f"ttl {text.strip()!r} is more than five years: a briefing is for what matters now",
            hint="treering confirm ID vouches for a memory for good",
        )
    return lasts


def composed(said: Sequence[tuple[str, str, str]]) -> str:
    """Return what several memories come to: of each the sentence that has most in common with the others, cited.

    The words are the memories' own; a sentence that repeats the ones before it only adds its id to them.

    Args:
        said: id, content and summary of each, in order.
    """
    words = [content_words(content) for _, content, _ in said]
    lines: list[tuple[str, list[str]]] = []
    told: frozenset[str] = frozenset()
    for place, (id, content, summary) in enumerate(said):
        others = [each for at, each in enumerate(words) if at != place]
        line = in_short(content, summary) if summary else _telling(content, others)
        adds = content_words(line)
        if lines and adds and len(adds & told) >= _SAID * len(adds):
            lines[-1][1].append(id)
        else:
            lines.append((line, [id]))
            told |= adds
    return "\n".join(f"{line} [{', '.join(ids)}]" for line, ids in lines)


def _telling(content: str, others: Sequence[frozenset[str]]) -> str:
    """Return the sentence of a text that shares most words with other texts; of equals the first."""
    parts = [" ".join(one.split()) for one in sentences(content)]
    parts = [one for one in parts if one] or [""]

    def ties(one: str) -> int:
        """Return how many words of a sentence stand in how many of the others."""
        found = content_words(one)
        return sum(len(found & other) for other in others)

    best = max(parts, key=ties)
    return best if len(best) <= ABOUT_CHARS else in_short(best)
