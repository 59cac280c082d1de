"""Dropping a directory from the index: its rows go, its files are never touched and need not exist."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.derived import rows
from treering.domain.report import ForgetReport
from treering.errors import NotFound
from treering.places import is_within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.source import Root, Tracked
    from treering.places import Place
    from treering.ports import Transaction


def forget_directory(
    tx: Transaction, place: Place, roots: Mapping[int, tuple[Root, str]], paths: Sequence[str], *, dry_run: bool
) -> ForgetReport:
    """Remove what is indexed under a directory, and the roots that lie in it.

    Args:
        tx: the store; it must be writable unless nothing is to be touched.
        place: where the store is.
        roots: the indexed directories with where they are.
        paths: forms of the directory's path, absolute; the first one that something is indexed under is taken.
        dry_run: whether only to say what would go.

    Raises:
        NotFound: if nothing is indexed under any of them.
    """
    for path in paths:
        whole = [root for root, folder in roots.values() if is_within(folder, path)]
        files = [tracked for root, folder in roots.values() for tracked in _under(tx, root, folder, path)]
        if not (whole or files):
            continue
        sources = tx.sources.sources([tracked.source for tracked in files])
        chunks = sum(len(tx.sources.chunks_before(source.version, 2**31, 2**31)) for source in sources.values())
        if not dry_run:
            for source in sources.values():
                rows.drop(tx, source)
            for root in whole:
                tx.sources.drop_root(root.number)
            tx.keywords.erase()
        report = ForgetReport(path, tuple(roots[root.number][1] for root in whole), len(files), chunks, dry_run=dry_run)
        outer = [folder for _, folder in roots.values() if is_within(path, folder) and path != folder]
        if outer and os.path.isdir(path):
            again = f"the next run over {outer[0]} reads it again, unless an ignore file there leaves it out"
            report = report._replace(notices=(again,))
        return report
    raise NotFound(f"nothing is indexed under {paths[0]}", hint=place.command("list", "roots"))


def _under(tx: Transaction, root: Root, folder: str, path: str) -> list[Tracked]:
    """Return the files of a root that lie under a directory."""
    if is_within(folder, path):
        return tx.sources.tracked(root.number)
    if not is_within(path, folder):
        return []
    below = os.path.relpath(path, folder).replace(os.sep, "/") + "/"
    return [tracked for tracked in tx.sources.tracked(root.number) if tracked.path.startswith(below)]
