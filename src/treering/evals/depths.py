"""What a shallower depth saves: the same results at L1 and at L2, in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.api import MemoryStore

_ROOM: Final = 20_000
"""Tokens in which all results fit at both depths, so that the same ones are compared."""


class Savings(NamedTuple):
    """Tokens of the same results at two depths.

    Attributes:
        questions: that were answered.
        shallow: tokens at L1.
        usual: tokens at L2.
    """

    questions: int
    shallow: int
    usual: int

    @property
    def share(self) -> float:
        """What L1 saves of L2, 0..1."""
        return 1 - self.shallow / self.usual if self.usual else 0.0


def saved(memory: MemoryStore, questions: Iterable[str], limit: int = 8) -> Savings:
    """Return what L1 saves over a set of questions.

    Args:
        memory: what is asked.
        questions: any texts; those that nothing answers count nothing.
        limit: results of each, 1..100.
    """
    answered = shallow = usual = 0
    for question in questions:
        deep = memory.search(question, limit=limit, max_tokens=_ROOM, depth="L2")
        if not deep.found:
            continue
        brief = memory.search(question, limit=limit, max_tokens=_ROOM, depth="L1")
        answered += 1
        shallow += brief.tokens
        usual += deep.tokens
    return Savings(answered, shallow, usual)
