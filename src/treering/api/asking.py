"""Asking: one question, the assembled answer."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from treering import zones
from treering.api import arguments, freshness
from treering.api.handle import now
from treering.api.searching import Searching
from treering.domain.context import ContextQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.api.times import Times
    from treering.domain.ambiguity import Choice
    from treering.domain.context import Context
    from treering.domain.query import Answer, Mode


_WORDS_ALONE: Final = "no semantic model is set: found by words alone"


class Asking(Searching):
    """What an agent asks first."""

    def ask(
        self,
        question: str,
        *,
        clue_provider: Callable[[Sequence[Choice]], str | None] | None = None,
        clue: str = "",
        **options: Any,  # noqa: ANN401  as ``search`` takes them
    ) -> Answer:
        """Answer a question, and ask back where it may mean several things.

        As long as it does, the provider is shown what may be meant and returns a clue, which is added to those before;
        at most ``search.max_clue_rounds`` times. What is still ambiguous then stays so: the answer lists what may be
        meant.

        Args:
            question: any text.
            clue_provider: returns a clue, or None to give up; None asks nobody.
            clue: a first clue.
            **options: as for ``search``.

        Raises:
            TreeringError: as for ``search``.
        """
        answer = self.search(question, clue=clue, **options)
        for _ in range(self.settings.search_max_clue_rounds):
            if clue_provider is None or not answer.ambiguous:
                break
            more = clue_provider(answer.ambiguous)
            if more is None or not more.strip():
                break
            clue = f"{clue} {more}".strip()
            answer = self.search(question, clue=clue, **options)
        return answer

    def context(  # noqa: PLR0913  each narrows or sizes on its own
        self,
        question: str,
        *,
        project: str = "",
        participants: Sequence[str] = (),
        as_of: str = "",
        known_at: str = "",
        from_: str = "",
        to: str = "",
        history: bool = False,
        max_tokens: int | None = None,
        empty_gate: float | None = None,
        mode: Mode | None = None,
    ) -> Context:
        """Return what is current, disputed, open and unknown about a question, cited, inside a budget.

        Args:
            question: any text.
            project: name or key of a project: only memories about it.
            participants: names of people: only memories about one of them.
            as_of: a date or instant: what was true then; also read from the question.
            known_at: a date or instant: only what was recorded and decided by then.
            from_: only what held or was told from this date on.
            to: only what held or was told up to the end of this date.
            history: whether what was superseded is shown, too.
            max_tokens: upper bound of the answer's estimated LLM tokens, 50..100000.
            empty_gate: least confidence for an answer, 0..1; 0 for none, None for the calibrated one.
            mode: ``keyword``, ``semantic`` or ``hybrid``; None for hybrid where there are vectors.

        Raises:
            NotFound: if there is no store yet.
            InputError: if a value is out of range, or a date is none.
        """
        from treering.api.times import times
        from treering.recall.context import context

        question = arguments.question(question)
        if mode is not None:
            arguments.choice("mode", mode, ("keyword", "hybrid", "semantic"))
        query = self._query(
            question, self.settings.search_max_tokens if max_tokens is None else max_tokens, empty_gate, mode
        )
        with self.lock:
            store = self._opened(create=False)
            seen = self._freshness.before_search(store, query.filter, self._catch_up)
            meaning, notices = self._meanings.ask(store, question, mode)
        with self._reading() as tx:
            folders = [folder for _, folder in self._roots(tx).values()]
            zone = zones.of_store(tx, self.settings.time_zone)
            asked = _as_it_says(ContextQuery(query, now(), zone=zone))
            asked = _dated(asked, times(as_of, known_at, from_, to, zone))._replace(
                project=project, participants=tuple(participants), history=history
            )
            if self.settings.embedding_provider == "none":
                notices = [*notices, _WORDS_ALONE]
            asked = asked._replace(notices=(*asked.notices, *seen.notices, *notices))
            answer = context(
                tx, asked, self._place_of, meaning, lambda results: freshness.marked(results, seen, folders)
            )
        self._recall(result.id for result in (*answer.current, *answer.open_questions))
        self._showed([answer.text])
        return answer._replace(question=question)


def _as_it_says(asked: ContextQuery) -> ContextQuery:
    """Return a question with the time that its own words name."""
    from treering.domain.asking import when_asked
    from treering.domain.dates import instant, micros, stamped, written
    from treering.domain.decided import ALWAYS

    present = instant(asked.at)
    said = when_asked(asked.query.text, present, asked.zone)
    if not said.words:
        return asked
    spans = tuple((micros(one.start), micros(one.stop)) for one in said.spans)
    past = [one.stop for one in said.spans if one.stop <= present and one.stop != ALWAYS]
    at = said.as_of.stop if said.as_of else max(past, default=present)
    notices = tuple(f"read in the question: {words}" for words in said.words)
    asked = asked._replace(at=written(min(at, present) - timedelta.resolution), spans=spans, notices=notices)
    if said.as_of or said.known_at:
        asked = asked._replace(query=asked.query._replace(text=_without(asked.query.text, said.words)))
    if said.known_at:
        known = said.known_at.stop - timedelta.resolution
        asked = asked._replace(known_at=stamped(known), at=written(known))
    return asked._replace(past=said.as_of is not None)


def _without(question: str, words: Sequence[str]) -> str:
    """Return a question without the words that say of which time it is: they are in no text that answers it."""
    rest = question
    for one in words:
        rest = rest.replace(one, " ", 1)
    return rest.strip(" ,;:") or question


def _dated(asked: ContextQuery, given: Times) -> ContextQuery:
    """Return a question with the time that is meant: what the caller says, else what the question says."""
    if given.at:
        asked = asked._replace(at=given.at, past=True)
    return asked._replace(known_at=given.known_at or asked.known_at, since=given.since, until=given.until)
