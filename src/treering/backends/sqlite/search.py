"""Keyword search by FTS5.

Ranking costs by the number of rows that BM25 is computed for. So rows come from the question's rare
words alone, and its frequent words only add to the scores of those rows: once the rows that hold a
rare word, once those that hold a rare and a frequent one (which then score by both). That is exact for
every row that holds a rare word. (Measured: ``docs/decisions/0004-keyword-ranking.md``.)
"""

from __future__ import annotations

from functools import cached_property
from heapq import nlargest

import apsw

from treering.backends.engine import slices
from treering.backends.filters import WordIndex, entry_condition
from treering.backends.keywords import HEAD_WEIGHT, TOKENIZER, behind, split
from treering.records import KeywordHit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any, Final

    from treering.backends.engine import Value
    from treering.backends.sqlite.database import SqliteDatabase
    from treering.backends.sqlite.postings import Postings
    from treering.domain.query import Filter, Term

# Terms whose rows are kept counted: half a megabyte at the most.
_MOST_COUNTED: Final = 4096

# A process that has asked as many questions stays: what it reads of the index may serve the next ones.
_STAYS: Final = 8
# The lengths of as many entries take as long as one question without them.
_LENGTHS_FOR_ONE: Final = 15_000

_WRITTEN_ANEW: Final = (
    "insert into words (rowid, head, body) values (0, 'nothing', '')",
    "insert into words (words, rowid, head, body) values ('delete', 0, 'nothing', '')",
    "insert into words (words) values ('optimize')",
)
_SORTED_BYTES: Final = 4 << 20
_TOKENIZE: Final = " ".join((TOKENIZER[0], *TOKENIZER[1]))
_REMADE: Final = (
    "drop table if exists words_vocabulary",
    "drop table if exists words",
    f"create virtual table words using fts5 (\n  body, head,\n  content = '',\n  tokenize = '{_TOKENIZE}'\n)",
    f"insert into words (words, rank) values ('hashsize', {_SORTED_BYTES})",
    "create virtual table words_vocabulary using fts5vocab (words, row)",
)
"""As the migrations make it; a test compares both."""


class SqliteKeywords:
    """``ports.Keywords`` over the FTS5 table ``words``."""

    def __init__(self, database: SqliteDatabase, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space
        self._counted: dict[Term | None, int] = {}
        self._counted_in: tuple[int, int] | None = None
        self._asked = 0
        self._asked_here = 0
        self._postings: Postings | None = None

    def add(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Add entries with their head and body."""
        self._db.run_many(
            "insert into words (rowid, head, body) values (:entry, :head, :body)",
            ({"entry": entry, "head": head, "body": body} for entry, head, body in entries),
        )

    def remove(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Remove entries, given what was added."""
        entries = list(entries)
        if not entries:
            return
        self._db.run_many(
            "insert into words (words, rowid, head, body) values ('delete', :entry, :head, :body)",
            ({"entry": entry, "head": head, "body": body} for entry, head, body in entries),
        )

    def size(self) -> int:
        """Return the number of entries."""
        counted = self._counts()
        if None not in counted:
            counted[None] = int(self._db.rows("select count(*) from words_docsize")[0][0])
        return counted[None]

    def frequencies(self, terms: Sequence[Term]) -> list[int]:
        """Return for each term in how many entries it occurs."""
        counted = self._counts()
        for term in terms:
            if term not in counted:
                counted[term] = self._frequency(term)
        return [counted[term] for term in terms]

    def _counts(self) -> dict[Term | None, int]:
        """Return what was counted in the state that is seen now: FTS5 reads all rows of a word to count them.

        Under None the number of entries. Nothing that was counted in another state is kept, and nothing of a
        transaction that writes: if it is undone, its state is not.
        """
        if self._db.writes:
            return {}
        state = self._db.state()
        if state != self._counted_in or len(self._counted) >= _MOST_COUNTED:
            self._counted, self._counted_in = {}, state
            self._postings, self._asked_here = None, 0
        return self._counted

    def _frequency(self, term: Term) -> int:
        """Return in how many entries a term occurs."""
        if len(term.words) > 1 or term.prefix:
            sql = "select count(*) from words where words match :term"
            return int(self._db.rows(sql, {"term": _phrase(term)})[0][0])
        stems = self.stems(term.words[0])
        sql = "select doc from words_vocabulary where term = :term"
        found = self._db.rows(sql, {"term": stems[0]}) if stems else []
        return int(found[0][0]) if found else 0

    def rank(self, terms: Sequence[Term], frequencies: Sequence[int], limit: int, filter: Filter) -> list[KeywordHit]:
        """Return good entries that contain any of the terms and pass the filter, best first."""
        brought, added = split(terms, frequencies, self.size())
        if not brought:
            return []
        if not filter and (kept := self._kept()) is not None and kept.can_read(brought):
            return kept.rank(brought, added, limit)
        rare, frequent = (" OR ".join(_phrase(term) for term, _ in part) for part in (brought, added))
        scores = dict(self._scored(rare, limit, filter))
        if frequent:
            scores |= self._scored(f"({rare}) AND ({frequent})", limit, filter)
        best = nlargest(limit, scores.items(), key=lambda item: (item[1], -item[0]))
        return [KeywordHit(entry, score) for entry, score in best]

    def _kept(self) -> Postings | None:
        """Return the rows of terms that were read in the state that is seen now; None where that would not pay."""
        if self._db.writes:
            return None
        self._asked += 1
        self._asked_here += 1
        if self._postings is None and self._asked >= _STAYS:
            from treering.backends.sqlite.postings import WHERE_WORDS_STAND, Postings  # numpy: once does without

            if self._asked == _STAYS:
                self._db.later.append(WHERE_WORDS_STAND)
            elif not self._db.later and self._asked_here > self.size() / _LENGTHS_FOR_ONE:
                self._postings = Postings(self._db, self.stems, _any_of)
        return self._postings

    def _scored(self, match: str, limit: int, filter: Filter) -> list[tuple[int, float]]:
        """Return the best rows of one MATCH expression with their BM25."""
        params: dict[str, Value] = {"match": match, "limit": limit}
        narrowed = ""
        if filter:
            narrowed, extra = entry_condition(filter, "+words.rowid", WORDS)
            params |= {"space": self._space, **extra}
        sql = (
            f"select rowid, -bm25(words, 1.0, {HEAD_WEIGHT}) as score from words where words match :match{narrowed}"
            " order by score desc limit :limit"
        )
        return [(row[0], row[1]) for row in self._db.rows(sql, params)]

    def holding(self, terms: Sequence[Term], most: int) -> list[int]:
        """Return entries that contain every one of the terms, in no order."""
        match = " AND ".join(_phrase(term) for term in terms)
        sql = "select rowid from words where words match :match limit :most"
        return [row[0] for row in self._db.rows(sql, {"match": match, "most": most})] if terms else []

    def under(self, terms: Sequence[Term], entries: Collection[int]) -> set[int]:
        """Return those of some entries that the index has under any of the terms, whatever else it has under them."""
        found = set[int]()
        sql = "select rowid from words where words match :match and rowid between :first and :last"
        for part in slices(terms) if entries else ():
            between: dict[str, Value] = {"first": min(entries), "last": max(entries)}
            found.update(row[0] for row in self._db.rows(sql, {"match": _any_of(part), **between}))
        return found.intersection(entries)

    def beginning(self, letters: str, most: int) -> list[tuple[str, int]]:
        """Return words of the index, as it compares them, that begin with some letters, with their entries."""
        sql = "select term, doc from words_vocabulary where term >= :first and term < :behind order by term limit :most"
        params: dict[str, Value] = {"first": letters, "behind": behind(letters), "most": most}
        return [(row[0], row[1]) for row in self._db.rows(sql, params)]

    def stems(self, text: str) -> list[str]:
        """Return the words of a text as the index compares them."""
        raw = text.encode("utf-8", "replace")
        words: Any = self._tokenizer(raw, apsw.FTS5_TOKENIZE_AUX, None, include_offsets=False, include_colocated=False)
        found: list[str] = words  # strings, since neither offsets nor other forms are asked for
        return found

    @cached_property
    def _tokenizer(self) -> apsw.FTS5Tokenizer:
        """SQLite's own tokenizer, called from here."""
        return self._db.connection.fts5_tokenizer(*TOKENIZER)

    def erase(self) -> None:
        """Leave no word of a removed entry in the index, by writing all of it anew (52 ms for 50,000 entries).

        A removal only marks its words. With FTS5's ``secure-delete`` it takes them out at once, but pieces of them stay
        behind in the block, and merging leaves a single segment as it is: hence the entry that comes and goes.
        """
        for statement in _WRITTEN_ANEW:
            self._db.run(statement)

    def has_words(self) -> bool:
        """Tell whether there is any word in the index."""
        return bool(self._db.rows("select 1 from words_vocabulary limit 1"))

    def remake(self) -> None:
        """Make the empty index again; the vocabulary is a view of it."""
        for statement in _REMADE:
            self._db.run(statement)

    def clear(self) -> None:
        """Remove everything."""
        self._db.run("insert into words (words) values ('delete-all')")


def _phrase(term: Term) -> str:
    """Return a term as an FTS5 string: nothing in it is syntax."""
    words = " ".join(term.words).replace('"', '""')
    return f'"{words}"{" *" if term.prefix else ""}'


def _any_of(terms: Sequence[Term]) -> str:
    """Return the MATCH expression for entries that hold one of some terms."""
    return " OR ".join(map(_phrase, terms))


WORDS: Final = WordIndex("select w.rowid from words w where w.words match :{}", _any_of)
"""How other parts of this adapter ask the index."""
