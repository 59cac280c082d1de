"""Directories: what is indexed in place, and what is derived from it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.browsing import Browsing
from treering.api.handle import make_id, now

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from treering.domain.report import ForgetReport, IndexReport, Status

    Progress = Callable[[int, int], None]


class Directories(Browsing):
    """What is done with directories and with everything that can be made again."""

    def init(self) -> Status:
        """Make the store beforehand and return its status."""
        with self.lock:
            self._opened(create=True)
            return self.status()

    def index(
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        glob: str = "",
        file: str | Path | None = None,
        prune: bool | None = None,
        progress: Progress | None = None,
    ) -> list[IndexReport]:
        """Index directories in place, reading only what changed.

        Args:
            paths: a directory, or several. One inside or around an indexed root becomes one with it, the outer one.
            glob: which files to read, e.g. ``docs/**/*.md``; empty for every supported type.
            file: one file of the directory: only that is read.
            prune: True removes what is gone even where much is; False removes nothing; None decides with care.
            progress: called with files done and files in all.

        Raises:
            NotFound: if a directory is absent; nothing is made.
            InputError: if a path is no directory or the glob cannot be used.
            OutsideRoot: if ``file`` does not lie in the directory.
        """
        from treering.api.indexing import Indexing  # a cold search does not pay for it

        reports = []
        for path in arguments.several(paths):
            with self.lock:
                run = Indexing(self.place, self.settings, self._opened, make_id, now)
                if file is None:
                    reports.append(run.run(str(path), glob, prune=prune, progress=progress))
                else:
                    reports.append(run.run_file(str(path), str(file)))
                if self._store is not None:  # nothing to read makes no store
                    behind = self._meanings.after_index(self._store)
                    reports[-1] = reports[-1]._replace(notices=(*reports[-1].notices, *behind))
        return reports

    def ensure_embeddings(self, *, progress: Progress | None = None) -> int:
        """Embed everything that has no vector yet, and return how many entries got one.

        Searches after that write nothing. Vectors of another model are removed once this one covers everything.

        Args:
            progress: called with entries done and entries in all.

        Raises:
            EmbedderFailed: if the embedder fails; what is stored stays, and words go on finding everything.
            NotFound: if there is no store yet.
        """
        with self.lock:
            return self._meanings.catch_up(self._opened(create=False), progress)

    def load_embedder(self) -> None:
        """Begin to load the embedder ahead of the first question; calls go on meanwhile, by words alone."""
        self._meanings.load_behind()

    def embed_behind(self) -> int:
        """Embed what lacks a vector while other calls go on, and return how many entries got one.

        Meant for a thread of its own: it works through a second connection, so that no question waits for it.

        Raises:
            EmbedderFailed: if the embedder fails; what is stored stays, and words go on finding everything.
            NotFound: if there is no store yet.
        """
        with type(self)(self.place, self.settings) as behind:
            behind._meanings.share(self._meanings)  # noqa: SLF001 - the same class
            return behind.ensure_embeddings()

    def reindex(self, *, progress: Progress | None = None) -> Status:
        """Make all derived data again from the stored text and return the status."""
        from treering.api.indexing import rechunk
        from treering.derived import rows

        with self.lock:
            with self._opened(create=False).write() as tx:
                rows.rebuild(tx, lambda source, text: rechunk(source, text, self.settings), progress)
            behind = self._meanings.after_index(self._opened(create=False))
            status = self.status()
            return status._replace(notices=(*status.notices, *behind))

    def forget_directory(self, path: str | Path, *, dry_run: bool = False) -> ForgetReport:
        """Drop what is indexed under a directory, which need not exist any more; files are never touched.

        Args:
            path: the directory: an indexed one, one around it, or one in it.
            dry_run: whether only to say what would go.

        Raises:
            NotFound: if nothing is indexed there.
        """
        from treering.api.forgetting import forget_directory

        paths = (arguments.absolute(path), os.path.realpath(path))
        with self.lock:
            store = self._opened(create=False)
            with store.read() if dry_run else store.write() as tx:
                if not dry_run:
                    self._bring_up_to_date(tx)
                return forget_directory(tx, self.place, self._roots(tx), paths, dry_run=dry_run)
