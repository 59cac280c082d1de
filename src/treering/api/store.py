"""MemoryStore: one method for each use case.

It owns the lock, opens the transactions and puts rooms together; what a use case decides is in its
room. Safe to share between threads.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Self

from treering import wiring
from treering.api import state
from treering.domain import ids
from treering.domain.query import Filter, Query
from treering.errors import BadFilter, InputError, NotFound
from treering.places import is_within
from treering.recall.pipeline import recall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from treering.domain.ids import Kind
    from treering.domain.query import Answer, Mode
    from treering.domain.report import IndexReport, RootStatus, Shown, Status
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Backend, StoredSource, Transaction
    from treering.settings import Settings

    Progress = Callable[[int, int], None]

_LISTS = ("sources", "recent", "roots")


class Page(NamedTuple):
    """One page of a list.

    Attributes:
        items: the entries.
        total: how many there are in all.
        next: what to give as ``after`` for the following page; None at the end.
    """

    items: tuple[StoredSource, ...] | tuple[RootStatus, ...]
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
        paths: Sequence[str | Path],
        *,
        glob: str = "",
        file: str | Path | None = None,
        prune: bool | None = None,
        progress: Progress | None = None,
    ) -> list[IndexReport]:
        """Index directories in place, reading only what changed.

        Args:
            paths: the directories. One inside or around an indexed root becomes one root with it, the outer one.
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
        for path in paths:
            with self.lock:
                run = Indexing(self.place, self.settings, self._opened, make_id, now)
                if file is None:
                    reports.append(run.run(str(path), glob, prune=prune, progress=progress))
                else:
                    reports.append(run.run_file(str(path), str(file)))
        return reports

    def reindex(self, *, progress: Progress | None = None) -> Status:
        """Make all derived data again from the stored text and return the status."""
        from treering.api.indexing import rechunk
        from treering.derived import rows

        with self.lock:
            with self._opened(create=False).write() as tx:
                rows.rebuild(tx, lambda source, text: rechunk(source, text, self.settings), progress)
            return self.status()

    # Reading

    def search(
        self,
        text: str,
        *,
        path: str | Path | None = None,
        where: Mapping[str, str | Sequence[str]] | None = None,
        source: str | None = None,
        limit: int | None = None,
        max_tokens: int | None = None,
        empty_gate: float | None = None,
        mode: Mode = "keyword",
    ) -> Answer:
        """Answer a question from the memory, or say that it cannot.

        Args:
            text: the question; any text is safe.
            path: directory or file to look in.
            where: metadata keys with the values that are accepted; keys are ANDed, values ORed.
            source: id of the only source to look in.
            limit: results at the most, 1..100.
            max_tokens: upper bound of the answer's estimated LLM tokens, 50..100000.
            empty_gate: least confidence for an answer, 0..1; 0 for none, None for the calibrated one.
            mode: which lists are used.

        Raises:
            NotFound: if there is no store yet, or ``path`` is not indexed.
            InputError: if a value is out of range.
            BadFilter: if ``where`` cannot be read.
            IndexBehind: if a filter would have to be answered from metadata that is not known to be true.
        """
        query = Query(
            text=text,
            limit=_within("limit", self.settings.search_limit if limit is None else limit, 1, 100),
            max_tokens=_within(
                "max_tokens", self.settings.search_max_tokens if max_tokens is None else max_tokens, 50, 100_000
            ),
            filter=self._filter(path, where, source),
            empty_gate=self._gate(empty_gate),
            mode=mode,
        )
        with self._reading() as tx:
            roots = self._roots(tx)
            self._require_known(query.filter, roots)
            if query.filter.where:
                state.require_metadata(tx, self.place, roots, self.place.resolve(query.filter.path or "."))
            answer = recall(tx, query, self._place_of)
        if query.filter.where:
            state.require_present(answer.results, self.place, [folder for _, folder in roots.values()])
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
                roots = state.root_statuses(tx, self._roots(tx))
        return empty._replace(
            exists=True,
            read_only=store.read_only,
            sources=counts.sources,
            chunks=counts.chunks,
            characters=counts.characters,
            size_bytes=int(info["size_bytes"]),
            schema=int(info["schema"]),
            roots=roots,
        )

    def show(self, id: str, *, start_line: int = 1, limit_lines: int | None = None) -> Shown:
        """Return a source or a chunk with its exact text and outline.

        Args:
            id: ``src_…``, ``ver_…#3`` for a chunk, a source's key, or a file's path.
            start_line: where to begin in a source, from 1.
            limit_lines: how many lines at the most; None for all.

        Raises:
            NotFound: if the memory has nothing of that name.
        """
        start = _within("start_line", start_line, 1, 2**31)
        lines = None if limit_lines is None else _within("limit_lines", limit_lines, 1, 2**31)
        with self._reading() as tx:
            from treering.recall import browse

            return browse.show(tx, id, (id, f"file:{id}", f"file:{self.place.anchor(_absolute(id))}"), start, lines)

    def list(self, what: str, *, limit: int = 50, after: str = "") -> Page:
        """Return one page of what the memory holds.

        Args:
            what: ``sources`` by key, ``recent`` with the newest first, or ``roots``.
            limit: entries at the most, 1..1000.
            after: where the page before said to go on.

        Raises:
            InputError: if there is no such list.
        """
        if what not in _LISTS:
            raise InputError(f"there is no list {what!r}; there are {', '.join(_LISTS)}")
        limit = _within("limit", limit, 1, 1000)
        with self._reading() as tx:
            if what == "roots":
                statuses = state.root_statuses(tx, self._roots(tx))
                return Page(statuses, len(statuses), None)
            total = tx.sources.count(Filter()).sources
            items = tx.sources.list_sources(Filter(), limit + 1, after, newest_first=what == "recent")
        more = len(items) > limit
        last = items[limit - 1] if more else None
        cursor = None if last is None else last.key if what == "sources" else f"{last.recorded_at} {last.id}"
        return Page(tuple(items[:limit]), total, cursor)

    # What the methods above share

    def _filter(
        self, path: str | Path | None, where: Mapping[str, str | Sequence[str]] | None, source: str | None
    ) -> Filter:
        """Return what narrows a search."""
        anchors = ("",) if path is None else self.place.anchors(_absolute(path))
        return Filter(_conditions(where), anchors[0], source or "", anchors[1:])

    def _gate(self, empty_gate: float | None) -> float | None:
        """Return the gate of a search: the caller's, else the setting's, else None for the calibrated one."""
        gate = self.settings.search_empty_gate if empty_gate is None else _share("empty_gate", empty_gate)
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


def _absolute(path: str | Path) -> str:
    """Return a path relative to the working directory as an absolute one; links in folders are followed."""
    full = os.path.abspath(os.path.expanduser(path))
    return os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))


def _conditions(where: Mapping[str, str | Sequence[str]] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a metadata filter as the pipeline takes it.

    Raises:
        BadFilter: if it is no mapping from keys to a string or strings.
    """
    if where is None:
        return ()
    given: object = where  # callers without a type checker pass anything
    if not isinstance(given, Mapping):
        raise BadFilter(f"where is {type(where).__name__}; it takes a mapping such as {{'kind': ['event', 'note']}}")
    return tuple((_text(key), _texts(key, values)) for key, values in given.items())


def _texts(key: object, values: object) -> tuple[str, ...]:
    """Return the accepted values of one key of a filter."""
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Iterable):
        raise BadFilter(f"where: {key!r} = {values!r}; values are strings")
    return tuple(_text(value) for value in values)


def _text(value: object) -> str:
    """Return a key or value of a filter."""
    if not isinstance(value, str):
        raise BadFilter(f"where: {value!r} is {type(value).__name__}; keys and values are strings")
    return value


def _within(name: str, value: int, least: int, most: int) -> int:
    """Return ``value``, refusing anything that is no whole number in the range."""
    given: object = value
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise InputError(f"{name} = {value!r}: it must be a whole number from {least} to {most}")
    return value


def _share(name: str, value: float) -> float:
    """Return ``value``, refusing anything that is no number from 0 to 1."""
    given: object = value
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
        raise InputError(f"{name} = {value!r}: it must be a number from 0 to 1")
    return value


def make_id(kind: Kind) -> str:
    """Return a new identifier."""
    return ids.make(kind, time.time_ns() // 1_000_000, os.urandom(8))


def now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds."""
    seconds, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{millis:03d}Z"
