"""Gathering: the files that an import is given, folders gone through to their ends.

Unlike an index run, nothing is passed over in silence: whoever hands over a folder is told what was left out, and why.
Nothing is opened here. A link is followed only where the user named it.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.domain.source import Skip
from treering.errors import NotFound
from treering.ingest import readers, reading
from treering.ingest.scan import is_supported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NEVER: Final = frozenset({"node_modules", "__pycache__"})


class Gathered(NamedTuple):
    """What an import was given.

    Attributes:
        files: absolute paths, each once, in order.
        skips: what was left out, with the reason.
        named: how many paths were named.
    """

    files: tuple[str, ...]
    skips: tuple[Skip, ...]
    named: int


def gather(paths: Sequence[str]) -> Gathered:
    """Return the files that some paths stand for.

    Args:
        paths: absolute; a file is taken whatever it is called, of a folder what there is a reader for.

    Raises:
        NotFound: if one is not there; nothing is taken then.
    """
    for path in paths:
        if not os.path.exists(path):
            broken = os.path.lexists(path)
            raise NotFound(f"{path} is a link that points to nothing" if broken else f"there is no {path}")
    files: dict[str, None] = {}
    skips: list[Skip] = []
    for path in paths:
        if os.path.isdir(path):
            for found in _below(path):
                if isinstance(found, Skip):
                    skips.append(found)
                else:
                    files[found] = None
        else:
            files[path] = None
    return Gathered(tuple(files), tuple(skips), len(paths))


def _below(folder: str) -> Iterator[str | Skip]:
    """Yield the files of a folder and of those in it, and what is left out; by name."""
    waiting = [_listed(folder)]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif isinstance(entry, Skip):
            yield entry
        elif why := _left_out(entry):
            yield Skip(shown(entry.path), why)
        elif entry.is_dir(follow_symlinks=False):
            waiting.append(_listed(entry.path))
        else:
            yield entry.path


def _listed(folder: str) -> Iterator[os.DirEntry[str] | Skip]:
    """Return what is in a folder, by name; or that it cannot be opened."""
    try:
        with os.scandir(folder) as listing:
            return iter(sorted(listing, key=lambda entry: entry.name))
    except OSError as error:
        return iter([Skip(shown(folder), f"it cannot be opened: {error.strerror}")])


def _left_out(entry: os.DirEntry[str]) -> str:
    """Return why an entry of a folder is left out; empty when it is taken."""
    name = entry.name
    if name.startswith(".") or shown(name) != name:
        return "it is hidden" if name.startswith(".") else "its name is not valid UTF-8"
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if stat.S_ISDIR(mode):
        return "what is in it was made by a program" if name in _NEVER else ""
    if not stat.S_ISREG(mode):
        return reading.not_a_file(mode)
    suffix = os.path.splitext(name)[1]
    if is_supported(name) or readers.has_reader(name):
        return ""
    return f"there is no reader for {suffix} files" if suffix else "its name does not say what it is"


def shown(path: str) -> str:
    """Return a path with bytes that are not valid UTF-8 written as hexadecimal escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
