"""Browsing: what a memory holds, listed and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api import arguments, state
from treering.api.handle import Handle
from treering.domain.named import NamedTuple
from treering.domain.query import Filter
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.report import Remembered, RootStatus, Shown, Status
    from treering.records import StoredSource

_LISTS = ("memories", "sources", "recent", "roots")


class Page(NamedTuple):
    """One page of a list.

    Attributes:
        items: the entries.
        total: how many there are in all.
        next: what to give as ``after`` for the following page; None at the end.
    """

    items: tuple[Remembered, ...] | tuple[StoredSource, ...] | tuple[RootStatus, ...]
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
            notices=("no project here: this is the user's own store",) if self.place.scope == "global" else (),
        )
        with self.lock:
            try:
                store = self._opened(create=False)
            except NotFound:
                return empty
            info = store.info()
            with store.read() as tx:
                counts = tx.sources.count(Filter())
                memories = tx.memories.count("active")
                roots = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
            embedded, model, behind = self._meanings.told(store)
        return empty._replace(
            exists=True,
            embedded=embedded,
            model=model,
            notices=(*empty.notices, *filter(None, (str(info.get("notice", "")),)), *behind),
            read_only=store.read_only,
            memories=memories,
            sources=counts.sources,
            chunks=counts.chunks,
            characters=counts.characters,
            size_bytes=int(info["size_bytes"]),
            schema=int(info["schema"]),
            roots=roots,
        )

    def show(self, id: str, *, start_line: int = 1, limit_lines: int | None = None) -> Shown | Remembered:
        """Return a memory with its quotes and history, or a source or chunk with its exact text and outline.

        Args:
            id: ``mem_…``, ``src_…``, ``ver_…#3`` for a chunk, a source's key, or a file's path.
            start_line: where to begin in a source, from 1.
            limit_lines: how many lines at the most; None for all.

        Raises:
            NotFound: if the memory has nothing of that name.
            InputError: if a source ends before ``start_line``.
        """
        start = arguments.within("start_line", start_line, 1, 2**31)
        lines = None if limit_lines is None else arguments.within("limit_lines", limit_lines, 1, 2**31)
        with self._reading() as tx:
            from treering.recall import browse

            if id.startswith("mem_"):
                return browse.remembered(tx, id)
            return browse.show(
                tx, id, (id, f"file:{id}", f"file:{self.place.anchor(arguments.absolute(id))}"), start, lines
            )

    def list(self, what: str, *, limit: int = 50, after: str = "", tags: Sequence[str] = ()) -> Page:
        """Return one page of what the memory holds.

        Args:
            what: active ``memories`` with the newest first, ``sources`` by key, ``recent`` sources with the newest
                first, or ``roots``.
            limit: entries at the most, 1..1000.
            after: where the page before said to go on.
            tags: of ``memories``, tags that must all be there.

        Raises:
            InputError: if there is no such list, or ``tags`` are given for another one than ``memories``.
        """
        if what not in _LISTS:
            raise InputError(f"there is no list {what!r}; there are {', '.join(_LISTS)}")
        tagged = Filter(arguments.tag_conditions(tags))
        if tagged.where and what != "memories":
            raise InputError(f"tags narrow the list of memories, not that of {what}", hint="treering list memories")
        limit = arguments.within("limit", limit, 1, 1000)
        with self._reading() as tx:
            if what == "roots":
                statuses = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
                return Page(statuses, len(statuses), None)
            if what == "memories":
                from treering.recall import browse

                known = browse.list_memories(tx, limit + 1, after, tagged)
                following = known[limit - 1].id if len(known) > limit else None
                return Page(known[:limit], tx.memories.count("active", tagged), following)
            total = tx.sources.count(Filter()).sources
            items = tx.sources.list_sources(Filter(), limit + 1, after, newest_first=what == "recent")
        more = len(items) > limit
        last = items[limit - 1] if more else None
        cursor = None if last is None else last.key if what == "sources" else f"{last.recorded_at} {last.id}"
        return Page(tuple(items[:limit]), total, cursor)
