"""The models of one open memory: the embedder that the settings name, and the quick one beside a slow one."""

from __future__ import annotations

import time

from treering import wiring
from treering.errors import EmbedderFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from typing import Final

    from treering.ports import Embedder
    from treering.settings import Settings

GRACE_S: Final = 1.5
"""How long questions wait in all for an embedder that is being loaded; the built-in one takes .02 s."""


class Models:
    """Loads embedders once, when they are first needed or in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        """Load nothing yet."""
        self._settings = settings
        self._made = self._made_quick = False
        self._embedder: Embedder | None = None
        self._quick: Embedder | None = None
        self._loading: threading.Event | None = None
        self._loading_since = 0.0
        self._leader: Models | None = None

    def lean_on(self, leader: Models) -> None:
        """Use what another open memory has loaded, or will load when one of both needs it."""
        self._leader = leader

    def load_behind(self) -> None:
        """Load the embedder in a thread of its own; meanwhile questions are answered by words alone.

        Where it cannot be loaded, each question says so.
        """
        if self._made or self._loading is not None:
            return
        import threading  # a process that asks once loads nothing behind

        self._loading_since = time.monotonic()
        loading = self._loading = threading.Event()

        def load() -> None:
            try:
                self._embedder = wiring.make_embedder(self._settings)
                self._made = True
            except EmbedderFailed:  # the next one who needs it tries again and is told
                pass
            finally:
                self._loading = None
                loading.set()

        threading.Thread(target=load, name="embedder", daemon=True).start()

    def is_loading(self) -> bool:
        """Tell whether the embedder is being loaded, once a moment has passed in which a quick one is there."""
        if self._leader is not None:
            return self._leader.is_loading()
        loading = self._loading
        if loading is None:
            return False
        return not loading.wait(max(0.0, self._loading_since + GRACE_S - time.monotonic()))

    def share(self, others: Models) -> None:
        """Use the embedder that another open memory has loaded, or is loading; waits for that."""
        loading = others._loading
        if loading is not None:
            loading.wait()
        self._embedder, self._made = others._embedder, others._made
        self._quick, self._made_quick = others._quick, others._made_quick

    @property
    def embedder(self) -> Embedder | None:
        """The embedder; None when the settings want none.

        Raises:
            EmbedderFailed: if it cannot be loaded.
        """
        if self._leader is not None:
            return self._leader.embedder
        if not self._made:
            self._embedder = wiring.make_embedder(self._settings)
            self._made = True
        return self._embedder

    @property
    def quick(self) -> Embedder | None:
        """The embedder that stands in for a slow one; None where the settings' own is quick."""
        if self._leader is not None:
            return self._leader.quick
        if not self._made_quick:
            self._quick = wiring.make_quick_embedder(self._settings)
            self._made_quick = True
        return self._quick
