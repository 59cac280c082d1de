"""One run over a directory: ingest decides what is new, index carries it into the store."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from treering.api import freshness
from treering.api.cutting import rechunk
from treering.api.earlier import earlier
from treering.api.readmitting import require_in, staying_out
from treering.derived import rows
from treering.domain import trusted
from treering.domain.query import Filter
from treering.domain.report import IndexReport
from treering.domain.source import CODE, Root
from treering.errors import InputError, NotFound
from treering.ingest import pipeline
from treering.intake import Changes
from treering.places import is_within
from treering.recall.quotes import vanished
from treering.records import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from treering.api.earlier import OpenBackend
    from treering.api.readmitting import StayingOut
    from treering.domain.ids import Kind
    from treering.domain.source import Tracked, Trust
    from treering.intake import NewVersion
    from treering.places import Place
    from treering.ports import Transaction
    from treering.settings import Settings


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
        *,
        may_readmit: bool = True,
    ) -> None:
        """Prepare a run.

        Args:
            place: the store.
            settings: limits and sizes.
            open_backend: opens the database.
            make_id: returns a new identifier of the named kind.
            now: returns the time, ISO 8601.
            trust: whose word what is indexed is from now on; None to leave that as it is.
            may_readmit: whether a directory that was forgotten comes back because it is named.
        """
        self._may_readmit = may_readmit
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
        readmit: bool = False,
    ) -> IndexReport:
        """Index the directory at ``path`` and return what was done; with ``code`` source code as well, from now on."""
        started = time.monotonic()
        path = _folder(path)
        glob += CODE if code else ""
        root, folder = self._root(path, glob)
        self._say_trust(path)
        if code and root.number and not root.reads_code:
            root = self._with_code(root)
        out = staying_out(self._open_backend, self._place, folder, path if self._may_readmit else "", readmit=readmit)
        run = pipeline.Run(
            Path(folder),
            root,
            self._tracked(root),
            anchor=lambda below: self._place.anchor(os.path.join(folder, below)),
            settings=self._settings,
            glob=glob if glob.removesuffix(CODE) else root.glob,
            prune=prune,
            earlier=partial(earlier, self._open_backend),
            others=self._inside(root, folder),
            domain=domain,
            stays_out=out,
        )
        for changes in run.batches(progress):
            root = self._made(root, folder, glob)
            self._apply(changes, root, run.anew)
        if root.number or self._exists():
            root = self._made(root, folder, glob)
            self._finish(run, root)
            self._readmitted(out)
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

    def _readmitted(self, out: StayingOut) -> None:
        """Note what was read again although it had been forgotten."""
        if out.readmitted:
            with self._open_backend(create=False).write() as tx:
                tx.memories.readmit(out.readmitted)

    def run_file(self, path: str, file: str, domain: str = "", *, readmit: bool = False) -> IndexReport:
        """Index one file of the directory at ``path`` and return what was done."""
        started = time.monotonic()
        path = os.path.realpath(path)
        root, folder = self._root(path, "")
        self._say_trust(os.path.join(path, file))
        out = staying_out(self._open_backend, self._place, folder, "", readmit=readmit)
        below = os.path.relpath(os.path.realpath(os.path.join(folder, file)), folder).replace(os.sep, "/")
        require_in(out, below, self._place.command("index", "--readmit", path, "--file", file))
        self._readmitted(out)
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
        changes = read(earlier=partial(earlier, self._open_backend))
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

    def _bring_up_to_date(self, tx: Transaction) -> None:
        """Make the keyword index again where another analysis made it."""
        rows.bring_up_to_date(tx, lambda source, text: rechunk(tx, source, text, self._settings))

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
