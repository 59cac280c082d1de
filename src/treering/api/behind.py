"""Keeping the mirror's files behind the store's back: after the commit, in idle moments and at the end."""

from __future__ import annotations

import time
from contextlib import closing, suppress

from treering.errors import TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from typing import Final

    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.settings import Settings

IDLE_S: Final = 0.5
"""How long nothing is saved before a memory that stays open writes files."""

AT_CLOSE: Final = 200
"""Changed objects that are written when a memory is closed: some 50 ms; what is more waits for the next time."""

_BATCH: Final = 50


class MirrorBehind:
    """Notices that something was saved, and writes the files later.

    What is to be written stands in the store, so that nothing is lost with a process: whoever comes next goes on.
    """

    def __init__(self, place: Place, settings: Settings, open_store: Callable[[], Backend]) -> None:
        """Remember where the files go; nothing is started."""
        self._database = place.database
        self._open = open_store
        self._on_disk = place.address is None and place.database != ":memory:"
        self.enabled = settings.mirror_enabled and self._on_disk
        self._opened = time.monotonic()
        self._dirty = False
        self._stop: threading.Event
        self._again: threading.Event
        self._thread: threading.Thread | None = None

    def changed(self) -> None:
        """Note that something was saved; of a process that stays, a thread writes the files in an idle moment."""
        if not self.enabled:
            return
        stays = self._dirty or time.monotonic() - self._opened > IDLE_S
        self._dirty = True
        if not stays:  # a command that saves once and ends
            return
        if self._thread is not None:
            if not self._again.is_set():
                self._again.set()
        else:
            import threading  # a command that ends needs it not

            self._stop, self._again = threading.Event(), threading.Event()
            self._again.set()
            self._thread = threading.Thread(target=self._run, name="treering-mirror", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread after the batch at hand."""
        if self._thread is None:
            return
        from threading import current_thread

        self._stop.set()
        self._again.set()
        if self._thread is not current_thread():
            self._thread.join()
        self._thread = None

    def finish(self, store: Backend | None) -> None:
        """Write what was saved last, if the store is open; where it is busy or the disk full, the list of it stays."""
        if store is not None and self._dirty and not store.read_only:
            with suppress(TreeringError):
                self._write(store, AT_CLOSE)
        self._dirty = False

    def erase(self, store: Backend, *, wait: bool) -> None:
        """Take what was erased out of the files at once, even where the mirror was turned off since.

        May be called again; what a process that died left over is done then.

        Raises:
            StorageFailed: if a file cannot be changed.
        """
        if not self._on_disk:
            return
        from treering.upkeep.mirror.folder import Folder, folder_of

        folder = Folder(folder_of(self._database))
        if folder.exists():
            from treering.upkeep.mirror.catch_up import erase

            with store.write(wait=wait) as tx:
                erase(tx, folder)

    def put_receipts(self, tx: Transaction) -> None:
        """Write receipts into the mirror, if there is one, in the transaction that ends an erasure.

        Raises:
            StorageFailed: if the file cannot be written.
        """
        if self._on_disk:
            from treering.upkeep.mirror.catch_up import put_receipts
            from treering.upkeep.mirror.folder import Folder, folder_of

            folder = Folder(folder_of(self._database))
            if folder.exists():
                put_receipts(tx, folder)

    def _write(self, store: Backend, limit: int) -> bool:
        """Write some files and tell whether there may be more."""
        from treering.upkeep.mirror.catch_up import catch_up
        from treering.upkeep.mirror.folder import Folder, folder_of

        with store.write(wait=False) as tx:
            catch_up(tx, Folder(folder_of(self._database)), limit)
            return tx.mirrored.count_due() > 0

    def _run(self) -> None:
        """Write files whenever nothing was saved for a moment, until the memory is closed."""
        while not self._stop.is_set():
            self._again.wait()
            self._again.clear()
            if self._stop.wait(IDLE_S):
                return
            if self._again.is_set():
                continue
            with suppress(TreeringError), closing(self._open()) as store:
                while self._write(store, _BATCH) and not self._stop.wait(0.01):
                    pass
                self._dirty = self._again.is_set()
