"""The vectors of one open memory: what lacks one gets it, now or beside the searches, and how far that is.

A run embeds what it brought where that is quick; a search embeds the little that is missing. A slow embedder goes on in
a thread of its own.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from treering import wiring
from treering.domain.named import NamedTuple
from treering.errors import EmbedderFailed, ReadOnlyStore, StoreBusy, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.api.background import Background
    from treering.api.models import Models
    from treering.ports import Backend, Embedder
    from treering.settings import Settings

MOST_IN_SEARCH: Final = 256
"""Entries that a search embeds before it answers; with the built-in embedder 10 ms. More are left to index runs."""

MOST_SLOW_IN_SEARCH: Final = 8
"""The same for a slow embedder: 30 to 60 ms. More are embedded beside the searches."""

MOST_SLOW_IN_RUN: Final = 256
"""Entries that an index run embeds by a slow model before it ends: a second or two."""

SLOW_TEXTS: Final = 200
"""Texts a slow embedder does in a second of CPU time, to say how long something takes."""


class Coverage(NamedTuple):
    """What a store's vectors cover.

    Attributes:
        lacking: entries without a vector of the model.
        embedded: entries with one.
        others: other models that have vectors, by their names for people.
    """

    lacking: int
    embedded: int
    others: tuple[str, ...]


class Covering:
    """Gives entries their vectors. For one thread at a time: its memory's lock is held."""

    def __init__(
        self, models: Models, settings: Settings, database: str, open_store: Callable[[], Backend] | None
    ) -> None:
        """Use the models of a memory; nothing is loaded before it is needed.

        Args:
            models: the embedders.
            settings: the settings.
            database: the database, beside which the signs of vectors lie; empty for none.
            open_store: opens the store once more, for a slow embedder to work beside the searches; None for not.
        """
        self._models = models
        self._settings = settings
        self._database = database
        self._open_store = open_store
        self._seen: dict[str, tuple[object, Coverage]] = {}
        self._background: Background | None = None

    def forget_store(self) -> None:
        """Drop what is known of a store that was closed or replaced."""
        if self._background is not None:
            self._background.stop()
            self._background = None
        self._seen.clear()

    def catch_up(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed everything that lacks a vector and return how many got one.

        Raises:
            EmbedderFailed: if the embedder fails; text and former vectors stay.
        """
        from treering.derived import vectors

        self._catch_up_quick(store, wait=True)
        if self._models.embedder is None:
            return 0
        keep = [vectors.name_of(one) for one in (self._models.quick,) if one is not None]
        slow = self._models.quick is not None
        embedded = vectors.catch_up(store, self._models.embedder, newest_first=slow, keep=keep, progress=progress)
        self._renew_signs(store)
        return embedded

    def cover(self, store: Backend, entries: Sequence[int] | None) -> None:
        """Embed those among a few entries that lack a vector; everything that lacks one where none are named.

        Raises:
            EmbedderFailed: if the embedder fails; text and former vectors stay.
        """
        from treering.derived import vectors

        if entries is None or self._models.embedder is None:
            self.catch_up(store)
            return
        if lacking := self._lacking(store, self._models.embedder, entries):
            vectors.catch_up(store, self._models.embedder, newest_first=True, keep=None, total=lacking)
            if self._lacking(store, self._models.embedder, entries):  # others that are newer lacked one, too
                self.catch_up(store)

    def _lacking(self, store: Backend, embedder: Embedder, entries: Sequence[int]) -> int:
        """Return how many of some entries have no vector."""
        from treering.derived import vectors

        with store.read() as tx:
            return len(entries) - len(tx.vectors.of(vectors.name_of(embedder), entries))

    def _catch_up_quick(self, store: Backend, *, wait: bool) -> None:
        """Embed by the quick model what it lacks."""
        from treering.derived import vectors

        if self._models.quick is not None:
            vectors.catch_up(store, self._models.quick, wait=wait, keep=None)

    def after_index(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> list[str]:
        """Embed what a run brought, where that is quick; return notices."""
        from treering.derived import vectors

        store.settle()
        try:
            if wiring.is_local(self._settings):
                if self._models.embedder is not None:
                    vectors.catch_up(store, self._models.embedder, keep=self._costly(store), progress=progress)
                    self._renew_signs(store)
                return []
            self._catch_up_quick(store, wait=True)
            self._renew_signs(store)
            if self._models.quick is not None and self.coverage(store).lacking <= MOST_SLOW_IN_RUN:
                self.catch_up(store, progress)
        except (Unavailable, StoreBusy) as error:
            return [f"{error}; the text is indexed and found by its words; next: treering reindex --vectors"]
        return self._behind(store)

    def _renew_signs(self, store: Backend) -> None:
        """Write the signs of the model that a process that answers once asks, where they are behind."""
        from treering.api import sidecar
        from treering.derived import vectors

        embedder = self._models.quick or self._models.embedder
        if self._database and embedder is not None:
            sidecar.renew(self._database, store, embedder, vectors.name_of(embedder))

    def _costly(self, store: Backend) -> list[str]:
        """Return the models whose vectors stay until ``catch_up`` is asked for, so that a switch back costs nothing."""
        with store.read() as tx:
            return [model for model in tx.vectors.models() if wiring.is_slow(model)]

    def _behind(self, store: Backend) -> list[str]:
        """Return a notice where a slow model has not covered everything."""
        if self._models.quick is None or self._models.embedder is None:
            return []
        coverage = self.coverage(store)
        if not coverage.lacking:
            return []
        known = f"{coverage.embedded:,} of {coverage.embedded + coverage.lacking:,} entries"
        way = "going on beside the searches" if self._background is not None and self._background.running else ""
        way = way or f"next: treering reindex --vectors (about {_duration(coverage.lacking / SLOW_TEXTS)})"
        return [f"{self._models.embedder.id} has read {known}, {self._models.quick.id} answers for the rest; {way}"]

    def told(self, store: Backend) -> tuple[int, str, list[str]]:
        """Return for ``status`` how many entries are embedded, by which model, and notices."""
        if self._models.is_loading():
            return 0, "", ["the embedder is still being loaded; passages are found by their words meanwhile"]
        try:
            coverage = self.coverage(store)
        except EmbedderFailed as error:
            return self._told_without(store, error)
        if self._models.embedder is None:
            return 0, "", []
        behind = self._behind(store) or (unlike(self._models.embedder, coverage.others) if coverage.lacking else [])
        return coverage.embedded, self._models.embedder.id, behind

    def _told_without(self, store: Backend, error: EmbedderFailed) -> tuple[int, str, list[str]]:
        """Return for ``status`` what there is where the embedder cannot be loaded."""
        try:
            if self._models.quick is not None:
                embedded = self.of(store, self._models.quick).embedded
                return embedded, self._models.quick.id, [f"{error}; {self._models.quick.id} answers"]
        except EmbedderFailed:
            pass
        return 0, "", [f"{error}; passages are found by their words alone"]

    def coverage(self, store: Backend) -> Coverage:
        """Return what the vectors cover; counts anew only when the store has changed.

        Raises:
            EmbedderFailed: if the embedder cannot be loaded.
        """
        return self.of(store, self._models.embedder)

    def of(self, store: Backend, embedder: Embedder | None) -> Coverage:
        """Return what one model's vectors cover."""
        from treering.derived import vectors

        stored_as = "" if embedder is None else vectors.name_of(embedder)
        ours = {stored_as, *(vectors.name_of(one) for one in (self._models.quick,) if one is not None)}
        with store.read() as tx:
            state = tx.state()
            seen = self._seen.get(stored_as)
            if seen is None or seen[0] != state:
                embedded = tx.vectors.mark(stored_as)[0]
                others = tuple(vectors.plain_name(model) for model in tx.vectors.models() if model not in ours)
                seen = (state, Coverage(max(0, tx.keywords.size() - embedded), embedded, others))
                self._seen[stored_as] = seen
        return seen[1]

    def lacking_beside(self, store: Backend, embedder: Embedder, strange: Sequence[str]) -> list[str]:
        """Return a notice where entries lack a vector of a model, and have perhaps one of another."""
        return unlike(embedder, strange) if self.of(store, embedder).lacking else []

    def embed_slow(self, store: Backend, slow: Embedder, *, warm: bool) -> list[str]:
        """Embed what a slow model lacks: a few entries now, more beside the searches; return notices."""
        if warm and self.embed_few(store, slow, MOST_SLOW_IN_SEARCH):
            return []
        if warm and self._open_store is not None and self.coverage(store).lacking:
            from treering.api.background import Background

            self._background = self._background or Background(self._open_store)
            self._background.start(slow)
        return self._behind(store)

    def embed_few(self, store: Backend, embedder: Embedder, most: int = MOST_IN_SEARCH) -> list[str]:
        """Embed what little is missing, if nobody else is writing now; return notices."""
        from treering.derived import vectors

        before = self.of(store, embedder)
        if not 0 < before.lacking <= most:
            return []
        with suppress(ReadOnlyStore, StoreBusy):
            vectors.catch_up(store, embedder, wait=False, keep=None if self._models.quick else self._costly(store))
        if before.others and not self.of(store, embedder).others:
            return [f"the vectors of {', '.join(before.others)} were replaced by those of {embedder.id}"]
        return []


def unlike(embedder: Embedder, models: Sequence[str]) -> list[str]:
    """Return a notice where vectors of other models are there, which cannot be compared."""
    from treering.derived import vectors

    if not models:
        return []
    others = ", ".join(vectors.plain_name(model) for model in models)
    unlike = f"some or all entries have vectors of {others}, which cannot be compared with those of {embedder.id}"
    return [f"{unlike}: words find them; next: treering reindex --vectors"]


def _duration(seconds: float) -> str:
    """Return a length of time in words."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
