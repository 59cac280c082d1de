"""BM25 term by term, for a process that asks many questions.

BM25 over several terms is the sum over each of them, and questions share their words. So the entries of a term are kept
as numpy arrays as long as nothing in the store changes, and a question only adds up. Where a word stands is read from
FTS5 as one value, because a row for each place would take three times as long; phrases and beginnings of words are
scored by FTS5 itself. (Measured: ``docs/decisions/0121-postings.md``.)
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from treering.backends.keywords import HEAD_WEIGHT
from treering.records import KeywordHit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from treering.backends.sqlite.database import SqliteDatabase
    from treering.domain.query import Term

MOST_ROWS: Final = 2_000_000
"""Rows that are kept of all terms together: 24 MB. 200 questions to 60,000 entries use 1,400,000."""

WHERE_WORDS_STAND: Final = "create virtual table temp.words_places using fts5vocab (main, words, instance)"
"""A view of the index, of this connection alone, that must be made before any ``Postings``."""

_PLACES: Final = (
    "select json_group_array(case col when 'head' then -doc else doc end) from temp.words_places where term = :term"
)
_LENGTHS: Final = "select json_group_array(id), group_concat(hex(sz), '') from words_docsize"
_SCORED: Final = f"select rowid, -bm25(words, 1.0, {HEAD_WEIGHT}) from words where words match :match"
# What a question pays for each frequent term that it does without, in rows for each entry of its rare ones.
_PAID: Final = 4
# As FTS5 has them.
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.75
_LEAST_RARITY: Final = 1e-6


class Rows(NamedTuple):
    """The entries that hold a term, in the order of their numbers, with what it adds to their BM25."""

    entries: NDArray[np.int32]
    scores: NDArray[np.float64]


class Postings:
    """The rows of terms in one state of a store; another state needs another object."""

    def __init__(
        self, database: SqliteDatabase, stems: Callable[[str], list[str]], match: Callable[[Sequence[Term]], str]
    ) -> None:
        """Begin with the lengths of all entries.

        Args:
            database: the store.
            stems: returns the words of a text as the index compares them.
            match: returns the expression for entries that hold one of some terms.
        """
        self._db = database
        self._stems = stems
        self._match = match
        self._kept: dict[Term, Rows] = {}
        self._count = 0
        self._paid: dict[Term, int] = {}
        self._entries, lengths = self._lengths()
        mean = lengths.mean() if len(lengths) else 1.0
        self._damping = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / mean)

    def rank(
        self, brought: Sequence[tuple[Term, int]], added: Sequence[tuple[Term, int]], limit: int
    ) -> list[KeywordHit]:
        """Return the best entries that hold a rare term, with their BM25 by all terms, best first.

        Args:
            brought: terms that bring entries.
            added: frequent terms that only add to these.
            limit: how many at the most.
        """
        rare = [term for term, _ in brought]
        found = _summed([self._rows(term) for term in rare])
        unread = [term for term, frequency in added if not self._is_worth_reading(term, frequency, len(found.entries))]
        if unread:
            both = self._scored(f"({self._match(rare)}) AND ({self._match(unread)})")
            found.scores[np.searchsorted(found.entries, both.entries)] = both.scores
        for term, _ in added:
            if term not in unread:
                found.scores[:] += _at(self._rows(term), found.entries)
        return _best(found, limit)

    def _is_worth_reading(self, term: Term, frequency: int, entries: int) -> bool:
        """Tell whether a frequent term is kept or shall be: whether questions have paid what reading it costs.

        Until then FTS5 scores it for the entries of the rare terms alone.
        """
        paid = self._paid[term] = self._paid.get(term, 0) + _PAID * entries
        return term in self._kept or paid >= frequency

    def _rows(self, term: Term) -> Rows:
        """Return the rows of a term, read when they are asked for the first time; what is asked for most stays."""
        rows = self._kept.pop(term, None)
        if rows is None:
            stems = self._stems(" ".join(term.words))
            by_fts5 = len(stems) != 1 or term.prefix
            rows = self._scored(self._match([term])) if by_fts5 else self._standing(stems[0])
            self._count += len(rows.entries)
        self._kept[term] = rows
        while self._count > MOST_ROWS and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            self._count -= len(self._kept.pop(oldest).entries)
            self._paid[oldest] = 0
        return rows

    def _standing(self, stem: str) -> Rows:
        """Return the rows of one word, scored as FTS5 would."""
        places = _numbers(self._db.rows(_PLACES, {"term": stem})[0][0])
        entries, first = np.unique(np.abs(places), return_index=True)
        if not len(entries):
            return Rows(entries, np.zeros(0))
        weights = np.where(places < 0, HEAD_WEIGHT, 1.0)
        count = np.add.reduceat(weights, first)
        rarity = log((len(self._entries) - len(entries) + 0.5) / (len(entries) + 0.5))
        damping = self._damping[np.searchsorted(self._entries, entries)]
        scores = max(rarity, _LEAST_RARITY) * (count * (_SATURATION + 1) / (count + damping))
        return Rows(entries, scores)

    def _scored(self, match: str) -> Rows:
        """Return the rows of a MATCH expression; FTS5 gives them by number."""
        read: Any = np.array(self._db.rows(_SCORED, {"match": match}), np.float64).reshape(-1, 2)
        return Rows(read[:, 0].astype(np.int32), read[:, 1].copy())

    def _lengths(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return all entries and how many words each has, from the numbers of variable size that FTS5 keeps."""
        [(ids, sizes)] = self._db.rows(_LENGTHS)
        read = np.frombuffer(bytes.fromhex(sizes or ""), np.uint8)
        ends = np.flatnonzero(read < 128)
        values = np.zeros(len(ends), np.int64)
        starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
        for step in range(int((ends - starts).max(initial=-1)) + 1):
            within = starts + step <= ends
            values[within] = values[within] << 7 | (read[(starts + step)[within]] & 127)
        return _numbers(ids), values.reshape(-1, 2).sum(1).astype(np.float64)


def _numbers(text: str) -> NDArray[np.int32]:
    """Return the numbers of a JSON array."""
    return np.fromstring(text[1:-1], np.int32, sep=",") if len(text) > 2 else np.zeros(0, np.int32)


def _summed(rows: Sequence[Rows]) -> Rows:
    """Return all entries of several terms, each once, with the sum of its scores."""
    if len(rows) == 1:
        return Rows(rows[0].entries, rows[0].scores.copy())
    entries, places = np.unique(np.concatenate([one.entries for one in rows]), return_inverse=True)
    scores: NDArray[np.float64] = np.zeros(len(entries))
    np.add.at(scores, places, np.concatenate([one.scores for one in rows]))
    return Rows(entries, scores)


def _at(rows: Rows, entries: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return what a term adds to each of some entries."""
    places = np.searchsorted(rows.entries, entries)
    places[places == len(rows.entries)] = 0
    added: NDArray[np.float64] = np.where(rows.entries[places] == entries, rows.scores[places], 0.0)
    return added


def _best(found: Rows, limit: int) -> list[KeywordHit]:
    """Return the entries with the highest scores, best first, of equals the one with the lower number."""
    entries, scores = found
    if len(scores) > limit:
        likely = scores >= np.partition(scores, -limit)[-limit]
        entries, scores = entries[likely], scores[likely]
    order = np.lexsort((entries, -scores))[:limit]
    return list(map(KeywordHit, entries[order].tolist(), scores[order].tolist()))
