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

MOST_ROWS: Final = 1_500_000
"""Rows that are kept of all terms together: 9 MB. 200 questions to 60,000 entries use 1,400,000."""

MOST_OF_A_TERM: Final = 250_000
"""A term in more entries is left to FTS5: its places would be tens of megabytes at once."""

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
    """The entries that hold a term.

    Attributes:
        places: of the entries, in order.
        counts: how often each holds it, in its head twice; or what FTS5 says that the term adds to its BM25.
        rarity: of the term; 0 where the scores are FTS5's.
    """

    places: NDArray[np.int32]
    counts: NDArray[Any]
    rarity: float = 0.0


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

    def can_read(self, brought: Sequence[tuple[Term, int]]) -> bool:
        """Tell whether terms that bring entries are in few enough of them."""
        return all(frequency <= MOST_OF_A_TERM for _, frequency in brought)

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
        places, scores = self._summed([self._rows(term) for term in rare])
        unread = [term for term, frequency in added if not self._is_worth_reading(term, frequency, len(places))]
        if unread:
            both = self._by_fts5(f"({self._match(rare)}) AND ({self._match(unread)})")
            scores[np.searchsorted(places, both.places)] = both.counts
        for term, _ in added:
            if term not in unread:
                rows = self._rows(term)
                held, where = _common(rows.places, places)
                scores[held] += self._scores(rows, where)
        return _best(self._entries[places], scores, limit)

    def _is_worth_reading(self, term: Term, frequency: int, entries: int) -> bool:
        """Tell whether a frequent term is kept or shall be: whether questions have paid what reading it costs.

        Until then FTS5 scores it for the entries of the rare terms alone.
        """
        paid = self._paid[term] = self._paid.get(term, 0) + _PAID * entries
        return term in self._kept or frequency <= min(paid, MOST_OF_A_TERM)

    def _rows(self, term: Term) -> Rows:
        """Return the rows of a term, read when they are asked for the first time; what is asked for most stays."""
        rows = self._kept.pop(term, None)
        if rows is None:
            stems = self._stems(" ".join(term.words))
            by_fts5 = len(stems) != 1 or term.prefix
            rows = self._by_fts5(self._match([term])) if by_fts5 else self._standing(stems[0])
            self._count += len(rows.places)
        self._kept[term] = rows
        while self._count > MOST_ROWS and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            self._count -= len(self._kept.pop(oldest).places)
            self._paid[oldest] = 0
        return rows

    def _standing(self, stem: str) -> Rows:
        """Return the rows of one word."""
        standing = _numbers(self._db.rows(_PLACES, {"term": stem})[0][0])
        entries, first = np.unique(np.abs(standing), return_index=True)
        if not len(entries):
            return Rows(entries, entries)
        counts = np.add.reduceat(np.where(standing < 0, HEAD_WEIGHT, 1.0), first)
        rarity = log((len(self._entries) - len(entries) + 0.5) / (len(entries) + 0.5))
        small = np.uint16 if counts.max() <= np.iinfo(np.uint16).max else np.uint32
        return Rows(self._places(entries), counts.astype(small), max(rarity, _LEAST_RARITY))

    def _by_fts5(self, match: str) -> Rows:
        """Return the rows of a MATCH expression with the scores that FTS5 gives them."""
        read: Any = np.array(self._db.rows(_SCORED, {"match": match}), np.float64).reshape(-1, 2)
        return Rows(self._places(read[:, 0].astype(np.int32)), read[:, 1].copy())

    def _places(self, entries: NDArray[Any]) -> NDArray[np.int32]:
        """Return where entries stand among all."""
        return np.searchsorted(self._entries, entries).astype(np.int32)

    def _scores(self, rows: Rows, which: NDArray[Any] | slice) -> NDArray[np.float64]:
        """Return what a term adds to the BM25 of some of its rows, as FTS5 works it out."""
        counts: NDArray[np.float64] = rows.counts[which].astype(np.float64)
        if not rows.rarity:
            return counts
        return rows.rarity * (counts * (_SATURATION + 1) / (counts + self._damping[rows.places[which]]))

    def _summed(self, several: Sequence[Rows]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return all places of several terms, each once, with the sum of its scores."""
        scores = [self._scores(rows, slice(None)) for rows in several]
        if len(several) == 1:
            return several[0].places, scores[0]
        places, where = np.unique(np.concatenate([rows.places for rows in several]), return_inverse=True)
        summed: NDArray[Any] = np.bincount(where, np.concatenate(scores), len(places))
        return places, summed

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


def _common(places: NDArray[np.int32], wanted: NDArray[np.int32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where those of the wanted places that are there stand: among the wanted, and among the places."""
    where = np.searchsorted(places, wanted)
    if not len(places):
        return where[:0], where[:0]
    where[where == len(places)] = 0
    held = np.flatnonzero(places[where] == wanted)
    return held, where[held]


def _best(entries: NDArray[np.int32], scores: NDArray[np.float64], limit: int) -> list[KeywordHit]:
    """Return the entries with the highest scores, best first, of equals the one with the lower number."""
    if len(scores) > limit:
        likely = scores >= np.partition(scores, -limit)[-limit]
        entries, scores = entries[likely], scores[likely]
    order = np.lexsort((entries, -scores))[:limit]
    return list(map(KeywordHit, entries[order].tolist(), scores[order].tolist()))
