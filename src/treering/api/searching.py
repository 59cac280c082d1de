"""Searching: one question, one answer."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from treering import wiring
from treering.api import arguments, freshness
from treering.api.handle import Handle, make_id, now
from treering.domain.query import Filter, Query
from treering.errors import NotFound, TreeringError
from treering.places import is_within
from treering.recall.pipeline import recall

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from treering.domain.query import Answer, Mode
    from treering.domain.source import Root
    from treering.ports import Backend, Transaction
    from treering.recall.descent import Asking
    from treering.recall.meaning import Meaning


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
    ) -> Answer:
        """Answer a question from the memory, or say that it cannot, or list what it may mean.

        Args:
            text: the question; any text is safe.
            path: directory or file to look in.
            where: metadata keys with the values that are accepted; keys are ANDed, values ORed.
            tags: tags that must all be there.
            source: id of the only source to look in.
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

        Raises:
            NotFound: if there is no store yet, ``path`` is not indexed, or nobody is known by a name.
            InputError: if a value is out of range, or a date is none.
            BadFilter: if ``where`` or ``tags`` cannot be read.
            IndexBehind: if a filter would have to be answered from metadata that is not known to be true, or nothing
                is digested yet that a descent could go down.
        """
        text, clue = arguments.question(text), arguments.question(clue)
        if mode is not None:
            arguments.choice("mode", mode, ("keyword", "hybrid", "semantic", "tree"))
        tokens = self.settings.search_max_tokens if max_tokens is None else max_tokens
        query = self._query(text, tokens, empty_gate, mode)._replace(
            limit=arguments.within("limit", self.settings.search_limit if limit is None else limit, 1, 100),
            filter=self._filter(path, arguments.conditions(where) + arguments.tag_conditions(tags), source, in_),
            clue=clue.strip(),
        )
        narrowed = arguments.narrowing(query.filter, kind, status)
        if entity or as_of or known_at or from_ or to:
            query, narrowed = self._of_time(query, narrowed, entity, (as_of, known_at, from_, to))
        if narrowed.statuses:
            narrowed = narrowed._replace(moment=query.now)
        query = query._replace(filter=narrowed)
        from treering.api.mending import answered

        meant = f"{text} {clue}" if clue else text
        with self.lock:
            return answered(
                lambda: self._searched(meant, query, path, mode), lambda: self._opened(create=False), self._remade
            )

    def _remade(self, store: Backend) -> None:
        """Make the keyword index again, whatever state it is in."""
        from treering.api.cutting import rechunk
        from treering.derived import rows

        with store.write() as tx:
            tx.keywords.remake()
            rows.rebuild(tx, lambda source, text: rechunk(tx, source, text, self.settings))

    def _searched(self, meant: str, query: Query, path: str | Path | None, mode: Mode | None) -> Answer:
        """Return the answer to a question that was understood."""
        with self.lock:
            seen = self._freshness.before_search(self._opened(create=False), query.filter, self._catch_up)
            meaning, asking, notices = self._understood(meant, mode)
        with self._reading() as tx:
            roots = self._roots(tx)
            self._require_known(query.filter, roots)
            if query.filter.where and query.filter.part != "memories":
                from treering.api import state  # loads what only few questions need

                state.require_metadata(tx, self.place, roots, query.filter.path)
            folders = [folder for _, folder in roots.values()]

            def ask(most: int) -> Answer:
                return recall(tx, query._replace(max_tokens=most), self._place_of, meaning, asking)

            answer = freshness.told(ask, query.max_tokens, seen, folders, notices)
            if query.filter.where:
                from treering.api import state

                state.require_present(tx, answer.results, self.place, roots)
        self._recall(result.id for result in answer.results if result.type == "memory")
        self._showed(result.text for result in answer.results)
        if not (answer.found or answer.ambiguous):
            answer = answer._replace(notices=(*answer.notices, *freshness.unseen(seen, self.place)))
        if answer.reason == "filtered_out" and path is not None:
            from treering.api import state

            state.require_path(self.place, path)
        return answer

    def _understood(self, text: str, mode: Mode | None) -> tuple[Meaning, Asking | None, list[str]]:
        """Return what a question means, how the tree is gone down where it is, and notices."""
        store = self._opened(create=False)
        if mode != "tree":
            meaning, notices = self._meanings.ask(store, text, mode)
            return meaning, None, notices
        from treering.api import digesting

        return digesting.ask(store, self.settings, self._meanings, self.place, text)

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
        from treering.api import ledger

        if tokens <= 0 or self._store is None or not self.counts:
            return
        if self.place.address is not None:  # what is kept beside a store on a server has a folder of its own
            with suppress(OSError):
                os.makedirs(self.place.folder, mode=0o700, exist_ok=True)
        ledger.note(ledger.path_of(self.place), now()[:10], client, tokens)

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
