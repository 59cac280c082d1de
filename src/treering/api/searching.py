"""Searching: one question, one answer."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, suppress

from treering import wiring
from treering.api import arguments, freshness, noticing, pairing
from treering.api.handle import Handle
from treering.api.pairing import Side
from treering.api.stamping import make_id, now
from treering.domain.named import NamedTuple
from treering.domain.query import Filter, Query
from treering.errors import NotFound, TreeringError
from treering.places import is_within
from treering.recall.pipeline import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from treering.domain.depth import Depth
    from treering.domain.query import Answer, Mode, Result
    from treering.domain.source import Root
    from treering.ports import Backend, Transaction
    from treering.recall.descent import Asking
    from treering.recall.meaning import Meaning


class Question(NamedTuple):
    """A search as it was asked, before a store reads it: arguments of ``search`` with their meanings there.

    ``text`` is without the marks that the question has in the syntax of web searches; they are in ``marks``.
    """

    text: str
    marks: Filter
    clue: str
    path: str | Path | None
    where: tuple[tuple[str, tuple[str, ...]], ...]
    source: str | None
    in_: str
    kind: Sequence[str] | str
    status: Sequence[str] | str
    entity: Sequence[str] | str
    dates: tuple[str, str, str, str]
    limit: int | None
    max_tokens: int | None
    empty_gate: float | None
    mode: Mode | None
    depth: Depth


class Searching(Handle):
    """What is asked of a memory."""

    def search(  # noqa: PLR0913  each narrows or sizes on its own
        self,
        text: str,
        *,
        path: str | Path | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        tags: Sequence[str] = (),
        source: str | None = None,
        in_: str = "all",
        kind: Sequence[str] | str = (),
        status: Sequence[str] | str = (),
        entity: Sequence[str] | str = (),
        as_of: str = "",
        known_at: str = "",
        from_: str = "",
        to: str = "",
        limit: int | None = None,
        max_tokens: int | None = None,
        empty_gate: float | None = None,
        mode: Mode | None = None,
        clue: str = "",
        depth: str = "",
        syntax: str = "",
    ) -> Answer:
        """Answer a question from the memory, or say that it cannot, or list what it may mean.

        In a project its store and the user's own one answer as one; each result says in which it stands.

        Args:
            text: the question; any text is safe.
            path: directory or file to look in.
            where: metadata keys with the values that are accepted; keys are ANDed, values ORed.
            tags: tags that must all be there.
            source: id, key or path of the only source to look in.
            in_: ``memories`` or ``sources`` to look in those alone, else ``all``.
            kind: kinds of memories or sources, such as ``decision`` or ``meeting``; one of them must fit.
            status: ``active``, ``superseded`` or ``disputed``: only memories that have one of these.
            entity: names or ids of people, projects and the like: only memories about one of them.
            as_of: a date or instant: what was in force then; sources without a date of their own stay.
            known_at: a date or instant: only what was recorded by then.
            from_: only what held or was told from this date on.
            to: only what held or was told up to the end of this date.
            limit: results at the most, 1..100.
            max_tokens: upper bound of the answer's estimated LLM tokens, 50..100000.
            empty_gate: least confidence for an answer, 0..1; 0 for none, None for the calibrated one.
            mode: ``keyword``, ``semantic`` (meaning alone), ``hybrid``, or ``tree`` to go down the tree of digests;
                None for hybrid where there are vectors.
            clue: a few more words that tell which of several things is meant; without a gate (``empty_gate`` 0)
                nothing is asked back.
            depth: ``L1`` for titles and summaries, ``L2`` for passages and contents with quotes, ``L3`` for whole
                texts; empty for the setting's.
            syntax: ``web`` where ``"exact phrase"``, ``-word`` and ``this OR that`` in the question are conditions,
                ``plain`` where they are text; empty for the setting's.

        Raises:
            NotFound: if there is no store yet, ``path`` is not indexed, the source is not there, or nobody is known by
                a name.
            InputError: if a value is out of range, or a date is none.
            BadFilter: if ``where`` or ``tags`` cannot be read.
            IndexBehind: if a filter would have to be answered from metadata that is not known to be true, or nothing
                is digested yet that a descent could go down.
        """
        typed = arguments.question(text)
        asked, marks = arguments.marked(typed, syntax or self.settings.search_syntax)
        question = Question(
            text=asked,
            marks=marks,
            clue=arguments.question(clue).strip(),
            path=path,
            where=arguments.conditions(where) + arguments.tag_conditions(tags),
            source=source,
            in_=in_,
            kind=kind,
            status=status,
            entity=entity,
            dates=(as_of, known_at, from_, to),
            limit=limit,
            max_tokens=max_tokens,
            empty_gate=empty_gate,
            mode=mode,
            depth=self._depth(depth),
        )
        if mode is not None:
            arguments.choice("mode", mode, ("keyword", "hybrid", "semantic", "tree"))
        from treering.api.mending import answered

        with self.lock:
            answer = answered(lambda: self._searched(question), self._first_there, self._remade)
        return answer if asked == typed else answer._replace(query=typed)

    def _first_there(self) -> Backend:
        """Return the open database of the first of the stores that a read covers and that is there."""
        other = None if self._apart else self._other()
        if other is not None and not os.path.exists(self.place.database):
            return other._opened(create=False)  # noqa: SLF001 - of the same class
        return self._opened(create=False)

    def _remade(self, store: Backend) -> None:
        """Make the keyword index again, whatever state it is in."""
        from treering.api.cutting import rechunk
        from treering.derived import rows

        with store.write() as tx:
            tx.keywords.remake()
            rows.rebuild(tx, lambda source, text: rechunk(tx, source, text, self.settings))

    def _searched(self, question: Question) -> Answer:
        """Return the answer of the stores that a question reaches."""
        with ExitStack() as stack:
            sides = self._sides(question, stack)
            first = sides[0]
            folders = [folder for side in sides for _, folder in side.roots.values()]
            notices = list(dict.fromkeys(notice for side in sides for notice in side.notices))
            seen = first.seen if len(sides) == 1 else freshness.together([side.seen for side in sides])

            def ask(most: int) -> Answer:
                if len(sides) == 1:
                    answer = recall(
                        first.tx, first.query._replace(max_tokens=most), first.place_of, first.meaning, first.asking
                    )
                    return pairing.labelled(answer, first.scope) if first.scope else answer
                return pairing.fused(sides, most, trusted=self.is_trusted)

            answer = noticing.told(ask, first.query.max_tokens, seen, folders, notices)
            for side in sides:
                if side.query.filter.where:
                    mine = [one for one in answer.results if one.scope in ("", side.scope)]
                    from treering.api import state

                    state.require_present(side.tx, mine, side.place, side.roots)
        self._count(answer.results)
        self._showed(result.text for result in answer.results)
        if not (answer.found or answer.ambiguous):
            answer = noticing.refused(answer, freshness.unseen(seen, self.place), first.query.max_tokens)
        if answer.reason == "filtered_out" and question.path is not None:
            from treering.api import state

            state.require_path(self.place, question.path)
        return answer

    def _understood(self, text: str, mode: Mode | None) -> tuple[Meaning, Asking | None, list[str]]:
        """Return what a question means, how the tree is gone down where it is, and notices."""
        store = self._opened(create=False)
        if mode != "tree":
            meaning, notices = self._meanings.ask(store, text, mode)
            return meaning, None, notices
        from treering.api import digesting

        return digesting.ask(store, self.settings, self._meanings, self.place, text)

    def _count(self, results: Sequence[Result]) -> None:
        """Count the memories that are handed out, each in its store."""
        for store in self._stores():
            scopes = ("", store.place.scope)
            store._recall(one.id for one in results if one.type == "memory" and one.scope in scopes)  # noqa: SLF001

    def _sides(self, question: Question, stack: ExitStack) -> list[Side]:
        """Return the stores that a question reaches, open until the stack ends; this one first.

        Raises:
            NotFound: if there is no store, or neither has what the question is narrowed to.
        """
        missing: NotFound | None = None
        sides = []
        for store in (self,) if question.mode == "tree" else self._stores():
            try:
                sides.append(store._side(question, stack))  # noqa: SLF001 - a store of the same class
            except NotFound as error:
                missing = missing or error
        if missing is not None and not sides:
            raise NotFound(str(missing), hint=missing.hint) from missing
        if self.beside is None and len(sides) == 1:
            return [sides[0]._replace(scope="")]
        return sides

    def _side(self, question: Question, stack: ExitStack) -> Side:
        """Return this store as a question reaches it; it stays open until the stack ends."""
        tokens = self.settings.search_max_tokens if question.max_tokens is None else question.max_tokens
        query = self._query(question.text, tokens, question.empty_gate, question.mode)._replace(
            limit=arguments.within(
                "limit", self.settings.search_limit if question.limit is None else question.limit, 1, 100
            ),
            filter=self._filter(question.path, question.where, question.source, question.in_)._replace(
                must=question.marks.must, without=question.marks.without
            ),
            clue=question.clue,
            depth=question.depth,
        )
        if query.empty_gate is None and any(len(group) > 1 for group in question.marks.must):
            query = query._replace(empty_gate=0.0)  # of alternatives most are missing, which is no lack of evidence
        narrowed = arguments.narrowing(query.filter, question.kind, question.status)
        if narrowed.source:
            with self._reading() as tx:
                narrowed = narrowed._replace(source=self._source(tx, narrowed.source))
        if question.entity or any(question.dates):
            query, narrowed = self._of_time(query, narrowed, question.entity, question.dates)
        if narrowed.statuses:
            narrowed = narrowed._replace(moment=query.now)
        query = query._replace(filter=narrowed)
        stack.enter_context(self.lock)
        store = self._opened(create=False)
        seen = self._freshness.before_search(store, query.filter, self._catch_up)
        meaning, asking, notices = self._understood(f"{question.text} {question.clue}".rstrip(), question.mode)
        tx = stack.enter_context(self._reading())
        roots = self._roots(tx)
        self._require_known(query.filter, roots)
        if query.filter.where and query.filter.part != "memories":
            from treering.api import state

            state.require_metadata(tx, self.place, roots, query.filter.path)
        return Side(self.place.scope, self.place, tx, query, self._place_of, meaning, seen, roots, notices, asking)

    def _of_time(
        self, query: Query, filter: Filter, entity: Sequence[str] | str, dates: tuple[str, str, str, str]
    ) -> tuple[Query, Filter]:
        """Return a question and its filter with the time and the names that are meant."""
        from treering import zones
        from treering.api.times import times
        from treering.domain.dates import instant, micros

        with self._reading() as tx:
            given = times(*dates, zones.of_store(tx, self.settings.time_zone))
            found = [id for name in arguments.texts("entity", entity) for id in self._who(tx, name)]
        filter = filter._replace(
            entities=tuple(dict.fromkeys(found)), known_at=given.known_at, since=given.since, until=given.until
        )
        query = query._replace(known_at=given.known_at)
        if not given.at:
            return query, filter
        at = micros(instant(given.at))
        return query._replace(now=at), filter._replace(at=at)

    def _who(self, tx: Transaction, name: str) -> tuple[str, ...]:
        """Return the entities that a name or id means.

        Raises:
            NotFound: if nobody is known by it.
        """
        from treering.domain.entity import name_key

        found = tx.entities.by_keys([name_key(name)]).get(name_key(name), ())
        found = found or tuple(tx.entities.entities([name.strip()]))
        if not found:
            raise NotFound(f"nobody and nothing is known as {name!r}", hint=self.place.command("list", "entities"))
        return found

    def hand_out(self, client: str, tokens: int) -> None:
        """Count an answer that a client is given; takes microseconds and changes no database.

        Args:
            client: what it calls itself.
            tokens: the estimated LLM tokens of the text.
        """
        from treering.api import tally

        if tokens <= 0 or self._store is None or not self.counts:
            return
        if self.place.address is not None:  # what is kept beside a store on a server has a folder of its own
            with suppress(OSError):
                os.makedirs(self.place.folder, mode=0o700, exist_ok=True)
        tally.note(tally.path_of(self.place), now()[:10], client, tokens)

    def _query(self, text: str, max_tokens: int, empty_gate: float | None, mode: Mode | None) -> Query:
        """Return a question as the pipeline takes it."""
        return Query(
            text=text,
            max_tokens=arguments.within("max_tokens", max_tokens, 50, 100_000),
            empty_gate=self._gate(empty_gate),
            mode=mode or "hybrid",
            tuning=arguments.tuning(self.settings),
            is_word=wiring.is_word,
            now=time.time_ns() // 1000,
            margin=self.settings.search_ambiguity_margin,
            threshold=self.settings.search_confidence_threshold,
            asks_back=empty_gate != 0,
        )

    def _catch_up(self, seen: freshness.Look, deadline: float) -> tuple[int, freshness.Look]:
        """Read a few files that changed, without waiting for anybody; return how many stay behind, and which."""
        from treering.api.catching_up import CatchingUp  # only where something changed

        try:
            return CatchingUp(self.place, self.settings, self._opened, make_id, now).catch_up(seen, deadline)
        except TreeringError:  # a search answers from what is there; a run of its own says what is wrong
            return max(len(seen.changed), 1), seen

    def _filter(
        self, path: str | Path | None, where: tuple[tuple[str, tuple[str, ...]], ...], source: str | None, in_: str
    ) -> Filter:
        """Return what narrows a search."""
        anchors = ("",) if path is None else self.place.anchors(arguments.absolute(path))
        return Filter(where, anchors[0], source or "", anchors[1:], part=arguments.part(in_))

    def _gate(self, empty_gate: float | None) -> float | None:
        """Return the gate of a search: the caller's, else the setting's, else None for the calibrated one."""
        gate = self.settings.search_empty_gate if empty_gate is None else arguments.share("empty_gate", empty_gate)
        return None if gate < 0 else gate

    def _require_known(self, filter: Filter, roots: Mapping[int, tuple[Root, str]]) -> None:
        """Refuse a search in a directory that is not indexed."""
        if not filter.path:
            return
        wanted = self.place.resolve(filter.path)
        if not any(is_within(wanted, folder) or is_within(folder, wanted) for _, folder in roots.values()):
            raise NotFound(f"{wanted} is not indexed", hint=self.place.command("index", wanted))

    def _place_of(self, key: str) -> str:
        """Return a source's file as a path that can be opened from the working directory; else its key."""
        if not key.startswith("file:"):
            return key
        return self.place.resolve(key[5:]).removeprefix(os.getcwd() + os.sep)
