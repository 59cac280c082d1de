"""The embedder of one open memory, its vectors, and what a question means to it.

An embedder that fails, or a store that cannot be written, never stops a search: words answer, and a
notice says so.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from treering import wiring
from treering.domain.text import has_cjk, is_mostly_latin
from treering.errors import EmbedderFailed, ReadOnlyStore, StoreBusy, Unavailable
from treering.recall.meaning import Rescored, Unasked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Mode
    from treering.ports import Backend, Embedder
    from treering.recall.matrix import Matrix
    from treering.recall.meaning import Meaning
    from treering.settings import Settings

MOST_IN_SEARCH: Final = 256
"""Entries that a search embeds before it answers; with the built-in embedder 10 ms. More are left to index runs."""

GRACE_S: Final = 1.5
"""How long questions wait in all for an embedder that is being loaded; the built-in one takes .02 s."""


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


class Meanings:
    """Embeds entries and questions for one open memory. For one thread at a time: its memory's lock is held."""

    def __init__(self, settings: Settings) -> None:
        """Use the embedder that the settings name; nothing is loaded before it is needed."""
        self._settings = settings
        self._made = False
        self._embedder: Embedder | None = None
        self._searched = False
        self._matrix: Matrix | None = None
        self._seen: tuple[object, Coverage] | None = None
        self._loading: threading.Event | None = None
        self._loading_since = 0.0

    def load_behind(self) -> None:
        """Load the embedder in a thread of its own; meanwhile questions are answered by words alone.

        Where it cannot be loaded, each question says so.
        """
        if self._made or self._loading is not None:
            return
        self._loading_since = time.monotonic()
        loading = self._loading = threading.Event()

        def load() -> None:
            try:
                self._embedder = wiring.make_embedder(self._settings)
                self._made = True
            except EmbedderFailed:  # the next one who needs it tries again and is told
                pass
            finally:
                self._loading = None
                loading.set()

        threading.Thread(target=load, name="embedder", daemon=True).start()

    def is_loading(self) -> bool:
        """Tell whether the embedder is being loaded, once a moment has passed in which a quick one is there."""
        loading = self._loading
        if loading is None:
            return False
        return not loading.wait(max(0.0, self._loading_since + GRACE_S - time.monotonic()))

    def share(self, others: Meanings) -> None:
        """Use the embedder that another open memory has loaded, or is loading; waits for that."""
        loading = others._loading
        if loading is not None:
            loading.wait()
        self._embedder, self._made = others._embedder, others._made

    @property
    def embedder(self) -> Embedder | None:
        """The embedder; None when the settings want none.

        Raises:
            EmbedderFailed: if it cannot be loaded.
        """
        if not self._made:
            self._embedder = wiring.make_embedder(self._settings)
            self._made = True
        return self._embedder

    def forget_store(self) -> None:
        """Drop what is known of a store that was closed or replaced."""
        self._matrix = self._seen = None

    def catch_up(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed everything that lacks a vector and return how many got one.

        Raises:
            EmbedderFailed: if the embedder fails; text and former vectors stay.
        """
        from treering.derived import vectors

        return 0 if self.embedder is None else vectors.catch_up(store, self.embedder, progress=progress)

    def after_index(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> list[str]:
        """Embed what a run brought, where that is quick; return notices."""
        store.settle()
        if not wiring.is_local(self._settings):
            return []
        try:
            self.catch_up(store, progress)
        except (Unavailable, StoreBusy) as error:
            return [f"{error}; the text is indexed and found by its words; next: treering reindex --vectors"]
        return []

    def told(self, store: Backend) -> tuple[int, str, list[str]]:
        """Return for ``status`` how many entries are embedded, by which model, and notices."""
        if self.is_loading():
            return 0, "", ["the embedder is still being loaded; passages are found by their words meanwhile"]
        try:
            coverage = self.coverage(store)
        except EmbedderFailed as error:
            return 0, "", [f"{error}; passages are found by their words alone"]
        if self.embedder is None:
            return 0, "", []
        return coverage.embedded, self.embedder.id, _unlike(self.embedder, coverage.others)

    def coverage(self, store: Backend) -> Coverage:
        """Return what the vectors cover; counts anew only when the store has changed.

        Raises:
            EmbedderFailed: if the embedder cannot be loaded.
        """
        from treering.derived import vectors

        stored_as = "" if self.embedder is None else vectors.name_of(self.embedder)
        with store.read() as tx:
            state = tx.state()
            if self._seen is None or self._seen[0] != state:
                embedded = tx.vectors.mark(stored_as)[0]
                others = tuple(vectors.plain_name(model) for model in tx.vectors.models() if model != stored_as)
                self._seen = (state, Coverage(max(0, tx.keywords.size() - embedded), embedded, others))
        return self._seen[1]

    def ask(self, store: Backend, text: str, mode: Mode | None) -> tuple[Meaning, list[str]]:
        """Return what a question means, and what the reader should know.

        Args:
            store: the store; no transaction may be open.
            text: the question.
            mode: what was asked for; None for the best that is possible.
        """
        if mode == "keyword":
            return Unasked("words alone were asked for"), []
        if self.is_loading():
            return Unasked("the embedder is being loaded"), [
                "the embedder is still being loaded and vectors are being built: answered by words alone"
            ]
        warm = self._searched or "numpy" in sys.modules
        self._searched = True
        try:
            return self._ask(store, text, mode, warm=warm or mode == "semantic")
        except EmbedderFailed as error:
            return Unasked("the embedder failed"), [f"{error}; answered by words alone"]

    def _ask(self, store: Backend, text: str, mode: Mode | None, *, warm: bool) -> tuple[Meaning, list[str]]:
        """Return what a question means."""
        from treering.derived import vectors

        embedder = self.embedder
        if embedder is None:
            wanted = [f"{mode} search needs an embedder, and embedding.provider is none: answered by words alone"]
            return Unasked("no embedder"), wanted if mode else []
        notices = self._embed_few(store, embedder) if warm else []
        stored_as = vectors.name_of(embedder)
        with store.read() as tx:
            models = tx.vectors.models()
        if stored_as not in models:
            return Unasked(f"nothing is embedded by {embedder.id}"), _unlike(embedder, models)
        if embedder.english_only and (has_cjk(text) or not is_mostly_latin(text)):
            return Unasked(f"{embedder.id} knows English alone"), []
        question = vectors.embed_question(embedder, text)
        if question is None:
            return Unasked(f"the question has no word that {embedder.id} knows"), []
        notices = notices or _unlike(embedder, [model for model in models if model != stored_as])
        if not warm or store.compares:
            known = embedder.english_only
            return Rescored(question, stored_as, embedder.id, english_only=known, compares=store.compares), notices
        return self._scanned(question, stored_as, embedder), notices

    def _scanned(self, question: bytes, stored_as: str, embedder: Embedder) -> Meaning:
        """Return a question that is compared with all rows."""
        from treering.recall.matrix import Matrix
        from treering.recall.meaning import Scanned

        if self._matrix is None or self._matrix.stored_as != stored_as:
            self._matrix = Matrix(stored_as, embedder.dimension)
        return Scanned(question, self._matrix, embedder.id, english_only=embedder.english_only)

    def _embed_few(self, store: Backend, embedder: Embedder) -> list[str]:
        """Embed what little is missing, if nobody else is writing now; return notices."""
        from contextlib import suppress

        from treering.derived import vectors

        before = self.coverage(store)
        if not 0 < before.lacking <= MOST_IN_SEARCH or not wiring.is_local(self._settings):
            return []
        with suppress(ReadOnlyStore, StoreBusy):
            vectors.catch_up(store, embedder, wait=False)
        if before.others and not self.coverage(store).others:
            return [f"the vectors of {', '.join(before.others)} were replaced by those of {embedder.id}"]
        return []


def _unlike(embedder: Embedder, models: Sequence[str]) -> list[str]:
    """Return a notice where vectors of other models are there, which cannot be compared."""
    from treering.derived import vectors

    if not models:
        return []
    others = ", ".join(vectors.plain_name(model) for model in models)
    unlike = f"some or all entries have vectors of {others}, which cannot be compared with those of {embedder.id}"
    return [f"{unlike}: words find them; next: treering reindex --vectors"]
