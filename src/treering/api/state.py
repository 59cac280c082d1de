"""What state the indexed directories are in, and when a filtered search may rest on it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.domain.query import Filter
from treering.domain.source import Skip
from treering.errors import IndexBehind
from treering.places import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.query import Result
    from treering.domain.report import RootStatus
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Transaction

    Roots = Mapping[int, tuple[Root, str]]


def root_statuses(tx: Transaction, roots: Roots) -> tuple[RootStatus, ...]:
    """Return the state of each indexed directory."""
    skips = tx.sources.skips()
    return tuple(
        _root_status(tx, root, folder, [s for n, s in skips if n == number]) for number, (root, folder) in roots.items()
    )


def _root_status(tx: Transaction, root: Root, folder: str, skips: Iterable[Skip]) -> RootStatus:
    """Return the state of one indexed directory."""
    from pathlib import Path  # a cold search pays for none of these

    from treering.domain.report import RootStatus
    from treering.ingest.rules import load_rules

    present = os.path.isdir(folder)
    rules = load_rules(Path(folder))
    tracked = tx.sources.tracked(root.number)
    counts = tx.sources.count(Filter(path=root.path))
    return RootStatus(
        path=folder,
        present=present,
        glob=root.glob,
        files=len(tracked),
        chunks=counts.chunks,
        scanned_at=root.scanned_at,
        unscanned=0 if root.scanned_at else len(tracked),
        stale=sum(one.rules_hash != rules.hash for one in tracked) if present and not rules.error else 0,
        rules_error=rules.error,
        skipped=tuple(skips),
        unparsed=tuple(Skip(one.path, one.error) for one in tracked if one.state == "unparsed"),
    )


def require_metadata(tx: Transaction, place: Place, roots: Roots, within: str) -> None:
    """Refuse a filtered search unless the metadata that it would read is known to be true.

    Args:
        tx: the store.
        place: where it is.
        roots: the indexed directories with where they are.
        within: the directory or file that the search is narrowed to.

    Raises:
        IndexBehind: naming the directory and the command that mends it.
    """
    for root, folder in roots.values():
        if not (is_within(within, folder) or is_within(folder, within)):
            continue
        state = _root_status(tx, root, folder, ())
        command = place.command("index", folder)
        if state.rules_error:
            raise IndexBehind(
                f"the path rules of {folder} cannot be read: {state.rules_error}", hint=f"mend them, then: {command}"
            )
        if not state.scanned_at:
            raise IndexBehind(f"{folder} was never scanned to its end: a filter could miss files", hint=command)
        if state.stale:
            raise IndexBehind(f"metadata of {folder} comes from earlier path rules ({state.stale} files)", hint=command)


def require_present(results: Iterable[Result], place: Place, roots: Sequence[str]) -> None:
    """Refuse to answer a filtered search with a file that is gone.

    Raises:
        IndexBehind: naming the file and the command that mends it.
    """
    for result in results:
        if result.file is None or os.path.lexists(result.file):
            continue
        gone = os.path.abspath(result.file)
        root = next((folder for folder in roots if is_within(gone, folder)), gone)
        command = place.command("index" if os.path.isdir(root) else "forget", root)
        raise IndexBehind(f"{result.file} would be in the answer and is gone from disk", hint=command)
