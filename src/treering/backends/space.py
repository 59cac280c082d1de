"""What every relational part does with its statements: run them inside one space."""

from __future__ import annotations

from treering.backends.engine import in_list, slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.backends.engine import Database, Row, Value


class InSpace:
    """Statements over the rows of one space of a database."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def _params(self, **values: Value) -> dict[str, Value]:
        """Return parameters together with the space."""
        return {"space": self._space, **values}

    def _in(self, sql: str, values: Sequence[Value], **more: Value) -> Iterator[Row]:
        """Run ``sql`` followed by a list of the values, in as many statements as that takes."""
        for part in slices(values):
            names, params = in_list("i", part)
            yield from self._db.rows(f"{sql} {names}", self._params(**params, **more))
