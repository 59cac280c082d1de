"""How near entries are to what a question means.

Three ways behind one protocol. A process that stays (``Scanned``) keeps all rows of the model as numpy arrays and
compares the question with every one. A process that answers once and goes has no time to import numpy: it
compares the entries that the words brought, in plain Python, and all of them only where words brought none
(``Rescored``). Where the database itself compares vectors, that one asks it, however long the process stays.
``Unasked`` stands where meaning plays no part, and says why. (Measured: ``docs/decisions/0011-vector-scan.md``.)
"""

from __future__ import annotations

from heapq import nlargest

from treering.domain.vector import cosine_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from treering.domain.query import Filter
    from treering.domain.signs import SignFile
    from treering.ports import Transaction
    from treering.recall.matrix import Matrix
else:
    Protocol = object

MOST_IN_PYTHON: Final = 12_000
"""Rows that are all compared without numpy where words bring nothing: 60 ms, as much as importing it."""


# Rows that signs may lack: compared exactly in 4 ms. With more of them the signs are too old.
_MOST_UNSIGNED: Final = 600
# Entries that pass a filter and are all compared.
_FEW: Final = 600


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

    def cosines(self, tx: Transaction, entries: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those among the entries that mean something to the model."""


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
    """A question compared with rows that are read one by one, without numpy.

    With a file of signs at hand these are the likeliest of all rows; else those that the words brought.
    """

    def __init__(
        self,
        question: bytes,
        stored_as: str,
        model: str,
        *,
        english_only: bool,
        compares: bool = False,
        signs_of_rows: Callable[[Transaction, bool], SignFile | None] | None = None,
    ) -> None:
        """Prepare a question.

        Args:
            question: its vector as little-endian float32.
            stored_as: what the rows of the model are stored under.
            model: its name for people.
            english_only: whether other scripts than Latin mean nothing to it.
            compares: whether the store itself finds the nearest.
            signs_of_rows: returns the signs of the model's rows, or None, if it is worth while or they are needed.
        """
        self._compares = compares
        self.model = model
        self.english_only = english_only
        self.why = f"{model}, compared with what the words brought"
        self._stored_as = stored_as
        self._question = question
        self._cosine = cosine_with(question)
        self._signs_of_rows = signs_of_rows

    def nearest(self, tx: Transaction, limit: int, filter: Filter, *, needed: bool) -> dict[int, float]:
        """Return the nearest entries: the store's own answer, or by signs.

        Without either only where nothing else brings any and there are few.
        """
        if not self._compares:
            signs_of_rows = self._signs_of_rows(tx, needed) if self._signs_of_rows is not None else None
            if signs_of_rows is not None:
                likely = self._likely(tx, signs_of_rows, filter)
                if likely is not None:
                    self.why = f"{self.model}, compared with the likeliest of everything"
                    return self._best(likely, limit)
            if not needed or tx.vectors.mark(self._stored_as)[0] > MOST_IN_PYTHON:
                return {}
        self.why = f"{self.model}, compared with everything"
        return tx.vectors.nearest(self._stored_as, self._question, limit, filter)

    def _likely(self, tx: Transaction, signs_of_rows: SignFile, filter: Filter) -> dict[int, bytes] | None:
        """Return the rows that are worth comparing; None where the signs lack too many."""
        new = dict(tx.vectors.rows(self._stored_as, signs_of_rows.header.change, _MOST_UNSIGNED + 1))
        if len(new) > _MOST_UNSIGNED:
            return None
        allowed = set(tx.vectors.passing(filter)) if filter else None
        if allowed is not None and len(allowed) <= _FEW:
            return tx.vectors.of(self._stored_as, list(allowed))
        from treering.domain.signs import signs  # only where there are any

        found = tx.vectors.of(self._stored_as, signs_of_rows.nearest(signs(self._question), allowed))
        return found | {entry: row for entry, row in new.items() if allowed is None or entry in allowed}

    def _best(self, rows: dict[int, bytes], limit: int) -> dict[int, float]:
        """Return the cosines of the nearest among rows."""
        found = [(entry, cosine) for entry, cosine in self._compared(rows).items() if cosine > 0]
        return dict(nlargest(limit, found, key=lambda pair: (pair[1], -pair[0])))

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
