"""Upkeep: verify, backup, export; and restoring, which needs no store."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from treering import wiring
from treering.api import arguments
from treering.api.directories import Directories
from treering.api.mirroring import Mirroring
from treering.api.stamping import now
from treering.errors import Conflict, Damaged, NotFound, StorageFailed, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering.journal import StoredClaim
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.upkeep.archive import Archived
    from treering.upkeep.verify import Checked, Problem


class Upkeep(Directories, Mirroring):
    """What keeps a store honest."""

    def verify(self, *, fix: bool = False) -> Checked:
        """Return what is wrong with the store: hashes, quotes, chains, histories, index, what was forgotten.

        Args:
            fix: whether what is derived is made again where it is wrong; originals and claims are never changed.

        Raises:
            NotFound: if there is no store.
            Damaged: if the database itself cannot be read.
        """
        from treering.upkeep.verify import Checked, Problem, verify

        with self.lock:
            store = self._opened(create=False)
            found = [Problem("database", self.place.database, text) for text in store.check()]
            with store.read() as tx:
                checked = verify(tx)
            checked = checked._replace(problems=(*checked.problems, *self._index_problems(store, checked.counts)))
            histories = self._histories(fix=fix)
            if fix and any(one.kind == "derived" for one in checked.problems):
                self.reindex()
                with store.write() as tx:  # made again by the next run
                    tx.tree.clear()
                    tx.tree.all_due()
                left = self._index_problems(store, checked.counts)
                checked = checked._replace(
                    problems=tuple(one._replace(mended=one.kind == "derived" and not left) for one in checked.problems)
                )
            if fix:
                checked = checked._replace(problems=self._without_orphans(checked.problems))
            erased, marks = self._forgotten(store, fix=fix)
        counts = {**checked.counts, "erased sentences": marks}
        return Checked((*found, *checked.problems, *histories, *erased), counts)

    def _forgotten(self, store: Backend, *, fix: bool) -> tuple[list[Problem], int]:
        """Return what is left of what was forgotten, and of processes that died; and how many marks there are."""
        from treering.upkeep import leftovers

        with store.read() as tx:
            problems, marks = leftovers.erased(tx)
        if fix and any(one.kind == "unfinished" for one in problems):
            self._resume(store)
            with store.read() as tx:
                left = {one.id for one in tx.erasures.unfinished()}
            problems = [one._replace(mended=one.kind == "unfinished" and one.id not in left) for one in problems]
        if marks:
            problems += self._forgotten_in_files(store, fix=fix)
        if self.place.address is None:
            name = os.path.basename(self.place.database)
            problems += leftovers.files(self.place.folder, name, fix=fix)
            if not store.read_only and store.purge(wait=False):
                problems += leftovers.free_pages(self.place.database)
        return problems, marks

    def _forgotten_in_files(self, store: Backend, *, fix: bool) -> list[Problem]:
        """Return files of the mirror that say an erased sentence; with ``fix`` those of what was erased are removed."""
        from treering.api import proving
        from treering.upkeep import leftovers
        from treering.upkeep.verify import Problem

        with store.read() as tx:
            known, ids = leftovers.marked(tx)
        left, gone = proving.in_files(store, self.place, known, fix=fix and not store.read_only)
        text = "says a sentence that this erased: treering verify --fix removes copies, and leaves what you wrote there"
        return [
            Problem("forgotten", ids[mark], f"{path} {text}", mended=path in gone)
            for path, mark in sorted({**left, **gone}.items())
        ]

    def _index_problems(self, store: Backend, counts: dict[str, int]) -> list[Problem]:
        """Return what is wrong with the keyword index, which may be damaged while all else is sound."""
        from treering.upkeep.verify import index_problems, unreadable

        try:
            with store.read() as tx:
                return list(index_problems(tx, counts))
        except Damaged as error:
            return [unreadable(error)]

    def _without_orphans(self, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """Remove bytes that no version names, and return the problems with those mended."""
        orphans = [one.id for one in problems if one.kind == "orphan_file"]
        if not orphans:
            return problems
        with self._opened(create=False).write() as tx:
            gone = set(orphans).difference(tx.sources.digests())  # an import may have named one since
            for digest in gone:
                tx.originals.remove(digest)
        return tuple(one._replace(mended=True) if one.id in gone else one for one in problems)

    def _histories(self, *, fix: bool) -> tuple[Problem, ...]:
        """Return the memories that do not say what follows from their claims; with ``fix`` they do afterwards."""
        from treering.curate.settle import settle
        from treering.upkeep.verify import Problem

        if self._opened(create=False).read_only:
            return ()
        wrong: dict[str, None] = {}
        with suppress(_UndoneError), self._curating() as (tx, curator):

            def touch(id: str) -> None:
                """Note a memory that changes."""
                wrong[id] = None
                curator.touch(id)

            watching = curator._replace(touch=touch)
            for known, claims in _all_claims(tx):
                settle(known, watching, claims)
            _keep(fix)
        text = "its status or words are not what follows from its claims"
        return tuple(Problem("history", id, text, mended=fix) for id in wrong)

    def backup(self, out: str | Path | None = None) -> Archived:
        """Write the store, as it is now, into one archive; others may go on writing.

        Args:
            out: folder for the archive, or its name ending in ``.tar``; None for ``backups/`` in the store.

        Raises:
            NotFound: if there is no store.
            Conflict: if there is such an archive.
            Unavailable: if the store is on a server.
            NotAllowed: if the caller is an agent.
        """
        import tempfile

        from treering.upkeep import archive

        self._require_owner("makes backups")
        with self.lock:
            store = self._opened(create=False)
            _require_file(self.place)
            at = now()
            target = os.fspath(out) if out is not None else os.path.join(self.place.folder, _BACKUPS)
            if not target.endswith(".tar"):
                archive.require_folder(target)
                target = os.path.join(target, f"treering-{at[:19].replace(':', '').replace('-', '')}.tar")
            if not os.path.lexists(target):
                self._note_copy(target, "backup")
            with tempfile.TemporaryDirectory(dir=self.place.folder, prefix=".backup-") as folder:
                copy = os.path.join(folder, os.path.basename(self.place.database))
                store.copy_to(copy)
                beside = archive.files_beside(
                    self.place.folder, self.place.database, (_BACKUPS, os.path.basename(folder), self._mirror_name())
                )
                files = {os.path.basename(copy): copy, **beside}
                return archive.write(target, files, at, {"layout": int(store.info()["schema"])})

    def _mirror_name(self) -> str:
        """Return the name of the mirror's folder: a restored store writes its own."""
        return os.path.basename(self.mirror_folder)

    def export(self, out: str | Path, *, format: str = "jsonl") -> int:  # noqa: A002  as on the command line
        """Write all that is kept into a new file or folder, and return how many rows or files that are.

        Args:
            out: the file, which must not exist; of ``okf`` a folder, which must be new or empty.
            format: ``jsonl`` for every canonical row as a line of JSON, ``okf`` for a bundle of the Open Knowledge
                Format with a readable file for each memory.

        Raises:
            NotFound: if there is no store.
            Conflict: if there is such a file.
            InputError: if there is no such format.
            NotAllowed: if the caller is an agent.
        """
        from treering.upkeep import export

        self._require_owner("exports")
        arguments.choice("format", format, ("jsonl", "okf"))
        with self.lock:
            at = now()
            layout = int(self._opened(create=False).info()["schema"])
            if format == "okf":
                return self.export_bundle(out)
            with _new_file(out) as opened:
                self._note_copy(out, "export")
                with self._reading() as tx:
                    return export.write(tx, opened, at, layout)

    def take_in(self, file: str | Path) -> int:
        """Take an export into this store, which must be empty, and return how many rows it had.

        Raises:
            NotFound: if there is no such file.
            Conflict: if the store holds something.
            Damaged: if the file is no export, or was cut short; nothing is changed then.
        """
        from treering.upkeep import export

        self._require_owner("takes exports in")
        _require_there(file)
        with self.lock, open(file, encoding="utf-8", errors="surrogateescape", newline="\n") as opened:
            store = self._opened(create=True)
            with store.write() as tx:
                rows = export.read(tx, iter(opened), int(store.info()["schema"]))
            self.reindex()
            self._histories(fix=True)
            if wiring.may_be_cloned(self.place):
                self.trust()  # the id came with the export
            self._note_copy(file, "export", made=False)
        return rows


_BACKUPS = "backups"


class _UndoneError(Exception):
    """Ends a transaction that was only tried."""


def _keep(wanted: bool) -> None:  # noqa: FBT001  the one thing it is told
    """Undo the transaction that calls, unless it is wanted."""
    if not wanted:
        raise _UndoneError


def _all_claims(tx: Transaction) -> Iterator[tuple[Transaction, list[StoredClaim]]]:
    """Yield the claims of each slot, and of a page of memories without one, with what knows them ahead."""
    from treering.recall.slots import all_slots
    from treering.upkeep.ahead import ahead

    for slot in all_slots(tx):
        yield tx, tx.claims.of_slot(slot)
    after = ""
    while page := tx.memories.list_memories((), 500, after):
        ids = [one.id for one in page if not one.slot]
        known = ahead(tx, ids)
        yield known, [claim for claims in known.claims.of_memories(ids).values() for claim in claims]
        after = page[-1].id


def _require_file(place: Place) -> None:
    """Refuse to copy what is on a server."""
    if place.address is not None:
        raise Unavailable(
            "a store on a server is backed up by the server's own tools",
            hint="pg_dump --schema=treering, or treering export",
        )


def _require_there(file: str | Path) -> None:
    """Refuse a file that is not there."""
    if not os.path.isfile(file):
        raise NotFound(f"there is no file {os.fspath(file)}")


def _new_file(path: str | Path) -> IO[str]:
    """Return a file that was not there, to be written by its user alone."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise Conflict(f"{os.fspath(path)} exists already", hint="name another file with --out") from error
    except OSError as error:
        raise StorageFailed(f"{os.fspath(path)} cannot be written: {error.strerror}") from error
    return open(descriptor, "w", encoding="utf-8", newline="\n")
