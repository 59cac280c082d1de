"""What a question means to the embedder of one open memory.

A slow embedder has a quick one beside it, which answers until the slow one has covered nearly everything,
and goes on answering English questions of processes that do not stay. An embedder that fails, or a store
that cannot be written, never stops a search: words answer, and a notice says so.
"""

from __future__ import annotations

import sys

from treering import wiring
from treering.api.models import Models
from treering.domain.text import has_cjk, is_mostly_latin, may_be_english
from treering.errors import EmbedderFailed
from treering.recall.meaning import Rescored, Unasked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.api.covering import Covering
    from treering.domain.query import Mode
    from treering.domain.signs import SignFile
    from treering.ports import Backend, Embedder, Transaction
    from treering.recall.matrix import Matrix
    from treering.recall.meaning import Meaning
    from treering.settings import Settings

ENOUGH: Final = 0.9
"""Share of the entries from which on a slow model answers; what it lacks is found by words and the quick one."""

# Questions whose vectors are kept: a few MB at the most.
_MOST_QUESTIONS: Final = 512


class Meanings(Models):
    """Says what questions mean, for one open memory. For one thread at a time: its memory's lock is held."""

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
        self._covering: Covering | None = None

    @property
    def covering(self) -> Covering:
        """What gives the entries their vectors; loaded when it is first needed, which one answer does not."""
        if self._covering is None:
            from treering.api.covering import Covering

            self._covering = Covering(self, self._settings, self._database, self._open_store)
        return self._covering

    def read_with(self, leader: Meanings) -> None:
        """Use embedder and questions' vectors of the memory that is read together with this one, under its lock."""
        self.lean_on(leader)
        self._questions = leader._questions

    def forget_store(self) -> None:
        """Drop what is known of a store that was closed or replaced."""
        self._matrices.clear()
        if self._covering is not None:
            self._covering.forget_store()

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

        notices = self.covering.embed_few(store, embedder) if warm else []
        stored_as = vectors.name_of(embedder)
        with store.read() as tx:
            models = tx.vectors.models()
        if stored_as not in models:
            from treering.api.covering import unlike

            return Unasked(f"nothing is embedded by {embedder.id}"), unlike(embedder, self._strange(models))
        if embedder.english_only and (has_cjk(text) or not is_mostly_latin(text)):
            return Unasked(f"{embedder.id} knows English alone"), []
        question = self._embedded(embedder, text)
        if question is None:
            return Unasked(f"the question has no word that {embedder.id} knows"), []
        if not notices and (strange := self._strange(models, stored_as)):
            notices = self.covering.lacking_beside(store, embedder, strange)
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
            notices += self.covering.embed_slow(store, slow, warm=warm)
            coverage = self.covering.coverage(store)
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
