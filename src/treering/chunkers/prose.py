"""Text without markup: paragraphs between blank lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.chunkers.packing import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

DIVIDED_FROM: Final = 4
"""A paragraph of so many target sizes is a log or an export rather than prose: its lines may part."""

_LONE_CARRIAGE_RETURN: Final = re.compile(r"\r(?!\n)")


def pieces(text: str, front_matter_chars: int, target_chars: int, *, divided: bool = False) -> list[Piece]:
    """Return the paragraphs of ``text``, the lines instead of a paragraph over four target sizes.

    A line is never cut, however long. Blank lines at the start, or after the front matter, are a piece of
    their own.

    Args:
        text: the whole text, or its end.
        front_matter_chars: length of the front matter at the start.
        target_chars: the target size.
        divided: whether the text begins within a paragraph that is over four target sizes.
    """
    found = [Piece(0, "front_matter")] if front_matter_chars else []
    body = single_line_feeds(text[front_matter_chars:])
    if not body:
        return found
    starts: list[int] = []
    for lines, stop in _paragraphs(body):
        starts += lines if divided or stop - lines[0] > DIVIDED_FROM * target_chars else lines[:1]
        divided = False
    if not starts or starts[0] > 0:
        found.append(Piece(front_matter_chars, "blank"))
    return [*found, *(Piece(front_matter_chars + start, "prose") for start in starts)]


def single_line_feeds(text: str) -> str:
    """Return ``text``, of the same length, with each lone carriage return as a line feed."""
    return _LONE_CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text


def _paragraphs(body: str) -> Iterator[tuple[list[int], int]]:
    """Yield the offsets of each paragraph's lines, and where it ends."""
    lines: list[int] = []
    at = 0
    for line in body.split("\n"):
        if line and not line.isspace():
            lines.append(at)
        elif lines:
            yield lines, at
            lines = []
        at += len(line) + 1
    if lines:
        yield lines, len(body)
