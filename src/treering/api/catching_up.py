"""What a search reads on the way: a few files that changed since the last run, and no more."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treering.api.earlier import earlier
from treering.api.readmitting import staying_out
from treering.derived import rows
from treering.errors import StoreBusy
from treering.ingest import pipeline
from treering.ingest.scan import look_into
from treering.ingest.versions import max_bytes
from treering.intake import Changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from treering.api import freshness
    from treering.api.earlier import OpenBackend
    from treering.domain.ids import Kind
    from treering.domain.source import Tracked
    from treering.ingest.scan import Scan
    from treering.places import Place
    from treering.settings import Settings

_MOST_FILES: Final = 20
"""Changed and new files that a search reads on the way; more are for a run of their own."""

_MOST_BYTES: Final = 1_000_000
"""Bytes that these files may have together: about 0.1 s."""

_MOST_COMPARED_BYTES: Final = 20_000_000
"""Bytes that a search reads to see that files with another time hold what they held: about 20 ms."""


class CatchingUp:
    """Reads what little has changed under the roots of a store."""

    def __init__(
        self,
        place: Place,
        settings: Settings,
        open_backend: OpenBackend,
        make_id: Callable[[Kind], str],
        now: Callable[[], str],
    ) -> None:
        """Prepare to catch up; the arguments are those of ``Indexing``."""
        self._place = place
        self._settings = settings
        self._open_backend = open_backend
        self._make_id = make_id
        self._now = now

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
        if new:
            out = staying_out(self._open_backend, self._place, seen.folder, "", readmit=False)
            new = {path: stamp for path, stamp in new.items() if not out(path)}
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
            earlier=partial(earlier, self._open_backend),
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
