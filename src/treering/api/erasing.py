"""Erasing: what is forgotten leaves every file of the store, is looked for afterwards, and leaves a receipt.

Four steps, each of which the next open carries on from when a process dies in it: what is wanted is written down; one
transaction removes the rows and writes down what is left to do; files and log follow; every byte is read and the
receipt written. (``docs/decisions/0070-erasure-marks.md``)
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from treering.api import arguments, proving
from treering.api.handle import Handle
from treering.api.readmitting import names_out
from treering.api.stamping import make_id, now
from treering.domain.erasure import Receipt, Wanted
from treering.errors import HasDependents, InputError, NotFound, StoreBusy, TreeringError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from treering.curate.curator import Curator
    from treering.domain.operation import Forgotten
    from treering.domain.report import ForgetReport
    from treering.journal import StoredErasure
    from treering.ports import Backend, Transaction

_NAMED: Final = 5
_WAITS: Final = "another process still reads an earlier state: the erased words leave the store's log when it ends"


class Erasing(Handle):
    """What removes for good."""

    _erasing = False
    _waiting = False

    def forget(
        self,
        ids: Sequence[str] | str,
        *,
        cascade: bool = False,
        keep_memories: bool = False,
        this_version: bool = False,
        dry_run: bool = False,
        reason: str = "",
    ) -> Forgotten:
        """Erase memories with the notes that were kept for them, or sources with every version; prove it.

        A tombstone without content remains. A file that is read in place is not touched, and stays out of the index
        until ``index`` is told to readmit it.

        Args:
            ids: a memory, a source or a version, or several; all of them go, or none.
            cascade: whether memories that rest on a source alone go with it.
            keep_memories: whether they stay, without a quote.
            this_version: whether of a source only the version that is shown goes.
            dry_run: whether only to say what would go.
            reason: why; it stays with the tombstones.

        Raises:
            NotFound: if one is not there.
            HasDependents: if memories rest on a source, and nobody said what becomes of them; they are named.
            Refused: if a source is a memory's own note, or has no other version.
            InputError: if ``cascade`` and ``keep_memories`` are both given.
            NotAllowed: if the caller is not the owner.
        """
        from treering.domain.memory import one_line
        from treering.domain.operation import Forgotten

        _require_one_fate(cascade=cascade, keep_memories=keep_memories)
        named = tuple(dict.fromkeys(map(str, arguments.several(ids))))
        wanted = Wanted(
            named, cascade=cascade, keep_memories=keep_memories, this_version=this_version,
            reason=one_line("reason", reason),
        )  # fmt: skip
        if not dry_run:
            self._require_owner("erases")
        with self.lock:
            with self._reading() as tx:
                planned = proving.planned(tx, wanted)
                counts = proving.counted(tx, wanted) if dry_run else {}
                tracked = [one.key for one in tx.sources.sources(planned).values() if one.custody == "tracked"]
                said = (*_pins_of(tx, planned, dry_run=dry_run), *_notes_of(tx, planned, dry_run=dry_run))
            if dry_run:
                receipt = Receipt("", now(), wanted.reason, counts, planned)
                return Forgotten(planned, notices=said, dry_run=True, receipt=receipt)
            receipt, gone = self._carried_out(wanted, tracked)
        return Forgotten(gone, notices=(*said, *receipt.waiting), receipt=receipt)

    def forget_directory(
        self,
        path: str | Path,
        *,
        cascade: bool = False,
        keep_memories: bool = False,
        dry_run: bool = False,
        reason: str = "",
    ) -> ForgetReport:
        """Erase what is indexed under a directory or of a file, which need not exist any more; nothing on disk is.

        What the owner forgot stays out of the index until it is readmitted, or the directory is indexed by its name.

        Args:
            path: the directory: an indexed one, one around it, or one in it; or a file.
            cascade: whether memories that rest on these files alone go with them.
            keep_memories: whether they stay, without a quote.
            dry_run: whether only to say what would go.
            reason: why; it stays with the receipt.

        Raises:
            NotFound: if nothing is indexed there.
            HasDependents: if memories quote the files, and nobody said what becomes of them.
            NotAllowed: if another than the owner says what becomes of memories.
        """
        from treering.api import forgetting
        from treering.domain.memory import one_line

        _require_one_fate(cascade=cascade, keep_memories=keep_memories)
        if cascade or keep_memories:
            self._require_owner("decides about what rests on erased files")
        paths = (arguments.absolute(path), os.path.realpath(path))
        with self.lock:
            with self._reading() as tx:
                report, sources, roots = forgetting.found_under(tx, self.place, self._roots(tx), paths)
                ids = tuple(one.id for one in sources)
                cited = sorted({claim.memory for claim in proving.resting_on(tx, ids)} - {""})
                if not (cascade or keep_memories):
                    _require_none(report.directory, cited)
                is_owner = self._caller is None or self._caller.role == "owner"
                out = [*(one.key for one in sources), f"dir:{self.place.anchor(report.directory)}"] if is_owner else []
            if dry_run:
                return report._replace(dry_run=True)
            with self._opened(create=False).write() as tx:
                forgetting.forget_departed(tx, self.place, report.directory)
            wanted = Wanted(ids, tuple(roots), (), cascade, keep_memories, reason=one_line("reason", reason))
            receipt, _ = self._carried_out(wanted, out)
        return report._replace(notices=(*report.notices, *receipt.waiting), receipt=receipt)

    def receipts(self, *, limit: int = 50, before: str = "") -> tuple[Receipt, ...]:
        """Return the receipts of erasures, newest first; none says what the erased words were.

        Args:
            limit: how many at the most, 1..1000.
            before: only those older than this one.
        """
        limit = arguments.within("limit", limit, 1, 1000)
        with self._reading() as tx:
            found = tx.erasures.list_erasures(limit, before)
        return tuple(Receipt.of(json.loads(one.receipt)) for one in found if one.receipt)

    def _carried_out(self, wanted: Wanted, out: Sequence[str]) -> tuple[Receipt, tuple[str, ...]]:
        """Erase what is wanted and return the receipt, with the ids of all that went.

        Args:
            wanted: what goes.
            out: keys of files that are not to come back by themselves.

        Raises:
            BaseException: whatever ended it; nothing is erased then.
        """
        from treering.journal import StoredErasure

        store = self._opened(create=False)
        with store.write() as tx:
            key = proving.keep_key(tx)
            wanted = wanted._replace(out=names_out(key, out))
            erasure = StoredErasure(make_id("era"), "begun", now(), json.dumps(wanted._asdict(), ensure_ascii=False))
            tx.erasures.put(erasure)
        try:
            erasure, gone, texts, files = self._removed(erasure, wanted)
        except BaseException:
            # Whoever asked is told that it failed, and it must not happen after all. A process that dies cannot be
            # told; then the next open does what was asked for.
            with suppress(TreeringError), store.write() as tx:
                tx.erasures.remove(erasure.id)
            raise
        try:
            return self._cleaned(store, erasure, texts, wait=True)._replace(files=files), gone
        except TreeringError as error:  # the rows are gone; the rest is in the journal
            self._waiting = True
            left = f"not everything could be cleaned up ({error}): whoever opens the store next goes on"
            return Receipt.of(json.loads(erasure.receipt))._replace(waiting=(left,), files=files), gone

    def _removed(
        self, erasure: StoredErasure, wanted: Wanted, *, wait: bool = True
    ) -> tuple[StoredErasure, tuple[str, ...], list[str], tuple[str, ...]]:
        """Remove the rows in one transaction.

        Args:
            erasure: what was written down.
            wanted: what goes.
            wait: False for one that another process may be carrying out: it is left to that one.

        Returns:
            What is left to do, the ids that went, the words in them, and the files on disk that they were read from.

        Raises:
            NotFound: if another process has carried it out meanwhile.
        """
        self._erasing = True
        try:
            with self._curating(erase=True, as_owner=True, wait=wait) as (tx, curator):
                if not wait and _as_it_is(tx, erasure) != erasure:
                    raise NotFound(f"the erasure {erasure.id} has come further meanwhile")
                ids = proving.touched(tx, wanted)
                before = tx.erasures.rows_of(ids)
                gone, digests = self._without(tx, curator, wanted)
                tx.erasures.sweep(gone)
                after = tx.erasures.rows_of(ids)
                erasure, texts = proving.noted(tx, self.place, erasure, wanted, gone, digests, before, after)
                tx.erasures.put(erasure)
        finally:
            self._erasing = False
        return erasure, gone, texts, proving.files_of(self.place, before)

    def _without(self, tx: Transaction, curator: Curator, wanted: Wanted) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Remove the rows of what is wanted; return the ids that went, and digests of originals that may go."""
        from treering.curate import erase
        from treering.derived import rows

        gone: list[str] = []
        before = set(tx.sources.digests())
        for id in wanted.ids:
            if id in gone:
                continue
            if not id.startswith(("src_", "ver_")):
                gone += erase.memories(tx, curator, [id], wanted.reason)
                continue
            found = erase.doomed(
                tx, id, cascade=wanted.cascade, keep=wanted.keep_memories, this_version=wanted.this_version
            )
            gone += erase.source(tx, curator, found, wanted.reason, keep=wanted.keep_memories)
            if found.left:
                self._show_earlier(tx, found)
            else:
                rows.erase(tx, found.source)
        for number in wanted.roots:
            tx.sources.drop_root(number)
        for digest in wanted.out:
            tx.memories.bury(digest, curator.at)
        return tuple(dict.fromkeys(gone)), tuple(sorted(before.difference(tx.sources.digests())))

    def _show_earlier(self, tx: Transaction, gone: Any) -> None:  # noqa: ANN401  a Doomed
        """Remove one version of a source; where it was the current one, the one before it is shown again."""
        from treering.api.cutting import rechunk
        from treering.derived import rows

        rows.drop_version(tx, gone.source, gone.versions[0], lambda one, text: rechunk(tx, one, text, self.settings))

    @cached_property
    def _words_of(self) -> dict[str, list[str]]:
        """The words of erasures that wait for a reader: while this process lives, every byte can be read for them."""
        return {}

    def _cleaned(self, store: Backend, erasure: StoredErasure, texts: list[str] | None, *, wait: bool) -> Receipt:
        """Do what is left to do outside of the transaction, prove it, and return the receipt as it then is."""
        receipt, todo = Receipt.of(json.loads(erasure.receipt)), json.loads(erasure.todo)
        counts = dict(receipt.removed)
        with store.write(wait=wait) as tx:
            kept = set(tx.sources.digests()) if todo.get("originals") else set()
            for digest in todo.get("originals", ()):
                if digest not in kept:  # an import may have brought the same bytes meanwhile
                    tx.originals.remove(digest)
                    counts["original"] = counts.get("original", 0) + 1
        proving.cut_signs(self.place, todo.get("entries", ()))
        desks = self._clear_desks()
        if desks:
            counts["session"] = counts.get("session", 0) + desks
        if texts is not None and not receipt.proof.how:
            with store.read() as tx:
                found = proving.in_index(tx, texts, todo.get("entries", ()))
                receipt = receipt._replace(proof=found)
        self._behind.erase(store, wait=wait)
        is_clean = store.purge(wait=wait)
        receipt = receipt._replace(removed=counts, waiting=() if is_clean else (_WAITS,), done=is_clean)
        marks = erasure.marks
        if is_clean:
            receipt, marks = proving.proved(store, self.place, receipt, marks, texts, erasure.begun_at)
        todo = {} if is_clean else {"entries": todo.get("entries", ())}
        with store.write(wait=wait) as tx:
            told = json.dumps(receipt.as_json(), ensure_ascii=False)
            erasure = erasure._replace(todo=json.dumps(todo), receipt=told, marks=marks)
            tx.erasures.put(erasure._replace(state="done" if is_clean else "erased"))
            if is_clean:
                self._behind.put_receipts(tx)
        self._waiting = not is_clean
        if is_clean:
            self._words_of.pop(erasure.id, None)
        elif texts is not None:
            self._words_of[erasure.id] = texts
        return receipt

    def _resume(self, store: Backend) -> None:
        """Carry on with erasures that another process has begun and not ended, without waiting for anybody."""
        if self._erasing:
            return
        with store.read() as tx:
            open_ones = tx.erasures.unfinished()
        self._erasing = bool(open_ones)
        try:
            for erasure in open_ones:
                self._resumed(store, erasure)
        finally:
            self._erasing = False

    def _resumed(self, store: Backend, erasure: StoredErasure) -> None:
        """Carry on with one erasure; what cannot be done now, or would mean to wait, is done with the next change."""
        try:
            left = self._removed_now(store, erasure) if erasure.state == "begun" else erasure
            if left is not None:
                self._cleaned(store, left, self._words_of.get(erasure.id), wait=False)
        except StoreBusy:
            self._waiting = True
        except TreeringError:
            return

    def _removed_now(self, store: Backend, erasure: StoredErasure) -> StoredErasure | None:
        """Remove the rows of an erasure that was begun; None where nothing is left to do of it."""
        try:
            return self._removed(erasure, Wanted.of(json.loads(erasure.wanted)), wait=False)[0]
        except (NotFound, HasDependents):
            with store.write(wait=False) as tx:
                there = _as_it_is(tx, erasure)
                if there == erasure:  # the store has moved on: it cannot be done
                    tx.erasures.remove(erasure.id)
                    return None
            return there  # whoever began it has come further meanwhile, or to its end

    def _went_on(self) -> None:
        """Try once more what waited for another process."""
        if self._waiting and not self._erasing and self._store is not None:
            self._waiting = False
            self._resume(self._store)


def _as_it_is(tx: Transaction, erasure: StoredErasure) -> StoredErasure | None:
    """Return an erasure as it is written down now; None when it is done."""
    return next((one for one in tx.erasures.unfinished() if one.id == erasure.id), None)


def _pins_of(tx: Transaction, ids: Sequence[str], *, dry_run: bool) -> tuple[str, ...]:
    """Return what is to be said of memories that are pinned: the owner's word to erase ends that, too."""
    until = {id: one.until for one in tx.attention.briefings(now()) for id in one.memories}
    ends = "would end" if dry_run else "ended"
    return tuple(f"{id} was pinned until {until[id][:16]}Z: that {ends} with it" for id in ids if id in until)


def _require_none(directory: str, memories: Sequence[str]) -> None:
    """Refuse to erase files that memories quote."""
    more = f" and {len(memories) - _NAMED} more" if len(memories) > _NAMED else ""
    if memories:
        raise HasDependents(
            f"memories rest on what lies under {directory}: {', '.join(memories[:_NAMED])}{more}",
            hint=f"treering forget {directory} --cascade (they go with it), or --keep-memories (they stay, unproved)",
        )


def _require_one_fate(*, cascade: bool, keep_memories: bool) -> None:
    """Refuse to let memories go and stay."""
    if cascade and keep_memories:
        raise InputError("memories either go with their source or stay: --cascade or --keep-memories, not both")


def _notes_of(tx: Transaction, ids: Sequence[str], *, dry_run: bool) -> tuple[str, ...]:
    """Return what is to be said of notes that stay, since memories quote them that are not erased with theirs."""
    said = []
    stays = "would stay" if dry_run else "stays"
    for id, claims in tx.claims.of_memories([id for id in ids if id.startswith("mem_")]).items():
        for note in {claim.note for claim in claims} - {""}:
            citing = tx.claims.claims(tx.claims.citing(tx.sources.versions(note))).values()
            others = sorted({claim.memory for claim in citing}.difference(ids, {""}))
            if others:
                said.append(
                    f"the note of {id} {stays}, with all that it says: {', '.join(others[:_NAMED])} quotes it;"
                    f" treering forget {note} --keep-memories takes it, or --cascade with what rests on it"
                )
    return tuple(said)
