"""Browsing: what a memory holds, listed and shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, TypeVar

from treering import wiring
from treering.api import arguments, state
from treering.api.handle import PAUSED, Handle
from treering.api.stamping import identify
from treering.domain.memory import IN_SEARCH
from treering.domain.named import NamedTuple
from treering.domain.query import Filter
from treering.errors import InputError, NotFound
from treering.ledger import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.api.lists import Wanted
    from treering.curate.curator import Curator
    from treering.domain.briefing import Briefing
    from treering.domain.report import Remembered, RootStatus, Shown, SlotHistory, Status, Waiting
    from treering.journal import StoredEntity
    from treering.ports import Transaction
    from treering.records import StoredSource

    Item = Remembered | StoredSource | RootStatus | SlotHistory | StoredEntity | Waiting | Briefing


NOT_SHOWN: Final = {
    "ent_": "treering timeline {0}, or treering search --entity {0} QUESTION",
    "brf_": "treering briefings",
    "era_": "treering audit --receipts",
}
"""Of ids that are shown in another way: how."""

_Value = TypeVar("_Value")


class Page(NamedTuple):
    """One page of a list.

    Attributes:
        items: the entries.
        total: how many there are in all.
        next: what to give as ``after`` for the following page; None at the end.
    """

    items: tuple[Item, ...]
    total: int
    next: str | None


class Browsing(Handle):
    """What can be looked at without a question."""

    def status(self) -> Status:
        """Return where the memory is and what it holds; works without a store, too."""
        from treering.domain.report import Status  # a cold search does not pay for it

        empty = Status(
            store=self.place.database,
            scope=self.place.scope,
            project=self.place.project,
            exists=False,
            notices=self._where(),
        )
        with self.lock:
            try:
                store = self._opened(create=False)
            except NotFound:
                return empty
            info = store.info()
            with store.read() as tx:
                counts = tx.sources.count(Filter())
                memories = tx.memories.count(IN_SEARCH)
                paused = tx.setting(PAUSED) or ""
                roots = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
            embedded, model, behind = self._meanings.covering.told(store)
        return empty._replace(
            exists=True,
            embedded=embedded,
            model=model,
            notices=(*empty.notices, *filter(None, (str(info.get("notice", "")),)), *behind),
            read_only=store.read_only,
            memories=memories,
            paused=paused,
            sources=counts.sources,
            chunks=counts.chunks,
            characters=counts.characters,
            size_bytes=int(info["size_bytes"]),
            schema=int(info["schema"]),
            roots=roots,
        )

    def trust(self) -> Status:
        """Trust this store and its settings from now on; works on a folder with settings alone, too.

        Raises:
            NotFound: if there is neither.
            NotAllowed: if the caller is not the owner.
        """
        self._require_owner("trusts stores")
        with self.lock:
            self._release()
            wiring.require_sound_settings(self.place)
            ledger = wiring.ledger(os.environ)
            try:
                store = wiring.open_backend(self.place, self.settings, create=False)
            except NotFound:
                if not self._has_settings():
                    self._opened(create=False)  # says that there is none
                ledger.add(NONE, self.place.folder)
            else:
                try:
                    if store.read_only:
                        ledger.add(NONE, self.place.folder)
                    else:
                        identify(store, lambda id: ledger.add(id, self.place.folder))
                finally:
                    store.close()
            self.settings = wiring.load_settings(self.place, os.environ)
            return self.status()

    def _where(self) -> tuple[str, ...]:
        """Return what the user should know of where the store is."""
        notices = ["no project here: this is the user's own store"] if self.place.lacks_project else []
        withheld = wiring.withheld_settings(self.place, os.environ)
        if withheld:
            trust = f"treering trust {self.place.project or self.place.folder}"
            notices.append(f"settings that came with the project do not count: {', '.join(withheld)}; next: {trust}")
        return tuple(notices)

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
            InputError: if a source ends before ``start_line``, or the id is of what is shown in another way.
        """
        shallow = self._depth(depth) == "L1"
        start = arguments.within("start_line", start_line, 1, 2**31)
        lines = None if limit_lines is None else arguments.within("limit_lines", limit_lines, 1, 2**31)
        if arguments.one_id("id", id)[:4] in NOT_SHOWN:
            raise InputError(
                f"{id} is no memory, source, chunk or proposal: those are shown", hint=NOT_SHOWN[id[:4]].format(id)
            )
        if id.startswith("prp_"):
            from treering.api.deciding import waiting
            from treering.curate import review

            with self._viewing() as (tx, curator):
                found = waiting(tx, review.sides(tx, curator, review.get(tx, id)))
                return _at(found, shallow=shallow)
        with self._reading() as tx:
            from treering.recall import browse

            if id.startswith("mem_"):
                remembered = browse.remembered(tx, id)
                self._showed([remembered.content])
                return _at(remembered, shallow=shallow)
            shown = browse.show(tx, id, self._keys(id), start, lines)
            self._showed([shown.text])
            return _at(shown, shallow=shallow)

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
        """Return one page of what the memory holds.

        Args:
            what: ``memories`` that are not archived with the newest first, ``sources`` by key, ``slots`` by name with
                what each says now, ``entities``, ``proposals`` and ``briefings`` with the oldest first, ``recent``
                sources with the newest first, or ``roots``.
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
        from treering.api import lists  # a cold search pays for none of them

        asked = lists.wanted(
            what, limit=limit, after=after, tags=tags, status=status, kind=kind, source=source, slot=slot
        )
        with self._viewing() as (tx, curator):
            page = self._page(tx, curator, asked, source)
        return _at(page, shallow=self._depth(depth) == "L1")

    def _page(self, tx: Transaction, curator: Curator, asked: Wanted, source: str) -> Page:
        """Return one page of what was asked for, as it is."""
        from treering.api import lists

        if source:
            asked = asked._replace(filter=asked.filter._replace(source=self._source(tx, source)))
        if asked.what == "roots":
            statuses = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
            return Page(statuses, len(statuses), None)
        return lists.page(tx, curator, asked)


def _at(value: _Value, *, shallow: bool) -> _Value:
    """Return a value as it is, or as L1 shows it."""
    if not shallow:
        return value
    from treering.api.shallows import shallowed  # a cold search pays for none of it

    reduced: _Value = shallowed(value)
    return reduced
