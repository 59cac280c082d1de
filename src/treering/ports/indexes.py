"""The two indexes that a search asks: words and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from treering.domain.query import Filter, Term
    from treering.records import KeywordHit, Unembedded


class Keywords(Protocol):
    """BM25 over entries. An entry is a number with a head (title, headings, path) and a body."""

    def add(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Add ``(entry, head, body)``, both as ``domain.text.search_text`` returns them."""
        ...

    def remove(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Remove entries; head and body must be what was added, byte for byte."""
        ...

    def size(self) -> int:
        """Return the number of entries."""
        ...

    def frequencies(self, terms: Sequence[Term]) -> list[int]:
        """Return for each term in how many entries it occurs; words side by side count where they are."""
        ...

    def rank(self, terms: Sequence[Term], frequencies: Sequence[int], limit: int, filter: Filter) -> list[KeywordHit]:
        """Return good entries that contain any of the terms and pass the filter, best first.

        Args:
            terms: what to look for.
            frequencies: what ``frequencies`` says of them.
            limit: how many entries at the most.
            filter: what narrows the corpus before ranking.
        """
        ...

    def holding(self, terms: Sequence[Term], most: int) -> list[int]:
        """Return entries that contain every one of the terms, ``most`` at the most, in no order.

        A backend that keeps a very long entry in parts may miss it where no part contains them all.
        """
        ...

    def under(self, terms: Sequence[Term], entries: Collection[int]) -> set[int]:
        """Return those of some entries that the index has under any of the terms, whatever else it has under them."""
        ...

    def beginning(self, letters: str, most: int) -> list[tuple[str, int]]:
        """Return words of the index, as it compares them, that begin with some letters, in the order of letters.

        Args:
            letters: at least one; small letters without accents.
            most: how many at the most.

        Returns:
            Each with the number of entries that hold it.
        """
        ...

    def stems(self, text: str) -> list[str]:
        """Return the words of a text, which ``domain.text.search_text`` returned, as the index compares them."""
        ...

    def erase(self) -> None:
        """Leave no word of a removed entry in the index; takes time that grows with the index."""
        ...

    def has_words(self) -> bool:
        """Tell whether there is any word in the index; does not count them."""
        ...

    def remake(self) -> None:
        """Make the empty index itself again, where what it is kept in may be gone or damaged."""
        ...

    def clear(self) -> None:
        """Remove everything, in time that does not depend on the number of entries."""
        ...


class Vectors(Protocol):
    """A vector for each entry and model, as ``domain.vector`` stores it. ``model`` is a name with its revision.

    A vector leaves with its chunk or memory, and when a memory's words or status change.
    """

    def models(self) -> list[str]:
        """Return the models that have vectors, or had some that left one by one."""
        ...

    def lacking(self, model: str, limit: int, before: int = 0, after: int | None = None) -> list[Unembedded]:
        """Return entries without a vector of the model, the newest first.

        Args:
            model: the model.
            limit: how many at the most.
            before: only entries with a lower number; 0 for all.
            after: only entries with a higher number, the oldest first; None for the newest first.
        """
        ...

    def put(self, model: str, rows: Sequence[tuple[int, int, bytes]]) -> int:
        """Store ``(entry, revision, row)`` and return how many were stored.

        Entries that have a vector by now, are gone or have another revision are passed over.
        """
        ...

    def mark(self, model: str) -> tuple[int, int]:
        """Return how many vectors the model has and the number of its last change; both alike: nothing changed."""
        ...

    def rows(self, model: str, after: int = 0, most: int = 0) -> list[tuple[int, bytes]]:
        """Return entries and rows that were stored after the change of that number, in no order.

        Args:
            model: the model.
            after: the change; 0 for all rows.
            most: how many at the most; 0 for all.
        """
        ...

    def entries(self, model: str) -> list[int]:
        """Return the entries that have a vector of the model, in no order."""
        ...

    def of(self, model: str, entries: Sequence[int]) -> dict[int, bytes]:
        """Return the rows of those among the entries that have one."""
        ...

    def passing(self, filter: Filter) -> list[int]:
        """Return the entries that pass a filter, in no order."""
        ...

    def nearest(self, model: str, question: bytes, limit: int, filter: Filter) -> dict[int, float]:
        """Return the entries with the highest cosines above 0 among those that pass a filter, best first.

        Where the backend ``compares``, nearly all that are nearest in milliseconds; else all, by reading every row.

        Args:
            model: the model.
            question: a unit vector as little-endian float32.
            limit: how many at the most.
            filter: what narrows the corpus.
        """
        ...

    def drop(self, model: str) -> None:
        """Remove all vectors of a model."""
        ...
