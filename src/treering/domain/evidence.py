"""Evidence: the words that a memory rests on, and where they stand."""

from __future__ import annotations

from treering.domain.named import NamedTuple


class Quoted(NamedTuple):
    """A quote as a reader is shown it.

    Attributes:
        text: the words.
        source: id of the source that they stand in.
        version: id of the version.
        lines: first and last line in that version.
        trust: of the source.
        changed_since: whether the source has another version now, in which the words no longer stand; where they still
            do, ``lines`` are those of that version.
        key: of the source.
    """

    text: str
    source: str
    version: str
    lines: tuple[int, int]
    trust: str
    changed_since: bool
    key: str = ""
