"""Ambiguity: whether the best answer is one of several that answer as well about different things."""

from __future__ import annotations

import re

from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

COVERAGE_SHARE: Final = 0.6
MARGIN_SHARE: Final = 0.4
"""What a text that holds what was asked counts beside its lead over the next one; as IHMT-MEMORY has it."""

BOTH: Final = 1.6
"""What a clue counts for what holds words of both, the question and the clue."""

ONE: Final = 0.7
"""What it counts for what holds words of one of them."""

_OWNING: Final = r"(?:my|our|mi|nuestro|nuestra|mein|meine|unser|unsere|mon|ma|notre)"  # manuals say “your”


class Choice(NamedTuple):
    """One of the things that a question may mean.

    Attributes:
        id: of the memory or chunk that speaks of it.
        type: ``memory`` or ``chunk``.
        about: what tells it from the others: an entity, a surname, the subject of a slot; empty when nothing does.
        title: of the memory or document.
        text: the beginning of what it says, at depth L1.
        place: where it stands: file or key with its line; of a memory its id.
        date: when it was told, ISO 8601; empty when unknown.
        trust: whose word it is.
        score: relevance beside the others, 0..1.
    """

    id: str
    type: str
    about: str
    title: str
    text: str
    place: str
    date: str
    trust: str
    score: float


def confidence(coverage: float, margin: float) -> float:
    """Return how sure it is that a text is what was meant, 0..1.

    Args:
        coverage: share of the question that it holds.
        margin: how far the best text about something else is behind it, as a share of its score.
    """
    return COVERAGE_SHARE * coverage + MARGIN_SHARE * margin


def is_name(word: str, texts: list[str]) -> bool:
    """Tell whether a word is used as a name: always with a capital, and not only where a sentence begins."""
    found = [text[match.start()] for text in texts for match in re.finditer(rf"(?i)\b{re.escape(word)}\b", text)]
    return bool(found) and all(letter.isupper() for letter in found)


def sense(name: str, text: str, *, is_personal: bool) -> str:
    """Return what tells whom a name means in a text: ``Marín`` of Luis Marín, ``primo`` of “Luis, mi primo”.

    Args:
        name: a first name, as it was asked for.
        text: what speaks of somebody of that name.
        is_personal: whether the text tells of people, as memories and talks do; elsewhere ``Docker Compose`` is no
            surname.
    """
    written = re.escape(name)
    said = re.search(rf"(?i)\b{written}\b\s*(?:[,(]|\bes\b|\bis\b)\s*{_OWNING}\s+(\w+)", text) or re.search(
        rf"(?i)\b{_OWNING}\s+(\w+),?\s+{written}\b", text
    )
    if said:
        return said[1].lower()
    if not is_personal:
        return ""
    full = re.search(rf"(?i:\b{written})\s+([^\W\d_a-zà-ÿ][^\W\d_]+)", text)
    return full[1] if full else ""
