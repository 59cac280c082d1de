"""Vectors: the relational half, written once for both databases."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest

from treering.backends.chunks import PART_CHARS
from treering.backends.engine import next_number
from treering.backends.filters import passing
from treering.backends.space import InSpace
from treering.domain.vector import cosine_with
from treering.records import Unembedded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    from treering.backends.engine import Database, Row
    from treering.backends.filters import WordIndex
    from treering.domain.query import Filter

EMBEDDED_CHARS: Final = 600
"""Characters of a text that are read for its vector: about 80 words, beyond which nothing is gained."""

_MODEL: Final = "(select number from model where space = :space and name = :name)"
_LACKS: Final = (
    f"not exists (select 1 from vector v where v.space = :space and v.entry = e.entry and v.model = {_MODEL})"
)
_CHUNK: Final = (
    "select c.entry, s.version, c.start, c.stop, s.title, c.path"
    " from chunk c join source s on s.space = c.space and s.id = c.source where c.space = :space and c.entry in"
)
_MEMORY: Final = (
    "select entry, title, revision, case when summary = '' then content else summary || ' ' || content end from memory"
    " where space = :space and entry in"
)


class SqlVectors(InSpace):
    """``ports.Vectors`` in the common SQL of SQLite and PostgreSQL."""

    _lacks = _LACKS

    def __init__(self, database: Database, space: int, words: WordIndex) -> None:
        """Work in one space of a database, whose keyword index tells which entries hold some words."""
        super().__init__(database, space)
        self._words = words

    def models(self) -> list[str]:
        """Return the models that have vectors, or had some that left one by one."""
        sql = "select name from model where space = :space order by number"
        return [row[0] for row in self._db.rows(sql, self._params())]

    def lacking(self, model: str, limit: int, before: int = 0, after: int | None = None) -> list[Unembedded]:
        """Return entries without a vector of the model, the newest first, or the oldest first behind one."""
        place, order = ("e.entry < :place", "desc") if before else ("1 = 1", "desc")
        if after is not None:
            place, order = "e.entry > :place", "asc"
        params = self._params(name=model, limit=limit, **({"place": after or before} if place != "1 = 1" else {}))
        rows: list[Row] = []
        for table, kind, more in (("chunk", 0, ""), ("memory", 1, " and e.status <> 'archived'")):
            rows += self._db.rows(
                f"select e.entry, {kind} from {table} e where e.space = :space and {place}{more} and {self._lacks}"
                f" order by e.entry {order} limit :limit",
                params,
            )
        chosen = sorted(rows, reverse=after is None)[:limit]
        found = self._chunks([row[0] for row in chosen if not row[1]])
        found |= self._memories([row[0] for row in chosen if row[1]])
        return [found[row[0]] for row in chosen]

    def _chunks(self, entries: Sequence[int]) -> dict[int, Unembedded]:
        """Return what is embedded of chunks.

        Each text is read once: a stretch for each chunk would be counted from the beginning of the text.
        """
        versions: dict[str, list[Row]] = {}
        for row in self._in(_CHUNK, entries):
            versions.setdefault(row[1], []).append(row)
        found = {}
        for version, chunks in versions.items():
            starts = [start for _, _, start, *_ in chunks]
            parts = self._parts(version, min(starts), max(starts))
            for entry, _, start, stop, title, path in chunks:
                text = _beginning(parts, start, min(stop - start, EMBEDDED_CHARS))
                found[entry] = Unembedded(entry, 0, title, _titles(path), text)
        return found

    def _parts(self, version: str, first: int, last: int) -> list[Row]:
        """Return where the parts of a text begin that hold the places between two, the last first, with the parts."""
        return self._db.rows(
            "select start, text from content where space = :space and version = :version and start > :before"
            " and start <= :last order by start desc",
            self._params(version=version, before=first - PART_CHARS, last=last),
        )

    def _memories(self, entries: Sequence[int]) -> dict[int, Unembedded]:
        """Return what is embedded of memories."""
        return {
            entry: Unembedded(entry, revision, title, (), text[:EMBEDDED_CHARS])
            for entry, title, revision, text in self._in(_MEMORY, entries)
        }

    def put(self, model: str, rows: Sequence[tuple[int, int, bytes]]) -> int:
        """Store rows of entries that are as they were, and lack one; return how many were stored."""
        if not rows:
            return 0
        number = self._number(model)
        change = next_number(self._db, self._space, "vector", 1)
        self._db.run_many(
            "insert into vector (space, entry, model, change, row) select :space, :entry, :model, :change, :row"
            " where exists (select 1 from chunk c where c.space = :space and c.entry = :entry and :revision = 0)"
            " or exists (select 1 from memory m where m.space = :space and m.entry = :entry"
            " and m.revision = :revision and m.status <> 'archived') on conflict (space, entry, model) do nothing",
            [
                self._params(entry=entry, revision=revision, model=number, change=change, row=row)
                for entry, revision, row in rows
            ],
        )
        sql = "select count(*) from vector where space = :space and model = :model and change = :change"
        return int(self._db.rows(sql, self._params(model=number, change=change))[0][0])

    def _number(self, model: str) -> int:
        """Return the number of a model, giving it one if it has none."""
        sql = "select number from model where space = :space and name = :name"
        found = self._db.rows(sql, self._params(name=model))
        if found:
            return int(found[0][0])
        number = next_number(self._db, self._space, "model", 1)
        self._db.run(
            "insert into model (space, number, name) values (:space, :number, :name)",
            self._params(number=number, name=model),
        )
        return number

    def mark(self, model: str) -> tuple[int, int]:
        """Return how many vectors the model has and the number of its last change."""
        sql = f"select count(*), coalesce(max(change), 0) from vector where space = :space and model = {_MODEL}"
        count, change = self._db.rows(sql, self._params(name=model))[0]
        return int(count), int(change)

    def rows(self, model: str, after: int = 0, most: int = 0) -> list[tuple[int, bytes]]:
        """Return entries and rows that were stored after a change."""
        of_model = f"from vector where space = :space and model = {_MODEL}"
        # All of them are read where they lie; a few are looked up.
        later = " and change > :after" if after else ""
        narrowed = " limit :most" if most else ""
        params = self._params(name=model, **({"after": after} if after else {}), **({"most": most} if most else {}))
        return [(row[0], row[1]) for row in self._db.rows(f"select entry, row {of_model}{later}{narrowed}", params)]

    def entries(self, model: str) -> list[int]:
        """Return the entries that have a vector of the model."""
        sql = f"select entry from vector where space = :space and model = {_MODEL}"
        return [row[0] for row in self._db.rows(sql, self._params(name=model))]

    def of(self, model: str, entries: Sequence[int]) -> dict[int, bytes]:
        """Return the rows of those among the entries that have one."""
        sql = f"select entry, row from vector where space = :space and model = {_MODEL} and entry in"
        return {row[0]: row[1] for row in self._in(sql, entries, name=model)}

    def passing(self, filter: Filter) -> list[int]:
        """Return the entries that pass a filter."""
        sql, params = passing(filter, self._words)
        return [row[0] for row in self._db.rows(sql, self._params(**params))]

    def nearest(self, model: str, question: bytes, limit: int, filter: Filter) -> dict[int, float]:
        """Return the entries with the highest cosines among those that pass the filter, comparing every row."""
        rows = dict(self.rows(model))
        if filter:
            allowed = set(self.passing(filter))
            rows = {entry: row for entry, row in rows.items() if entry in allowed}
        return best_of(question, rows, limit)

    def drop(self, model: str) -> None:
        """Remove all vectors of a model."""
        self._db.run(f"delete from vector where space = :space and model = {_MODEL}", self._params(name=model))
        self._db.run("delete from model where space = :space and name = :name", self._params(name=model))


def best_of(question: bytes, rows: Mapping[int, bytes], limit: int) -> dict[int, float]:
    """Return the entries of the rows with the highest cosines above 0, best first; zeros are near to nothing."""
    cosine = cosine_with(question)
    found = [(entry, cosine(row)) for entry, row in rows.items() if any(row)]
    best = nlargest(limit, (pair for pair in found if pair[1] > 0), key=lambda pair: (pair[1], -pair[0]))
    return dict(best)


def _beginning(parts: Sequence[Row], start: int, length: int) -> str:
    """Return a stretch of a text; at the end of a part what is left of that part: a vector is made of that."""
    for at, text in parts:
        if at <= start:
            return str(text[start - at : start - at + length])
    return ""


@lru_cache(maxsize=1024)
def _titles(path: str) -> tuple[str, ...]:
    """Return the titles of headings as they are stored."""
    import json

    return tuple(heading[1] for heading in json.loads(path)) if path else ()
