"""One run over a directory: ingest decides what is new, index carries it into the store."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from treering.api import freshness
from treering.api.earlier import Earlier
from treering.derived import rows
from treering.domain import trusted
from treering.domain.chunk import Chunked
from treering.domain.query import Filter
from treering.domain.report import IndexReport
from treering.domain.source import CODE, Root
from treering.errors import InputError, NotFound, StoreBusy
from treering.ingest import metadata, pipeline
from treering.ingest.scan import look_into
from treering.ingest.versions import domain_of, max_bytes
from treering.intake import Changes
from treering.places import is_within
from treering.recall.quotes import vanished
from treering.records import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from treering.domain.ids import Kind
    from treering.domain.source import Tracked, Trust
    from treering.ingest.scan import Scan
    from treering.intake import NewVersion
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.records import StoredSource
    from treering.settings import Settings


class OpenBackend(Protocol):
    """What opens a store's database."""

    def __call__(self, *, create: bool) -> Backend:
        """Return the database; makes it when it is absent and ``create`` is true, else raises NotFound."""
        ...


_MOST_FILES: Final = 20
"""Changed and new files that a search reads on the way; more are for a run of their own."""

_MOST_BYTES: Final = 1_000_000
"""Bytes that these files may have together: about 0.1 s."""

_MOST_COMPARED_BYTES: Final = 20_000_000
"""Bytes that a search reads to see that files with another time hold what they held: about 20 ms."""

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
        trust: Trust | None = None,
    ) -> None:
        """Prepare a run.

        Args:
            place: the store.
            settings: limits and sizes.
            open_backend: opens the database.
            make_id: returns a new identifier of the named kind.
            now: returns the time, ISO 8601.
            trust: whose word what is indexed is from now on; None to leave that as it is.
        """
        self._place = place
        self._settings = settings
        self._open_backend = open_backend
        self._make_id = make_id
        self._now = now
        self._trust = trust
        self._notices: list[str] = []
        self._after: list[str] = []
        self._of = ""
        self._stirred: tuple[str, int | None, int | None] = ("", None, None)

    def run(
        self,
        path: str,
        glob: str,
        *,
        code: bool,
        prune: bool | None,
        progress: Callable[[int, int], None] | None,
        domain: str = "",
    ) -> IndexReport:
        """Index the directory at ``path`` and return what was done; with ``code`` source code as well, from now on."""
        started = time.monotonic()
        path = _folder(path)
        glob += CODE if code else ""
        root, folder = self._root(path, glob)
        self._say_trust(path)
        if code and root.number and not root.reads_code:
            root = self._with_code(root)
        run = pipeline.Run(
            Path(folder),
            root,
            self._tracked(root),
            anchor=lambda below: self._place.anchor(os.path.join(folder, below)),
            settings=self._settings,
            glob=glob if glob.removesuffix(CODE) else root.glob,
            prune=prune,
            earlier=self._earlier,
            others=self._inside(root, folder),
            domain=domain,
        )
        for changes in run.batches(progress):
            root = self._made(root, folder, glob)
            self._apply(changes, root, run.anew)
        if root.number or self._exists():
            root = self._made(root, folder, glob)
            self._finish(run, root)
        counts = self._count(root)
        if domain and run.refreshed:
            self._after.append(f"what was read before is cut as before until: {self._place.command('reindex')}")
        if run.held:
            self._after.append(f"once they are to leave: {self._place.command('index', '--prune', folder)}")
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
            notices=(*self._notices, *run.notices, *self._after),
        )

    def run_file(self, path: str, file: str, domain: str = "") -> IndexReport:
        """Index one file of the directory at ``path`` and return what was done."""
        started = time.monotonic()
        path = os.path.realpath(path)
        root, folder = self._root(path, "")
        self._say_trust(os.path.join(path, file))
        known = {tracked.path: tracked for tracked in self._tracked(root)}
        read = partial(
            pipeline.read_one,
            Path(folder),
            root,
            Path(file),
            known.get,
            anchor=lambda below: self._place.anchor(os.path.join(folder, below)),
            settings=self._settings,
            domain=domain,
        )
        changes = read(earlier=self._earlier)
        root = self._made(root, folder, "")
        self._apply(changes, root, lambda _: read())
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

    def _say_trust(self, path: str) -> None:
        """Note whose word a file, or all below a folder, is; before anything of it is stored."""
        self._of = path
        if self._trust is None or not self._exists():
            return
        anchored = self._place.anchor(os.path.abspath(path))
        with self._open_backend(create=False).write() as tx:
            folders = trusted.read(tx.setting(trusted.SETTING))
            tx.put_setting(trusted.SETTING, trusted.write(trusted.with_folder(folders, anchored, self._trust)))
            tx.sources.put_trust(anchored, self._trust)

    def _with_code(self, root: Root) -> Root:
        """Return a root that reads source code as well from now on."""
        if root.glob:
            self._notices.append(f"of source code only what the root's glob {root.glob} reaches is read")
        with self._open_backend(create=True).write() as tx:
            return tx.sources.put_root(root.path, root.glob + CODE)

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

    def _inside(self, root: Root, folder: str) -> list[Tracked]:
        """Return the files of roots inside a folder, with their path below it.

        Not those of a folder that is absent or hidden there: such a root stays its own.
        """
        if not self._exists():
            return []
        found = []
        with self._open_backend(create=False).read() as tx:
            for inner in tx.sources.roots():
                place = self._place.resolve(inner.path)
                if inner == root or not is_within(place, folder) or not os.path.isdir(place):
                    continue
                below = os.path.relpath(place, folder).replace(os.sep, "/")
                if not _is_hidden(below):
                    found += [one._replace(path=f"{below}/{one.path}") for one in tx.sources.tracked(inner.number)]
        return found

    def _made(self, root: Root, folder: str, glob: str) -> Root:
        """Return the root with its number, making store and root where they are not made yet."""
        if root.number:
            return root
        beside = os.path.dirname(self._place.folder)
        before = freshness.mtime_ns(beside)
        with self._open_backend(create=True).write() as tx:
            self._bring_up_to_date(tx)
            made = tx.sources.put_root(self._place.anchor(folder), glob)
        self._say_trust(self._of)
        self._stirred = (beside, before, freshness.mtime_ns(beside))
        return made

    def _with_store(self, folders: Mapping[str, int], root: Root) -> Mapping[str, int]:
        """Return the folders of a run, the one in which it made the store with the time that this has given it."""
        beside, before, after = self._stirred
        outer = self._place.resolve(root.path)
        below = os.path.relpath(beside, outer).replace(os.sep, "/") if is_within(beside, outer) else ""
        below = "" if below == "." else below
        if after is None or before is None or folders.get(below) != before or not is_within(beside, outer):
            return folders
        return {**folders, below: after}

    def catch_up(self, seen: freshness.Look, deadline: float) -> tuple[int, freshness.Look]:
        """Read a few files of a root that have changed or are new; return what stays behind.

        A file that only has another time, as a change of mode or a checkout leaves it, is compared with what is known
        and not read again. Where time ends before that, one whose mtime changed is behind.

        Never waits for other processes, and leaves everything to a run of its own where that is much: what is gone
        stays, unless its content stands in a new file.

        Args:
            seen: what a look at the root has found.
            deadline: when to stop looking for new files, as ``time.monotonic`` counts.
        """
        with self._open_backend(create=False).read() as tx:
            tracked = tx.sources.tracked(seen.root.number)
            folders = tx.sources.folders(seen.root.number)
            current = rows.is_current(tx)
        known = {one.path for one in tracked}
        found = self._look_into(seen, folders, known, deadline)
        new = {path: stamp for path, stamp in found.files.items() if path not in known} if found else {}
        # Counted from here: the first catching up of a process has spent its time on imports.
        touched, seen = self._compare(seen, tracked, time.monotonic() + self._settings.search_freshness_ms / 1000)
        stamps = new | {path: stamp for path, stamp in seen.changed.items() if path not in seen.turned}
        size_bytes = sum(stamp.size_bytes for stamp in stamps.values())
        store = self._open_backend(create=False)
        # All keyword rows to be made again are no matter of a search.
        if len(stamps) > _MOST_FILES or size_bytes > _MOST_BYTES or store.read_only or not current:
            if touched and not store.read_only:
                with suppress(StoreBusy), store.write(wait=False) as tx:
                    rows.apply(tx, Changes(touched=tuple(touched)), self._now(), self._make_id)
            return len(stamps), seen
        run = pipeline.Run(
            Path(seen.folder),
            seen.root,
            tracked,
            anchor=lambda below: self._place.anchor(os.path.join(seen.folder, below)),
            settings=self._settings,
            glob=seen.root.glob,
            earlier=self._earlier,
        )
        changes = run.some(stamps, seen.gone)
        changes = changes._replace(touched=(*changes.touched, *touched))
        try:
            with store.write(wait=False) as tx:
                lost = rows.apply(tx, changes, self._now(), self._make_id)
                if found is not None and not lost:
                    tx.sources.put_folders(seen.root.number, {**folders, **found.folders})
        except StoreBusy:
            return len(stamps), seen
        unread = {skip.path for skip in run.skips} | {version.tracked.path for version in lost}
        left = {path: stamp for path, stamp in seen.changed.items() if path in seen.turned or path in unread}
        return len(unread), seen._replace(changed=left)

    def _compare(
        self, seen: freshness.Look, tracked: Sequence[Tracked], deadline: float
    ) -> tuple[list[Tracked], freshness.Look]:
        """Return which changed files hold what they held, with their present stamp, and the look without them."""
        sizes = {path: stamp.size_bytes for path, stamp in seen.changed.items()}
        alike = [one for one in tracked if one.stamp.size_bytes == sizes.get(one.path)]
        same, other = pipeline.confirmed(
            Path(seen.folder), alike, max_bytes(self._settings), _MOST_COMPARED_BYTES, deadline
        )
        known = {one.path for one in same}
        changed = {path: stamp for path, stamp in seen.changed.items() if path not in known}
        return same, seen._replace(changed=changed, turned=seen.turned.difference(other, known))

    def _look_into(
        self, seen: freshness.Look, folders: Collection[str], known: Collection[str], deadline: float
    ) -> Scan | None:
        """Return what the folders hold in which names came or went; None when there are none, or too many."""
        if not seen.moved:
            return None
        return look_into(
            Path(seen.folder),
            seen.moved,
            folders,
            glob=seen.root.glob,
            max_bytes=max_bytes(self._settings),
            also=known,
            deadline=deadline,
        )

    def _bring_up_to_date(self, tx: Transaction) -> None:
        """Make the keyword index again where another analysis made it."""
        rows.bring_up_to_date(tx, lambda source, text: rechunk(tx, source, text, self._settings))

    @contextmanager
    def _earlier(self, tracked: Tracked) -> Iterator[Earlier | None]:
        """Open a known file as it is stored; None when it has left meanwhile."""
        with self._open_backend(create=False).read() as tx:
            source = tx.sources.sources([tracked.source]).get(tracked.source)
            yield None if source is None else Earlier(tx, source)

    def _apply(self, changes: Changes, root: Root, anew: Callable[[Sequence[NewVersion]], Changes]) -> None:
        """Store one batch; another process may have stored some of it meanwhile.

        Args:
            changes: the batch.
            root: the root, made.
            anew: reads files whole whose former version another process has replaced.
        """
        numbered = changes._replace(
            versions=tuple(v._replace(tracked=v.tracked._replace(root=root.number)) for v in changes.versions),
            touched=tuple(tracked._replace(root=root.number) for tracked in changes.touched),
            refreshed=tuple((tracked._replace(root=root.number), new) for tracked, new in changes.refreshed),
        )
        with self._open_backend(create=True).write() as tx:
            self._bring_up_to_date(tx)  # what leaves the keyword index must be what this analysis put there
            lost = rows.apply(tx, numbered, self._now(), self._make_id)
            self._notices += vanished(tx, [new.key for new in numbered.versions])
        if lost:
            self._apply(anew(lost), root, anew)

    def _finish(self, run: pipeline.Run, root: Root) -> None:
        """Record the end of a run, and take inner roots in."""
        with self._open_backend(create=True).write() as tx:
            self._bring_up_to_date(tx)
            tx.sources.finish_root(root.number, run.rules.hash, self._now(), run.skips)
            if run.scan is not None and run.is_whole:
                tx.sources.put_folders(root.number, self._with_store(run.scan.folders, root))
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
            return tx.sources.count(Filter(root=root.number))


def _folder(path: str) -> str:
    """Return the real path of a directory, which must be there.

    Raises:
        NotFound: if it is absent.
        InputError: if it is something else.
    """
    real = os.path.realpath(path)
    if not os.path.exists(real):
        raise NotFound(f"there is no folder {path}", hint="treering status")
    if not os.path.isdir(real):
        raise InputError(f"{path} is no folder", hint=f"treering index {os.path.dirname(path) or '.'} --file {path}")
    return real


def _is_hidden(below: str) -> bool:
    """Tell whether a path below a root leads through a hidden folder."""
    return any(part.startswith(".") for part in below.split(os.sep))


def rechunk(tx: Transaction, source: StoredSource, text: str, settings: Settings) -> Chunked:
    """Cut a stored text again, as it was cut when it was read or said."""
    if rows.is_of_memory(source):
        from treering.curate.notes import pieces

        return Chunked(None, pieces(text))
    from treering.chunkers import chunk

    return chunk(
        text,
        source.key.rpartition("/")[2].removeprefix("file:"),
        front_matter_chars=metadata.split(text),
        target_chars=settings.chunk_target_chars,
        max_leaf_tokens=settings.leaf_max_tokens,
        domain=domain_of(tx.sources.metadata([source.id])[source.id]),
    )
