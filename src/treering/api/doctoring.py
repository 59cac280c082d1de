"""Doctor: everything that explains how Treering works on this machine, or why it does not."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from treering import settings as settings_module
from treering import wiring
from treering.api.handle import Handle
from treering.domain.query import Filter
from treering.errors import NotFound, TreeringError
from treering.places import SETTINGS_FILE, user_settings
from treering.upkeep import leftovers, machine
from treering.upkeep.machine import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Backend

_PAGE = 500
_SHOWN = 5
# Settings whose values are the user's own words.
_OWN = frozenset(("capture_import_roots", "time_zone"))


class Doctoring(Handle):
    """What explains the machine."""

    def doctor(self) -> tuple[Finding, ...]:
        """Look at everything that Treering needs here, and at what may stand in its way; nothing is changed."""
        with self.lock:
            return tuple(self._findings())

    def _findings(self) -> Iterator[Finding]:
        """Yield what is found, the program first, then the store, then what surrounds it."""
        home = self.place.home
        yield machine.python()
        yield machine.versions()
        yield machine.extras()
        yield self._embedder()
        yield from self._settings()
        try:
            store = self._opened(create=False)
        except NotFound:
            yield Finding("Store", "note", "there is none yet", "treering index .")
        except TreeringError as error:
            yield Finding(
                "Store", "wrong", f"{type(error).__name__}: {{}}", error.hint.replace("{", "{{"), (str(error),)
            )
        else:
            yield from self._store_findings(store)
        if self.place.address is None:
            yield machine.file_system(self.place.folder, machine.mount_table())
            size = os.path.getsize(self.place.database) if os.path.exists(self.place.database) else 0
            yield machine.room(self.place.folder, size)
            if os.path.isdir(self.place.folder):
                name = os.path.basename(self.place.database)
                yield from machine.permissions(self.place.folder, name, home)
                left = leftovers.files(self.place.folder, name, fix=False)
                if left:
                    names = ", ".join(one.id for one in left[:_SHOWN])
                    yield Finding("Leftovers", "wrong", f"{len(left)} files of processes that died: {names}",
                                  "treering verify --fix")  # fmt: skip
        yield self._leaving()
        yield from machine.clients(home, self.place.project)

    def _embedder(self) -> Finding:
        """Look at the embedder and its data."""
        provider = self.settings.embedding_provider
        try:
            embedder = wiring.make_embedder(self.settings)
        except TreeringError as error:
            hint = error.hint or "TREERING_EMBEDDING_PROVIDER=none goes on with words alone"
            return Finding("Embedder", "wrong", f"{provider}: {{}}", hint, (str(error),))
        if embedder is None:
            return Finding("Embedder", "note", "none: words alone find everything")
        known = sha256(embedder.revision.encode()).hexdigest()[:12]
        return Finding("Embedder", "ok", f"{embedder.id}, {embedder.dimension} numbers, data {known}")

    def _settings(self) -> Iterator[Finding]:
        """Yield the settings that are not the default, and where each comes from."""
        files = (user_settings(os.environ), os.path.join(self.place.folder, SETTINGS_FILE))
        try:
            found = settings_module.origins(files, os.environ)
        except TreeringError as error:
            yield Finding("Settings", "wrong", "{}", error.hint, (str(error),))
            return
        for name, (value, where) in sorted(found.items()):
            dotted, shown = name.replace("_", ".", 1), machine.homely(where, self.place.home)
            told = "{}" if name in _OWN else str(value).replace("{", "{{").replace("}", "}}")
            own = (*((str(value),) if name in _OWN else ()), shown)
            yield Finding("Setting", "ok", f"{dotted} = {told}, from {{}}", "", own)
        if not found:
            yield Finding("Settings", "ok", "all are the defaults")

    def _store_findings(self, store: Backend) -> Iterator[Finding]:
        """Yield what the store says of itself."""
        info = store.info()
        shown = machine.homely(self.place.database, self.place.home)
        written = "can only be read" if store.read_only else "can be written"
        size = int(info["size_bytes"]) / 1e6
        yield Finding(
            "Store", "note" if store.read_only else "ok",
            f"{{}}: {info['engine']}, layout {info['schema']}, {size:,.1f} MB, {written}", "", (shown,),
        )  # fmt: skip
        with store.read() as tx:
            waiting = len(tx.erasures.unfinished())
            absolute = [root.path for root in tx.sources.roots() if os.path.isabs(root.path)]
            after = ""
            while len(absolute) < _SHOWN and (page := tx.sources.list_sources(Filter(), _PAGE, after)):
                paths = [one.key.partition(":")[2] for one in page if one.key.startswith(("file:/", "import:/"))]
                absolute += [path for path in paths if not any(path.startswith(f"{one}/") for one in absolute)]
                after = page[-1].key
        if waiting:
            yield Finding("Erasures", "note", f"{waiting} wait for another process to end", "treering verify --fix")
        if absolute:
            names = ", ".join("{}" for _ in absolute[:_SHOWN])
            yield Finding(
                "Paths", "note", f"stored as absolute, so a copy of the project does not find them: {names}",
                "keep them below the project or the home folder", tuple(absolute[:_SHOWN]),
            )  # fmt: skip
        else:
            yield Finding("Paths", "ok", "all are relative to the project or the home folder")

    def _leaving(self) -> Finding:
        """Say what could leave the machine."""
        if self.place.address is not None:
            return Finding("Network", "note", "the store is on the server {}", "", (self.place.database,))
        return Finding("Network", "ok", "nothing leaves this machine: no endpoint is configured")
