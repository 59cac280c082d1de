"""What may leave the index: a deletion leaves, what looks like a failed mount is held back."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

HANDFUL: Final = 5
"""Up to this many missing files are a deletion like any other."""


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
        emptied: folders above files in ``gone`` that vanished or hold nothing.
        prune: True removes all of ``gone``, False none; None decides as described.
    """
    if prune is not None:
        removed, held = (gone, ()) if prune else ((), gone)
        return Holdback(tuple(sorted(removed)), tuple(sorted(held)), ("--no-prune was given",) if held else ())
    by_folder = {folder: [path for path in gone if path.startswith(f"{folder}/")] for folder in emptied}
    lost = {folder: paths for folder, paths in by_folder.items() if len(paths) > HANDFUL}
    outermost = [folder for folder in sorted(lost) if not any(folder.startswith(f"{other}/") for other in lost)]
    reasons = [f"{len(lost[folder])} files of the folder {folder}, which vanished or is empty" for folder in outermost]
    held = {path for paths in lost.values() for path in paths}
    rest = set(gone) - held
    if len(rest) > HANDFUL and 2 * len(rest) > len(known):
        reasons.append(f"{len(rest)} of {len(known)} indexed files are gone, which is most of the index")
        held |= rest
        rest = set()
    return Holdback(tuple(sorted(rest)), tuple(sorted(held)), tuple(reasons))


def emptied(real_root: str, gone: Iterable[str]) -> frozenset[str]:
    """Return the folders above the given files that vanished, became a link, or hold no file any more."""
    folders = {parent.as_posix() for path in gone for parent in PurePosixPath(path).parents} - {"."}
    found: set[str] = set()
    for folder in sorted(folders):  # a folder comes before those inside it
        if any(folder.startswith(f"{other}/") for other in found) or _holds_nothing(Path(real_root, folder)):
            found.add(folder)
    return frozenset(found)


def _holds_nothing(folder: Path) -> bool:
    """Tell whether a folder is absent, or no folder, or has no file at any depth."""
    return folder.is_symlink() or not any(files for _, _, files in os.walk(folder))
