"""Together: what is looked at and changed, where the project's store and the user's own one are read as one.

A list has the project's entries first, then the others; each says in which store it stands. What is changed by its id
is changed in the store that holds it; what is new goes to the project's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from treering.api import arguments
from treering.api.asking import Asking
from treering.api.browsing import Page
from treering.api.changing import Changing
from treering.api.counting import Counting
from treering.api.doctoring import Doctoring
from treering.api.duplicating import Duplicating
from treering.api.erasing import Erasing
from treering.api.importing import Importing
from treering.api.knowing import Knowing
from treering.api.pausing import Pausing
from treering.api.pinning import Pinning
from treering.api.reviewing import Reviewing
from treering.api.upkeep import Upkeep
from treering.api.workbench import Workbench
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from treering.api.browsing import Item
    from treering.domain.briefing import Briefing
    from treering.domain.operation import Forgotten, Outcome
    from treering.domain.report import Remembered, Shown, SlotHistory, Status, Waiting

T = TypeVar("T")
_Scoped = TypeVar("_Scoped", "Waiting", "Briefing")

_OTHERS: Final = "@global:"
"""Begins the cursor of a page on which the user's own store has begun; no list has an entry of that name."""

_ID: Final = r'"((?:mem|src|ver|prp|clm)_[0-9a-z]{20,}(?:#\d+)?)"'


class Together(
    Erasing,
    Workbench,
    Reviewing,
    Pinning,
    Knowing,
    Asking,
    Changing,
    Upkeep,
    Importing,
    Doctoring,
    Duplicating,
    Pausing,
    Counting,
):
    """One or two stores as one memory."""

    def status(self) -> Status:
        """Return where the memory is and what it holds, with the user's own store beside it; works without a store."""
        own, other = super().status(), self._other()
        return own if other is None else own._replace(beside=other.status())

    def show(
        self, id: str, *, start_line: int = 1, limit_lines: int | None = None, depth: str = ""
    ) -> Shown | Remembered | Waiting:
        """Return a memory with its quotes and history, or a source or chunk with its exact text and outline.

        A proposal is shown with both sides.

        Args:
            id: ``mem_…``, ``src_…``, ``ver_…#3`` for a chunk, ``prp_…``, a source's key, or a file's path.
            start_line: where to begin in a source, from 1.
            limit_lines: how many lines at the most; None for all.
            depth: ``L1`` for title and summary, ``L2`` and ``L3`` for the whole text; empty for the setting's.

        Raises:
            NotFound: if the memory has nothing of that name.
            InputError: if a source ends before ``start_line``.
        """
        asked: dict[str, Any] = {"start_line": start_line, "limit_lines": limit_lines, "depth": depth}
        holder = self._holder([id])
        shown = super().show(id, **asked) if holder is self else holder.show(id, **asked)
        return shown if self._other() is None else shown._replace(scope=holder.place.scope)

    def list(  # noqa: PLR0913  each narrows on its own
        self,
        what: str,
        *,
        limit: int = 50,
        after: str = "",
        tags: Sequence[str] = (),
        status: Sequence[str] | str = (),
        kind: Sequence[str] | str = (),
        source: str = "",
        slot: str = "",
        depth: str = "",
    ) -> Page:
        """Return one page of what the memory holds, the project's entries before those of the user's own store.

        Args:
            what: ``memories`` that are not archived with the newest first, ``sources`` by key, ``slots`` by name with
                what each says now, ``entities`` and ``proposals`` with the oldest first, ``recent`` sources with the
                newest first, or ``roots``.
            limit: entries at the most, 1..1000.
            after: where the page before said to go on.
            tags: of ``memories``, tags that must all be there.
            status: of ``memories`` active, superseded, disputed or archived, of which one must be theirs; of
                ``proposals`` waiting (the usual one), approved, rejected or closed; ``all`` for any.
            kind: of ``memories``, kinds of which one must be theirs.
            source: of ``memories``, id or key of a source that they must quote.
            slot: of ``memories``, the topic that they answer, or its first parts.
            depth: ``L1`` for titles and summaries; empty for the setting's.

        Raises:
            InputError: if there is no such list, or it cannot be narrowed in that way.
            NotFound: if the source is not there.
        """
        asked: dict[str, Any] = {
            "tags": tags, "status": status, "kind": kind, "source": source, "slot": slot, "depth": depth,
        }  # fmt: skip
        other = self._other()
        if other is None:
            return super().list(what, limit=limit, after=after, **asked)
        limit = arguments.within("limit", limit, 1, 1000)
        at_others = after.startswith(_OTHERS)

        def own() -> Page:
            return super(Together, self).list(what, limit=limit, after="" if at_others else after, **asked)

        def others() -> Page:
            return other.list(what, limit=limit, after=after[len(_OTHERS) :] if at_others else "", **asked)

        mine, theirs = self._joined(own, others)
        return _one_page(mine, theirs, limit, at_others=at_others, place=self.place.scope)

    def timeline(self, slot: str, *, at: str = "", known_at: str = "") -> SlotHistory:
        """Return what a slot says at an instant, and its whole history.

        Where both stores have it, the project's answers as soon as it has one in force.

        Args:
            slot: its key, such as ``project-a/launch-date``.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.

        Raises:
            NotFound: if nothing was ever said of it.
            InputError: if a date is none.
        """
        other = self._other()
        if other is None:
            return super().timeline(slot, at=at, known_at=known_at)
        mine, theirs = self._joined(
            lambda: super(Together, self).timeline(slot, at=at, known_at=known_at),
            lambda: other.timeline(slot, at=at, known_at=known_at),
        )
        return self._answering([mine] if mine else [], [theirs] if theirs else [])[0]

    def timelines(self, subject: str = "", *, at: str = "", known_at: str = "") -> tuple[SlotHistory, ...]:
        """Return the histories of all slots, or of those of one subject such as ``project-a``.

        Args:
            subject: the first part of the slots; empty for all.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.
        """
        other = self._other()
        if other is None:
            return super().timelines(subject, at=at, known_at=known_at)
        mine, theirs = self._joined(
            lambda: super(Together, self).timelines(subject, at=at, known_at=known_at),
            lambda: other.timelines(subject, at=at, known_at=known_at),
        )
        return self._answering(mine or (), theirs or ())

    def timelines_about(self, name: str, *, at: str = "", known_at: str = "") -> tuple[SlotHistory, ...]:
        """Return the history of a slot, of all slots of a subject, or of those that speak of an entity.

        Args:
            name: the slot; else the subject, such as ``project-a``; else an entity's id, or a name that it alone has.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.

        Raises:
            NotFound: if there is none of them.
            InputError: if a date is none.
        """
        other = self._other()
        if other is None:
            return super().timelines_about(name, at=at, known_at=known_at)
        mine, theirs = self._joined(
            lambda: super(Together, self).timelines_about(name, at=at, known_at=known_at),
            lambda: other.timelines_about(name, at=at, known_at=known_at),
        )
        return self._answering(mine or (), theirs or ())

    def update(  # noqa: PLR0913  each is one thing that may change
        self,
        id: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, str | Sequence[str]] | None = None,
        value: str | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
        revision: int | None = None,
    ) -> Outcome:
        """Change what is given of a memory; see ``Memories.update``."""
        given: dict[str, Any] = {
            "text": text, "kind": kind, "title": title, "summary": summary, "tags": tags, "metadata": metadata,
            "value": value, "valid_from": valid_from, "valid_to": valid_to, "revision": revision,
        }  # fmt: skip
        holder = self._holder([id])
        return super().update(id, **given) if holder is self else holder.update(id, **given)

    def mark_outdated(self, old: str, new: str = "", *, at: str = "") -> Outcome:
        """Say that what a memory says holds no more; see ``Memories.mark_outdated``."""
        arguments.one_id("old", old)
        arguments.one_id("new", new)
        holder = self._holder([one for one in (old, new) if one.startswith("mem_")])
        return super().mark_outdated(old, new, at=at) if holder is self else holder.mark_outdated(old, new, at=at)

    def propose(self, operations: object) -> tuple[Outcome, ...]:
        """Carry out operations, all or none, in the store that holds what they name; see ``Memories.propose``."""
        holder = self if self.beside is None else self._holder(_named(operations))
        return super().propose(operations) if holder is self else holder.propose(operations)

    def confirm(self, id: str, *, revision: int | None = None) -> Outcome:
        """Vouch for a memory; see ``Memories.confirm``."""
        holder = self._holder([id])
        return super().confirm(id, revision=revision) if holder is self else holder.confirm(id, revision=revision)

    def archive(self, id: str, *, reason: str = "", revision: int | None = None) -> Outcome:
        """Hide a memory; see ``Memories.archive``."""
        holder = self._holder([id])
        if holder is self:
            return super().archive(id, reason=reason, revision=revision)
        return holder.archive(id, reason=reason, revision=revision)

    def restore_memory(self, id: str) -> Outcome:
        """Bring back a memory that was archived or rejected; see ``Memories.restore_memory``."""
        holder = self._holder([id])
        return super().restore_memory(id) if holder is self else holder.restore_memory(id)

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
        """Erase memories or kept sources, all in one store; see ``Erasing.forget``."""
        given: dict[str, Any] = {
            "cascade": cascade, "keep_memories": keep_memories, "this_version": this_version, "dry_run": dry_run,
            "reason": reason,
        }  # fmt: skip
        holder = self._holder([str(one) for one in arguments.several(ids)])
        return super().forget(ids, **given) if holder is self else holder.forget(ids, **given)

    def pin(self, ids: Sequence[str] | str, *, ttl: str) -> Outcome:
        """Pin a memory for a while, in the store that holds it; see ``Pinning.pin``."""
        holder = self._holder([str(one) for one in arguments.several(ids)])
        return super().pin(ids, ttl=ttl) if holder is self else holder.pin(ids, ttl=ttl)

    def unpin(self, id: str) -> Outcome:
        """End a briefing; see ``Pinning.unpin``."""
        other = self._other()
        theirs = other is not None and id in {one.id for one in other.briefings()}
        return other.unpin(id) if theirs and other is not None else super().unpin(id)

    def briefings(self) -> tuple[Briefing, ...]:
        """Return what is pinned now in both stores, the project's first; nothing where there is no store yet."""
        other = self._other()
        mine = super().briefings()
        if other is None:
            return mine
        return (*_scoped(mine, self.place.scope), *_scoped(other.briefings(), "global"))

    def review(self, *, limit: int = 50, after: str = "") -> tuple[Waiting, ...]:
        """Return what waits for the owner, the project's before what waits in the user's own store.

        Args:
            limit: how many at the most, 1..1000.
            after: the id of the last one that was seen.
        """
        other = self._other()
        if other is None:
            return super().review(limit=limit, after=after)
        at_others = bool(after) and self._holder([after]) is other
        mine, theirs = self._joined(
            lambda: () if at_others else super(Together, self).review(limit=limit, after=after),
            lambda: other.review(limit=limit, after=after if at_others else ""),
        )
        found = (*_scoped(mine or (), self.place.scope), *_scoped(theirs or (), "global"))
        return found[:limit]

    def review_show(self, id: str) -> Waiting:
        """Return one proposal with both sides; see ``Reviewing.review_show``."""
        holder = self._holder([id])
        return super().review_show(id) if holder is self else holder.review_show(id)

    def approve(self, id: str) -> Outcome:
        """Let what waits take effect, confirmed; see ``Reviewing.approve``."""
        holder = self._holder([id])
        return super().approve(id) if holder is self else holder.approve(id)

    def reject(self, id: str, *, reason: str = "") -> Outcome:
        """Turn down what waits; see ``Reviewing.reject``."""
        holder = self._holder([id])
        return super().reject(id, reason=reason) if holder is self else holder.reject(id, reason=reason)

    def _joined(self, own: Callable[[], T], others: Callable[[], T]) -> tuple[T | None, T | None]:
        """Return what both stores say; None for the one that has nothing of it.

        Raises:
            NotFound: if neither has.
        """
        found: list[T | None] = []
        missing: NotFound | None = None
        for read in (own, others):
            try:
                found.append(read())
            except NotFound as error:
                missing = missing or error
                found.append(None)
        if missing is not None and found == [None, None]:
            raise NotFound(str(missing), hint=missing.hint) from missing
        return found[0], found[1]

    def _answering(self, mine: Sequence[SlotHistory], theirs: Sequence[SlotHistory]) -> tuple[SlotHistory, ...]:
        """Return slots of both stores by name; of one that both have, the history of the store that answers."""
        from treering.domain.shadowing import answers

        own = {one.slot: one._replace(scope=self.place.scope) for one in mine}
        found = dict(own)
        for one in theirs:
            other = one._replace(scope="global")
            if one.slot not in own:
                found[one.slot] = other
                continue
            ours = own[one.slot]
            store, notice = answers(
                project=bool(ours.current),
                global_=bool(other.current),
                project_said=True,
                global_said=True,
                trusted=self.is_trusted,
            )
            found[one.slot] = (ours if store == "project" else other)._replace(notices=(notice,) if notice else ())
        return tuple(found[slot] for slot in sorted(found))

    def _holder(self, ids: Sequence[str]) -> Together:
        """Return the store that holds what some ids name; this one where nobody does, or there is no other.

        Raises:
            NotFound: if neither store has one of them.
            InputError: if they stand in both stores.
        """
        ids = [arguments.one_id("id", id) for id in ids]
        other = self._other()
        if other is None or not ids:
            return self
        mine = [id for id in ids if self._holds(id)]
        if len(mine) == len(ids):
            return self
        theirs = [id for id in ids if id not in mine and other._holds(id)]  # noqa: SLF001 - of the same class
        if theirs and mine:
            raise InputError(
                f"{mine[0]} stands in the project's store and {theirs[0]} in your own: one store at a time",
                hint="name those of one store in one call",
            )
        unknown = [id for id in ids if id not in mine and id not in theirs]
        if unknown:
            raise NotFound(
                f"there is no {unknown[0]}, neither in the project's store ({self.place.database})"
                f" nor in your own ({other.place.database})",
                hint="treering list memories",
            )
        return other

    def _holds(self, name: str) -> bool:
        """Tell whether this store has, or had, what an id, a key or a path names."""
        from treering.recall import browse

        try:
            with self._reading() as tx:
                if name.startswith("mem_"):
                    there = tx.memories.memories([name]) or tx.claims.claims([name]) or tx.memories.forgotten_at(name)
                    return bool(there) or bool(tx.claims.of_memories([name]).get(name))
                if name.startswith("prp_"):
                    return bool(tx.journal.proposals([name]))
                browse.find_source(tx, name, self._keys(name))
        except NotFound:
            return False
        return True


def _named(operations: object) -> tuple[str, ...]:
    """Return the ids that operations name."""
    import json  # a cold search pays for none of it
    import re

    text = operations if isinstance(operations, str) else json.dumps(operations, default=str)
    return tuple(dict.fromkeys(re.findall(_ID, text)))


def _scoped(items: Iterable[_Scoped], scope: str) -> tuple[_Scoped, ...]:
    """Return entries with the scope of their store."""
    return tuple(one._replace(scope=one.scope or scope) for one in items)


def _with_scope(item: Item, scope: str) -> Item:
    """Return an entry with the scope of its store."""
    return item._replace(scope=scope)


def _one_page(mine: Page | None, theirs: Page | None, limit: int, *, at_others: bool, place: str) -> Page:
    """Return one page of two lists: what is left of the first, then the second."""
    total = sum(page.total for page in (mine, theirs) if page is not None)
    own = mine.items if mine is not None and not at_others else ()
    own = tuple(_with_scope(one, place) for one in own)
    if mine is not None and mine.next and not at_others:
        return Page(own, total, mine.next)
    others = tuple(_with_scope(one, "global") for one in theirs.items) if theirs is not None else ()
    room = limit - len(own)
    if theirs is None or (len(others) <= room and theirs.next is None):
        return Page((*own, *others), total, None)
    if room == len(others):
        return Page((*own, *others), total, f"{_OTHERS}{theirs.next}")
    return Page(own, total, _OTHERS) if own else Page(others, total, f"{_OTHERS}{theirs.next}")
