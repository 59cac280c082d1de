"""Sources, versions and metadata: the relational half, written once for both databases."""

from __future__ import annotations

from treering.backends.chunks import PART_CHARS, SqlChunks
from treering.backends.engine import by_index, in_list, slices
from treering.backends.filters import source_condition
from treering.backends.roots import SqlRoots
from treering.domain.query import Filter
from treering.records import Counts, StoredSource, StoredVersion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.domain.source import Document, Metadata, Trust
    from treering.intake import KeptText, NewVersion

_SOURCE: Final = (
    "select s.id, s.key, s.title, s.kind, s.trust, s.custody, s.version, v.sha256, v.encoding, v.chars, v.lines,"
    " v.recorded_at, s.url, v.source_time, v.original"
    " from source s join version v on v.space = s.space and v.id = s.version"
)


class SqlSources(SqlRoots, SqlChunks):
    """``ports.Sources`` in the common SQL of SQLite and PostgreSQL."""

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
        from treering.backends.growing import grow  # a search loads none of it

        grow(self._db, self._space, new, version, at, PART_CHARS)
        self._db.run(
            "update source set version = :version where space = :space and id = :id",
            self._params(version=version, id=new.tracked.source),
        )
        self.put_tracked(new.tracked)
        return self.put_chunks(version, new.document.text, new.chunks, new.base.start if new.base else 0)

    def put_kept(self, new: KeptText, source: str, version: str, at: str, *, first: bool = False) -> list[int]:
        """Store a kept text as the current version of its source and return the entry numbers of its chunks."""
        if not first:
            sql = "select id, version from source where space = :space and key = :key"
            for source, former in self._db.rows(sql, self._params(key=new.key)):  # noqa: B007, PLR1704  one at the most
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
        of_source = by_index("chunk", "entry", "source = :source")
        self._db.run(f"delete from chunk where space = :space and {of_source}", self._params(source=source))
        of_source = by_index("version", "id", "source = :source")
        self._db.run(
            f"delete from version where space = :space and {of_source} and not exists"
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

    def make_current(self, source: str, version: str, title: str) -> None:
        """Make a former version of a kept source its current one."""
        self._db.run(
            "update source set version = :version, title = :title where space = :space and id = :source",
            self._params(source=source, version=version, title=title),
        )

    def remove_version(self, version: str) -> None:
        """Remove a version that is not the current one, with its text."""
        self._db.run("delete from version where space = :space and id = :version", self._params(version=version))

    def drop_version(self, source: str, version: str) -> None:
        """Remove one of several versions of a source; the newest one that is left becomes the current one."""
        which = self._params(source=source, version=version)
        self._db.run("delete from version where space = :space and source = :source and id = :version", which)
        self._db.run(
            "update source set version = (select max(v.id) from version v"
            " where v.space = :space and v.source = :source)"
            " where space = :space and id = :source and version = :version",
            which,
        )

    def remove_source(self, source: str) -> None:
        """Remove a source with all that hangs on it."""
        self._db.run("delete from source where space = :space and id = :id", self._params(id=source))

    def source_by_key(self, key: str) -> StoredSource | None:
        """Return the source with exactly this key."""
        found = self._db.rows(f"{_SOURCE} where s.space = :space and s.key = :key", self._params(key=key))
        return StoredSource(*found[0]) if found else None

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

    def versions(self, source: str) -> list[str]:
        """Return the versions of a source, the oldest first."""
        sql = "select id from version where space = :space and source = :source order by id"
        return [row[0] for row in self._db.rows(sql, self._params(source=source))]

    def stored_versions(self, source: str) -> list[StoredVersion]:
        """Return what is known about each version of a source, the oldest first."""
        sql = (
            "select id, sha256, size_bytes, encoding, notice, chars, lines, recorded_at, source_time, original"
            f" from version where space = :space and {by_index('version', 'id', 'source = :source')} order by id"
        )
        return [StoredVersion(*row) for row in self._db.rows(sql, self._params(source=source))]

    def with_content(self, sha256: str) -> list[StoredSource]:
        """Return the imported sources whose current version has this digest, by key."""
        sql = f"{_SOURCE} where s.space = :space and v.sha256 = :sha256 and v.original <> '' order by s.key"
        return [StoredSource(*row) for row in self._db.rows(sql, self._params(sha256=sha256))]

    def digests(self) -> list[str]:
        """Return the digest of every original whose bytes are kept, in order."""
        # With the first condition there is an index that has no row for a note.
        sql = "select distinct sha256 from version where space = :space and original <> '' and original = 'bytes'"
        return [row[0] for row in self._db.rows(f"{sql} order by sha256", self._params())]

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
