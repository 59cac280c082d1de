"""Edits of the mirror's files as operations: each file on its own, refused in words where it does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.api.copies import keep_version, known_ids
from treering.api.edits import Edit, draft_of, untaken
from treering.curate import propose
from treering.domain.ids import is_id
from treering.domain.operation import Archive, Create, Update
from treering.domain.syncing import Synced
from treering.errors import TreeringError
from treering.ports.mirrored import MirrorFile
from treering.upkeep.mirror import catch_up, changes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from treering.curate.curator import Curator
    from treering.domain.operation import Operation, Outcome
    from treering.ports import Transaction
    from treering.settings import Settings
    from treering.upkeep.mirror.changes import Page
    from treering.upkeep.mirror.folder import Folder

    Curating = Callable[[], AbstractContextManager[tuple[Transaction, Curator]]]


_WAITS: Final = (
    "until then the file says what the memory does; the edit is in the proposal: treering review approve {}"
    " (treering sync --as-owner takes your own edits at once)"
)


class Sync:
    """One sync: what was found, and what became of it."""

    def __init__(self, folder: Folder, curating: Curating, settings: Settings) -> None:
        """Begin with nothing looked at.

        Args:
            folder: the mirror.
            curating: opens a transaction on behalf of whoever edited the files.
            settings: how new texts are cut.
        """
        self._folder = folder
        self._curating = curating
        self._settings = settings
        self._done: list[Synced] = []
        self._again: list[str] = []
        self._superfluous: list[str] = []

    def run(self) -> tuple[tuple[Synced, ...], tuple[str, ...]]:
        """Carry out what was done to the files; return what became of each, and what the user should know."""
        there = self._folder.exists()
        with self._curating() as (tx, _):
            found = changes.look(self._folder, tx.mirrored)
            tx.mirrored.put_files(found.moved)
        # What is gone goes first: a statement that comes back in another file is not hidden with the old one.
        for id in found.gone:
            self._one(f"({id})", lambda tx, curator, id=id: self._gone(tx, curator, id))  # type: ignore[misc]
        for page in sorted(found.new, key=lambda one: (not is_id(one.id, "ver"), one.path)):
            self._one(page.path, lambda tx, curator, page=page: self._new(tx, curator, page))  # type: ignore[misc]
        for id, pages in found.edited.items():
            self._one(pages[0].path, lambda tx, curator, id=id, pages=pages: self._edited(tx, curator, id, pages))  # type: ignore[misc]
        self._again += found.again
        self._write()
        self._done += [Synced(trouble.path, "refused", notices=(trouble.why,)) for trouble in found.troubles]
        return tuple(self._done), _held(found.held_back, there=there)

    def _one(self, path: str, step: Callable[[Transaction, Curator], Synced | None]) -> None:
        """Do one file, in a transaction of its own.

        Files change after the commit: one that said already what was then undone would hide what somebody meant.
        """
        try:
            with self._curating() as (tx, curator):
                done = step(tx, curator)
        except TreeringError as error:
            self._again, self._superfluous = [], []
            done = Synced(path, "refused", notices=(str(error),))
        else:
            done = self._written(done)
        if done is not None:
            self._done.append(done)

    def _written(self, done: Synced | None) -> Synced | None:
        """Write the files of what was taken in; where that fails, what was taken in stays, and the next sync writes."""
        try:
            self._write()
        except TreeringError as error:
            self._again, self._superfluous = [], []
            return done and done._replace(notices=(*done.notices, f"{error}; the next sync writes the file"))
        return done

    def _write(self) -> None:
        """Write files again that are noted for it, and take those away that nothing needs."""
        again, self._again = self._again, []
        superfluous, self._superfluous = self._superfluous, []
        for path in superfluous:
            self._folder.remove(path)
        if again:
            with self._curating() as (tx, _):
                catch_up.catch_up(tx, self._folder, 0, force=again)

    def _gone(self, tx: Transaction, curator: Curator, id: str) -> Synced | None:
        """Archive a memory whose file somebody removed; the file comes back, and says that it is archived."""
        path = tx.mirrored.files([id])[id].path
        if id not in tx.memories.memories([id]):
            tx.mirrored.drop_files([id])
            return None
        outcome = propose.propose(tx, curator, [Archive(id, "its file was removed")])[0]
        self._again.append(id)
        word = "archived" if outcome.outcome == "accepted" else outcome.outcome
        return Synced(path, word, outcome.id, outcome.notices)

    def _new(self, tx: Transaction, curator: Curator, page: Page) -> Synced | None:
        """Take in a file of nothing that the store knows."""
        of = str(page.values.get("source") or "") if is_id(page.id, "ver") else page.id
        buried = tx.memories.forgotten_at(of) if of else None
        if buried:
            self._superfluous.append(page.path)
            return Synced(page.path, "removed", page.id, (f"it was forgotten on {buried[:10]} and stays so",))
        if is_id(page.id, "ver"):
            return keep_version(tx, curator, page, self._settings)
        if is_id(page.id, "ent") or is_id(page.id, "prp"):
            return None  # people and things come with the memories that speak of them
        known = tx.claims.claims([page.id]).get(page.id) if page.id else None
        if known is not None:
            return Synced(page.path, "refused", known.memory, (f"{page.id} is a part of {known.memory} here",))
        return self._created(tx, curator, page)

    def _created(self, tx: Transaction, curator: Curator, page: Page) -> Synced | None:
        """Save a memory that somebody wrote as a file, or that another copy of the store has."""
        draft = draft_of(tx, page)
        if draft.slot and not draft.valid_from:
            draft = draft._replace(valid_from=curator.at)
        outcome = propose.save(tx, known_ids(tx, curator, page), Create(draft), said=not draft.evidence)
        if outcome.proposal and outcome.outcome == "exists":
            return None  # it was put before the owner by an earlier sync
        if outcome.outcome == "queued":
            return Synced(page.path, "queued", outcome.id, outcome.notices)
        if outcome.outcome in {"exists", "merged"}:
            self._superfluous.append(page.path)
            return Synced(page.path, outcome.outcome, outcome.id, (f"{outcome.id} says the same", *outcome.notices))
        stat = self._folder.stat(page.path) or (0, 0)
        tx.mirrored.put_files([MirrorFile(outcome.id, page.path, "", *stat)])
        self._again.append(outcome.id)
        return Synced(page.path, outcome.outcome, outcome.id, (*outcome.notices, *untaken(page.values, {})))

    def _edited(self, tx: Transaction, curator: Curator, id: str, pages: Sequence[Page]) -> Synced | None:
        """Take in what somebody changed of a memory's file."""
        if id not in tx.memories.memories([id]):
            self._superfluous.append(pages[0].path)
            tx.mirrored.drop_files([id])
            return Synced(pages[0].path, "removed", id, ("it is no more; its file was still there",))
        results: list[Outcome] = []
        notices: list[str] = []
        for page in pages:
            edit = Edit(tx, id, page)
            notices += edit.notices
            conflict = edit.conflict or page is not pages[0]  # the other side of a merge
            results += [_carried(tx, curator, one, conflict=conflict) for one in edit.operations]
        self._again.append(id)
        notices += [notice for one in results for notice in one.notices]
        if not results:
            return Synced(pages[0].path, "rewritten", id, tuple(dict.fromkeys(notices)))
        worst = next((one for one in results if one.outcome in {"queued", "disputed"}), results[-1])
        if worst.outcome == "queued":
            notices.append(_WAITS.format(worst.id))
        return Synced(pages[0].path, worst.outcome, worst.id, tuple(dict.fromkeys(notices)))


def _held(files: int, *, there: bool) -> tuple[str, ...]:
    """Return what is to be said where so many files were gone that nothing was archived for it."""
    if not files:
        return ()
    if not there:
        return (f"the mirror was not there: {files:,} files were written; nothing was archived",)
    held = f"{files:,} files were gone, which looks like an accident: they were written again"
    return (f"{held}; treering archive ID hides a memory",)


def _carried(tx: Transaction, curator: Curator, operation: Operation, *, conflict: bool) -> Outcome:
    """Carry out an edit, or put it before the owner."""
    if conflict and isinstance(operation, Update):
        propose.look(tx, curator, operation)
        return propose.queue(tx, curator, operation, "the memory was changed since in what the file changes, too")
    return propose.propose(tx, curator, [operation])[0]
