"""Roots, sources, versions, their text and metadata: what a database keeps of originals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.chunk import Chunk
    from treering.domain.query import Filter
    from treering.domain.source import Metadata, Root, Skip, Tracked, Trust
    from treering.intake import KeptText, NewVersion
    from treering.records import Counts, StoredChunk, StoredSource, StoredVersion


class Sources(Protocol):
    """Roots, sources, versions, their text and metadata: the relational half."""

    def roots(self) -> list[Root]:
        """Return all indexed roots by number."""
        ...

    def put_root(self, path: str, glob: str) -> Root:
        """Return the root at anchored ``path``, making it or giving it ``glob`` as needed."""
        ...

    def finish_root(self, root: int, rules_hash: str, at: str, skips: Iterable[Skip]) -> None:
        """Record that a run over ``root`` ended at ``at``; ``skips`` replaces its list."""
        ...

    def drop_root(self, root: int) -> None:
        """Remove a root's own row and skips. Its sources must have been removed before."""
        ...

    def skips(self) -> list[tuple[int, Skip]]:
        """Return every file left out by the last runs, with its root's number."""
        ...

    def folders(self, root: int) -> dict[str, int]:
        """Return the folders of a root that the last run went through, ``""`` for itself, with their mtime in ns."""
        ...

    def put_folders(self, root: int, folders: Mapping[str, int]) -> None:
        """Replace what ``folders`` returns; writes only what differs."""
        ...

    def stamps(self, root: int) -> list[tuple[str, int, int, int]]:
        """Return path, size, mtime and ctime (ns) of a root's tracked files, by path."""
        ...

    def tracked(self, root: int | None = None) -> list[Tracked]:
        """Return the tracked files of one root, or of all."""
        ...

    def put_tracked(self, tracked: Tracked) -> None:
        """Write a tracked file's stamp, rules and front-matter state; its source must exist."""
        ...

    def put_version(self, new: NewVersion, source: str, version: str, at: str) -> list[int]:
        """Store a file's content as the current version of its source and return entry numbers.

        Makes the source under ``source`` if its key is new. A former version leaves with its text, unless
        memories quote it; its chunks leave, and the caller has taken them out of the keyword index.

        Args:
            new: the content.
            source: id for the source, used when the key has none yet.
            version: id for the version.
            at: now, ISO 8601.
        """
        ...

    def grow_version(self, new: NewVersion, version: str, at: str) -> list[int]:
        """Store a file that has grown and return the entry numbers of its new chunks.

        What stays moves to the new version with its entries; the base leaves, as in ``put_version``.

        Args:
            new: the content; its base must be the current version of its source.
            version: id for the version.
            at: now, ISO 8601.
        """
        ...

    def put_kept(self, new: KeptText, source: str, version: str, at: str, *, first: bool = False) -> list[int]:
        """Store a kept text as the current version of its source and return the entry numbers of its chunks.

        Former versions stay, without their chunks: memories quote them. With ``first`` the caller knows of none.
        """
        ...

    def put_chunks(self, version: str, text: str, chunks: Sequence[Chunk], start: int = 0) -> list[int]:
        """Write chunks of a version and return their entry numbers.

        Args:
            version: the version.
            text: its decoded text from ``start`` on.
            chunks: in order; none begins before ``start``.
            start: offset of ``text``.
        """
        ...

    def drop_chunks(self, version: str) -> None:
        """Remove a version's chunks; its text stays."""
        ...

    def put_trust(self, path: str, trust: Trust) -> None:
        """Say whose word the files at or below an anchored path are."""
        ...

    def put_metadata(self, source: str, metadata: Metadata) -> None:
        """Replace the metadata of a source."""
        ...

    def metadata(self, sources: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the metadata of each given source; a source without any has an empty mapping."""
        ...

    def retire_source(self, source: str) -> None:
        """Remove a tracked file that is gone; versions that memories quote stay, as kept text out of every search."""
        ...

    def make_current(self, source: str, version: str, title: str) -> None:
        """Make a former version of a kept source its current one; the chunks of the one before must be gone."""
        ...

    def remove_version(self, version: str) -> None:
        """Remove a version that is not the current one, with its text; no memory may quote it."""
        ...

    def drop_version(self, source: str, version: str) -> None:
        """Remove one of several versions of a source; the newest one that is left becomes the current one."""
        ...

    def remove_source(self, source: str) -> None:
        """Remove a source, its versions, text, chunks and metadata. Unknown ids are ignored."""
        ...

    def source_by_key(self, key: str) -> StoredSource | None:
        """Return the source with exactly this key."""
        ...

    def source_of(self, version: str) -> str | None:
        """Return the source that a version belongs to."""
        ...

    def sources(self, ids: Sequence[str]) -> dict[str, StoredSource]:
        """Return the known ones among ``ids``."""
        ...

    def list_sources(self, filter: Filter, limit: int, after: str, *, newest_first: bool = False) -> list[StoredSource]:
        """Return sources by key, or the newest versions first.

        Args:
            filter: which sources.
            limit: how many at the most.
            after: the last one of the page before: its key, or ``recorded_at`` and id; empty for the first page.
            newest_first: whether to order by when the version was stored.
        """
        ...

    def count(self, filter: Filter) -> Counts:
        """Return how much passes the filter."""
        ...

    def versions(self, source: str) -> list[str]:
        """Return the versions of a source, the oldest first."""
        ...

    def stored_versions(self, source: str) -> list[StoredVersion]:
        """Return what is known about each version of a source, the oldest first."""
        ...

    def with_content(self, sha256: str) -> list[StoredSource]:
        """Return the imported sources whose current version has this digest, by key."""
        ...

    def digests(self) -> list[str]:
        """Return the digest of every original whose bytes are kept, in order."""
        ...

    def length(self, version: str) -> int:
        """Return how many characters a version's text has; 0 for one that is not there."""
        ...

    def decoding(self, version: str) -> tuple[str, str]:
        """Return how a version was decoded: its encoding, and a notice where that is not certain."""
        ...

    def chunks_of(self, version: str, first: int = 0) -> list[StoredChunk]:
        """Return a version's chunks in order, from ordinal ``first`` on."""
        ...

    def chunks_before(self, version: str, stop: int, count: int, *, opening: bool = False) -> list[Chunk]:
        """Return the last chunks of a version before an ordinal, as they were put.

        Args:
            version: the version.
            stop: ordinal of the first chunk that is not wanted; any higher number for the end.
            count: how many at the most.
            opening: whether only chunks are wanted that begin with a heading.
        """
        ...

    def chunks(self, entries: Sequence[int]) -> dict[int, StoredChunk]:
        """Return the known ones among the entries."""
        ...

    def has_long(self) -> bool:
        """Tell whether any paragraph is flagged as oversized."""
        ...

    def conversations(self, entries: Sequence[int]) -> list[list[int]]:
        """Return all turns in order, as entries, of each source of kind ``chat`` that any of the entries belongs to."""
        ...

    def text(self, version: str, start: int, stop: int) -> str:
        """Return a stretch of a version's decoded text; offsets count characters.

        Raises:
            Damaged: if the store does not hold that stretch.
        """
        ...
