"""Roots, sources, versions, text and metadata: the relational half, written once for both databases."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from treering.backends.engine import in_list, next_number, slices
from treering.backends.filters import source_condition
from treering.backends.growing import grow
from treering.domain.chunk import Chunk, Heading, Lead
from treering.domain.query import Filter
from treering.domain.source import FileStamp, Root, Skip, Tracked
from treering.domain.text import fingerprint
from treering.errors import Damaged
from treering.records import Counts, StoredChunk, StoredSource, StoredVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from treering.backends.engine import Database, Row, Value
    from treering.domain.source import Document, Metadata, Trust
    from treering.intake import KeptText, NewVersion

# Large enough that nearly every file is one part, small enough that a stretch of a large one is cheap.
PART_CHARS: Final = 65_536

_TRACKED: Final = (
    "select t.source, t.root, t.path, t.size_bytes, t.mtime_ns, t.ctime_ns, v.sha256, t.rules_hash, t.state, t.error"
    " from tracked t join source s on s.space = t.space and s.id = t.source"
    " join version v on v.space = s.space and v.id = s.version"
)
_SOURCE: Final = (
    "select s.id, s.key, s.title, s.kind, s.trust, s.custody, s.version, v.sha256, v.encoding, v.chars, v.lines,"
    " v.recorded_at, s.url, v.source_time, v.original"
    " from source s join version v on v.space = s.space and v.id = s.version"
)
# The text comes along where it lies in one part, as nearly always; else it is null and read apart.
_CHUNK: Final = (
    "select c.entry, c.source, s.version, c.ordinal, c.start, c.stop, c.first_line, c.last_line, c.kind, c.path,"
    " c.lead, c.fingerprint, (select substr(t.text, c.start - t.start + 1, c.stop - c.start) from content t"
    " where t.space = c.space and t.version = s.version and t.start <= c.start"
    f" and t.start > c.start - {PART_CHARS} and t.start + {PART_CHARS} >= c.stop)"
    " from chunk c join source s on s.space = c.space and s.id = c.source"
)

_OWNER: Final = "(select source from version where space = :space and id = :version)"


class SqlSources:
    """``ports.Sources`` in the common SQL of SQLite and PostgreSQL."""

    def __init__(self, database: Database, space: int) -> None:
        """Work in one space of a database."""
        self._db = database
        self._space = space

    def _params(self, **values: Value) -> dict[str, Value]:
        """Return parameters together with the space."""
        return {"space": self._space, **values}

    # Roots

    def roots(self) -> list[Root]:
        """Return all indexed roots by number."""
        sql = "select number, path, glob, rules_hash, scanned_at from root where space = :space order by number"
        return [Root(*row) for row in self._db.rows(sql, self._params())]

    def put_root(self, path: str, glob: str) -> Root:
        """Return the root at ``path``, making it or giving it ``glob`` as needed."""
        found = next((root for root in self.roots() if root.path == path), None)
        if found is None:
            found = Root(next_number(self._db, self._space, "root", 1), path, glob, "", "")
            self._db.run(
                "insert into root (space, number, path, glob, rules_hash, scanned_at)"
                " values (:space, :number, :path, :glob, '', '')",
                self._params(number=found.number, path=path, glob=glob),
            )
        elif found.glob != glob:
            sql = "update root set glob = :glob where space = :space and number = :number"
            self._db.run(sql, self._params(glob=glob, number=found.number))
            found = Root(found.number, path, glob, found.rules_hash, found.scanned_at)
        return found

    def finish_root(self, root: int, rules_hash: str, at: str, skips: Iterable[Skip]) -> None:
        """Record that a run over ``root`` ended; ``skips`` replaces its list."""
        self._db.run(
            "update root set rules_hash = :rules, scanned_at = :at where space = :space and number = :root",
            self._params(rules=rules_hash, at=at, root=root),
        )
        self._db.run("delete from skipped where space = :space and root = :root", self._params(root=root))
        self._db.run_many(
            "insert into skipped (space, root, path, reason) values (:space, :root, :path, :reason)",
            [self._params(root=root, path=path, reason=reason) for path, reason in dict(skips).items()],
        )

    def drop_root(self, root: int) -> None:
        """Remove a root's own row and skips."""
        self._db.run("delete from root where space = :space and number = :root", self._params(root=root))

    def skips(self) -> list[tuple[int, Skip]]:
        """Return every file left out by the last runs, with its root's number."""
        sql = "select root, path, reason from skipped where space = :space order by root, path"
        return [(row[0], Skip(row[1], row[2])) for row in self._db.rows(sql, self._params())]

    def folders(self, root: int) -> dict[str, int]:
        """Return the folders of a root with their mtime."""
        sql = "select path, mtime_ns from folder where space = :space and root = :root"
        return dict(self._db.rows(sql, self._params(root=root)))

    def put_folders(self, root: int, folders: Mapping[str, int]) -> None:
        """Replace what ``folders`` returns."""
        known = self.folders(root)
        gone = [self._params(root=root, path=path) for path in known if path not in folders]
        new = [
            self._params(root=root, path=path, mtime_ns=mtime_ns)
            for path, mtime_ns in folders.items()
            if known.get(path) != mtime_ns
        ]
        self._db.run_many("delete from folder where space = :space and root = :root and path = :path", gone)
        self._db.run_many(
            "insert into folder (space, root, path, mtime_ns) values (:space, :root, :path, :mtime_ns)"
            " on conflict (space, root, path) do update set mtime_ns = excluded.mtime_ns",
            new,
        )

    def stamps(self, root: int) -> list[tuple[str, int, int, int]]:
        """Return path, size, mtime and ctime of a root's files."""
        sql = "select path, size_bytes, mtime_ns, ctime_ns from tracked where space = :space and root = :root"
        return self._db.rows(f"{sql} order by path", self._params(root=root))

    # Tracked files

    def tracked(self, root: int | None = None) -> list[Tracked]:
        """Return the tracked files of one root, or of all."""
        of_root = "" if root is None else " and t.root = :root"
        params = self._params() if root is None else self._params(root=root)
        rows = self._db.rows(f"{_TRACKED} where t.space = :space{of_root} order by t.root, t.path", params)
        return [
            Tracked(row[0], row[1], row[2], FileStamp(row[3], row[4], row[5]), row[6], row[7], row[8], row[9])
            for row in rows
        ]

    def put_tracked(self, tracked: Tracked) -> None:
        """Write a tracked file's stamp, rules and front-matter state."""
        self._db.run(
            "insert into tracked (space, source, root, path, size_bytes, mtime_ns, ctime_ns, rules_hash, state, error)"
            " values (:space, :source, :root, :path, :size_bytes, :mtime_ns, :ctime_ns, :rules_hash, :state, :error)"
            " on conflict (space, source) do update set root = excluded.root, path = excluded.path,"
            " size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,"
            " rules_hash = excluded.rules_hash, state = excluded.state, error = excluded.error",
            self._params(
                source=tracked.source,
                root=tracked.root,
                path=tracked.path,
                **tracked.stamp._asdict(),
                rules_hash=tracked.rules_hash,
                state=tracked.state,
                error=tracked.error,
            ),
        )

    # Sources and versions

    def put_trust(self, path: str, trust: Trust) -> None:
        """Say whose word the files at or below an anchored path are."""
        condition, params = source_condition(Filter(path=path))
        self._db.run(
            "update source set trust = :trust where space = :space and custody = 'tracked' and id in"
            f" (select s.id from source s where s.space = :space and {condition})",
            self._params(trust=trust, **params),
        )

    def put_version(self, new: NewVersion, source: str, version: str, at: str) -> list[int]:
        """Store a file's content as the current version of its source and return entry numbers."""
        known = self._db.rows("select id from source where space = :space and key = :key", self._params(key=new.key))
        if known:
            source = known[0][0]
            self._drop_uncited(source)
            self._db.run(
                "update source set title = :title, kind = :kind, version = :version, custody = 'tracked',"
                " trust = :trust where space = :space and id = :id",
                self._params(title=new.title, kind=new.kind, version=version, trust=new.trust, id=source),
            )
        else:
            self._db.run(
                "insert into source (space, id, key, title, kind, trust, custody, version, created_at)"
                " values (:space, :id, :key, :title, :kind, :trust, 'tracked', :version, :at)",
                self._params(
                    id=source, key=new.key, title=new.title, kind=new.kind, trust=new.trust, version=version, at=at
                ),
            )
        self._put_content(new.document, source, version, at)
        self.put_tracked(new.tracked._replace(source=source))
        self.put_metadata(source, new.metadata)
        return self.put_chunks(version, new.document.text, new.chunks)

    def grow_version(self, new: NewVersion, version: str, at: str) -> list[int]:
        """Store a file that has grown and return the entry numbers of its new chunks."""
        grow(self._db, self._space, new, version, at, PART_CHARS)
        self._db.run(
            "update source set version = :version where space = :space and id = :id",
            self._params(version=version, id=new.tracked.source),
        )
        self.put_tracked(new.tracked)
        return self.put_chunks(version, new.document.text, new.chunks, new.base.start if new.base else 0)

    def put_kept(self, new: KeptText, source: str, version: str, at: str) -> list[int]:
        """Store a kept text as the current version of its source and return the entry numbers of its chunks."""
        known = self._db.rows(
            "select id, version from source where space = :space and key = :key", self._params(key=new.key)
        )
        if known:
            source, former = known[0]
            self.drop_chunks(former)
        self._db.run(
            "insert into source (space, id, key, title, kind, trust, custody, version, created_at, url)"
            " values (:space, :id, :key, :title, :kind, :trust, 'kept', :version, :at, :url)"
            " on conflict (space, id) do update set title = excluded.title, kind = excluded.kind,"
            " version = excluded.version, url = excluded.url",
            self._params(
                id=source,
                key=new.key,
                title=new.title,
                kind=new.kind,
                trust=new.trust,
                version=version,
                at=at,
                url=new.url,
            ),
        )
        self._put_content(new.document, source, version, at, new.source_time, new.original)
        if new.metadata is not None:
            self.put_metadata(source, new.metadata)
        return self.put_chunks(version, new.document.text, new.chunks)

    def _put_content(
        self, document: Document, source: str, version: str, at: str, source_time: str = "", original: str = ""
    ) -> None:
        """Write a version's own row and its text."""
        self._db.run(
            "insert into version (space, id, source, sha256, size_bytes, encoding, notice, chars, lines, recorded_at,"
            " source_time, original) values (:space, :id, :source, :sha256, :size_bytes, :encoding, :notice, :chars,"
            " :lines, :at, :source_time, :original)",
            self._params(
                id=version,
                source=source,
                sha256=document.sha256,
                size_bytes=document.size_bytes,
                encoding=document.encoding,
                notice=document.notice,
                chars=len(document.text),
                lines=document.text.count("\n") + (not document.text.endswith("\n")) if document.text else 0,
                at=at,
                source_time=source_time,
                original=original,
            ),
        )
        self._db.run_many(
            "insert into content (space, version, start, text) values (:space, :version, :start, :text)",
            [
                self._params(version=version, start=start, text=document.text[start : start + PART_CHARS])
                for start in range(0, len(document.text), PART_CHARS)
            ],
        )

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
        self._db.run(f"delete from chunk where space = :space and source = {_OWNER}", self._params(version=version))

    def put_metadata(self, source: str, metadata: Metadata) -> None:
        """Replace the metadata of a source."""
        self._db.run("delete from label where space = :space and source = :source", self._params(source=source))
        self._db.run_many(
            "insert into label (space, source, key, place, value) values (:space, :source, :key, :place, :value)",
            [
                self._params(source=source, key=key, place=place, value=value)
                for key, values in metadata.values.items()
                for place, value in enumerate(values)
            ],
        )

    def metadata(self, sources: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the metadata of each given source."""
        found: dict[str, dict[str, tuple[str, ...]]] = {source: {} for source in sources}
        for part in slices(sources):
            names, params = in_list("s", part)
            of_sources = f"from label where space = :space and source in {names}"
            sql = f"select source, key, value {of_sources} order by source, key, place"
            for source, key, value in self._db.rows(sql, self._params(**params)):
                found[source][key] = (*found[source].get(key, ()), value)
        return found

    def _drop_uncited(self, source: str) -> None:
        """Remove a source's chunks, and its versions but for those that memories quote."""
        self._db.run("delete from chunk where space = :space and source = :source", self._params(source=source))
        self._db.run(
            "delete from version where space = :space and source = :source and not exists"
            " (select 1 from evidence e where e.space = version.space and e.version = version.id)",
            self._params(source=source),
        )

    def retire_source(self, source: str) -> None:
        """Remove a tracked file that is gone; what memories quote of it stays, as a kept text out of every search."""
        self._drop_uncited(source)
        of_source = "where space = :space and source = :source"
        newest = f"select max(id) from version {of_source}"
        pinned = self._db.rows(newest, self._params(source=source))[0][0]
        if pinned is None:
            self.remove_source(source)
            return
        for table in ("tracked", "label"):
            self._db.run(f"delete from {table} {of_source}", self._params(source=source))
        self._db.run(
            "update source set custody = 'kept', version = :version where space = :space and id = :source",
            self._params(source=source, version=pinned),
        )

    def remove_source(self, source: str) -> None:
        """Remove a source with all that hangs on it."""
        self._db.run("delete from source where space = :space and id = :id", self._params(id=source))

    def source_by_key(self, key: str) -> StoredSource | None:
        """Return the source with exactly this key."""
        found = self._db.rows(f"{_SOURCE} where s.space = :space and s.key = :key", self._params(key=key))
        return StoredSource(*found[0]) if found else None

    def source_of(self, version: str) -> str | None:
        """Return the source that a version belongs to."""
        sql = "select source from version where space = :space and id = :version"
        found = self._db.rows(sql, self._params(version=version))
        return found[0][0] if found else None

    def sources(self, ids: Sequence[str]) -> dict[str, StoredSource]:
        """Return the known ones among ``ids``."""
        return {row[0]: StoredSource(*row) for row in self._in(f"{_SOURCE} where s.space = :space and s.id in", ids)}

    def list_sources(self, filter: Filter, limit: int, after: str, *, newest_first: bool = False) -> list[StoredSource]:
        """Return sources by key, or the newest versions first."""
        condition, params = source_condition(filter)
        place = "s.key > :after" if not newest_first else "(:after = '' or v.recorded_at || ' ' || s.id < :after)"
        order = "s.key" if not newest_first else "v.recorded_at desc, s.id desc"
        sql = f"{_SOURCE} where s.space = :space and {place} and {condition} order by {order} limit :limit"
        return [StoredSource(*row) for row in self._db.rows(sql, self._params(after=after, limit=limit, **params))]

    def count(self, filter: Filter) -> Counts:
        """Return how much passes the filter."""
        condition, params = source_condition(filter)
        of = f"from source s where s.space = :space and {condition}"
        sources, unparsed, chars = self._db.rows(
            "select count(*), coalesce(sum(case when t.state = 'unparsed' then 1 else 0 end), 0),"
            " coalesce(sum(v.chars), 0) from source s join version v on v.space = s.space and v.id = s.version"
            f" left join tracked t on t.space = s.space and t.source = s.id where s.space = :space and {condition}",
            self._params(**params),
        )[0]
        chunks = self._db.rows(
            f"select count(*) from chunk c where c.space = :space and c.source in (select s.id {of})",
            self._params(**params),
        )[0][0]
        return Counts(sources, chunks, chars, unparsed)

    # Chunks and text

    def versions(self, source: str) -> list[str]:
        """Return the versions of a source, the oldest first."""
        sql = "select id from version where space = :space and source = :source order by id"
        return [row[0] for row in self._db.rows(sql, self._params(source=source))]

    def stored_versions(self, source: str) -> list[StoredVersion]:
        """Return what is known about each version of a source, the oldest first."""
        sql = (
            "select id, sha256, size_bytes, encoding, notice, chars, lines, recorded_at, source_time, original"
            " from version where space = :space and source = :source order by id"
        )
        return [StoredVersion(*row) for row in self._db.rows(sql, self._params(source=source))]

    def with_content(self, sha256: str) -> list[StoredSource]:
        """Return the imported sources whose current version has this digest, by key."""
        sql = f"{_SOURCE} where s.space = :space and v.sha256 = :sha256 and v.original <> '' order by s.key"
        return [StoredSource(*row) for row in self._db.rows(sql, self._params(sha256=sha256))]

    def digests(self) -> list[str]:
        """Return the digest of every original whose bytes are kept, in order."""
        sql = "select distinct sha256 from version where space = :space and original = 'bytes' order by sha256"
        return [row[0] for row in self._db.rows(sql, self._params())]

    def length(self, version: str) -> int:
        """Return how many characters a version's text has."""
        sql = "select chars from version where space = :space and id = :version"
        found = self._db.rows(sql, self._params(version=version))
        return int(found[0][0]) if found else 0

    def decoding(self, version: str) -> tuple[str, str]:
        """Return the encoding of a version and what is uncertain about it."""
        sql = "select encoding, notice from version where space = :space and id = :version"
        [(encoding, notice)] = self._db.rows(sql, self._params(version=version))
        return encoding, notice

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

    def conversations(self, entries: Sequence[int]) -> list[list[int]]:
        """Return all turns of each conversation that any of the entries belongs to."""
        if not self._db.rows("select 1 from source where space = :space and kind = 'chat' limit 1", self._params()):
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

    def _in(self, sql: str, values: Sequence[Value]) -> Iterator[Row]:
        """Run ``sql`` followed by a list of the values, in as many statements as that takes."""
        for part in slices(values):
            names, params = in_list("i", part)
            yield from self._db.rows(f"{sql} {names}", self._params(**params))


@lru_cache(maxsize=256)
def _dump(items: tuple[Heading, ...] | tuple[Lead, ...]) -> str:
    """Return headings or leads as JSON; neighbouring chunks share theirs."""
    return json.dumps(items, ensure_ascii=False, separators=(",", ":")) if items else ""


@lru_cache(maxsize=1024)
def _headings(text: str) -> tuple[Heading, ...]:
    """Return headings from JSON."""
    return tuple(Heading(*item) for item in _load(text)) if text else ()


def _leads(text: str) -> tuple[Lead, ...]:
    """Return leads from JSON."""
    return tuple(Lead(*item) for item in _load(text)) if text else ()


def _load(text: str) -> list[list[Any]]:
    """Return what ``_dump`` wrote."""
    try:
        items: list[list[Any]] = json.loads(text)
    except ValueError as error:
        raise Damaged(
            f"the store holds headings that cannot be read: {text[:60]!r}", hint="treering reindex"
        ) from error
    return items
