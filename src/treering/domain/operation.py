"""Operation: what a change to memories came to."""

from __future__ import annotations

from typing import Literal

from treering.domain.named import NamedTuple

OutcomeName = Literal["accepted", "exists"]


class Change(NamedTuple):
    """Another memory whose state a change moved, and why."""

    id: str
    before: str
    after: str
    why: str


class Outcome(NamedTuple):
    """What became of one operation.

    Attributes:
        outcome: ``accepted``, or ``exists`` when the memory was there already.
        id: the memory.
        changed: other memories whose state it moved.
        notices: what the caller should know.
    """

    outcome: OutcomeName
    id: str
    changed: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()


class Forgotten(NamedTuple):
    """What an erasure removed.

    Attributes:
        removed: ids or paths that are gone, or would be with ``dry_run``.
        dry_run: whether nothing was touched.
        notices: what the caller should know.
    """

    removed: tuple[str, ...]
    dry_run: bool = False
    notices: tuple[str, ...] = ()
