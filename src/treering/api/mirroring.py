"""The mirror: written on demand, made a store again, and taken back in after people have edited it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal

from treering import zones
from treering.api import arguments
from treering.api.handle import Handle
from treering.api.stamping import now
from treering.errors import Conflict, InputError, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering.curate.curator import Curator
    from treering.domain.syncing import RebuildReport, SyncReport
    from treering.ports import Transaction
    from treering.upkeep.mirror.folder import Folder

    Progress = Callable[[int, int], None]

_BATCH: Final = 2000
_OWN: Final = "mirror"


class Mirroring(Handle):
    """What is done with the mirror."""

    @property
    def mirror_folder(self) -> str:
        """Where this store's mirror is, or would be; empty for a store on a server, which has none."""
        from treering.upkeep.mirror.folder import folder_of

        return "" if self.place.address is not None else folder_of(self.place.database)

    def write_mirror(self, *, progress: Progress | None = None) -> int:
        """Bring the mirror up to date and return how many files were written.

        Raises:
            NotFound: if there is no store.
            Refused: if the store has no mirror, or the setting turns it off.
            StorageFailed: if a file cannot be written.
        """
        folder = self._mirror()
        written = 0
        with self.lock:
            store = self._opened(create=False)
            with store.read() as tx:
                left = total = tx.mirrored.count_due()
            while left:
                from treering.upkeep.mirror.catch_up import catch_up

                with store.write() as tx:
                    written += catch_up(tx, folder, _BATCH).written
                    left = tx.mirrored.count_due()
                if progress is not None:
                    progress(total - left, total)
        return written

    def _mirror(self) -> Folder:
        """Return this store's mirror.

        Raises:
            Refused: if it has none.
        """
        from treering.upkeep.mirror.folder import Folder

        if not self.mirror_folder:
            raise Refused("a store on a server has no mirror beside it", hint="treering export --format okf --out DIR")
        if not self.settings.mirror_enabled:
            raise Refused("the mirror is turned off", hint="set mirror.enabled = true in config.toml")
        return Folder(self.mirror_folder)

    def export_bundle(self, out: str | Path, *, progress: Progress | None = None) -> int:
        """Write everything as a bundle of the Open Knowledge Format and return how many files it has.

        Args:
            out: a folder; must be new or empty.
            progress: called with objects done and objects in all.

        Raises:
            Conflict: if something is in the folder.
        """
        from treering.upkeep.mirror.catch_up import write_all
        from treering.upkeep.mirror.folder import Folder

        self._require_owner("exports")
        target = arguments.absolute(out)
        if os.path.lexists(target) and not (os.path.isdir(target) and not os.listdir(target)):
            raise Conflict(f"{target} exists already", hint="name a new folder with --out")
        with self.lock:
            self._opened(create=False)
            self._note_copy(target, "export")
            with self._reading() as tx:
                return write_all(tx, Folder(target), progress)

    def _note_copy(self, path: str | Path, kind: Literal["backup", "export"], *, made: bool = True) -> None:
        """Remember a copy of what the store holds, so that an erasure can name it.

        Args:
            path: where it is to be; before it is made, since one that a crash cuts short has words, too.
            kind: what it is.
            made: whether this store makes it; one that it was made from may be known with its own date.
        """
        from treering.journal import StoredCopy

        store = self._opened(create=False)
        if not store.read_only:
            with store.write() as tx:
                place = os.path.abspath(path)
                if made or all(one.path != place for one in tx.erasures.copies()):
                    tx.erasures.note_copy(StoredCopy(place, kind, now()))

    def rebuild(self, from_: str | Path = _OWN, *, progress: Progress | None = None) -> RebuildReport:
        """Make this store, which must be empty, from the files of a mirror alone.

        Args:
            from_: ``mirror`` for the store's own, else the folder of another one.
            progress: called with files read and files in all.

        Raises:
            NotFound: if there is no such folder.
        """
        from treering.api import rebuilding
        from treering.upkeep.mirror.folder import Folder

        self._require_owner("rebuilds a store")
        own = str(from_) == _OWN and bool(self.mirror_folder)
        path = self.mirror_folder if own else arguments.absolute(from_)
        if not os.path.isdir(path):
            raise NotFound(f"there is no folder {path}", hint="treering rebuild --from DIR")
        with self.lock:
            with self._curating(create=True) as (tx, curator):
                report = rebuilding.fill(tx, Folder(path), self.settings, own=own, progress=progress)
                rebuilding.settle_slots(tx, curator._replace(zone=zones.keep(tx, self.settings.time_zone)))
            if not own:
                self._note_copy(path, "export", made=False)
            behind = self._meanings.covering.after_index(self._opened(create=False))
        del behind  # vectors follow with the next question
        return report

    def sync(self, *, as_owner: bool = False, progress: Progress | None = None) -> SyncReport:
        """Take in what was done to the mirror's files by hand or by version control.

        Edits, new files and removed ones are operations of an agent, and of the owner's only with ``as_owner``.
        Neither takes trust or confirmation from a file. What nobody changed is left alone; files are written anew
        where the store has changed. A second call does nothing.

        Args:
            as_owner: whether the edits are the owner's own word.
            progress: called with files written and files to write.

        Raises:
            NotFound: if there is no store, or its mirror is still to be made a store.
            Refused: if the store has no mirror.
            NotAllowed: if an agent says that it is the owner.
            Paused: if capture is paused, and the edits are not the owner's.
        """
        from treering.api import syncing
        from treering.domain.policy import Caller
        from treering.domain.syncing import SyncReport

        if as_owner:
            self._require_owner("syncs as the owner")
        else:  # what is taken in is an agent's
            self._require_open()
        folder = self._mirror()
        with self.lock:
            self._require_filled(folder)
            written = self.write_mirror(progress=progress)
            caller = self._caller or Caller()
            if not as_owner and caller.role == "owner":
                caller = Caller("agent", "sync")

            @contextmanager
            def curating() -> Iterator[tuple[Transaction, Curator]]:
                """Open a transaction on behalf of whoever edited the files."""
                with self._curating() as (tx, curator):
                    yield tx, curator._replace(caller=caller)

            files, notices = syncing.Sync(folder, curating, self.settings).run()
            self.write_mirror()
        return SyncReport(folder.path, files, written, notices)

    def _require_filled(self, folder: Folder) -> None:
        """Refuse to compare files with a store that is still to be made of them."""
        try:
            with self._reading() as tx:
                filled = any(tx.tables.count(table) for table in ("source", "claim", "tombstone"))
        except NotFound:
            filled = False
        if filled or not folder.exists():
            self._opened(create=False)
            return
        if folder.stat("store.md") is not None:
            raise NotFound(
                f"{folder.path} has files, and there is no memory beside it yet",
                hint=self.place.command("rebuild", "--from", "mirror"),
            )

    def import_bundle(self, path: str | Path, *, force: bool = False) -> SyncReport:
        """Take in a bundle of the Open Knowledge Format that another tool wrote.

        Each concept is a memory that quotes itself; what a memory has no place for is kept as metadata. The author's
        ``verified`` and ``generated`` are kept as such, and confirm nothing here.

        Args:
            path: the bundle's folder.
            force: whether also a folder that a store's own memories were written into, which is refused else:
                ``rebuild`` reads those.

        Raises:
            NotFound: if there is no such folder.
            InputError: if it holds no Markdown.
        """
        from treering.api import bundles
        from treering.api.own_folders import require_foreign
        from treering.domain.syncing import SyncReport
        from treering.upkeep.mirror.folder import Folder

        target = arguments.absolute(path)
        if not os.path.isdir(target):
            raise NotFound(f"there is no folder {target}")
        if not force:
            require_foreign([target], self.place)
        folder = Folder(target)
        if not any(True for _ in folder.walk()):
            raise InputError(f"{target} holds no concept of the Open Knowledge Format: no .md file")
        with self.lock:

            @contextmanager
            def curating() -> Iterator[tuple[Transaction, Curator]]:
                """Open a transaction, and a store where there is none."""
                with self._curating(create=True) as opened:
                    yield opened

            files = bundles.Bundle(folder, curating).run()
        return SyncReport(target, files)
