"""Asking: one question, the assembled answer."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering import zones
from treering.api import arguments, noticing, pairing
from treering.api.searching import Searching
from treering.api.stamping import now
from treering.domain.context import ContextQuery
from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from treering.api.times import Times
    from treering.domain.ambiguity import Choice
    from treering.domain.context import Context
    from treering.domain.query import Answer, Mode, Query
    from treering.ports import Transaction


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
        depth: str = "",
    ) -> Context:
        """Return what is current, disputed, open and unknown about a question, cited, inside a budget.

        In a project its store and the user's own one answer as one; each result says in which it stands.

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
            depth: ``L1`` for titles and summaries, ``L2`` for contents with quotes, ``L3`` for whole texts of sources;
                empty for the setting's.

        Raises:
            NotFound: if there is no store yet.
            InputError: if a value is out of range, or a date is none.
        """
        question = arguments.question(question)
        if mode is not None:
            arguments.choice("mode", mode, ("keyword", "hybrid", "semantic"))
        most = arguments.within(
            "max_tokens", self.settings.search_max_tokens if max_tokens is None else max_tokens, 50, 100_000
        )
        deep = self._depth(depth)

        def ask(store: Asking, stack: ExitStack) -> _Said:
            """Return what one store says, open until the stack ends."""
            query = store._query(question, most, empty_gate, mode)._replace(depth=deep)
            return store._said_to(
                query,
                lambda asked, zone: _dated(asked, times(as_of, known_at, from_, to, zone))._replace(
                    project=project, participants=tuple(participants), history=history
                ),
                stack,
            )

        from treering.api.times import times

        with self.lock:
            found = self._told_by_each(ask, most)
        return found._replace(question=question)

    def _told_by_each(self, ask: Callable[[Asking, ExitStack], _Said], most: int) -> Context:
        """Return what one store says, or both of them in one budget.

        Raises:
            NotFound: if there is no store yet.
        """
        missing: NotFound | None = None
        said: dict[Asking, _Said] = {}
        with ExitStack() as stack:
            for store in self._stores():
                try:
                    said[store] = ask(store, stack)
                except NotFound as error:
                    missing = missing or error
            if not said and missing is not None:
                raise NotFound(str(missing), hint=missing.hint) from missing
            answers = {store: one.within(most) for store, one in said.items()}
            if len(said) == 1:
                [(store, answer)] = answers.items()
                told = answer if self.beside is None else pairing.of_store(answer, store.place.scope)
            else:
                told, answers = self._together(said, answers, most)
        for store, answer in answers.items():
            store._recall(result.id for result in (*answer.current, *answer.open_questions))  # noqa: SLF001 - of the same class
            store._showed([answer.text])  # noqa: SLF001 - of the same class
        return told

    def _together(
        self, said: dict[Asking, _Said], answers: dict[Asking, Context], most: int
    ) -> tuple[Context, dict[Asking, Context]]:
        """Return what two stores say in one budget, and what each of them does."""
        (own, mine), (other, theirs) = said.items()
        shares = pairing.shares(answers[own].tokens, answers[other].tokens, most)
        if shares is not None:  # what was found stays; it is laid out once more in less room
            answers = {own: mine.within(shares[0]), other: theirs.within(shares[1])}
        shadowed = pairing.shadowed_slots(mine.tx, theirs.tx, answers[other], mine.asked, trusted=self.is_trusted)
        if shadowed:
            answers[own] = pairing.with_shadows(mine.tx, answers[own], shadowed, mine.asked)
        query = mine.asked._replace(query=mine.asked.query._replace(max_tokens=most))
        return pairing.told(answers[own], answers[other], query, shadowed), answers

    def _said_to(self, query: Query, meant: Callable[[ContextQuery, tzinfo], ContextQuery], stack: ExitStack) -> _Said:
        """Return what this store says to a question; it stays open until the stack ends."""
        from treering.recall.context import brought_up
        from treering.recall.sections import laid_out

        stack.enter_context(self.lock)
        store = self._opened(create=False)
        seen = self._freshness.before_search(store, query.filter, self._catch_up)
        meaning, notices = self._meanings.ask(store, query.text, None if query.mode == "hybrid" else query.mode)
        tx = stack.enter_context(self._reading())
        folders = [folder for _, folder in self._roots(tx).values()]
        zone = zones.of_store(tx, self.settings.time_zone)
        asked = meant(_as_it_says(ContextQuery(query, now(), zone=zone)), zone)
        if self.settings.embedding_provider == "none":
            notices = [*notices, _WORDS_ALONE]
        asked = asked._replace(notices=(*asked.notices, *seen.notices, *notices))
        brought = brought_up(tx, asked, meaning)

        def within(most: int) -> Context:
            """Return what was found in so many tokens."""
            sized = asked._replace(query=asked.query._replace(max_tokens=most))
            return laid_out(tx, sized, brought, self._place_of, lambda results: noticing.marked(results, seen, folders))

        return _Said(tx, asked, within)


class _Said(NamedTuple):
    """What one store says to a question.

    Attributes:
        tx: the store.
        asked: the question as it was understood.
        within: returns the answer in so many tokens.
    """

    tx: Transaction
    asked: ContextQuery
    within: Callable[[int], Context]


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
