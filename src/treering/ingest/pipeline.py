"""One run over a root: compare what is on disk with what is known, read only what changed.

A ``Run`` hands out batches for a store to apply and then knows what its report needs. Files that
cannot be read or decoded are unknown: named, and left in the index as they were. A file leaves only
when nothing readable stands at its path any more: gone, ignored now, or a folder, pipe or link.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from treering.domain.source import CODE, Skip, Tracked
from treering.ingest import encoding, metadata, reading, removal
from treering.ingest.scan import Scan, scan, selects
from treering.ingest.versions import Chunker, Earlier, Reader, max_bytes, read_one, usual_chunker
from treering.intake import Changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from treering.domain.source import FileStamp, Root
    from treering.intake import NewVersion
    from treering.settings import Settings

    Progress = Callable[[int, int], None]

__all__ = ["BATCH_CHARS", "BATCH_FILES", "Run", "changes", "confirmed", "read_one"]

BATCH_FILES: Final = 250
"""Files in one batch at most: a batch is one transaction, and the next caller waits for it."""

BATCH_CHARS: Final = 4_000_000
"""Characters after which a batch is full; one larger file makes a batch of its own."""


STAYS_OUT: Final = "it was forgotten; treering index --readmit reads it again"


class Run:
    """One run over a root; ``batches`` may be taken once, the figures are complete after it.

    Attributes:
        rules: the root's path rules; with ``error`` set, known files keep their metadata.
        scan: what the root holds; None before ``batches`` began.
        added: files that are new in the index.
        changed: files whose text was read again.
        unchanged: files whose text is as before.
        refreshed: those of them whose metadata was resolved anew.
        removed: files that leave the index.
        left_behind: known files that this run's glob does not reach.
        held: known files that are gone and stay until the user decides.
        unparsed: files whose front matter cannot be read, with the reason.
        notices: what the user should know.
    """

    def __init__(  # noqa: PLR0913  what a run needs is what its caller alone knows
        self,
        root_path: Path,
        root: Root,
        known: Sequence[Tracked],
        *,
        anchor: Callable[[str], str],
        settings: Settings,
        glob: str = "",
        prune: bool | None = None,
        chunker: Chunker | None = None,
        earlier: Callable[[Tracked], AbstractContextManager[Earlier | None]] | None = None,
        others: Sequence[Tracked] = (),
        domain: str = "",
        stays_out: Callable[[str], bool] | None = None,
    ) -> None:
        """Prepare a run; nothing is looked at yet.

        Args:
            root_path: the root's folder.
            root: the root as the store knows it.
            known: its tracked files.
            anchor: from a path below the root to its anchored form.
            settings: limits and sizes.
            glob: which files this run reaches; empty for every supported one.
            prune: True removes all files that are gone, False none; None holds back what looks wrong.
            chunker: what cuts the texts; None for the usual one.
            earlier: opens a known file as it is stored; None to read every changed file whole.
            others: files of roots inside this one, with their path below it; those that this run finds, or that are
                gone, become its own.
            domain: what kind of text the files are; empty to tell by each.
            stays_out: tells of a file, by its path below the root, whether the owner forgot it for good.
        """
        self._stays_out = stays_out
        self._others = {tracked.path: tracked for tracked in others}
        self.rules = metadata.load_rules(root_path)
        self.scan: Scan | None = None
        self.added = self.changed = self.unchanged = self.refreshed = self.removed = self.left_behind = 0
        self.held: tuple[Tracked, ...] = ()
        self._root_path = root_path
        self._root = root
        self._known = {tracked.path: tracked for tracked in known}
        self._glob = glob
        self._prune = prune
        self._settings = settings
        self._reader = Reader(
            os.path.realpath(root_path),
            root.number,
            anchor,
            settings,
            self.rules,
            chunker or usual_chunker(),
            earlier,
            domain=domain,
            handwritten=glob.endswith(CODE),
        )
        self._unread: list[Skip] = []
        self._unparsed: dict[str, str] = {t.path: t.error for t in known if t.state == "unparsed"}
        self._notices: list[str] = []
        self._digests: set[str] = set()

    @property
    def is_whole(self) -> bool:
        """Whether this run reaches all of the root's files, and not those of a glob of its own."""
        return self._glob == self._root.glob

    @property
    def skips(self) -> tuple[Skip, ...]:
        """Files that were left out, with the reason, by path."""
        return tuple(sorted([*(self.scan.skips if self.scan else ()), *self._unread]))

    @property
    def unparsed(self) -> tuple[Skip, ...]:
        """Files in the index whose front matter cannot be read, with the reason, by path."""
        return tuple(Skip(path, error) for path, error in sorted(self._unparsed.items()))

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know, in the order it came up."""
        return tuple(self._notices)

    def batches(self, progress: Progress | None = None) -> Iterator[Changes]:
        """Yield what to store and then what to remove, in batches that are each applied whole.

        Args:
            progress: called with the number of files looked at and of all.

        Raises:
            NotFound: if the root is absent; nothing may be concluded from that.
            InputError: if the root is no folder or the glob cannot be used.
            StorageFailed: if the root cannot be opened.
        """
        reached = self._reached()
        found = self.scan = scan(self._root_path, glob=self._glob, max_bytes=max_bytes(self._settings), also=reached)
        self._leave_out(found)
        if taken := self._taken_over(found):
            yield Changes(touched=taken)
            reached = self._reached()
        self.left_behind = len(self._known) - len(reached)
        if self.rules.error:
            self._notices.append(f"path rules were not applied: {self.rules.error}")
        try:
            yield from _in_batches(self._look_at_all(found, progress))
        finally:
            self._reader.documents.close()
        yield from self._removals(found, reached)

    def _leave_out(self, found: Scan) -> None:
        """Take files out of what was found that were forgotten and are not to come back."""
        if self._stays_out is None:
            return
        for path in [path for path in found.files if path not in self._known and self._stays_out(path)]:
            del found.files[path]
            self._unread.append(Skip(path, STAYS_OUT))

    def some(self, stamps: Mapping[str, FileStamp], gone: Collection[str]) -> Changes:
        """Return what is new about a few files, without looking for others; what cannot be read is in ``skips``.

        Args:
            stamps: the files, known or new, with their stamps.
            gone: known files that are no longer there: those leave whose content stands in a new one.
        """
        found = []
        for path, stamp in stamps.items():
            try:
                changes = self._reader.look(path, self._known.get(path), stamp)
            except (reading.Unreadable, encoding.Undecodable) as error:
                self._unread.append(Skip(path, str(error)))
            else:
                self._count(self._known.get(path), changes)
                found.append(changes)
        self._reader.documents.close()
        moved = [self._known[path] for path in gone if self._known[path].sha256 in self._digests]
        return _joined([*found, Changes(gone=tuple(moved))])

    def anew(self, lost: Iterable[NewVersion]) -> Changes:
        """Return files read whole whose base another process has replaced; what cannot be read now is left."""
        found = []
        for version in lost:
            with suppress(reading.Unreadable, encoding.Undecodable):
                found.append(self._reader.look_anew(version.tracked.path, version.tracked))
        self._reader.documents.close()
        return _joined(found)

    def _reached(self) -> frozenset[str]:
        """Return the known files that this run speaks about: all of them, unless its glob is another."""
        if self._glob == self._root.glob:
            return frozenset(self._known)
        return frozenset(path for path in self._known if selects(self._glob, path))

    def _taken_over(self, found: Scan) -> tuple[Tracked, ...]:
        """Make files of inner roots known, and return them; what this run passes over stays with its own root."""
        root = self._reader.real_root
        taken = tuple(
            one._replace(root=self._root.number)
            for path, one in self._others.items()
            if path not in self._known
            and (path in found.files or not (found.is_unknown(path) or os.path.lexists(os.path.join(root, path))))
        )
        self._known |= {one.path: one for one in taken}
        return taken

    def _look_at_all(self, found: Scan, progress: Progress | None) -> Iterator[Changes]:
        """Yield what is new about each file that was found."""
        for number, (path, stamp) in enumerate(found.files.items(), start=1):
            known = self._known.get(path)
            try:
                changes = self._reader.look(path, known, stamp)
            except (reading.Unreadable, encoding.Undecodable) as error:
                self._unread.append(Skip(path, str(error)))
            else:
                self._count(known, changes)
                yield changes
            if progress is not None:
                progress(number, len(found.files))

    def _count(self, known: Tracked | None, changes: Changes) -> None:
        """Take what was found about one file into the figures."""
        for version in changes.versions:
            self.added += known is None
            self.changed += known is not None
            self._digests.add(version.tracked.sha256)
            self._unparsed.pop(version.tracked.path, None)
            if version.metadata.state == "unparsed":
                self._unparsed[version.tracked.path] = version.metadata.error
            if version.document.notice:
                self._notices.append(f"{version.tracked.path}: {version.document.notice}")
        self.unchanged += not changes.versions
        self.refreshed += len(changes.refreshed)

    def _removals(self, found: Scan, reached: Collection[str]) -> Iterator[Changes]:
        """Yield what leaves the index, unless it is held back."""
        gone = [path for path in reached if path not in found.files and not found.is_unknown(path)]
        moved = {path for path in gone if self._known[path].sha256 in self._digests}
        missing = [path for path in gone if path not in moved]
        emptied = removal.emptied(self._reader.real_root, missing) if len(missing) > removal.HANDFUL else frozenset()
        decision = removal.holdback(self._known, gone if self._prune is False else missing, emptied, prune=self._prune)
        self.held = tuple(self._known[path] for path in decision.held)
        leaving = sorted({*decision.removed, *moved} - set(decision.held))
        self.removed = len(leaving)
        self._notices += [f"held back: {reason}" for reason in decision.reasons]
        for path in leaving:
            self._unparsed.pop(path, None)
        yield from _in_batches(Changes(gone=(self._known[path],)) for path in leaving)


def confirmed(
    root_path: Path, known: Iterable[Tracked], max_bytes: int, most_bytes: int, deadline: float
) -> tuple[list[Tracked], list[str]]:
    """Return files whose content is as it was, with their present stamp, and the paths of those where it is not.

    Files for which bytes or time do not suffice, and those that cannot be read now, are in neither list.

    Args:
        root_path: the root's folder.
        known: the files as they were; their size is as before.
        max_bytes: larger files are left out of an index.
        most_bytes: how much may be read in all.
        deadline: when to stop, as ``time.monotonic`` counts.
    """
    real_root = os.path.realpath(root_path)
    same: list[Tracked] = []
    other: list[str] = []
    for one in known:
        if time.monotonic() >= deadline:
            break
        if one.stamp.size_bytes > most_bytes:
            continue
        most_bytes -= one.stamp.size_bytes
        with suppress(reading.Unreadable):
            content = reading.read(real_root, one.path, max_bytes, reading.Beginning(one.stamp.size_bytes, one.sha256))
            if content.sha256 == one.sha256:
                same.append(one._replace(stamp=content.stamp))
            else:
                other.append(one.path)
    return same, other


def changes(
    root_path: Path,
    root: Root,
    known: Sequence[Tracked],
    *,
    anchor: Callable[[str], str],
    settings: Settings,
    glob: str = "",
    progress: Progress | None = None,
) -> Iterator[Changes]:
    """Yield what is new under a root, for callers that need no report; see ``Run``."""
    yield from Run(root_path, root, known, anchor=anchor, settings=settings, glob=glob).batches(progress)


def _in_batches(all_changes: Iterable[Changes]) -> Iterator[Changes]:
    """Join small changes into batches."""
    batch: list[Changes] = []
    size = 0
    for one in all_changes:
        if not any(one):
            continue
        batch.append(one)
        size += sum(len(version.document.text) for version in one.versions)
        if len(batch) >= BATCH_FILES or size >= BATCH_CHARS:
            yield _joined(batch)
            batch, size = [], 0
    if batch:
        yield _joined(batch)


def _joined(batch: Sequence[Changes]) -> Changes:
    """Return one batch with everything in the given ones."""
    return Changes(
        versions=tuple(version for one in batch for version in one.versions),
        touched=tuple(tracked for one in batch for tracked in one.touched),
        refreshed=tuple(pair for one in batch for pair in one.refreshed),
        gone=tuple(tracked for one in batch for tracked in one.gone),
    )
