"""The embedder of one open memory, its vectors, and what a question means to it.

A slow embedder has a quick one beside it, which answers until the slow one has covered nearly everything,
and goes on answering English questions of processes that do not stay. An embedder that fails, or a store
that cannot be written, never stops a search: words answer, and a notice says so.
"""

from __future__ import annotations

import sys

from treering import wiring
from treering.api.models import Models
from treering.domain.named import NamedTuple
from treering.domain.text import has_cjk, is_mostly_latin, may_be_english
from treering.errors import EmbedderFailed, ReadOnlyStore, StoreBusy, Unavailable
from treering.recall.meaning import Rescored, Unasked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.api.background import Background
    from treering.domain.query import Mode
    from treering.domain.signs import SignFile
    from treering.ports import Backend, Embedder, Transaction
    from treering.recall.matrix import Matrix
    from treering.recall.meaning import Meaning
    from treering.settings import Settings

MOST_IN_SEARCH: Final = 256
"""Entries that a search embeds before it answers; with the built-in embedder 10 ms. More are left to index runs."""

MOST_SLOW_IN_SEARCH: Final = 8
"""The same for a slow embedder: 30 to 60 ms. More are embedded beside the searches."""

MOST_SLOW_IN_RUN: Final = 256
"""Entries that an index run embeds by a slow model before it ends: a second or two."""

SLOW_TEXTS: Final = 200
"""Texts a slow embedder does in a second of CPU time, to say how long something takes."""

ENOUGH: Final = 0.9
"""Share of the entries from which on a slow model answers; what it lacks is found by words and the quick one."""

# Questions whose vectors are kept: a few MB at the most.
_MOST_QUESTIONS: Final = 512


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


class Meanings(Models):
    """Embeds entries and questions for one open memory. For one thread at a time: its memory's lock is held."""

    def __init__(self, settings: Settings, database: str = "", open_store: Callable[[], Backend] | None = None) -> None:
        """Use the embedder that the settings name; nothing is loaded before it is needed.

        Args:
            settings: the settings.
            database: the database, beside which the signs of vectors lie; empty for none.
            open_store: opens the store once more, for a slow embedder to work beside the searches; None for not.
        """
        super().__init__(settings)
        self._database = database
        self._open_store = open_store
        self._searched = False
        self._matrices: dict[str, Matrix] = {}
        self._questions: dict[tuple[str, str], bytes] = {}
        self._seen: dict[str, tuple[object, Coverage]] = {}
        self._background: Background | None = None

    def read_with(self, leader: Meanings) -> None:
        """Use embedder and questions' vectors of the memory that is read together with this one, under its lock."""
        self.lean_on(leader)
        self._questions = leader._questions

    def forget_store(self) -> None:
        """Drop what is known of a store that was closed or replaced."""
        if self._background is not None:
            self._background.stop()
            self._background = None
        self._matrices.clear()
        self._seen.clear()

    def catch_up(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed everything that lacks a vector and return how many got one.

        Raises:
            EmbedderFailed: if the embedder fails; text and former vectors stay.
        """
        from treering.derived import vectors

        self._catch_up_quick(store, wait=True)
        if self.embedder is None:
            return 0
        keep = [vectors.name_of(one) for one in (self.quick,) if one is not None]
        embedded = vectors.catch_up(store, self.embedder, keep=keep, progress=progress)
        self._renew_signs(store)
        return embedded

    def cover(self, store: Backend, entries: Sequence[int] | None) -> None:
        """Embed those among a few entries that lack a vector; everything that lacks one where none are named.

        Raises:
            EmbedderFailed: if the embedder fails; text and former vectors stay.
        """
        from treering.derived import vectors

        if entries is None or self.embedder is None:
            self.catch_up(store)
            return
        if lacking := self._lacking(store, self.embedder, entries):
            vectors.catch_up(store, self.embedder, most=lacking, keep=None, total=lacking)
            if self._lacking(store, self.embedder, entries):  # others that are newer lacked one, too
                self.catch_up(store)

    def _lacking(self, store: Backend, embedder: Embedder, entries: Sequence[int]) -> int:
        """Return how many of some entries have no vector."""
        from treering.derived import vectors

        with store.read() as tx:
            return len(entries) - len(tx.vectors.of(vectors.name_of(embedder), entries))

    def _catch_up_quick(self, store: Backend, *, wait: bool) -> None:
        """Embed by the quick model what it lacks."""
        from treering.derived import vectors

        if self.quick is not None:
            vectors.catch_up(store, self.quick, wait=wait, keep=None)

    def after_index(self, store: Backend, progress: Callable[[int, int], None] | None = None) -> list[str]:
        """Embed what a run brought, where that is quick; return notices."""
        from treering.derived import vectors

        store.settle()
        try:
            if wiring.is_local(self._settings):
                if self.embedder is not None:
                    vectors.catch_up(store, self.embedder, keep=self._costly(store), progress=progress)
                    self._renew_signs(store)
                return []
            self._catch_up_quick(store, wait=True)
            self._renew_signs(store)
            if self.quick is not None and self.coverage(store).lacking <= MOST_SLOW_IN_RUN:
                self.catch_up(store, progress)
        except (Unavailable, StoreBusy) as error:
            return [f"{error}; the text is indexed and found by its words; next: treering reindex --vectors"]
        return self._behind(store)

    def _renew_signs(self, store: Backend) -> None:
        """Write the signs of the model that a process that answers once asks, where they are behind."""
        from treering.api import sidecar
        from treering.derived import vectors

        embedder = self.quick or self.embedder
        if self._database and embedder is not None:
            sidecar.renew(self._database, store, embedder, vectors.name_of(embedder))

    def _costly(self, store: Backend) -> list[str]:
        """Return the models whose vectors stay until ``catch_up`` is asked for, so that a switch back costs nothing."""
        with store.read() as tx:
            return [model for model in tx.vectors.models() if wiring.is_slow(model)]

    def _behind(self, store: Backend) -> list[str]:
        """Return a notice where a slow model has not covered everything."""
        if self.quick is None or self.embedder is None:
            return []
        coverage = self.coverage(store)
        if not coverage.lacking:
            return []
        known = f"{coverage.embedded:,} of {coverage.embedded + coverage.lacking:,} entries"
        way = "going on beside the searches" if self._background is not None and self._background.running else ""
        way = way or f"next: treering reindex --vectors (about {_duration(coverage.lacking / SLOW_TEXTS)})"
        return [f"{self.embedder.id} has read {known}, {self.quick.id} answers for the rest; {way}"]

    def told(self, store: Backend) -> tuple[int, str, list[str]]:
        """Return for ``status`` how many entries are embedded, by which model, and notices."""
        if self.is_loading():
            return 0, "", ["the embedder is still being loaded; passages are found by their words meanwhile"]
        try:
            coverage = self.coverage(store)
        except EmbedderFailed as error:
            return self._told_without(store, error)
        if self.embedder is None:
            return 0, "", []
        behind = self._behind(store) or (_unlike(self.embedder, coverage.others) if coverage.lacking else [])
        return coverage.embedded, self.embedder.id, behind

    def _told_without(self, store: Backend, error: EmbedderFailed) -> tuple[int, str, list[str]]:
        """Return for ``status`` what there is where the embedder cannot be loaded."""
        try:
            if self.quick is not None:
                embedded = self._coverage_of(store, self.quick).embedded
                return embedded, self.quick.id, [f"{error}; {self.quick.id} answers"]
        except EmbedderFailed:
            pass
        return 0, "", [f"{error}; passages are found by their words alone"]

    def coverage(self, store: Backend) -> Coverage:
        """Return what the vectors cover; counts anew only when the store has changed.

        Raises:
            EmbedderFailed: if the embedder cannot be loaded.
        """
        return self._coverage_of(store, self.embedder)

    def _coverage_of(self, store: Backend, embedder: Embedder | None) -> Coverage:
        """Return what one model's vectors cover."""
        from treering.derived import vectors

        stored_as = "" if embedder is None else vectors.name_of(embedder)
        ours = {stored_as, *(vectors.name_of(one) for one in (self.quick,) if one is not None)}
        with store.read() as tx:
            state = tx.state()
            seen = self._seen.get(stored_as)
            if seen is None or seen[0] != state:
                embedded = tx.vectors.mark(stored_as)[0]
                others = tuple(vectors.plain_name(model) for model in tx.vectors.models() if model not in ours)
                seen = (state, Coverage(max(0, tx.keywords.size() - embedded), embedded, others))
                self._seen[stored_as] = seen
        return seen[1]

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

    def descended(self, store: Backend, text: str, stored_as: str) -> tuple[Meaning, bytes | None]:
        """Return what a question means to the model that the tree was made with, and its vector where it has one.

        Args:
            store: the store.
            text: the question.
            stored_as: what the vectors of that model are stored under.
        """
        from treering.derived import vectors

        try:
            known = [one for one in (self.embedder, self.quick) if one is not None]
            embedder = next((one for one in known if vectors.name_of(one) == stored_as), None)
            if embedder is None:
                return Unasked("the tree has no vectors of the embedder"), None
            if embedder.english_only and (has_cjk(text) or not is_mostly_latin(text)):
                return Unasked(f"{embedder.id} knows English alone"), None
            question = self._embedded(embedder, text)
        except EmbedderFailed:
            return Unasked("the embedder failed"), None
        if question is None:
            return Unasked("the question has no word that the embedder knows"), None
        return self._rescored(store, question, stored_as, embedder), question

    def stored_as(self) -> str:
        """Return what the embedder's vectors are stored under; empty without one."""
        from treering.derived import vectors

        return "" if self.embedder is None else vectors.name_of(self.embedder)

    def _ask(self, store: Backend, text: str, mode: Mode | None, *, warm: bool) -> tuple[Meaning, list[str]]:
        """Return what a question means."""
        if self.quick is not None:
            return self._ask_two(store, text, self.quick, warm=warm)
        if self.embedder is None:
            wanted = [f"{mode} search needs an embedder, and embedding.provider is none: answered by words alone"]
            return Unasked("no embedder"), wanted if mode else []
        return self._ask_one(store, text, self.embedder, warm=warm)

    def _ask_one(self, store: Backend, text: str, embedder: Embedder, *, warm: bool) -> tuple[Meaning, list[str]]:
        """Return what a question means to one model."""
        from treering.derived import vectors

        notices = self._embed_few(store, embedder, MOST_IN_SEARCH) if warm else []
        stored_as = vectors.name_of(embedder)
        with store.read() as tx:
            models = tx.vectors.models()
        if stored_as not in models:
            return Unasked(f"nothing is embedded by {embedder.id}"), _unlike(embedder, self._strange(models))
        if embedder.english_only and (has_cjk(text) or not is_mostly_latin(text)):
            return Unasked(f"{embedder.id} knows English alone"), []
        question = self._embedded(embedder, text)
        if question is None:
            return Unasked(f"the question has no word that {embedder.id} knows"), []
        if not notices and self._strange(models, stored_as) and self._coverage_of(store, embedder).lacking:
            notices = _unlike(embedder, self._strange(models, stored_as))
        if not warm or store.compares:
            return self._rescored(store, question, stored_as, embedder), notices
        return self._scanned(question, stored_as, embedder), notices

    def _ask_two(self, store: Backend, text: str, quick: Embedder, *, warm: bool) -> tuple[Meaning, list[str]]:
        """Return what a question means to a slow model, or to the quick one beside it."""
        from treering.recall.several import Blended, Deferred

        first, notices = self._ask_one(store, text, quick, warm=warm)
        try:
            slow = self.embedder
            if slow is None:
                return first, notices
            notices += self._embed_slow(store, slow, warm=warm)
            coverage = self.coverage(store)
            english = is_mostly_latin(text) and may_be_english(text) and not has_cjk(text)
            least = ENOUGH * (coverage.embedded + coverage.lacking) if english else 1
            if coverage.embedded < max(1, least):
                return first, notices
            if not warm:
                return Deferred(first, lambda: self._asked_slow(store, slow, text), slow.id), notices
            second = self._asked_slow(store, slow, text)
        except EmbedderFailed as error:
            return first, [*notices, f"{error}; answered by {quick.id}"]
        return (Blended(first, second) if english and first.model and second.model else second), notices

    def _asked_slow(self, store: Backend, slow: Embedder, text: str) -> Meaning:
        """Return what a question means to the slow model alone."""
        from treering.derived import vectors

        question = self._embedded(slow, text)
        if question is None:
            return Unasked(f"the question is in no script that {slow.id} knows")
        if store.compares:
            return self._rescored(store, question, vectors.name_of(slow), slow)
        return self._scanned(question, vectors.name_of(slow), slow)

    def _embedded(self, embedder: Embedder, text: str) -> bytes | None:
        """Return a question's vector; the last ones are kept."""
        from treering.derived import vectors

        key = (embedder.id, text)
        question = self._questions.pop(key, None) or vectors.embed_question(embedder, text)
        if question is not None:
            while len(self._questions) >= _MOST_QUESTIONS:
                del self._questions[next(iter(self._questions))]
            self._questions[key] = question
        return question

    def _strange(self, models: Sequence[str], own: str = "") -> list[str]:
        """Return the models that the settings name neither as the embedder nor as the one that stands in."""
        from treering.derived import vectors

        known = {own, *(vectors.name_of(one) for one in (self.quick,) if one is not None)}
        slow = self.quick is not None
        return [model for model in models if model not in known and not (slow and wiring.is_slow(model))]

    def _embed_slow(self, store: Backend, slow: Embedder, *, warm: bool) -> list[str]:
        """Embed what a slow model lacks: a few entries now, more beside the searches; return notices."""
        if warm and self._embed_few(store, slow, MOST_SLOW_IN_SEARCH):
            return []
        if warm and self._open_store is not None and self.coverage(store).lacking:
            from treering.api.background import Background

            self._background = self._background or Background(self._open_store)
            self._background.start(slow)
        return self._behind(store)

    def _signs_of(self, stored_as: str) -> Callable[[Transaction, bool], SignFile | None] | None:
        """Return a function that reads the signs of a model's rows."""
        if not self._database:
            return None
        from treering.api import sidecar

        return lambda tx, needed: sidecar.read(self._database, tx, stored_as, needed=needed)

    def _rescored(self, store: Backend, question: bytes, stored_as: str, embedder: Embedder) -> Meaning:
        """Return a question that the store compares, or plain Python."""
        return Rescored(
            question,
            stored_as,
            embedder.id,
            english_only=embedder.english_only,
            compares=store.compares,
            signs_of_rows=self._signs_of(stored_as),
        )

    def _scanned(self, question: bytes, stored_as: str, embedder: Embedder) -> Meaning:
        """Return a question that is compared with all rows."""
        from treering.recall.matrix import Matrix
        from treering.recall.meaning import Scanned

        if stored_as not in self._matrices:
            self._matrices[stored_as] = Matrix(stored_as, embedder.dimension)
        return Scanned(question, self._matrices[stored_as], embedder.id, english_only=embedder.english_only)

    def _embed_few(self, store: Backend, embedder: Embedder, most: int) -> list[str]:
        """Embed what little is missing, if nobody else is writing now; return notices."""
        from contextlib import suppress

        from treering.derived import vectors

        before = self._coverage_of(store, embedder)
        if not 0 < before.lacking <= most:
            return []
        with suppress(ReadOnlyStore, StoreBusy):
            vectors.catch_up(store, embedder, wait=False, keep=None if self.quick else self._costly(store))
        if before.others and not self._coverage_of(store, embedder).others:
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


def _duration(seconds: float) -> str:
    """Return a length of time in words."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
