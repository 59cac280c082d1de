"""The tree of digests: made, shown."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from treering import wiring
from treering.api import arguments
from treering.api.directories import Directories

if TYPE_CHECKING:
    from pathlib import Path

    from treering.api.directories import Progress
    from treering.domain.tree_report import Consolidated, TreeMap
    from treering.ports import Transaction


class Trees(Directories):
    """What is done with the tree."""

    def consolidate(self, *, force: bool = False, progress: Progress | None = None) -> Consolidated:
        """Digest what changed since the last run: new and changed leaves, and the nodes above them.

        Interrupted at any moment it leaves a whole tree, and the next run goes on. Two at once take turns.

        Args:
            force: whether the whole tree is made again, also where nothing changed.
            progress: called with sources and memories done and in all.

        Raises:
            NotFound: if there is no store.
            BadSetting: if the settings name a summariser without its model.
            StoreBusy: if others keep the store locked.
            ReadOnlyStore: if it cannot be written.
        """
        from treering.api import digesting
        from treering.derived.refining import refine
        from treering.domain.tree_report import Consolidated
        from treering.errors import EmbedderFailed

        started = time.monotonic()
        notices: list[str] = []
        with self.lock:
            store = self._opened(create=False)
            summariser = self.summariser or wiring.make_summariser(self.settings, os.environ)
            stored_as = ""
            try:
                stored_as = self._meanings.stored_as()
                if wiring.is_local(self.settings):
                    self._meanings.covering.cover(store, digesting.entries_due(store))
            except EmbedderFailed as error:
                notices.append(f"{error}; the tree leads by words alone")
            changed = digesting.run(store, self.settings, stored_as, force=force, progress=progress)
            refined = 0
            if summariser is not None:
                refined, more = refine(store, summariser, self.settings.tree_summarizer_timeout_s, progress)
                notices += more
            with store.read() as tx:
                nodes, leaves = tx.tree.count()
            if changed or refined:
                self._behind.changed()  # the mirror's index says what the trunk does
        took_s = round(time.monotonic() - started, 3)
        return Consolidated(changed, refined, nodes, leaves, took_s, tuple(notices))

    def tree(
        self,
        question: str = "",
        *,
        depth: int = 0,
        max_tokens: int | None = None,
        path: str | Path | None = None,
    ) -> TreeMap:
        """Return the tree of digests as a map: as much as fits, the trunk first.

        Args:
            question: what it is wanted for: it is deepest where the question's words stand.
            depth: levels below the trunk at the most; 0 for as many as fit.
            max_tokens: estimated LLM tokens of the map, 50..100000; None for the setting of searches.
            path: directory or file at which it is deepest after that; None for the working directory.

        Raises:
            NotFound: if there is no store.
            InputError: if a value is out of range.
        """
        from treering.api import digesting
        from treering.recall.outline import outline

        tokens = self.settings.search_max_tokens if max_tokens is None else max_tokens
        tokens = arguments.within("max_tokens", tokens, 50, 100_000)
        depth = arguments.within("depth", depth, 0, 100)
        near = self.place.anchor(arguments.absolute(os.getcwd() if path is None else path))
        with self.lock:
            digesting.catch_up(self._opened(create=False), self.settings, self._meanings)
        with self._reading() as tx:
            promised = self._promised(tx, question) if question.strip() else None
            return outline(tx, tokens, depth, promised, "" if near == "." else f"file:{near}")

    def _promised(self, tx: Transaction, question: str) -> dict[int, float]:
        """Return the nodes that a question's words point at."""
        from treering.domain.query import Query
        from treering.recall.candidates import analyse
        from treering.recall.descent import promised

        asked = analyse(tx, Query(arguments.question(question)))
        return promised(tx, asked)
