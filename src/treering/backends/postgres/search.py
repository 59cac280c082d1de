"""Keyword search over ``tsvector``, ranked by the same BM25 as SQLite's.

The words are ours (``backends.tokens``); PostgreSQL stores them, finds them by a GIN index and computes the score. It
has no BM25, but its ``ts_rank`` of one word is a known function of how often the word occurs: 6/π² · Σ 1/i² for i up
to that number. The rest of the sum, π²/6 · (1 − rank), is 1/(number + ½) but for a hundredth, so rounding gives the
number back. How many entries hold a word stands in the table ``word``, which every change keeps true, as the counters
do the number of entries and words. (Measured: ``docs/decisions/0014-postgresql-keywords.md``.)
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from treering.backends.engine import next_number, slices
from treering.backends.filters import WordIndex, entry_condition
from treering.backends.keywords import HEAD_WEIGHT, behind, split
from treering.backends.tokens import stems
from treering.records import KeywordHit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from treering.backends.engine import Value
    from treering.backends.postgres.database import PostgresDatabase
    from treering.domain.query import Filter, Term

# BM25 as FTS5 has it.
_K1: Final = 1.2
_B: Final = 0.75
_LEAST_IDF: Final = 1e-6
# A place in a tsvector is at most 16,383, and a vector at most a megabyte.
_PART_WORDS: Final = 8000
_PART_BYTES: Final = 400_000
# Of more words side by side the first ones are enough; a statement of thousands is too deep for the server.
_PHRASE: Final = 32
# Words of the body never stand side by side with the head's.
_GAP: Final = 10


class PostgresKeywords:
    """``ports.Keywords`` over the tables ``words`` and ``word``."""

    def __init__(self, database: PostgresDatabase, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def add(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Add entries with their head and body."""
        known: Counter[str] = Counter()
        rows: list[Mapping[str, Value]] = []
        count = total = 0
        for entry, head, body in entries:
            in_head, in_body = stems(head), stems(body)
            length = len(in_head) + len(in_body)
            known.update({*in_head, *in_body})
            count, total = count + 1, total + length
            rows += [
                {"space": self._space, "entry": entry, "part": part, "length": length, "vector": vector}
                for part, vector in enumerate(_vectors(in_head, in_body))
            ]
        self._db.run_many(
            "insert into words (space, entry, part, length, vector) values (:space, :entry, :part, :length, :vector)",
            rows,
        )
        self._count(known, count, total)

    def remove(self, entries: Iterable[tuple[int, str, str]]) -> None:
        """Remove entries, given what was added."""
        known: Counter[str] = Counter()
        gone = []
        total = 0
        for entry, head, body in entries:
            words = stems(head) + stems(body)
            known.update(set(words))
            gone.append(entry)
            total += len(words)
        for part in slices(gone):
            self._db.listed(f"delete from words where space = {self._space} and entry = any(%s)", list(part))
        self._count(Counter({word: -number for word, number in known.items()}), -len(gone), -total)

    def _count(self, known: Counter[str], entries: int, words: int) -> None:
        """Add to how many entries hold each word, and to how many entries and words there are."""
        if not entries:
            return
        ordered = sorted(known.items())
        self._db.listed(
            "insert into word (space, word, entries)"
            f" select {self._space}, w, n from unnest(%s::text[], %s::bigint[]) as added (w, n)"
            " on conflict (space, word) do update set entries = word.entries + excluded.entries",
            [word for word, _ in ordered],
            [number for _, number in ordered],
        )
        if entries < 0:
            self._db.listed(
                f"delete from word where space = {self._space} and word = any(%s) and entries <= 0",
                [word for word, _ in ordered],
            )
        next_number(self._db, self._space, "indexed entries", entries)
        next_number(self._db, self._space, "indexed words", words)

    def size(self) -> int:
        """Return the number of entries."""
        return self._totals()[0]

    def _totals(self) -> tuple[int, int]:
        """Return how many entries and words are indexed."""
        sql = "select name, value from counter where space = :space and name in ('indexed entries', 'indexed words')"
        found: dict[str, int] = dict(self._db.rows(sql, {"space": self._space}))
        return int(found.get("indexed entries", 0)), int(found.get("indexed words", 0))

    def frequencies(self, terms: Sequence[Term]) -> list[int]:
        """Return for each term in how many entries it occurs."""
        words = [stems(" ".join(term.words)) for term in terms]
        single = [found[0] for term, found in zip(terms, words, strict=True) if len(found) == 1 and not term.prefix]
        known: dict[str, int] = {}
        if single:
            sql = f"select word, entries from word where space = {self._space} and word = any(%s)"
            known = dict(self._db.listed(sql, single))
        return [
            known.get(found[0], 0) if len(found) == 1 and not term.prefix else self._matching(term) if found else 0
            for term, found in zip(terms, words, strict=True)
        ]

    def _matching(self, term: Term) -> int:
        """Return how many entries match a term, by looking."""
        sql = f"select count(distinct entry) from words where space = {self._space} and vector @@ (:match)::tsquery"
        return int(self._db.rows(sql, {"match": _match(term)})[0][0])

    def rank(self, terms: Sequence[Term], frequencies: Sequence[int], limit: int, filter: Filter) -> list[KeywordHit]:
        """Return good entries that contain any of the terms and pass the filter, best first."""
        entries, words = self._totals()
        rare, frequent = split(terms, frequencies, entries)
        if not rare:
            return []
        params: dict[str, Value] = {"limit": limit, "match": " | ".join(_match(term) for term, _ in rare)}
        params["length"] = _K1 * _B * entries / max(words, 1)
        parts = []
        for number, (term, frequency) in enumerate(rare + frequent):
            score, extra = _score(term, number, _idf(frequency, entries))
            parts.append(score)
            params |= extra
        narrowed, extra = self._narrowed(filter)
        sql = (
            f"with found as materialized (select entry, vector, {_K1 * (1 - _B)} + length * :length::float8 as room"
            f" from words where space = {self._space} and vector @@ (:match)::tsquery{narrowed})"
            f" select entry, {' + '.join(parts)} as score from found order by score desc, entry limit :limit"
        )
        best: dict[int, float] = {}
        for entry, score in self._db.rows(sql, {**params, **extra}):
            best.setdefault(entry, score)  # the best part of an entry that has several
        return [KeywordHit(entry, score) for entry, score in best.items()]

    def holding(self, terms: Sequence[Term], most: int) -> list[int]:
        """Return entries that contain every one of the terms, in no order."""
        match = " & ".join(_match(term) for term in terms)
        sql = (
            f"select distinct entry from words where space = {self._space} and vector @@ (:match)::tsquery limit :most"
        )
        return [row[0] for row in self._db.rows(sql, {"match": match, "most": most})] if terms else []

    def under(self, terms: Sequence[Term], entries: Collection[int]) -> set[int]:
        """Return those of some entries that the index has under any of the terms, whatever else it has under them."""
        found = set[int]()
        sql = (
            f"select distinct entry from words where space = {self._space} and entry between :first and :last"
            " and vector @@ (:match)::tsquery"
        )
        for part in slices(terms) if entries else ():
            if match := _any_of(part):
                between: dict[str, Value] = {"first": min(entries), "last": max(entries)}
                found.update(row[0] for row in self._db.rows(sql, {"match": match, **between}))
        return found.intersection(entries)

    def _narrowed(self, filter: Filter) -> tuple[str, dict[str, Value]]:
        """Return the condition that an entry passes a filter, and its parameters."""
        if not filter:
            return "", {}
        sql, params = entry_condition(filter, "entry", WORDS)
        return sql, {"space": self._space, **params}

    def beginning(self, letters: str, most: int) -> list[tuple[str, int]]:
        """Return words of the index, as it compares them, that begin with some letters, with their entries."""
        sql = (
            "select word, entries from word where space = :space and word >= :first and word < :behind"
            " order by word limit :most"
        )
        params: dict[str, Value] = {"space": self._space, "first": letters, "behind": behind(letters), "most": most}
        return [(row[0], row[1]) for row in self._db.rows(sql, params)]

    def stems(self, text: str) -> list[str]:
        """Return the words of a text as the index compares them."""
        return stems(text)

    def erase(self) -> None:
        """Leave no word of a removed entry in the index: nothing more than ``Backend.purge`` does."""

    def has_words(self) -> bool:
        """Tell whether there is any word in the index."""
        return bool(self.size())

    def remake(self) -> None:
        """Empty the index: its tables are the server's to keep whole."""
        self.clear()

    def clear(self) -> None:
        """Remove everything; other spaces are in the same table, so this takes time for each entry."""
        for table in ("words", "word"):
            self._db.run(f"delete from {table} where space = :space", {"space": self._space})
        sql = "delete from counter where space = :space and name in ('indexed entries', 'indexed words')"
        self._db.run(sql, {"space": self._space})


def _idf(frequency: int, entries: int) -> float:
    """Return how telling a term is, as FTS5's BM25 counts it."""
    idf = math.log((entries - frequency + 0.5) / (frequency + 0.5)) if entries >= frequency else 0.0
    return idf if idf > 0 else _LEAST_IDF


def _score(term: Term, number: int, idf: float) -> tuple[str, dict[str, Value]]:
    """Return one term's part of BM25 and its parameters."""
    count, params = _occurrences(term, f"term{number}")
    params[f"idf{number}"] = idf
    return f"(:idf{number}::float8 * {_K1 + 1} * {count} / ({count} + room))", params


def _occurrences(term: Term, name: str) -> tuple[str, dict[str, Value]]:
    """Return how often an entry holds a term, the head weighted, and parameters.

    Words side by side, and beginnings of words, count once in the head and once in the body.
    """
    if len(stems(" ".join(term.words))) == 1 and not term.prefix:
        rest = f"{math.pi**2 / 6}::float8"
        rank = f"ts_rank('{{1,1,1,1}}', vector, :{name}::tsquery)"
        return f"coalesce(round(1 / nullif({rest} - {rest} * {rank}, 0) - 0.5), 0)", {name: _match(term)}
    held = f"({HEAD_WEIGHT} * (vector @@ :{name}a::tsquery)::int + (vector @@ :{name}d::tsquery)::int)"
    return held, {f"{name}a": _match(term, "A"), f"{name}d": _match(term, "D")}


def _match(term: Term, where: str = "") -> str:
    """Return a term as a tsquery, anywhere or in the head (A) or body (D) alone; nothing in it is syntax."""
    words = stems(" ".join(term.words))[:_PHRASE]
    marks = [(":*" if term.prefix else ":") + where if term.prefix or where else ""] * len(words)
    marks[:-1] = [f":{where}" if where else ""] * (len(words) - 1)
    return f"({' <-> '.join(_quoted(word) + mark for word, mark in zip(words, marks, strict=True))})"


def _any_of(terms: Sequence[Term]) -> str:
    """Return the tsquery for entries that hold one of some terms; nothing where none of them has a word."""
    return " | ".join(_match(term) for term in terms if stems(" ".join(term.words)))


WORDS: Final = WordIndex("select w.entry from words w where w.space = :space and w.vector @@ (:{})::tsquery", _any_of)
"""How other parts of this adapter ask the index."""


def _quoted(word: str) -> str:
    """Return a word as tsvector and tsquery read it."""
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'" if not word.isalnum() else f"'{word}'"


def _vectors(head: Sequence[str], body: Sequence[str]) -> Iterator[str]:
    """Return the tsvectors of an entry as text; nearly always one.

    Words of the head are there twice, since they count twice.
    """
    again = len(head) + _GAP
    body_from = 2 * again
    places: dict[str, str] = {}
    for at, word in enumerate(head, 1):
        places[word] = f"{places[word]},{at}A,{at + again}A" if word in places else f"{at}A,{at + again}A"
    size = 0
    for at, word in enumerate(body, body_from):
        if word in places:
            places[word] += f",{at % _PART_WORDS + body_from}"
        else:
            places[word] = f"{at % _PART_WORDS + body_from}"
            size += len(word)
        if size > _PART_BYTES or at % _PART_WORDS == _PART_WORDS - 1:
            yield _vector(places)
            places, size = {}, 0
    yield _vector(places)


def _vector(places: Mapping[str, str]) -> str:
    """Return one tsvector as text; of a word's places PostgreSQL takes the first 255."""
    return " ".join([f"{_quoted(word)}:{at}" for word, at in places.items()])
