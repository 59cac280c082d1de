"""MemoryStore: one method for each use case.

It owns the lock, opens the transactions and puts rooms together; what a use case decides is in its
room. Safe to share between threads.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Self

from treering import wiring
from treering.api import arguments, freshness, state
from treering.api.meanings import Meanings
from treering.domain import ids
from treering.domain.query import Filter, Query
from treering.errors import InputError, NotFound, TreeringError
from treering.places import is_within
from treering.recall.pipeline import recall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from treering.domain.chunk import Chunked
    from treering.domain.ids import Kind
    from treering.domain.operation import Forgotten, Outcome
    from treering.domain.query import Answer, Mode
    from treering.domain.report import ForgetReport, IndexReport, Remembered, RootStatus, Shown, Status
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.records import StoredSource
    from treering.settings import Settings

    Progress = Callable[[int, int], None]

_LISTS = ("memories", "sources", "recent", "roots")


class Page(NamedTuple):
    """One page of a list.

    Attributes:
        items: the entries.
        total: how many there are in all.
        next: what to give as ``after`` for the following page; None at the end.
    """

    items: tuple[Remembered, ...] | tuple[StoredSource, ...] | tuple[RootStatus, ...]
    total: int
    next: str | None


class MemoryStore:
    """A memory, open and warm.

    Attributes:
        place: where the store is and what its paths are relative to.
        settings: the settings that hold for it.
        lock: re-entrant; every method takes it. Hold it to make several calls one step.
    """

    def __init__(self, place: Place, settings: Settings) -> None:
        """Use the store at ``place``; its database is opened when first needed."""
        self.place = place
        self.settings = settings
        self.lock = threading.RLock()
        self._store: Backend | None = None
        self._meanings = Meanings(settings)
        self._freshness = freshness.Freshness(place, settings)
        self._closed = False

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def close(self) -> None:
        """Release the database; a closed memory stays closed."""
        with self.lock:
            self._closed = True
            self._release()

    def _release(self) -> None:
        """Close the database if it is open."""
        if self._store is not None:
            self._store.close()
            self._store = None
            self._meanings.forget_store()

    def _opened(self, *, create: bool) -> Backend:
        """Return the open database; opens it anew when its file was replaced."""
        if self._closed:
            raise InputError("this memory was closed", hint="open another with treering.open()")
        if self._store is not None and self._store.replaced():
            self._release()
        if self._store is None:
            self._store = wiring.open_backend(self.place, self.settings, create=create)
        return self._store

    @contextmanager
    def _reading(self) -> Iterator[Transaction]:
        """Open a view of one state of an existing store."""
        with self.lock, self._opened(create=False).read() as tx:
            yield tx

    # Writing

    def init(self) -> Status:
        """Make the store beforehand and return its status."""
        with self.lock:
            self._opened(create=True)
            return self.status()

    def index(
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        glob: str = "",
        file: str | Path | None = None,
        prune: bool | None = None,
        progress: Progress | None = None,
    ) -> list[IndexReport]:
        """Index directories in place, reading only what changed.

        Args:
            paths: a directory, or several. One inside or around an indexed root becomes one with it, the outer one.
            glob: which files to read, e.g. ``docs/**/*.md``; empty for every supported type.
            file: one file of the directory: only that is read.
            prune: True removes what is gone even where much is; False removes nothing; None decides with care.
            progress: called with files done and files in all.

        Raises:
            NotFound: if a directory is absent; nothing is made.
            InputError: if a path is no directory or the glob cannot be used.
            OutsideRoot: if ``file`` does not lie in the directory.
        """
        from treering.api.indexing import Indexing  # a cold search does not pay for it

        reports = []
        for path in arguments.several(paths):
            with self.lock:
                run = Indexing(self.place, self.settings, self._opened, make_id, now)
                if file is None:
                    reports.append(run.run(str(path), glob, prune=prune, progress=progress))
                else:
                    reports.append(run.run_file(str(path), str(file)))
                if self._store is not None:  # nothing to read makes no store
                    behind = self._meanings.after_index(self._store)
                    reports[-1] = reports[-1]._replace(notices=(*reports[-1].notices, *behind))
        return reports

    def ensure_embeddings(self, *, progress: Progress | None = None) -> int:
        """Embed everything that has no vector yet, and return how many entries got one.

        Searches after that write nothing. Vectors of another model are removed once this one covers everything.

        Args:
            progress: called with entries done and entries in all.

        Raises:
            EmbedderFailed: if the embedder fails; what is stored stays, and words go on finding everything.
            NotFound: if there is no store yet.
        """
        with self.lock:
            return self._meanings.catch_up(self._opened(create=False), progress)

    def reindex(self, *, progress: Progress | None = None) -> Status:
        """Make all derived data again from the stored text and return the status."""
        from treering.api.indexing import rechunk
        from treering.derived import rows

        with self.lock:
            with self._opened(create=False).write() as tx:
                rows.rebuild(tx, lambda source, text: rechunk(source, text, self.settings), progress)
            behind = self._meanings.after_index(self._opened(create=False))
            status = self.status()
            return status._replace(notices=(*status.notices, *behind))

    def remember(
        self,
        text: str,
        *,
        kind: str = "semantic",
        title: str = "",
        summary: str = "",
        tags: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Outcome:
        """Save one memory; it can be found at once.

        The text is kept as a note, and the memory quotes it. What is there already, but for case, white space and
        a final stop, is not saved twice: the outcome is then ``exists`` with the id of the old one, which gets the
        new tags.

        Args:
            text: the statement.
            kind: episodic, semantic, project, person, decision, procedure, preference or question.
            title: a few words.
            summary: the same in one sentence.
            tags: words to filter by.
            metadata: keys with their values.

        Raises:
            InputError: if the text is empty or no text, or there is no such kind.
            BadFilter: if tags or metadata are no strings.
        """
        from treering.curate import remember  # a cold search pays for none of the following
        from treering.derived import rows
        from treering.domain.memory import memory_kind, tidy
        from treering.domain.operation import Outcome

        saying = remember.Saying(text, memory_kind(kind), title, summary, arguments.labels(tags, metadata))
        names = remember.Names(make_id("mem"), make_id("src"), make_id("ver"), now())
        tidy(text)  # refuses before a store is made
        with self.lock, self._opened(create=True).write() as tx:
            self._bring_up_to_date(tx)
            known = remember.twin(tx, text)
            with rows.memory_rows(tx, known.id if known else names.memory):
                if known is None:
                    remember.create(tx, saying, names)
                else:
                    remember.add_labels(tx, known.id, saying.labels)
        if known is None:
            return Outcome("accepted", names.memory)
        return Outcome("exists", known.id, notices=remember.left_out(known, saying))

    def update(
        self,
        id: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Outcome:
        """Change what is given of a memory; what it said before is kept in its history.

        Args:
            id: the memory.
            text: a new statement.
            kind: a new kind.
            title: a new title.
            summary: a new summary.
            tags: all its tags from now on.
            metadata: all its metadata from now on.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if another memory says the same already.
            InputError: if nothing is given, the text is empty or no text, or there is no such kind.
        """
        from treering.curate import remember

        given = {"text": text, "kind": kind, "title": title, "summary": summary}
        changes = arguments.changes(id, given, others=tags is not None or metadata is not None)
        with self._changing(id) as tx:
            former = tx.memories.labels([id])[id]
            kept = {key: values for key, values in former.items() if key != "tags"} if metadata is None else metadata
            labels = arguments.labels(former.get("tags", ()) if tags is None else tags, kept)
            remember.update(tx, id, changes, labels, remember.Names(id, make_id("src"), make_id("ver"), now()))
        return _done(id)

    def archive(self, id: str) -> Outcome:
        """Hide a memory; ``restore_memory`` brings it back.

        Raises:
            NotFound: if there is no such memory.
        """
        from treering.curate import remember

        with self._changing(id) as tx:
            remember.set_status(tx, id, active=False, at=now())
        return _done(id)

    def restore_memory(self, id: str) -> Outcome:
        """Bring back a memory that was archived.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if another active memory says the same.
        """
        from treering.curate import remember

        with self._changing(id) as tx:
            remember.set_status(tx, id, active=True, at=now())
        return _done(id)

    def forget(self, ids: Sequence[str] | str, *, dry_run: bool = False) -> Forgotten:
        """Erase memories with the notes that were kept for them; a tombstone without content remains.

        Args:
            ids: a memory, or several; all of them go, or none.
            dry_run: whether only to say what would go.

        Raises:
            NotFound: if one is not there.
        """
        from treering.curate import remember
        from treering.domain.operation import Forgotten

        wanted = tuple(dict.fromkeys(map(str, arguments.several(ids))))
        if dry_run:
            with self._reading() as tx:
                return Forgotten(tuple(remember.get(tx, id).id for id in wanted), dry_run=True)
        with self._changing(*wanted) as tx:
            for id in wanted:
                remember.forget(tx, id, now())
            tx.keywords.erase()
        return Forgotten(wanted, notices=self._purged())

    def _purged(self) -> tuple[str, ...]:
        """Empty the store's log after something was erased; return what the user should know when that must wait."""
        with self.lock:
            if self._opened(create=False).purge():
                return ()
        return ("another process still reads an earlier state: the erased words leave the store's log when it ends",)

    def forget_directory(self, path: str | Path, *, dry_run: bool = False) -> ForgetReport:
        """Drop what is indexed under a directory, which need not exist any more; files are never touched.

        Args:
            path: the directory: an indexed one, one around it, or one in it.
            dry_run: whether only to say what would go.

        Raises:
            NotFound: if nothing is indexed there.
        """
        from treering.api.forgetting import forget_directory

        paths = (arguments.absolute(path), os.path.realpath(path))
        with self.lock:
            store = self._opened(create=False)
            with store.read() if dry_run else store.write() as tx:
                if not dry_run:
                    self._bring_up_to_date(tx)
                return forget_directory(tx, self.place, self._roots(tx), paths, dry_run=dry_run)

    @contextmanager
    def _changing(self, *ids: str) -> Iterator[Transaction]:
        """Open a transaction that changes memories which are there."""
        from treering.curate import remember
        from treering.derived import rows

        with self.lock, self._opened(create=False).write() as tx:
            self._bring_up_to_date(tx)
            for id in ids:
                remember.get(tx, id)
            with rows.memory_rows(tx, *ids):
                yield tx

    def _catch_up(self, seen: freshness.Look, deadline: float) -> int:
        """Read a few files that changed, without waiting for anybody; return how many stay behind."""
        from treering.api.indexing import Indexing  # only where something changed

        try:
            return Indexing(self.place, self.settings, self._opened, make_id, now).catch_up(seen, deadline)
        except TreeringError:  # a search answers from what is there; a run of its own says what is wrong
            return max(len(seen.changed), 1)

    def _bring_up_to_date(self, tx: Transaction) -> None:
        """Make the keyword index again where another analysis made it."""
        from treering.derived import rows

        def chunked(source: StoredSource, text: str) -> Chunked:
            from treering.api.indexing import rechunk  # nearly never: it loads the readers

            return rechunk(source, text, self.settings)

        rows.bring_up_to_date(tx, chunked)

    # Reading

    def search(  # noqa: PLR0913  each narrows or sizes on its own
        self,
        text: str,
        *,
        path: str | Path | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        tags: Sequence[str] = (),
        source: str | None = None,
        in_: str = "all",
        limit: int | None = None,
        max_tokens: int | None = None,
        empty_gate: float | None = None,
        mode: Mode | None = None,
    ) -> Answer:
        """Answer a question from the memory, or say that it cannot.

        Args:
            text: the question; any text is safe.
            path: directory or file to look in.
            where: metadata keys with the values that are accepted; keys are ANDed, values ORed.
            tags: tags that must all be there.
            source: id of the only source to look in.
            in_: ``memories`` or ``sources`` to look in those alone, else ``all``.
            limit: results at the most, 1..100.
            max_tokens: upper bound of the answer's estimated LLM tokens, 50..100000.
            empty_gate: least confidence for an answer, 0..1; 0 for none, None for the calibrated one.
            mode: ``keyword``, ``semantic`` (meaning alone) or ``hybrid``; None for hybrid where there are vectors.

        Raises:
            NotFound: if there is no store yet, or ``path`` is not indexed.
            InputError: if a value is out of range.
            BadFilter: if ``where`` or ``tags`` cannot be read.
            IndexBehind: if a filter would have to be answered from metadata that is not known to be true.
        """
        text = arguments.question(text)
        if mode is not None:
            arguments.choice("mode", mode, ("keyword", "hybrid", "semantic"))
        query = Query(
            text=text,
            limit=arguments.within("limit", self.settings.search_limit if limit is None else limit, 1, 100),
            max_tokens=arguments.within(
                "max_tokens", self.settings.search_max_tokens if max_tokens is None else max_tokens, 50, 100_000
            ),
            filter=self._filter(path, arguments.conditions(where) + arguments.tag_conditions(tags), source, in_),
            empty_gate=self._gate(empty_gate),
            mode=mode or "hybrid",
        )
        with self.lock:
            seen = self._freshness.before_search(self._opened(create=False), query.filter, self._catch_up)
            meaning, notices = self._meanings.ask(self._opened(create=False), text, mode)
        with self._reading() as tx:
            roots = self._roots(tx)
            self._require_known(query.filter, roots)
            if query.filter.where and query.filter.part != "memories":
                state.require_metadata(tx, self.place, roots, query.filter.path)
            folders = [folder for _, folder in roots.values()]

            def ask(most: int) -> Answer:
                return recall(tx, query._replace(max_tokens=most), self._place_of, meaning)

            answer = freshness.told(ask, query.max_tokens, seen, folders, notices)
            if query.filter.where:
                state.require_present(tx, answer.results, self.place, roots)
        if not answer.found:
            answer = answer._replace(notices=(*answer.notices, *freshness.unseen(seen, self.place)))
        if answer.reason == "filtered_out" and path is not None:
            state.require_path(self.place, path)
        return answer

    def status(self) -> Status:
        """Return where the memory is and what it holds; works without a store, too."""
        from treering.domain.report import Status  # a cold search does not pay for it

        empty = Status(
            store=self.place.database,
            scope=self.place.scope,
            project=self.place.project,
            exists=False,
            notices=("no project here: this is the user's own store",) if self.place.scope == "global" else (),
        )
        with self.lock:
            try:
                store = self._opened(create=False)
            except NotFound:
                return empty
            info = store.info()
            with store.read() as tx:
                counts = tx.sources.count(Filter())
                memories = tx.memories.count("active")
                roots = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
            embedded, model, behind = self._meanings.told(store)
        return empty._replace(
            exists=True,
            embedded=embedded,
            model=model,
            notices=(*empty.notices, *behind),
            read_only=store.read_only,
            memories=memories,
            sources=counts.sources,
            chunks=counts.chunks,
            characters=counts.characters,
            size_bytes=int(info["size_bytes"]),
            schema=int(info["schema"]),
            roots=roots,
        )

    def show(self, id: str, *, start_line: int = 1, limit_lines: int | None = None) -> Shown | Remembered:
        """Return a memory with its quotes and history, or a source or chunk with its exact text and outline.

        Args:
            id: ``mem_…``, ``src_…``, ``ver_…#3`` for a chunk, a source's key, or a file's path.
            start_line: where to begin in a source, from 1.
            limit_lines: how many lines at the most; None for all.

        Raises:
            NotFound: if the memory has nothing of that name.
        """
        start = arguments.within("start_line", start_line, 1, 2**31)
        lines = None if limit_lines is None else arguments.within("limit_lines", limit_lines, 1, 2**31)
        with self._reading() as tx:
            from treering.recall import browse

            if id.startswith("mem_"):
                return browse.remembered(tx, id)
            return browse.show(
                tx, id, (id, f"file:{id}", f"file:{self.place.anchor(arguments.absolute(id))}"), start, lines
            )

    def list(self, what: str, *, limit: int = 50, after: str = "") -> Page:
        """Return one page of what the memory holds.

        Args:
            what: active ``memories`` with the newest first, ``sources`` by key, ``recent`` sources with the newest
                first, or ``roots``.
            limit: entries at the most, 1..1000.
            after: where the page before said to go on.

        Raises:
            InputError: if there is no such list.
        """
        if what not in _LISTS:
            raise InputError(f"there is no list {what!r}; there are {', '.join(_LISTS)}")
        limit = arguments.within("limit", limit, 1, 1000)
        with self._reading() as tx:
            if what == "roots":
                statuses = state.root_statuses(tx, self._roots(tx), self.place, self.settings)
                return Page(statuses, len(statuses), None)
            if what == "memories":
                from treering.recall import browse

                known = browse.list_memories(tx, limit + 1, after)
                following = known[limit - 1].id if len(known) > limit else None
                return Page(known[:limit], tx.memories.count("active"), following)
            total = tx.sources.count(Filter()).sources
            items = tx.sources.list_sources(Filter(), limit + 1, after, newest_first=what == "recent")
        more = len(items) > limit
        last = items[limit - 1] if more else None
        cursor = None if last is None else last.key if what == "sources" else f"{last.recorded_at} {last.id}"
        return Page(tuple(items[:limit]), total, cursor)

    # What the methods above share

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

    def _roots(self, tx: Transaction) -> dict[int, tuple[Root, str]]:
        """Return the indexed directories with where they are, by number."""
        return {root.number: (root, self.place.resolve(root.path)) for root in tx.sources.roots()}

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


def _done(id: str) -> Outcome:
    """Return that a change took effect."""
    from treering.domain.operation import Outcome

    return Outcome("accepted", id)


def make_id(kind: Kind) -> str:
    """Return a new identifier."""
    return ids.make(kind, time.time_ns() // 1_000_000, os.urandom(8))


def now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds."""
    seconds, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{millis:03d}Z"
