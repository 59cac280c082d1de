"""Chunks and text: the relational half, written once for both databases."""

from __future__ import annotations

from functools import lru_cache

from treering.backends.engine import by_index, next_number
from treering.backends.filters import LONG
from treering.backends.space import InSpace
from treering.domain.chunk import Chunk, Heading, Lead
from treering.domain.text import fingerprint
from treering.errors import Damaged
from treering.records import StoredChunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from treering.backends.engine import Row

# Large enough that nearly every file is one part, small enough that a stretch of a large one is cheap.
PART_CHARS: Final = 65_536

# The text comes along where it lies in one part, as nearly always; else it is null and read apart.
_CHUNK: Final = (
    "select c.entry, c.source, s.version, c.ordinal, c.start, c.stop, c.first_line, c.last_line, c.kind, c.path,"
    " c.lead, c.fingerprint, (select substr(t.text, c.start - t.start + 1, c.stop - c.start) from content t"
    " where t.space = c.space and t.version = s.version and t.start <= c.start"
    f" and t.start > c.start - {PART_CHARS} and t.start + {PART_CHARS} >= c.stop)"
    " from chunk c join source s on s.space = c.space and s.id = c.source"
)

_OWNER: Final = "(select source from version where space = :space and id = :version)"


class SqlChunks(InSpace):
    """Of ``ports.Sources``: the chunks of versions, and stretches of their text."""

    def put_chunks(self, version: str, text: str, chunks: Sequence[Chunk], start: int = 0) -> list[int]:
        """Write a version's chunks and return their entry numbers, in order."""
        if not chunks:
            return []
        source = self.source_of(version)
        first = next_number(self._db, self._space, "entry", len(chunks))
        self._db.run_many(
            "insert into chunk (space, entry, source, ordinal, start, stop, first_line, last_line, kind, path, lead,"
            " parent, oversized, opens, fingerprint) values (:space, :entry, :source, :ordinal, :start, :stop,"
            " :first_line, :last_line, :kind, :path, :lead, :parent, :oversized, :opens, :fingerprint)",
            (
                {
                    "space": self._space,
                    "entry": first + chunk.ordinal - chunks[0].ordinal,
                    "source": source,
                    "ordinal": chunk.ordinal,
                    "start": chunk.start,
                    "stop": chunk.stop,
                    "first_line": chunk.first_line,
                    "last_line": chunk.last_line,
                    "kind": chunk.kind,
                    "path": _dump(chunk.path),
                    "lead": _dump(chunk.lead),
                    "parent": chunk.parent,
                    "oversized": int(chunk.oversized),
                    "opens": chunk.opens,
                    "fingerprint": fingerprint(text[chunk.start - start : chunk.stop - start]),
                }
                for chunk in chunks
            ),
        )
        return list(range(first, first + len(chunks)))

    def drop_chunks(self, version: str) -> None:
        """Remove a version's chunks; its text stays."""
        of_source = by_index("chunk", "entry", f"source = {_OWNER}")
        self._db.run(f"delete from chunk where space = :space and {of_source}", self._params(version=version))

    def chunks_of(self, version: str, first: int = 0) -> list[StoredChunk]:
        """Return a version's chunks in order, from ordinal ``first`` on."""
        of_version = f"c.source = {_OWNER} and s.version = :version"
        sql = f"{_CHUNK} where c.space = :space and {of_version} and c.ordinal >= :first order by c.ordinal"
        return [self._chunk(row) for row in self._db.rows(sql, self._params(version=version, first=first))]

    def chunks_before(self, version: str, stop: int, count: int, *, opening: bool = False) -> list[Chunk]:
        """Return the last chunks of a version before an ordinal, in order."""
        rows = self._db.rows(
            "select ordinal, start, stop, first_line, last_line, kind, path, parent, lead, oversized, opens from chunk"
            f" where space = :space and source = {_OWNER} and ordinal < :stop{' and opens > 0' if opening else ''}"
            " order by ordinal desc limit :count",
            self._params(version=version, stop=stop, count=count),
        )
        return [
            Chunk._make((*row[:6], _headings(row[6]), row[7], _leads(row[8]), bool(row[9]), row[10]))
            for row in reversed(rows)
        ]

    def chunks(self, entries: Sequence[int]) -> dict[int, StoredChunk]:
        """Return the known ones among the entries."""
        return {
            row[0]: self._chunk(row) for row in self._in(f"{_CHUNK} where c.space = :space and c.entry in", entries)
        }

    def has_long(self) -> bool:
        """Tell whether any paragraph is flagged as oversized."""
        sql = f"select 1 from chunk c where c.space = :space and {LONG} limit 1"
        return bool(self._db.rows(sql, self._params()))

    def conversations(self, entries: Sequence[int]) -> list[list[int]]:
        """Return all turns of each conversation that any of the entries belongs to."""
        chats = "select 1 from source where space = :space and kind = 'chat' and kind <> 'note' limit 1"  # as the index
        if not self._db.rows(chats, self._params()):
            return []
        of_entries = (
            "select distinct c.source from chunk c join source s on s.space = c.space and s.id = c.source"
            " where c.space = :space and s.kind = 'chat' and c.entry in"
        )
        turns: dict[str, list[tuple[int, int]]] = {row[0]: [] for row in self._in(of_entries, entries)}
        sql = "select source, ordinal, entry from chunk where space = :space and source in"
        for source, ordinal, entry in self._in(sql, list(turns)):
            turns[source].append((ordinal, entry))
        return [[entry for _, entry in sorted(found)] for found in turns.values()]

    def _chunk(self, row: Row) -> StoredChunk:
        """Return a chunk's row as a value."""
        text = self.text(row[2], row[4], row[5]) if row[12] is None else row[12]
        return StoredChunk._make((*row[:9], _headings(row[9]), _leads(row[10]), row[11], text))

    def source_of(self, version: str) -> str | None:
        """Return the source that a version belongs to."""
        sql = "select source from version where space = :space and id = :version"
        found = self._db.rows(sql, self._params(version=version))
        return found[0][0] if found else None

    def text(self, version: str, start: int, stop: int) -> str:
        """Return a stretch of a version's decoded text."""
        parts = self._db.rows(
            "select start, text from content where space = :space and version = :version and start < :stop"
            " and start > :before order by start",
            self._params(version=version, stop=stop, before=start - PART_CHARS),
        )
        if not parts:
            if start == stop:
                return ""
            raise Damaged(f"the store lacks the text of {version}", hint="treering index DIR, or restore a backup")
        offset = parts[0][0]
        text = parts[0][1] if len(parts) == 1 else "".join(part for _, part in parts)
        if len(text) < stop - offset:
            raise Damaged(f"the store lacks the end of {version}", hint="treering index DIR, or restore a backup")
        return str(text[start - offset : stop - offset])


@lru_cache(maxsize=256)
def _dump(items: tuple[Heading, ...] | tuple[Lead, ...]) -> str:
    """Return headings or leads as JSON; neighbouring chunks share theirs."""
    import json  # a search from the shell needs it not

    return json.dumps(items, ensure_ascii=False, separators=(",", ":")) if items else ""


@lru_cache(maxsize=1024)
def _headings(text: str) -> tuple[Heading, ...]:
    """Return headings from JSON; ``json`` itself costs a search from the shell 3 ms."""
    plain = text.replace("\\\\", "\0").replace('\\"', "\1")  # neither stands in JSON as it is
    if plain.startswith("[[") and plain.endswith('"]]') and "\\" not in plain:
        parts = plain[2:-3].split('"')  # those that are left stand around titles
        levels = [part.strip("[],") for part in parts[::2]]
        if len(parts) % 2 == 0 and all(map(str.isdecimal, levels)):
            titles = (part.replace("\1", '"').replace("\0", "\\") for part in parts[1::2])
            return tuple(map(Heading, map(int, levels), titles))
    return tuple(Heading(*item) for item in _load(text)) if text else ()


def _leads(text: str) -> tuple[Lead, ...]:
    """Return leads from JSON: numbers alone."""
    try:
        return tuple(Lead(*map(int, item.split(","))) for item in text[2:-2].split("],[")) if text else ()
    except (ValueError, TypeError):  # damaged, or numbers in another form
        pass
    return tuple(Lead(*item) for item in _load(text)) if text else ()


def _load(text: str) -> list[list[Any]]:
    """Return what ``_dump`` wrote."""
    import json

    try:
        items: list[list[Any]] = json.loads(text)
    except ValueError as error:
        raise Damaged(
            f"the store holds headings that cannot be read: {text[:60]!r}", hint="treering reindex"
        ) from error
    return items
