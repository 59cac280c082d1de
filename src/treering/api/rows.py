"""What ``treering.search`` returns: results that answer by attribute and by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treering.domain.query import Answer, Result


class Row:
    """One result: every field of ``domain.query.Result`` as ``row.score`` and as ``row["score"]``.

    Two more by name alone: ``file_path`` is the absolute path (None without a file), ``context`` the text.
    """

    __slots__ = ("_result",)

    def __init__(self, result: Result) -> None:
        """Wrap a result."""
        self._result = result

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  as the field is
        """Return a field of the result."""
        return getattr(self._result, name)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  as the field is
        """Return a field of the result by its name.

        Raises:
            KeyError: if there is no such field.
        """
        if name == "file_path":
            return None if self._result.file is None else os.path.abspath(self._result.file)
        if name == "context":
            return self._result.text
        if name not in self._result._fields:
            raise KeyError(name)
        return getattr(self._result, name)

    def __repr__(self) -> str:
        """Return the result as the constructor would be written."""
        return f"Row({self._result!r})"


class Rows(list[Row]):
    """Results, best first.

    Attributes:
        answer: the whole answer: why there is none, its tokens, its trace.
    """

    def __init__(self, answer: Answer) -> None:
        """Wrap an answer."""
        super().__init__(Row(result) for result in answer.results)
        self.answer = answer
