"""The project that a server works for, and its memory: found at the first call that needs it, then kept warm."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from treering import api
from treering.domain.text import llm_tokens
from treering.errors import NotFound, OutsideRoot, ReadOnlyStore, TreeringError
from treering.places import is_within
from treering.surfaces.mcp.confine import Bounds, bounds
from treering.surfaces.mcp.replies import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.api import MemoryStore
    from treering.places import Scope

LOG = logging.getLogger(__name__)

AGENT: Final = "agent"
"""What a client goes by that does not say its name."""

_LONGEST_NAME: Final = 100


class Wish(NamedTuple):
    """What the user said when starting the server.

    Attributes:
        store: folder or database file.
        scope: ``project``, ``global`` or ``both``.
        allowed: folders outside the project that an agent may index.
        read_only: whether tools that change the memory are left out.
        folder: where the server was started.
        all_tools: whether those beyond the core are offered, too.
        agent: what the client goes by; empty for what it calls itself.
        max_depth: the deepest that is shown; empty for what the settings say.
    """

    store: str | None = None
    scope: str = "both"
    allowed: tuple[str, ...] = ()
    read_only: bool = False
    folder: str = "."
    all_tools: bool = False
    agent: str = ""
    max_depth: str = ""

    @property
    def is_explicit(self) -> bool:
        """Whether it says which store to use, so that nobody else is asked."""
        named = os.environ.get("TREERING_STORE") or os.environ.get("TREERING_PROJECT")
        return self.store is not None or self.scope != "both" or bool(named)


class Workplace:
    """One memory for all of a server's calls. Threads may share it.

    Attributes:
        wish: what the user said.
    """

    def __init__(self, wish: Wish) -> None:
        """Find and open nothing yet."""
        self.wish = wish
        self._lock = threading.Lock()
        self._client: tuple[str, ...] = ()
        self._agent = wish.agent or AGENT
        self._opened: tuple[MemoryStore, Bounds] | None = None
        self._has_embedded = False

    def told(self, folders: Sequence[str]) -> None:
        """Note the folders that the client works in; the first that exists is where a project is looked for."""
        self._client = tuple(folder for folder in folders if os.path.isdir(folder))

    def introduced(self, name: str) -> None:
        """Note what the client calls itself, for the audit log; what comes once the memory is open counts no more."""
        if not self.wish.agent:
            self._agent = " ".join(printable(name).replace("\0", "").split())[:_LONGEST_NAME] or AGENT

    @property
    def memory(self) -> MemoryStore:
        """The memory, open and warm.

        Raises:
            TreeringError: if the settings cannot be read or the place that they name is not there.
        """
        return self._found()[0]

    def confined(self, path: str) -> str:
        """Return a path from an agent as an absolute one that it may name; directories that are indexed count as well.

        Raises:
            OutsideRoot: if it, or what it links to, lies elsewhere.
        """
        memory, allowed = self._found()
        try:
            return allowed.confined(path)
        except OutsideRoot as error:
            known = [root.path for root in memory.status().roots]
            if not known:
                raise OutsideRoot(str(error), hint=error.hint) from None
            return allowed.also(known).confined(path)

    def _found(self) -> tuple[MemoryStore, Bounds]:
        """Return memory and bounds; finds them the first time."""
        with self._lock:
            if self._opened is None:
                memory = self._find()
                memory.counts = not self.wish.read_only
                project = memory.place.checkout or memory.place.project
                base = project or self._client_folder or os.path.realpath(self.wish.folder)
                allowed = bounds(base, project, self._client, self.wish.allowed, memory.place.home)
                self._opened = (memory, allowed)
                memory.load_embedder()
                LOG.info("memory at %s", memory.place.database)
            return self._opened

    @property
    def _client_folder(self) -> str | None:
        """The folder in which the client says it works."""
        return self._client[0] if self._client and not self.wish.is_explicit else None

    def _find(self) -> MemoryStore:
        """Return the memory of: what the user said; the folder that the client works in; the working directory."""
        folder = self._client_folder
        if folder is None:
            if not os.path.isdir(self.wish.folder):
                raise NotFound(f"the folder {self.wish.folder} was removed", hint="start the server in another one")
            scope = cast("Scope", self.wish.scope)
            return api.open(
                self.wish.folder,
                store=self.wish.store,
                scope=scope,
                as_agent=self._agent,
                max_depth=self.wish.max_depth,
            )
        memory = api.open(folder, as_agent=self._agent, max_depth=self.wish.max_depth)
        if memory.place.scope != "global" or is_within(memory.place.home, os.path.realpath(folder)):
            return memory
        memory.close()
        return api.open(
            folder, project=folder, as_agent=self._agent, max_depth=self.wish.max_depth
        )  # the client's workspace is a project, whatever it holds

    def may_write(self) -> None:
        """Pass where the memory may be changed.

        Raises:
            ReadOnlyStore: if the server was started for reading alone.
        """
        if self.wish.read_only:
            raise ReadOnlyStore(
                "this server was started with --read-only", hint="the user can start it without --read-only"
            )

    @contextmanager
    def apart(self) -> Iterator[MemoryStore]:
        """Yield the same memory through a connection of its own, for what takes long: other calls go on meanwhile."""
        with self.memory.again() as other:
            yield other

    def absolute(self, path: str) -> str:
        """Return a path from an agent as an absolute one; whether it may be read is another question."""
        return self._found()[1].absolute(path)

    def embed_behind(self) -> None:
        """Embed what lacked vectors when the memory was opened, in a thread of its own; what comes later is seen to."""
        if self._has_embedded or self.wish.read_only:
            return
        self._has_embedded = True
        threading.Thread(target=self._embed, name="embedding", daemon=True).start()

    def _embed(self) -> None:
        """Embed what lacks vectors; what goes wrong is told by the next search."""
        try:
            embedded = self.memory.embed_behind()
            LOG.info("%d entries embedded", embedded)
        except TreeringError as error:
            LOG.info("nothing embedded: %s", error)
        except Exception:
            LOG.exception("embedding failed")

    def handed_out(self, text: str) -> None:
        """Count what a client is given, where a memory is open; that never fails a call."""
        if self._opened is not None:
            self._opened[0].hand_out(self._agent, llm_tokens(text))

    def close(self) -> None:
        """Close the memory if it was opened."""
        with self._lock:
            if self._opened is not None:
                self._opened[0].close()
