"""A question asked of two models: a quick one that knows English, and a slow one that knows many languages.

``Blended`` is for a process that stays and has both loaded; ``Deferred`` for one that answers once and
loads the slow one only where words bring nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Filter
    from treering.ports import Transaction
    from treering.recall.meaning import Meaning

SLOW_SHARE: Final = 0.5
"""What the slow model's cosine counts in an English question, the quick one's the rest.

(``docs/decisions/0020-multilingual-embedder.md``.)
"""


class Blended:
    """A question whose cosine is a weighted mean of two models' cosines; of one where the other knows nothing.

    Where words bring nothing the memory may be in another language: then the slow model is asked alone.
    """

    english_only: bool = False

    def __init__(self, quick: Meaning, slow: Meaning) -> None:
        """Join two ways of asking the same question."""
        self._quick: Meaning | None = quick
        self._slow = slow
        self.model = f"{slow.model} and {quick.model}"
        self.why = f"{self.model}, compared with everything"

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:
        """Return the nearest of those that either model finds near."""
        if needed:
            self._quick = None
            self.model, self.why = self._slow.model, self._slow.why
        near = self._slow.nearest(tx, limit, filter, needed=needed)
        if self._quick is None:
            return near
        cosines = self.cosines(tx, list(near | self._quick.nearest(tx, limit, filter, needed=needed)))
        best = sorted(cosines, key=lambda entry: (-cosines[entry], entry))[:limit]
        return {entry: cosines[entry] for entry in best}

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the joined cosines of the entries that mean something to either model."""
        slow = self._slow.cosines(tx, entries)
        if self._quick is None:
            return slow
        quick = self._quick.cosines(tx, entries)
        joined = {entry: (1 - SLOW_SHARE) * quick[entry] + SLOW_SHARE * slow[entry] for entry in quick.keys() & slow}
        return quick | slow | joined


class Deferred:
    """A question that the slow model is asked only where words bring nothing; else the quick one, if it can."""

    def __init__(self, quick: Meaning, load: Callable[[], Meaning], model: str) -> None:
        """Prepare both ways.

        Args:
            quick: what is asked about the entries that words bring; may be no model at all.
            load: returns the slow way; it may cost a second.
            model: the slow model's name for people.
        """
        self._asked = quick
        self._load = load
        self.model = model
        self.english_only = False
        self.why = quick.why

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:
        """Return the nearest where nothing else brings any."""
        if needed:
            self._asked = self._load()
        self.model, self.english_only = self._asked.model, self._asked.english_only
        found = self._asked.nearest(tx, limit, filter, needed=needed)
        self.why = self._asked.why
        return found

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines by the model that was asked."""
        return self._asked.cosines(tx, entries)
