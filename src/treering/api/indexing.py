"""One run over a directory: ingest decides what is new, index carries it into the store."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from treering.derived import rows
from treering.domain.query import Filter
from treering.domain.report import IndexReport
from treering.domain.source import Root
from treering.errors import NotFound
from treering.ingest import metadata, pipeline
from treering.places import is_within
from treering.ports import Counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.domain.chunk import Chunked
    from treering.domain.ids import Kind
    from treering.domain.source import Tracked
    from treering.places import Place
    from treering.ports import Backend, Changes, StoredSource
    from treering.settings import Settings


class OpenBackend(Protocol):
    """What opens a store's database."""

    def __call__(self, *, create: bool) -> Backend:
        """Return the database; makes it when it is absent and ``create`` is true, else raises NotFound."""
        ...


_UNMADE = Root(0, "", "", "", "")


class Indexing:
    """One run over one directory.

    Nothing is made, neither folder nor database, when the directory is absent or holds nothing to read.
    """

    def __init__(
        self,
        place: Place,
        settings: Settings,
        open_backend: OpenBackend,
        make_id: Callable[[Kind], str],
        now: Callable[[], str],
    ) -> None:
        """Prepare a run.

        Args:
            place: the store.
            settings: limits and sizes.
            open_backend: opens the database.
            make_id: returns a new identifier of the named kind.
            now: returns the time, ISO 8601.
        """
        self._place = place
        self._settings = settings
        self._open_backend = open_backend
        self._make_id = make_id
        self._now = now
        self._notices: list[str] = []

    def run(
        self, path: str, glob: str, *, prune: bool | None, progress: Callable[[int, int], None] | None
    ) -> IndexReport:
        """Index the directory at ``path`` and return what was done."""
        started = time.monotonic()
        path = os.path.realpath(path)
        root, folder = self._root(path, glob)
        run = pipeline.Run(
            Path(folder),
            root,
            self._tracked(root),
            anchor=lambda below: self._place.anchor(os.path.join(folder, below)),
            settings=self._settings,
            glob=glob or root.glob,
            prune=prune,
        )
        for changes in run.batches(progress):
            root = self._made(root, folder, glob)
            self._apply(changes, root)
        if root.number or self._exists():
            root = self._made(root, folder, glob)
            self._finish(run, root)
        counts = self._count(root)
        return IndexReport(
            root=folder,
            files=counts.sources,
            added=run.added,
            changed=run.changed,
            unchanged=run.unchanged,
            removed=run.removed,
            refreshed=run.refreshed,
            left_behind=run.left_behind,
            chunks=counts.chunks,
            skipped=run.skips,
            unparsed=run.unparsed,
            took_s=round(time.monotonic() - started, 3),
            notices=(*self._notices, *run.notices),
        )

    def run_file(self, path: str, file: str) -> IndexReport:
        """Index one file of the directory at ``path`` and return what was done."""
        started = time.monotonic()
        path = os.path.realpath(path)
        root, folder = self._root(path, "")
        known = self._tracked(root)
        changes = pipeline.read_one(
            Path(folder),
            root,
            Path(file),
            lambda below: next((one for one in known if one.path == below), None),
            anchor=lambda below: self._place.anchor(os.path.join(folder, below)),
            settings=self._settings,
        )
        root = self._made(root, folder, "")
        self._apply(changes, root)
        counts = self._count(root)
        new = sum(not version.tracked.source for version in changes.versions)
        return IndexReport(
            root=folder,
            files=counts.sources,
            added=new,
            changed=len(changes.versions) - new,
            unchanged=int(not changes.versions),
            refreshed=len(changes.refreshed),
            chunks=counts.chunks,
            took_s=round(time.monotonic() - started, 3),
            notices=tuple(self._notices),
        )

    def _exists(self) -> bool:
        """Tell whether there is a store."""
        try:
            self._open_backend(create=False)
        except NotFound:
            return False
        return True

    def _root(self, path: str, glob: str) -> tuple[Root, str]:
        """Return the root that ``path`` belongs to and its folder.

        A folder inside an indexed one belongs to that, unless it is hidden there: what a run over the outer one
        passes over, and was named, is a root of its own.
        """
        anchored = self._place.anchor(path)
        if not self._exists():
            return _UNMADE._replace(path=anchored, glob=glob), path
        with self._open_backend(create=False).read() as tx:
            roots = {root: self._place.resolve(root.path) for root in tx.sources.roots()}
        for root, folder in roots.items():
            if path == folder:
                return root, folder
        for root, folder in roots.items():
            if is_within(path, folder) and not _is_hidden(os.path.relpath(path, folder)):
                self._notices.append(f"{path} lies in the indexed {folder}: that is indexed as one root")
                return root, folder
        return _UNMADE._replace(path=anchored, glob=glob), path

    def _tracked(self, root: Root) -> list[Tracked]:
        """Return what is known about a root's files."""
        if not root.number:
            return []
        with self._open_backend(create=False).read() as tx:
            return tx.sources.tracked(root.number)

    def _made(self, root: Root, folder: str, glob: str) -> Root:
        """Return the root with its number, making store and root where they are not made yet."""
        if root.number:
            return root
        with self._open_backend(create=True).write() as tx:
            rows.bring_up_to_date(tx, lambda source, text: rechunk(source, text, self._settings))
            return tx.sources.put_root(self._place.anchor(folder), glob)

    def _apply(self, changes: Changes, root: Root) -> None:
        """Store one batch; another process may have stored some of it meanwhile."""
        numbered = changes._replace(
            versions=tuple(v._replace(tracked=v.tracked._replace(root=root.number)) for v in changes.versions)
        )
        with self._open_backend(create=True).write() as tx:
            rows.apply(tx, numbered, self._now(), self._make_id)

    def _finish(self, run: pipeline.Run, root: Root) -> None:
        """Record the end of a run, and take inner roots in."""
        with self._open_backend(create=True).write() as tx:
            rows.bring_up_to_date(tx, lambda source, text: rechunk(source, text, self._settings))
            tx.sources.finish_root(root.number, run.rules.hash, self._now(), run.skips)
            outer = self._place.resolve(root.path)
            for inner in tx.sources.roots():
                folder = self._place.resolve(inner.path)
                # Files that this run reached have moved to it; what it passes over keeps its own root.
                inside = inner.number != root.number and is_within(folder, outer)
                if inside and not tx.sources.tracked(inner.number):
                    tx.sources.drop_root(inner.number)
                    self._notices.append(f"{folder} was a root of its own: it is now part of {outer}")

    def _count(self, root: Root) -> Counts:
        """Return how much the root holds."""
        if not root.number:
            return Counts(0, 0, 0, 0)
        with self._open_backend(create=False).read() as tx:
            return tx.sources.count(Filter(path=root.path))


def _is_hidden(below: str) -> bool:
    """Tell whether a path below a root leads through a hidden folder."""
    return any(part.startswith(".") for part in below.split(os.sep))


def rechunk(source: StoredSource, text: str, settings: Settings) -> Chunked:
    """Cut a stored text again, as it was cut when it was read."""
    from treering.chunkers import chunk

    return chunk(
        text,
        source.key.rpartition("/")[2].removeprefix("file:"),
        front_matter_chars=metadata.split(text),
        target_chars=settings.chunk_target_chars,
        max_leaf_tokens=settings.leaf_max_tokens,
    )
