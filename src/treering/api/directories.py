"""Directories: what is indexed in place, and what is derived from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.api import arguments
from treering.api.browsing import Browsing
from treering.api.stamping import make_id, now
from treering.domain.kinds import DOMAINS
from treering.domain.query import Filter
from treering.domain.source import TRUSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from treering.domain.report import IndexReport, Status
    from treering.domain.source import Trust

    Progress = Callable[[int, int], None]


_EXTRACTED_PAGE: Final = 100
"""Files in one transaction: the next caller waits for it."""


class Directories(Browsing):
    """What is done with directories and with everything that can be made again."""

    def init(self) -> Status:
        """Make the store beforehand and return its status."""
        with self.lock:
            self._opened(create=True)
            return self.status()

    def index(  # noqa: PLR0913  each says something of its own about the run
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        glob: str = "",
        file: str | Path | None = None,
        code: bool = False,
        prune: bool | None = None,
        extract: bool = False,
        domain: str = "",
        trust: Trust | None = None,
        readmit: bool = False,
        progress: Progress | None = None,
    ) -> list[IndexReport]:
        """Index directories in place, reading only what changed.

        Args:
            paths: a directory, or several. One inside or around an indexed root becomes one with it, the outer one.
            glob: which files to read, e.g. ``docs/**/*.md``; empty for every supported type.
            file: one file of the directory: only that is read.
            code: whether source code is read as well, now and in every later run; False leaves that as it is.
            prune: True removes what is gone even where much is; False removes nothing; None decides with care.
            extract: whether to take out what meeting notes and plain statements in the files say; each is an agent's
                claim with the file's trust, dated by the file.
            domain: what kind of text the files are, e.g. ``process``; empty to tell by each. It becomes metadata.
            trust: whose word these files are from now on: ``owner``, ``agent`` or ``external``; None leaves that as it
                is, which is the owner's where nothing was said.
            readmit: whether files come back that were forgotten; a directory that was forgotten whole comes back when
                it is named itself.
            progress: called with files done and files in all.

        Raises:
            NotFound: if a directory is absent; nothing is made.
            InputError: if a path is no directory, the glob cannot be used, or there is no such kind of text.
            OutsideRoot: if ``file`` does not lie in the directory.
            NotAllowed: if another than the owner says whose word files are, or readmits what was forgotten.
            Refused: if ``file`` was forgotten.
            Paused: if capture is paused, and an agent asks or statements are to be taken out.
        """
        from treering.api.indexing import Indexing  # a cold search does not pay for it

        if domain:
            arguments.choice("domain", domain, DOMAINS)
        if trust is not None:
            arguments.choice("trust", trust, TRUSTS)
            self._require_owner("says whose word files are")
        if readmit:
            self._require_owner("readmits what was forgotten")
        is_owner = self._caller is None or self._caller.role == "owner"
        if extract or self._is_agent:
            self._require_open()
        reports = []
        for path in arguments.several(paths):
            with self.lock:
                run = Indexing(self.place, self.settings, self._opened, make_id, now, trust, may_readmit=is_owner)
                if file is None:
                    reports.append(
                        run.run(
                            str(path), glob, code=code, prune=prune, progress=progress, domain=domain, readmit=readmit
                        )
                    )
                else:
                    reports.append(run.run_file(str(path), str(file), domain, readmit=readmit))
                if self._store is not None:  # nothing to read makes no store
                    behind = self._meanings.covering.after_index(self._store)
                    reports[-1] = reports[-1]._replace(notices=(*reports[-1].notices, *behind))
                    if extract:
                        reports[-1] = self._with_extracted(reports[-1])
        return reports

    def _with_extracted(self, report: IndexReport) -> IndexReport:
        """Take out what an indexed directory's files state, and return its report with that."""
        from treering.api.extracting import extract

        extractor, after = self._extracting(), ""
        found: list[str] = []
        notices: list[str] = []
        while True:
            with self._curating() as (tx, curator):
                root = next((root for root, folder in self._roots(tx).values() if folder == report.root), None)
                narrowed = Filter(root=root.number) if root else None
                page = tx.sources.list_sources(narrowed, _EXTRACTED_PAGE, after) if narrowed else []
                for source in page:
                    taken = extract(tx, curator, extractor, source)
                    found += [one.id for one in taken.outcomes if one.outcome != "exists"]
                    notices += taken.notices
            if not page:
                return report._replace(extracted=tuple(found), notices=(*report.notices, *notices))
            after = page[-1].key

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
            return self._meanings.covering.catch_up(self._opened(create=False), progress)

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
        from treering.api.cutting import rechunk
        from treering.derived import rows

        with self.lock:
            with self._opened(create=False).write() as tx:
                tx.keywords.remake()
                rows.rebuild(tx, lambda source, text: rechunk(tx, source, text, self.settings), progress)
            behind = self._meanings.covering.after_index(self._opened(create=False))
            status = self.status()
            return status._replace(notices=(*status.notices, *behind))
