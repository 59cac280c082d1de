"""Recipes, runbooks and how-tos: steps stay with their heading and with what they need, as long as that is readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.chunkers.labels import LABELS, STEP
from treering.chunkers.packing import WHOLE, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence


def pieces(text: str, base: Sequence[Piece], target_chars: int) -> list[Piece]:
    """Return pieces of which those of a section with steps join.

    The outermost section that is short enough stays whole: a recipe with its ingredients and steps rather than each
    of them alone. One with sections about other things is none.

    Args:
        text: the whole text.
        base: what another splitter found in it.
        target_chars: the usual size of a chunk.
    """
    found = list(base)
    at = 0
    while at < len(found):
        stop = _section_stop(found, at)
        end = found[stop].start if stop < len(found) else len(text)
        is_short = stop > at + 1 and end - found[at].start <= WHOLE * target_chars
        if is_short and STEP.search(text, found[at].start, end) and _is_one(text, found[at + 1 : stop]):
            found[at] = found[at]._replace(joint="apart")
            found[at + 1 : stop] = [piece._replace(joint="inside") for piece in found[at + 1 : stop]]
            at = stop
        else:
            at += 1
    return found


def _is_one(text: str, inside: Sequence[Piece]) -> bool:
    """Tell whether the headings in a section are parts of one procedure."""
    return all(LABELS["process"].match(text, piece.start) for piece in inside if piece.heading)


def _section_stop(found: Sequence[Piece], at: int) -> int:
    """Return the place behind the section that a heading begins; the next place for any other piece.

    A text that begins without a heading is a section as a whole: its first line is what it is called.
    """
    heading = found[at].heading
    if heading is None:
        first = at == 0 or (at == 1 and found[0].kind in {"front_matter", "blank"})
        return len(found) if first and found[at].kind not in {"front_matter", "blank"} else at + 1
    for stop in range(at + 1, len(found)):
        below = found[stop].heading
        if below is not None and below.level <= heading.level:
            return stop
    return len(found)
