"""Together: what is looked at and changed, where the project's store and the user's own one are read as one.

A list has the project's entries first, then the others; each says in which store it stands. What is changed by its id
is changed in the store that holds it; what is new goes to the project's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from treering.api import arguments
from treering.api.holding import Holding
from treering.api.joining import OTHERS, changed_in_both, one_page, scoped, two_numbers
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.api.browsing import Page
    from treering.api.duplicating import Duplicates
    from treering.domain.briefing import Briefing
    from treering.domain.erasure import Receipt
    from treering.domain.report import SlotHistory, Status, Waiting
    from treering.domain.stats import Stats
    from treering.domain.tree_report import Changed
    from treering.journal import StoredAct

T = TypeVar("T")


class Together(Holding):
    """One or two stores as one memory."""

    def status(self) -> Status:
        """Return where the memory is and what it holds, with the user's own store beside it; works without a store."""
        own, other = super().status(), self._other()
        return own if other is None else own._replace(beside=other.status())

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
        at_others = after.startswith(OTHERS)

        def own() -> Page:
            return super(Together, self).list(what, limit=limit, after="" if at_others else after, **asked)

        def others() -> Page:
            return other.list(what, limit=limit, after=after[len(OTHERS) :] if at_others else "", **asked)

        mine, theirs = self._joined(own, others)
        return one_page(mine, theirs, limit, at_others=at_others, place=self.place.scope)

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

    def briefings(self) -> tuple[Briefing, ...]:
        """Return what is pinned now in both stores, the project's first; nothing where there is no store yet."""
        other = self._other()
        mine = super().briefings()
        if other is None:
            return mine
        return (*scoped(mine, self.place.scope), *scoped(other.briefings(), "global"))

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
        found = (*scoped(mine or (), self.place.scope), *scoped(theirs or (), "global"))
        return found[:limit]

    def audit(self, *, limit: int = 50, before: int | str = 0, target: str = "") -> tuple[StoredAct, ...]:
        """Return who did what to which memory in both stores, newest first; each log counts for itself.

        Args:
            limit: how many lines at the most, 1..1000.
            before: only lines with a lower number; of both stores what ``older`` returned; 0 for all.
            target: only lines about this id.
        """
        limit = arguments.within("limit", limit, 1, 1000)
        mine_before, theirs_before = two_numbers(before)
        other = self._other()
        if other is None:
            return super().audit(limit=limit, before=mine_before, target=target)
        mine, theirs = self._joined(
            lambda: super(Together, self).audit(limit=limit, before=mine_before, target=target),
            lambda: other.audit(limit=limit, before=theirs_before, target=target),
        )
        both = (*scoped(mine or (), self.place.scope), *scoped(theirs or (), "global"))
        return tuple(sorted(both, key=lambda act: act.at, reverse=True)[:limit])

    def audit_size(self, *, target: str = "") -> int:
        """Return how many lines the audit logs have, all or those about an id."""
        other = self._other()
        if other is None:
            return super().audit_size(target=target)
        mine, theirs = self._joined(
            lambda: super(Together, self).audit_size(target=target), lambda: other.audit_size(target=target)
        )
        return (mine or 0) + (theirs or 0)

    def receipts(self, *, limit: int = 50, before: str = "") -> tuple[Receipt, ...]:
        """Return the receipts of erasures in both stores, newest first; see ``Erasing.receipts``."""
        other = self._other()
        if other is None:
            return super().receipts(limit=limit, before=before)
        mine, theirs = self._joined(
            lambda: super(Together, self).receipts(limit=limit, before=before),
            lambda: other.receipts(limit=limit, before=before),
        )
        return tuple(sorted((*(mine or ()), *(theirs or ())), key=lambda one: one.id, reverse=True)[:limit])

    def stats(self) -> Stats:
        """Return how much both stores hold, of what, and the tokens that clients were given; works without a store."""
        own, other = super().stats(), self._other()
        if other is None:
            return own
        return own._replace(scope=self.place.scope, beside=other.stats()._replace(scope="global"))

    def changes(self, since: str, *, limit: int = 100) -> Changed:
        """Return what changed in both stores from an instant on, the last first; see ``Changing.changes``."""
        other = self._other()
        if other is None:
            return super().changes(since, limit=limit)
        mine, theirs = self._joined(
            lambda: super(Together, self).changes(since, limit=limit), lambda: other.changes(since, limit=limit)
        )
        return changed_in_both(mine, theirs, self.place.scope, limit)

    def duplicates(self, *, merge: bool = False) -> Duplicates:
        """Return the groups of memories that say the same, each of one store, and merge them if that is asked for.

        What both stores say is no duplicate: it is shown once, as the project's. See ``Duplicating.duplicates``.
        """
        from treering.api.duplicating import Duplicates

        other = self._other()
        if other is None:
            return super().duplicates(merge=merge)
        mine, theirs = self._joined(
            lambda: super(Together, self).duplicates(merge=merge), lambda: other.duplicates(merge=merge)
        )
        found = [(one, scope) for one, scope in ((mine, self.place.scope), (theirs, "global")) if one is not None]
        groups = tuple(
            tuple(memory._replace(scope=scope) for memory in group) for one, scope in found for group in one.groups
        )
        return Duplicates(groups, tuple(outcome for one, _ in found for outcome in one.outcomes))

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
                if missing is None or type(error) is not NotFound:  # who knows the name says more about it
                    missing = error
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
