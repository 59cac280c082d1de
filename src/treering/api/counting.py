"""Counting: what a memory holds, and the tokens that it has handed out."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from treering.api.browsing import Browsing
from treering.errors import TreeringError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.domain.stats import Handed, Stats


class Counting(Browsing):
    """What can be counted."""

    def stats(self) -> Stats:
        """Return how much the memory holds, of what, and the tokens that clients were given each day.

        Works without a store, too.
        """
        from treering.domain.stats import Stats

        status = self.status()
        if not status.exists:
            return Stats()
        with self._reading() as tx:
            rows = tx.memories.tally()
            categories = dict(tx.memories.categories())
            waiting = tx.journal.count_proposals("waiting")
        active = [row for row in rows if row[1] == "active"]
        return Stats(
            memories=sum(row[3] for row in rows),
            by_kind=_added((row[0], row[3]) for row in active),
            by_category=categories,
            by_status=_added((row[1], row[3]) for row in rows),
            by_verification=_added((row[2], row[3]) for row in active),
            sources=status.sources,
            chunks=status.chunks,
            embedded=status.embedded,
            entries=status.chunks + status.memories,
            model=status.model,
            waiting=waiting,
            handed=self._handed_out(),
            paused=status.paused,
        )

    def _handed_out(self) -> tuple[Handed, ...]:
        """Return what clients were given; lines beside the store are taken into it where that is possible."""
        from treering.api import tally

        path = tally.path_of(self.place)
        with self.lock:
            store = self._opened(create=False)
            if not store.read_only and os.path.exists(path):
                with suppress(TreeringError), store.write(wait=False) as tx:
                    for one in tally.take(path):
                        tx.journal.hand_out(one)
            with store.read() as tx:
                kept = tx.journal.handed_out()
        return tuple(_together([*kept, *tally.read(path)]))


def _added(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the sum for each name, the largest first."""
    found: dict[str, int] = {}
    for name, number in pairs:
        found[name] = found.get(name, 0) + number
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _together(several: Iterable[Handed]) -> list[Handed]:
    """Return one value for each day and client, the last day first."""
    found: dict[tuple[str, str], Handed] = {}
    for one in several:
        known = found.get((one.day, one.client))
        added = (
            one
            if known is None
            else known._replace(answers=known.answers + one.answers, tokens=known.tokens + one.tokens)
        )
        found[one.day, one.client] = added
    return sorted(sorted(found.values(), key=lambda one: one.client), key=lambda one: one.day, reverse=True)
