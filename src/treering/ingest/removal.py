"""What may leave the index: a deletion leaves, what looks like a failed mount is held back."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HANDFUL: Final = 5
"""Up to this many missing files are a deletion like any other."""


_ROOT: Final = "."


class Holdback(NamedTuple):
    """The outcome for the files that are gone.

    Attributes:
        removed: paths that leave the index, in order.
        held: paths that stay in it until the user decides, in order.
        reasons: why something is held, one sentence for each cause.
    """

    removed: tuple[str, ...]
    held: tuple[str, ...]
    reasons: tuple[str, ...] = ()


def holdback(
    known: Collection[str], gone: Collection[str], emptied: Collection[str], *, prune: bool | None = None
) -> Holdback:
    """Decide which of the files that are gone leave the index.

    Held back are all files of a folder that vanished or holds nothing any more, when they are more
    than a handful, and whatever is left to remove when that is more than a handful and more than
    half of the index. An absent root is not decided here: nothing of it is looked at.

    Args:
        known: paths of the root that were in the index before this run.
        gone: those of them that are no longer on disk and did not move.
        emptied: folders above files in ``gone`` that vanished or hold nothing; ``.`` is the root.
        prune: True removes all of ``gone``, False none; None decides as described.
    """
    if prune is not None:
        removed, held = (gone, ()) if prune else ((), gone)
        return Holdback(tuple(sorted(removed)), tuple(sorted(held)), ("--no-prune was given",) if held else ())
    by_folder: dict[str, list[str]] = {folder: [] for folder in emptied}
    for path in gone:
        for folder in by_folder.keys() & set(_folders_above(path)):
            by_folder[folder].append(path)
    lost = {folder: paths for folder, paths in by_folder.items() if len(paths) > HANDFUL}
    outermost = sorted(folder for folder in lost if not lost.keys() & set(_folders_above(folder)))
    reasons = [
        f"{len(lost[folder])} files: the indexed folder is empty"
        if folder == _ROOT
        else f"{len(lost[folder])} files of the folder {folder}, which vanished or is empty"
        for folder in outermost
    ]
    held = {path for paths in lost.values() for path in paths}
    rest = set(gone) - held
    if len(rest) > HANDFUL and 2 * len(rest) > len(known):
        reasons.append(f"{len(rest)} of {len(known)} indexed files are gone, which is most of the index")
        held |= rest
        rest = set()
    return Holdback(tuple(sorted(rest)), tuple(sorted(held)), tuple(reasons))


def _folders_above(path: str) -> list[str]:
    """Return the folders that a path below the root lies in, the nearest first, the root last."""
    return [parent.as_posix() for parent in PurePosixPath(path).parents]


def holdback_on_disk(real_root: str, known: Collection[str], gone: Collection[str]) -> Holdback:
    """Return what ``holdback`` decides about files that are gone, from what is on disk now."""
    return holdback(known, gone, emptied(real_root, gone) if len(gone) > HANDFUL else frozenset())


def emptied(real_root: str, gone: Iterable[str]) -> frozenset[str]:
    """Return the folders above the given files that vanished, became a link, or hold no file any more."""
    folders = {folder for path in gone for folder in _folders_above(path)}
    found: set[str] = set()
    for folder in sorted(folders, key=lambda one: (one != _ROOT, one)):  # a folder comes before those inside it
        if found.intersection(_folders_above(folder)) or _holds_nothing(Path(real_root, folder)):
            found.add(folder)
    return frozenset(found)


def _holds_nothing(folder: Path) -> bool:
    """Tell whether a folder is absent, or no folder, or has no file at any depth."""
    return folder.is_symlink() or not any(files for _, _, files in os.walk(folder))
