"""What state the indexed directories are in, and when a filtered search may rest on it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from treering.api import freshness, noticing
from treering.api.readmitting import left_out
from treering.domain import trusted
from treering.domain.query import Filter
from treering.domain.source import Skip
from treering.errors import IndexBehind, NotFound
from treering.places import is_within

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from treering.domain.query import Result
    from treering.domain.report import RootStatus
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Transaction
    from treering.settings import Settings

    Roots = Mapping[int, tuple[Root, str]]

# For whoever asks for the state there is more time than for a search: 100,000 files take 0.3 s.
_LOOK_S: Final = 2.0
# Half a second of reading and hashing.
_MOST_COMPARED_BYTES: Final = 500_000_000


def root_statuses(tx: Transaction, roots: Roots, place: Place, settings: Settings) -> tuple[RootStatus, ...]:
    """Return the state of each indexed directory, and how far it has moved on since."""
    skips = tx.sources.skips()
    looks = freshness.look(tx, roots.values(), place.folder, time.monotonic() + _LOOK_S, freshness.Listed())
    moved_on = {look.root.number: _moved_on(tx, look, settings, place) for look in looks}
    found = []
    for number, (root, folder) in roots.items():
        behind, held = moved_on.get(number, (0, ()))
        status = _root_status(tx, root, folder, [skip for owner, skip in skips if owner == number])
        found.append(status._replace(behind=behind, held=held))
    return tuple(found)


def _moved_on(tx: Transaction, look: freshness.Look, settings: Settings, place: Place) -> tuple[int, tuple[str, ...]]:
    """Return how many files a run would bring up to date, and which are gone and would be kept."""
    from pathlib import Path

    from treering.ingest.scan import look_into
    from treering.ingest.versions import max_bytes

    known = {path for path, *_ in tx.sources.stamps(look.root.number)}
    held = held_back(look.folder, known, look.gone) if look.gone else ()
    found = None
    if look.moved:
        found = look_into(
            Path(look.folder),
            look.moved,
            tx.sources.folders(look.root.number),
            glob=look.root.glob,
            max_bytes=max_bytes(settings),
            also=known,
            deadline=time.monotonic() + _LOOK_S,
        )
    out = left_out(tx, place, look.folder)
    new = [path for path in found.files if path not in known and not out(path)] if found else ()
    same = _as_they_were(tx, look, max_bytes(settings)) if look.changed else 0
    return len(look.changed) - same + len(new) + len(look.gone) - len(held), held


def _as_they_were(tx: Transaction, look: freshness.Look, most: int) -> int:
    """Return how many of the files with other times hold what they held."""
    from pathlib import Path

    from treering.ingest.pipeline import confirmed

    sizes = {path: stamp.size_bytes for path, stamp in look.changed.items()}
    alike = (one for one in tx.sources.tracked(look.root.number) if sizes.get(one.path) == one.stamp.size_bytes)
    return len(confirmed(Path(look.folder), alike, most, _MOST_COMPARED_BYTES, time.monotonic() + _LOOK_S)[0])


def _root_status(tx: Transaction, root: Root, folder: str, skips: Iterable[Skip]) -> RootStatus:
    """Return the state of one indexed directory."""
    from pathlib import Path  # a cold search pays for none of these

    from treering.domain.report import RootStatus
    from treering.ingest.rules import load_rules

    present, closed = _sight(folder)
    rules = load_rules(Path(folder))
    tracked = tx.sources.tracked(root.number)
    counts = tx.sources.count(Filter(root=root.number))
    return RootStatus(
        path=folder,
        present=present,
        closed=closed,
        glob=root.glob,
        files=len(tracked),
        chunks=counts.chunks,
        scanned_at=root.scanned_at,
        unscanned=0 if root.scanned_at else len(tracked),
        stale=sum(one.rules_hash != rules.hash for one in tracked) if present and not closed and not rules.error else 0,
        rules_error=rules.error,
        skipped=tuple(skips),
        unparsed=tuple(Skip(one.path, one.error) for one in tracked if one.state == "unparsed"),
        trust=trusted.of_key(trusted.read(tx.setting(trusted.SETTING)), root.path),
    )


def _sight(folder: str) -> tuple[bool, str]:
    """Return whether a directory is there, and why it cannot be looked into; what cannot be told counts as there."""
    try:
        os.scandir(folder).close()
        os.stat(os.path.join(folder, "."))  # who may list a folder may still not enter it
    except (FileNotFoundError, NotADirectoryError):
        return False, ""
    except OSError as error:
        return True, error.strerror or str(error)
    return True, ""


def require_metadata(tx: Transaction, place: Place, roots: Roots, path: str) -> None:
    """Refuse a filtered search unless the metadata that it would read is known to be true.

    Args:
        tx: the store.
        place: where it is.
        roots: the indexed directories with where they are.
        path: anchored directory or file that the search is narrowed to; empty for everything.

    Raises:
        IndexBehind: naming the directory and the command that mends it.
    """
    within = place.resolve(path) if path else ""
    for root, folder in roots.values():
        if within and not (is_within(within, folder) or is_within(folder, within)):
            continue
        state = _root_status(tx, root, folder, ())
        command = place.command("index", folder)
        if state.rules_error:
            raise IndexBehind(
                f"the path rules of {folder} cannot be read: {state.rules_error}", hint=f"mend them, then: {command}"
            )
        if state.closed:
            raise IndexBehind(
                f"{folder} cannot be opened, so its metadata may be old: {state.closed}",
                hint=f"make it readable, then: {command}",
            )
        if not state.scanned_at:
            raise IndexBehind(f"{folder} was never scanned to its end: a filter could miss files", hint=command)
        if state.stale:
            files = f"{state.stale:,} file{'s' if state.stale > 1 else ''}"
            raise IndexBehind(f"metadata of {folder} comes from earlier path rules ({files})", hint=command)


def require_path(place: Place, path: str | Path) -> None:
    """Refuse a path that nothing lies at: an empty answer would look as if there were nothing to say.

    Raises:
        NotFound: if there is no such file or directory.
    """
    if not os.path.lexists(path):
        raise NotFound(f"there is no {path}, and nothing is indexed under it", hint=place.command("list", "roots"))


def require_present(tx: Transaction, results: Iterable[Result], place: Place, roots: Roots) -> None:
    """Refuse to answer a filtered search with a file that is gone.

    Args:
        tx: the store.
        results: what would be answered.
        place: where the store is.
        roots: the indexed directories with where they are.

    Raises:
        IndexBehind: naming the file and the command that mends it.
    """
    for result in results:
        if result.file is None:
            continue
        gone = os.path.abspath(result.file)
        try:
            if not noticing.is_gone(gone):
                continue
        except OSError as error:
            raise IndexBehind(
                f"{result.file} would be in the answer and cannot be looked at: {error.strerror}",
                hint=f"make it readable, then: {place.command('index', os.path.dirname(gone))}",
            ) from error
        within = [(root, folder) for root, folder in roots.values() if is_within(gone, folder)]
        root, folder = max(within, key=lambda one: len(one[1]), default=(None, gone))
        message = f"{result.file} would be in the answer and is gone from disk"
        if root is None or not os.path.isdir(folder):
            raise IndexBehind(message, hint=place.command("forget", folder))
        known = {path for path, *_ in tx.sources.stamps(root.number)}
        held = held_back(folder, known, [path for path in known if not os.path.isfile(os.path.join(folder, path))])
        if os.path.relpath(gone, folder).replace(os.sep, "/") not in held:
            raise IndexBehind(message, hint=place.command("index", folder))
        message += f", one of {len(held):,} files that are held back because so many went at once"
        raise IndexBehind(message, hint=place.command("index", "--prune", folder))


def held_back(folder: str, known: Collection[str], gone: Collection[str]) -> tuple[str, ...]:
    """Return the files of a root that are gone and that a run would keep until the user decides."""
    from treering.ingest.removal import holdback_on_disk

    return holdback_on_disk(folder, known, gone).held
