"""How near entries are to what a question means.

Three ways behind one protocol. A process that stays (``Scanned``) keeps all rows of the model as numpy arrays and
compares the question with every one. A process that answers once and goes has no time to import numpy: it
compares the entries that the words brought, in plain Python, and all of them only where words brought none
(``Rescored``). Where the database itself compares vectors, that one asks it, however long the process stays.
``Unasked`` stands where meaning plays no part, and says why. (Measured: ``docs/decisions/0011-vector-scan.md``.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from treering.domain.vector import cosine_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from treering.domain.query import Filter
    from treering.ports import Transaction
    from treering.recall.matrix import Matrix

MOST_IN_PYTHON: Final = 12_000
"""Rows that are all compared without numpy where words bring nothing: 60 ms, as much as importing it."""


class Meaning(Protocol):
    """What a question means, ready to be compared.

    Attributes:
        why: the model and how it is asked, or why it is not, in words.
        model: name of the model for people; empty when none is asked.
        english_only: whether other scripts than Latin mean nothing to it.
    """

    why: str
    model: str
    english_only: bool

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:
        """Return the entries that are nearest among those that pass the filter, with their cosines.

        Args:
            tx: the store.
            limit: how many at the most.
            filter: what narrows the corpus.
            needed: whether nothing else brings any entry; a costly way looks only then.
        """
        ...

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those among the entries that mean something to the model."""
        ...


class Unasked:
    """No meaning: words alone decide."""

    model: str = ""
    english_only: bool = False

    def __init__(self, why: str = "words alone") -> None:
        """Say why."""
        self.why = why

    def nearest(self, _tx: Transaction, _limit: int, _filter: Filter, *, needed: bool) -> dict[int, float]:  # noqa: ARG002
        """Return nothing."""
        return {}

    def cosines(self, _tx: Transaction, _entries: Sequence[int]) -> dict[int, float]:
        """Return nothing."""
        return {}


class Rescored:
    """A question compared with rows that are read one by one, without numpy."""

    def __init__(
        self, question: bytes, stored_as: str, model: str, *, english_only: bool, compares: bool = False
    ) -> None:
        """Prepare a question.

        Args:
            question: its vector as little-endian float32.
            stored_as: what the rows of the model are stored under.
            model: its name for people.
            english_only: whether other scripts than Latin mean nothing to it.
            compares: whether the store itself finds the nearest.
        """
        self._question = question
        self._compares = compares
        self.model = model
        self.english_only = english_only
        self.why = f"{model}, compared with what the words brought"
        self._stored_as = stored_as
        self._cosine = cosine_with(question)

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:
        """Return the nearest entries; where the store cannot, only if nothing else brings any and there are few."""
        if not self._compares and (not needed or tx.vectors.mark(self._stored_as)[0] > MOST_IN_PYTHON):
            return {}
        self.why = f"{self.model}, compared with everything"
        return tx.vectors.nearest(self._stored_as, self._question, limit, filter)

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of the entries that have a row."""
        return self._compared(tx.vectors.of(self._stored_as, entries))

    def _compared(self, rows: dict[int, bytes]) -> dict[int, float]:
        """Return the cosines of rows; a row of zeros means nothing."""
        return {entry: self._cosine(row) for entry, row in rows.items() if any(row)}


class Scanned:
    """A question compared with all rows of a matrix."""

    def __init__(self, question: bytes, matrix: Matrix, model: str, *, english_only: bool) -> None:
        """Prepare a question.

        Args:
            question: its vector as little-endian float32.
            matrix: the rows; refreshed when they are first asked.
            model: its name for people.
            english_only: whether other scripts than Latin mean nothing to it.
        """
        import numpy as np

        self.model = model
        self.english_only = english_only
        self.why = f"{model}, compared with everything"
        self._question: NDArray[np.float32] = np.frombuffer(question, "<f4")
        self._matrix = matrix

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:  # noqa: ARG002
        """Return the nearest of all entries that pass the filter."""
        self._matrix.refresh(tx)
        allowed = tx.vectors.passing(filter) if filter else None
        return self._matrix.nearest(self._question, limit, allowed)

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of the entries that mean something."""
        self._matrix.refresh(tx)
        return self._matrix.cosines(self._question, entries)
