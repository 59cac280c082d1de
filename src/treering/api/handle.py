"""Handle: the lock, the open database and what every use case needs of them."""

from __future__ import annotations

import os
from _thread import RLock
from collections import deque
from contextlib import contextmanager, suppress

from treering import wiring
from treering.api.behind import MirrorBehind
from treering.api.freshness import Freshness
from treering.api.meanings import Meanings
from treering.api.stamping import identify, is_blank, make_id, now
from treering.domain.depth import DEPTHS
from treering.errors import InputError, NotAllowed, NotFound, Paused, TreeringError
from treering.ledger import NONE, STORE_ID
from treering.places import SETTINGS_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo
    from typing import Final, Self

    from treering.curate.curator import Curator
    from treering.domain.chunk import Chunked
    from treering.domain.depth import Depth
    from treering.domain.policy import Caller
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Backend, Extractor, Transaction
    from treering.ports.tree import Summariser
    from treering.records import StoredSource
    from treering.settings import Settings


_REMEMBERED_TEXTS: Final = 64
"""Texts that an agent was shown lately: some eight answers."""

PAUSED: Final = "paused"
"""Setting of a store: since when capture is paused; empty when it is not."""


class Handle:
    """An open store under one lock.

    Attributes:
        place: where the store is and what its paths are relative to.
        settings: the settings that hold for it.
        beside: the user's own store, which reads cover as well; None where one store is meant.
        lock: re-entrant; every method takes it. Hold it to make several calls one step.
        counts: whether it is kept how often memories are recalled, which is written with the next change, or at the
            end.
        summariser: what makes digests; None for what the settings name.
    """

    summariser: Summariser | None = None

    def __init__(
        self,
        place: Place,
        settings: Settings,
        caller: Caller | None = None,
        extractor: Extractor | None = None,
        beside: Place | None = None,
    ) -> None:
        """Use the store at ``place`` on behalf of ``caller``, else its owner; it is opened when first needed.

        Args:
            place: where the store is.
            settings: the settings that hold for it.
            caller: on whose behalf everything is done; None for the owner.
            extractor: takes memories out of documents; None for the one that ships.
            beside: the user's own store, which reads cover as well; None for one store.
        """
        self.place = place
        self.beside = beside
        self._caller = caller
        self._extractor = extractor
        self.settings = settings
        self._second: Self | None = None
        self._apart = False
        self.lock = RLock()
        self._store: Backend | None = None

        def again() -> Backend:
            return self._trusted(self._made_or_opened(create=False))

        self._meanings = Meanings(settings, place.database if place.address is None else "", again)
        self._freshness = Freshness(place, settings)
        self._behind = MirrorBehind(place, settings, again)
        self._closed = False
        self.counts = True
        self._asked = False
        self._recalled: dict[str, int] = {}
        self._told: deque[str] = deque(maxlen=_REMEMBERED_TEXTS)

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def again(self) -> Self:
        """Return the same store on behalf of the same caller, through a connection of its own."""
        other = type(self)(self.place, self.settings, self._caller, self._extractor, self.beside)
        other.summariser = self.summariser
        return other

    def _other(self) -> Self | None:
        """Return the user's own store where reads cover it and it has been made; it is never made here."""
        if self.beside is None:
            return None
        with self.lock:
            if self._second is None and os.path.exists(self.beside.database):
                settings = wiring.load_settings(self.beside, os.environ)
                self._second = type(self)(self.beside, settings, self._caller, self._extractor)
                self._second._told = self._told  # noqa: SLF001 - of the same class
                if settings.embedding_provider == self.settings.embedding_provider:
                    self._second._meanings.read_with(self._meanings)  # noqa: SLF001 - of the same class
            return self._second

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let searches reach this store alone."""
        with self.lock:
            before, self._apart = self._apart, True
            try:
                yield
            finally:
                self._apart = before

    @property
    def is_trusted(self) -> bool:
        """Whether the store was made on this machine by its user, or is trusted by him; so is one that is not there."""
        from treering.api.distrust import Distrusted

        try:
            return not isinstance(self._opened(create=False), Distrusted)
        except NotFound:
            return True

    def _depth(self, asked: str = "") -> Depth:
        """Return the depth that is shown where one is asked for; empty for the setting's.

        Raises:
            InputError: if there is no such depth.
        """
        depth = asked or self.settings.search_depth
        for known in DEPTHS:
            if known == depth:
                return known
        raise InputError(f"depth={asked!r}; possible are {', '.join(DEPTHS)}")

    def _stores(self) -> tuple[Self, ...]:
        """Return the stores that a read covers, this one first."""
        other = None if self._apart else self._other()
        return (self,) if other is None else (self, other)

    def close(self) -> None:
        """Release the database; a closed memory stays closed."""
        # Outside the lock: the thread that writes files may be waiting for the database, never for the lock.
        self._behind.stop()
        with self.lock:
            self._behind.finish(self._store)
            self._closed = True
            self._release()
            if self._second is not None:
                self._second.close()

    def _release(self) -> None:
        """Close the database if it is open."""
        if self._store is not None:
            self._keep_recalled(self._store)
            self._store.close()
            self._store = None
            self._meanings.forget_store()

    def _recall(self, memories: Iterable[str]) -> None:
        """Count memories that were handed out, in this process alone: a search writes nothing.

        The first question is not counted: a process that asks one would pay a transaction for it.
        """
        with self.lock:
            if self.counts and self._asked:
                for memory in memories:
                    self._recalled[memory] = self._recalled.get(memory, 0) + 1
            self._asked = True

    def _keep_recalled(self, store: Backend) -> None:
        """Write what was counted, unless that would mean to wait; a count that is lost is no harm."""
        if not self._recalled or store.read_only:
            return
        try:
            with store.write(wait=False) as tx:
                tx.attention.recall(self._recalled, now())
        except TreeringError:
            return
        self._recalled = {}

    def _opened(self, *, create: bool) -> Backend:
        """Return the open database; opens it anew when its file was replaced."""
        if self._closed:
            raise InputError("this memory was closed", hint="open another with treering.open()")
        if self._store is not None and self._store.replaced():
            self._release()
        if self._store is None:
            self._store = self._trusted(self._made_or_opened(create=create))
            if not self._store.read_only:
                self._resume(self._store)
        return self._store

    def _resume(self, store: Backend) -> None:
        """Carry on with what another process has begun and not ended; erasing does it."""

    def _made_or_opened(self, *, create: bool) -> Backend:
        """Return the database; one that is made here, by this process or at this moment by another, is noted."""
        is_new = not os.path.exists(self.place.database)
        folder = self.place.folder if is_new and not self._has_settings() else NONE
        store = wiring.open_backend(self.place, self.settings, create=create)
        if store.upgraded:
            with store.write() as tx:
                self._bring_up_to_date(tx)
            self._meanings.covering.after_index(store)
        if create and wiring.may_be_cloned(self.place) and not store.read_only and is_blank(store):
            ledger = wiring.ledger(os.environ)
            identify(store, lambda id: ledger.add(id, folder))
        return store

    def _has_settings(self) -> bool:
        """Tell whether settings lie where a store is to be made: they may have come with a clone."""
        return os.path.exists(os.path.join(self.place.folder, SETTINGS_FILE))

    def _trusted(self, store: Backend) -> Backend:
        """Return the database as it is to be read: one that came from elsewhere as words from outside."""
        if not wiring.may_be_cloned(self.place):
            return store
        with store.read() as tx:
            id = tx.setting(STORE_ID)
        if wiring.ledger(os.environ).knows(id, self.place.folder) or (id is None and is_blank(store)):
            return store
        from shlex import quote
        from typing import cast

        from treering.api.distrust import Distrusted

        return cast("Backend", Distrusted(store, f"treering trust {quote(self.place.project or self.place.folder)}"))

    @contextmanager
    def _reading(self) -> Iterator[Transaction]:
        """Open a view of one state of an existing store."""
        with self.lock, self._opened(create=False).read() as tx:
            yield tx

    @contextmanager
    def _curating(
        self, *, create: bool = False, erase: bool = False, as_owner: bool = False, wait: bool = True
    ) -> Iterator[tuple[Transaction, Curator]]:
        """Open a transaction that changes memories on the caller's behalf; what is derived follows.

        Args:
            create: whether a store is made where there is none.
            erase: whether no word of what is removed may stay in the index.
            as_owner: whether the owner has asked for it, whoever the caller is.
            wait: False gives up at once where another process writes.
        """
        from treering.api.curating import begin  # a cold search pays for none of it

        with self.lock, self._opened(create=create).write(wait=wait) as tx:
            if self._is_agent:
                self._require_capture(tx)
            caller = None if as_owner else self._caller
            curator, following = begin(tx, self.settings, caller, now(), self._told, self._bring_up_to_date)
            yield tx, curator
            following.finish()
            if erase:
                from treering.api import digesting

                tx.keywords.erase()
                digesting.erase(tx, self.settings)
            if self._recalled:
                tx.attention.recall(self._recalled, now())
            self._recalled = {}
        self._behind.changed()
        self._went_on()

    def _went_on(self) -> None:
        """Do what waited for another process, after a change; erasing does it."""

    def _extracting(self) -> Extractor:
        """Return what takes memories out of documents."""
        from treering.ingest.extract import Extractor as Shipped  # most callers take none out

        with self.lock:
            if self._extractor is None:
                self._extractor = Shipped()
            return self._extractor

    @property
    def _is_agent(self) -> bool:
        """Whether an agent asks."""
        return self._caller is not None and self._caller.role == "agent"

    def _require_capture(self, tx: Transaction) -> None:
        """Refuse to take anything in while capture is paused."""
        if since := tx.setting(PAUSED):
            raise Paused(f"capture is paused since {since}: nothing was stored", hint=self.place.command("resume"))

    def _require_open(self) -> None:
        """Refuse to take anything in while capture is paused, whoever asks."""
        with suppress(NotFound), self._reading() as tx:  # what is not there yet is not paused
            self._require_capture(tx)

    def _showed(self, texts: Iterable[str]) -> None:
        """Note what an agent is shown, so that it is not saved as the agent's own word."""
        if self._is_agent:
            self._told.extend(texts)

    def _require_owner(self, does: str) -> None:
        """Refuse an agent what the owner alone does."""
        if self._caller is not None and self._caller.role != "owner":
            raise NotAllowed(f"only the owner {does}", hint="the owner can, at the command line")

    @contextmanager
    def _viewing(self) -> Iterator[tuple[Transaction, Curator]]:
        """Open a view of what a curator sees; nothing is changed through it."""
        from treering import zones
        from treering.curate.curator import Curator
        from treering.domain.policy import Caller

        with self._reading() as tx:
            zone = zones.of_store(tx, self.settings.time_zone)
            yield tx, Curator(self._caller or Caller(), now(), zone, make_id, lambda _: None)

    def _bring_up_to_date(self, tx: Transaction) -> None:
        """Make the keyword index again where another analysis made it."""
        from treering.derived import rows

        def chunked(source: StoredSource, text: str) -> Chunked:
            from treering.api.cutting import rechunk  # nearly never: it loads the readers

            return rechunk(tx, source, text, self.settings)

        rows.bring_up_to_date(tx, chunked)

    @property
    def zone(self) -> tzinfo:
        """Time zone in which dates without an offset are meant.

        Raises:
            BadSetting: if the setting names none.
        """
        from treering import zones

        try:
            with self._reading() as tx:
                return zones.of_store(tx, self.settings.time_zone)
        except NotFound:  # no store yet: it will be made in the user's
            return zones.zone(self.settings.time_zone or zones.local())

    def _keys(self, name: str) -> tuple[str, ...]:
        """Return the keys that a source's name may stand for when it is no id."""
        from treering.api import arguments

        return arguments.source_keys(self.place, name)

    def _source(self, tx: Transaction, name: str) -> str:
        """Return the id of the source that an id, a key or a path means.

        Raises:
            NotFound: if there is none.
        """
        from treering.recall import browse

        return browse.find_source(tx, name, self._keys(name))[0].id

    def _clear_desks(self) -> int:
        """Take what sessions put aside away with what is erased; return how many sessions. The workbench does it."""
        return 0

    def _roots(self, tx: Transaction) -> dict[int, tuple[Root, str]]:
        """Return the indexed directories with where they are, by number."""
        return {root.number: (root, self.place.resolve(root.path)) for root in tx.sources.roots()}
