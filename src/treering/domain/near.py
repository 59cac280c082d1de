"""Names that a misspelt one may have meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST: Final = 80
"""Characters of a word that are compared: the cost grows with their square."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the known names that resemble a word, or nothing."""
    from difflib import get_close_matches  # only an error needs it

    near = get_close_matches(word[:_LONGEST], list(known), n=2)
    return f"; did you mean {' or '.join(near)}?" if near else ""
