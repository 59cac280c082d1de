"""What a slow model lacks, embedded in a thread beside the searches of a process that stays."""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final

from treering.errors import TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.ports import Backend, Embedder

BATCH: Final = 32
"""Entries in one transaction: 0.1 to 0.3 s of embedding, which is what closing a memory may have to wait for."""

# What is embedded keeps one core half busy: whoever searches meanwhile gets the other half.
_REST: Final = 1.0


class _StoppedError(Exception):
    """The memory is being closed."""


class Background:
    """Embeds what is missing; one thread at a time, with a connection of its own.

    Interrupted at any moment it loses one batch. A failure ends the run; the next search begins another.
    """

    def __init__(self, open_store: Callable[[], Backend]) -> None:
        """Remember how the store is opened; nothing is started."""
        self._open = open_store
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether something is being embedded."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, embedder: Embedder) -> None:
        """Begin to embed, unless that has begun."""
        if self.running:
            return
        self._stop.clear()
        # A daemon: a process that ends without closing its memory does not wait.
        self._thread = threading.Thread(target=self._run, args=(embedder,), name="treering-vectors", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End after the batch at hand, and wait for that."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def _run(self, embedder: Embedder) -> None:
        """Embed until nothing is missing."""
        from treering.derived import vectors

        began = time.thread_time()

        def rest(_done: int, _all: int) -> None:
            """Leave the machine to others for as long as the last batch took."""
            nonlocal began
            if self._stop.wait(_REST * (time.thread_time() - began)):
                raise _StoppedError
            began = time.thread_time()

        # Without the store, or its lock, or a model that works there is nothing to do here: a search says so.
        with suppress(TreeringError, _StoppedError), closing(self._open()) as store:
            while vectors.catch_up(store, embedder, newest_first=True, batch=BATCH, keep=None, progress=rest):
                pass
