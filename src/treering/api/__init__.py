"""The one door to a memory: every surface parses, calls a method here, and renders."""

from __future__ import annotations

import os

from treering import wiring
from treering.errors import NotFound
from treering.places import SETTINGS_FILE, STORE_FOLDER, find_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Final

    from treering.api.browsing import Page
    from treering.api.rows import Row, Rows
    from treering.api.searching import Searching
    from treering.api.store import MemoryStore
    from treering.domain.operation import Outcome
    from treering.domain.policy import Caller
    from treering.domain.report import ForgetReport, IndexReport, Status
    from treering.places import Place, Scope
    from treering.ports import Extractor
    from treering.ports.tree import Summariser
    from treering.settings import Settings
    from treering.upkeep.archive import Archived

__all__ = [
    "MemoryStore", "Page", "Row", "Rows", "forget", "index", "index_file", "open", "remember", "restore", "search",
    "status", "trust",
]  # fmt: skip

# Imported when they are first asked for: a process that asks one question needs none of them.
_LATER: Final = {
    "MemoryStore": "treering.api.store",
    "Page": "treering.api.browsing",
    "Row": "treering.api.rows",
    "Rows": "treering.api.rows",
}


def __getattr__(name: str) -> object:
    """Import a public class when it is first used."""
    if name not in _LATER:
        raise AttributeError(f"module 'treering.api' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def open(
    path: str | Path = ".",
    *,
    store: str | Path | None = None,
    scope: Scope = "both",
    project: str | None = None,
    as_agent: str | None = None,
    extractor: Extractor | None = None,
    summarizer: Summariser | None = None,
    max_depth: str = "",
) -> MemoryStore:
    """Return the memory of the project that ``path`` lies in, else the user's own.

    Reads cover the project's store and the user's own one; writes go to the project's. Nothing is made until something
    is written.

    Args:
        path: a folder in the project.
        store: folder, database file or ``postgresql://`` URL to use instead.
        scope: ``project`` or ``global`` for that store alone.
        project: a folder that counts as the project whatever it holds, before ``TREERING_PROJECT``.
        as_agent: name of the agent on whose behalf everything is done; None for the owner, who may do everything.
        extractor: what takes memories out of documents in place of meeting notes and patterns: any object with the
            method of ``treering.ports.Extractor``.
        summarizer: what makes digests: any object with the methods of ``ports.tree.Summariser``; None for what the
            settings name.
        max_depth: ``L1`` or ``L2`` for a memory of which nothing deeper is shown; empty for what the settings say.

    Raises:
        InputError: if the agent's name is none, or there is no such depth.
    """
    from typing import cast

    from treering.api.store import MemoryStore

    if max_depth:
        from treering.api import arguments
        from treering.domain.depth import DEPTHS

        arguments.choice("max_depth", max_depth, DEPTHS)
    place, settings, caller, beside = _opening(path, store, scope, project, as_agent)
    memory = MemoryStore(place, settings, caller, extractor, beside)
    memory.summariser = summarizer
    return cast("MemoryStore", _limited(memory, max_depth))


def open_for_search(
    path: str | Path = ".",
    *,
    store: str | Path | None = None,
    scope: Scope = "both",
    as_agent: str | None = None,
) -> Searching:
    """Return what ``open`` returns with nothing but ``search``: a process that asks one question loads no more."""
    from treering.api.searching import Searching

    place, settings, caller, beside = _opening(path, store, scope, None, as_agent)
    return _limited(Searching(place, settings, caller, None, beside))


def _opening(
    path: str | Path, store: str | Path | None, scope: Scope, project: str | None, as_agent: str | None
) -> tuple[Place, Settings, Caller | None, Place | None]:
    """Return where a memory is, its settings, the caller, and where the store is that is read with it."""
    caller = None
    if as_agent is not None:
        from treering.api import arguments

        caller = arguments.agent(as_agent)
    environ = os.environ if project is None else {**os.environ, "TREERING_PROJECT": project}
    named, here = None if store is None else os.fspath(store), os.path.realpath(path)
    place = find_place(named, here, environ, scope)
    settings = wiring.load_settings(place, environ)
    if place.checkout is not None and settings.project_worktrees == "own":
        place = find_place(named, here, environ, scope, share_worktrees=False)
        settings = wiring.load_settings(place, environ)
    both = scope == "both" and place.scope == "project"
    beside = find_place(None, place.folder, {**environ, "TREERING_STORE": ""}, "global") if both else None
    return place, settings, caller, beside


def _limited(memory: Searching, max_depth: str = "") -> Searching:
    """Return a memory that shows nothing deeper than it may."""
    limit = min(filter(None, (max_depth, memory.settings.access_max_depth, _limit_of(memory.beside))), default="L3")
    if limit == "L3":
        return memory
    from typing import cast

    from treering.api.limits import Limited

    return cast("Searching", Limited(cast("MemoryStore", memory), limit))


def _limit_of(beside: Place | None) -> str:
    """Return the depth to which the user's own store is limited; empty for no limit."""
    if beside is None or not os.path.exists(os.path.join(beside.folder, SETTINGS_FILE)):
        return ""
    return wiring.load_settings(beside, os.environ).access_max_depth


def index(
    path: str | Path = ".",
    *,
    store: str | Path | None = None,
    glob: str = "",
    code: bool = False,
    prune: bool | None = None,
) -> IndexReport:
    """Index one directory in place and return what was done; see ``MemoryStore.index``."""
    with open(store=store) as memory:
        return memory.index([path], glob=glob, code=code, prune=prune)[0]


def index_file(file: str | Path, *, path: str | Path = ".", store: str | Path | None = None) -> IndexReport:
    """Index one file of the directory ``path``; see ``MemoryStore.index``."""
    with open(store=store) as memory:
        return memory.index([path], file=file)[0]


def restore(archive: str | Path, folder: str | Path) -> Archived:
    """Make a store from a backup; every digest in it is checked before anything is put in place.

    Args:
        archive: the file that ``MemoryStore.backup`` made.
        folder: the folder of the new store; empty, or not there yet.

    Raises:
        NotFound: if there is no such archive.
        Conflict: if there is something in the folder.
        Damaged: if the archive is no backup, is cut short, or a digest differs.
        StoreTooNew: if a newer program made it.
    """
    from treering.journal import StoredCopy
    from treering.upkeep import archive as archives

    made = archives.restore(os.fspath(archive), os.path.abspath(folder), wiring.layout())
    with open(folder, store=folder) as memory:
        if wiring.may_be_cloned(memory.place):
            memory.trust()  # whoever restores it vouches for it
        with memory._opened(create=False).write() as tx:  # noqa: SLF001 - a store as this function made it
            tx.erasures.note_copy(StoredCopy(os.path.abspath(archive), "backup", made.made_at))
            tx.mirrored.start_anew()  # no backup has the mirror, and no file of it was removed by anybody
    return made


def trust(path: str | Path = ".") -> Status:
    """Trust the store and the settings that came with a project; see ``MemoryStore.trust``.

    Args:
        path: the project's folder, one in it, or the store's own.

    Raises:
        NotFound: if there is no store and there are no settings.
    """
    folder = os.path.realpath(path)
    if not os.path.isdir(folder):
        raise NotFound(f"there is no folder {os.fspath(path)}", hint="treering trust DIR, the project's folder")
    own = os.path.basename(folder) == STORE_FOLDER
    try:
        opened = open(os.path.dirname(folder) if own else folder, scope="project")
    except NotFound as error:
        raise NotFound(f"{error}, so nothing came with it", hint="treering trust DIR, the project's folder") from error
    with opened as memory:
        return memory.trust()


def forget(path: str | Path, *, store: str | Path | None = None, db_path: str | None = None) -> ForgetReport:
    """Drop a directory from the index, also one that no longer exists; see ``MemoryStore.forget_directory``.

    ``db_path`` is another name for ``store``.
    """
    with open(store=store or db_path) as memory:
        return memory.forget_directory(path)


def remember(
    text: str,
    *,
    store: str | Path | None = None,
    kind: str = "semantic",
    title: str = "",
    summary: str = "",
    tags: Sequence[str] = (),
    metadata: Mapping[str, str | Sequence[str]] | None = None,
) -> Outcome:
    """Save one memory; see ``MemoryStore.remember``."""
    with open(store=store) as memory:
        return memory.remember(text, kind=kind, title=title, summary=summary, tags=tags, metadata=metadata)


def search(  # noqa: PLR0913  the names of three tools for the same things
    text: str,
    *,
    path: str | Path | None = None,
    store: str | Path | None = None,
    where: Mapping[str, str | Sequence[str]] | None = None,
    tags: Sequence[str] = (),
    limit: int | None = None,
    top_k: int | None = None,
    max_tokens: int | None = None,
    empty_gate: float | None = None,
    db_path: str | None = None,
) -> Rows:
    """Return what answers a question, best first; see ``MemoryStore.search``.

    ``top_k`` is another name for ``limit`` and ``db_path`` for ``store``.
    """
    with open(store=store or db_path) as memory:
        from treering.api.rows import Rows

        limit = top_k if limit is None else limit
        answer = memory.search(
            text, path=path, where=where, tags=tags, limit=limit, max_tokens=max_tokens, empty_gate=empty_gate
        )
        return Rows(answer)


def status(*, store: str | Path | None = None) -> Status:
    """Return where the memory is and what it holds."""
    with open(store=store) as memory:
        return memory.status()
