"""What is indexed under a directory: its rows, and the roots that lie in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.domain.report import ForgetReport
from treering.errors import NotFound
from treering.places import is_within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.source import Root, Tracked
    from treering.places import Place
    from treering.ports import Transaction
    from treering.records import StoredSource

_ALL = 2**31 - 1


def found_under(
    tx: Transaction, place: Place, roots: Mapping[int, tuple[Root, str]], paths: Sequence[str]
) -> tuple[ForgetReport, list[StoredSource], list[int]]:
    """Return what is indexed under a directory, its sources and the numbers of the roots that lie in it.

    Args:
        tx: the store.
        place: where the store is.
        roots: the indexed directories with where they are.
        paths: forms of the directory's path, absolute; the first one that something is indexed under is taken.

    Raises:
        NotFound: if nothing is indexed under any of them.
    """
    for path in paths:
        whole = [root for root, folder in roots.values() if is_within(folder, path)]
        files = [tracked for root, folder in roots.values() for tracked in _under(tx, root, folder, path)]
        if not (whole or files):
            continue
        sources = list(tx.sources.sources([tracked.source for tracked in files]).values())
        chunks = sum(len(tx.sources.chunks_before(source.version, 2**31, 2**31)) for source in sources)
        report = ForgetReport(path, tuple(roots[root.number][1] for root in whole), len(files), chunks)
        outer = [folder for _, folder in roots.values() if is_within(path, folder) and path != folder]
        if outer and os.path.lexists(path):
            again = f"the next run over {outer[0]} leaves it out, until {place.command('index', '--readmit', outer[0])}"
            report = report._replace(notices=(again,))
        return report, sources, [root.number for root in whole]
    raise NotFound(f"nothing is indexed under {paths[0]}", hint=place.command("list", "roots"))


def forget_departed(tx: Transaction, place: Place, path: str) -> None:
    """Let nothing say that there were files under a directory."""
    gone = [key for key, _ in tx.changes.departed("", _ALL) if key.startswith("file:")]
    tx.changes.forget_departed([key for key in gone if is_within(place.resolve(key[5:]), path)])


def _under(tx: Transaction, root: Root, folder: str, path: str) -> list[Tracked]:
    """Return the files of a root that lie under a directory, or the file of that path."""
    if is_within(folder, path):
        return tx.sources.tracked(root.number)
    if not is_within(path, folder):
        return []
    below = os.path.relpath(path, folder).replace(os.sep, "/")
    return [one for one in tx.sources.tracked(root.number) if one.path == below or one.path.startswith(f"{below}/")]
