"""Which files a root holds now: a walk that opens nothing but ignore files.

Passed over and only counted: hidden names (unless the glob spells them out), ``node_modules``,
``__pycache__``, virtual environments, what ignore files take out, and files of other types. A link
is never followed, wherever it leads: a file inside the root is read under its own path, and a link
to a hidden one must not make it searchable.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.chunkers.languages import is_code
from treering.domain.source import CODE, FileStamp, Skip
from treering.errors import InputError, NotFound, StorageFailed
from treering.ingest import globs, ignore, reading

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Mapping
    from pathlib import Path

SUFFIXES: Final = frozenset({".md", ".markdown", ".mdc", ".mdx", ".txt", ".text", ".rst", ".adoc", ".org"})
"""File types that are read when no glob is given."""

_VENDORED: Final = frozenset(
    {"vendor", "vendored", "third_party", "third-party", "thirdparty", "bower_components", "site-packages", "_vendor"}
)
"""Folders whose source code somebody else wrote; what they hold beside it is read like anything."""

_NEVER: Final = frozenset({".git", ".treering", "node_modules", "__pycache__"})
_ENVIRONMENT_MARK: Final = "pyvenv.cfg"


class Scan(NamedTuple):
    """What a walk found.

    Attributes:
        files: path below the root, as on disk, to its stamp; in order of path.
        skips: files and folders worth a word that were left out, with the reason.
        ignored: how many files and folders were passed over without a word.
        unknown: paths that may hold something which could not be looked at; "" is the root.
        folders: path of each folder that was listed, "" for the root, with its mtime in ns before that.
    """

    files: dict[str, FileStamp]
    skips: tuple[Skip, ...]
    ignored: int
    unknown: frozenset[str] = frozenset()
    folders: Mapping[str, int] = MappingProxyType({})

    def is_unknown(self, path: str) -> bool:
        """Tell whether ``path`` could not be looked at, itself or a folder above it."""
        if not self.unknown:
            return False
        parts = path.split("/")
        return any("/".join(parts[:n]) in self.unknown for n in range(len(parts) + 1))


@dataclass(slots=True)
class _Walk:
    """State of one walk; ``also`` and its folders ``ways`` are let in although hidden."""

    root: str
    glob: re.Pattern[str] | None
    code: bool
    named: frozenset[str]
    also: Collection[str]
    ways: frozenset[str]
    max_bytes: int
    files: dict[str, FileStamp] = field(default_factory=dict)
    skips: list[Skip] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    folders: dict[str, int] = field(default_factory=dict)
    vendored: set[str] = field(default_factory=set)
    ignored: int = 0

    def leave_out(self, path: str, reason: str, *, unknown: bool = False) -> None:
        """Note that ``path`` is left out."""
        self.skips.append(Skip(_printable(path) or ".", reason))
        if unknown:
            self.unknown.add(path)

    def wants(self, path: str, name: str) -> bool:
        """Tell whether a file of this name is of a type that is read."""
        if path in self.also:
            return True
        if self.glob is not None and self.glob.fullmatch(globs.comparable(path)) is None:
            return False
        if self.code:
            return is_supported(name) or (is_code(name) and not self.is_vendored(path))
        return self.glob is not None or is_supported(name)

    def is_vendored(self, path: str) -> bool:
        """Tell whether source code is somebody else's; its folder is left out with a word, once."""
        parts = path.split("/")[:-1]
        at = next((place for place, part in enumerate(parts) if part.lower() in _VENDORED), None)
        if at is None:
            return False
        folder = "/".join(parts[: at + 1])
        if folder not in self.vendored:
            self.vendored.add(folder)
            self.leave_out(folder, "source code in it is somebody else's (vendored)")
        return True


def scan(root: Path, *, glob: str = "", max_bytes: int, also: Collection[str] = ()) -> Scan:
    """Return the files of ``root`` that are to be indexed; costs one stat for each.

    Args:
        root: the folder; it may be hidden or a link itself.
        glob: which files are meant, of any type; empty for every supported type. With ``CODE`` at its end, those of
            them that are of a supported type, source code included.
        max_bytes: larger files are left out.
        also: paths of files that are taken although hidden or of another type, because the index
            has them; ignore files still count.

    Raises:
        NotFound: if there is no such folder.
        InputError: if it is no folder, or the glob cannot stand for paths below one.
        StorageFailed: if it cannot be opened.
    """
    walk = _begun(root, glob, max_bytes, also)
    try:
        waiting = [("", ignore.outer_layers(walk.root))]
    except ignore.UnreadableRules as error:
        walk.leave_out("", str(error), unknown=True)
        waiting = []
    while waiting:
        waiting += _folder(walk, *waiting.pop())
    return _found(walk)


def look_into(
    root: Path,
    folders: Collection[str],
    known: Collection[str],
    *,
    glob: str = "",
    max_bytes: int,
    also: Collection[str] = (),
    deadline: float,
) -> Scan | None:
    """Return what some folders of a root hold, and new folders in them; None when time does not suffice for that.

    Args:
        root: the root's folder.
        folders: paths of folders below it, ``""`` for itself, through which an earlier run went.
        known: all such folders; one of them is gone into only when it is in ``folders``.
        glob: see ``scan``.
        max_bytes: see ``scan``.
        also: see ``scan``.
        deadline: when to give up, as ``time.monotonic`` counts.

    Raises:
        NotFound: if the root is absent.
        InputError: if it is no folder, or the glob cannot be used.
        StorageFailed: if it cannot be opened.
    """
    walk = _begun(root, glob, max_bytes, also)
    try:
        waiting = [(f"{folder}/" if folder else "", _layers_above(walk.root, folder)) for folder in sorted(folders)]
    except ignore.UnreadableRules:
        return None
    while waiting:
        if time.monotonic() >= deadline:
            return None
        inner = _folder(walk, *waiting.pop())
        waiting += [one for one in inner if one[0][:-1] not in known]
    return _found(walk)


def _layers_above(root: str, folder: str) -> tuple[ignore.Layer, ...]:
    """Return the ignore layers that hold in a folder below the root from outside it."""
    layers = ignore.outer_layers(root)
    parts = folder.split("/") if folder else []
    for depth in range(len(parts)):
        prefix = "".join(f"{part}/" for part in parts[:depth])
        full = os.path.join(root, prefix)
        names = [name for name in ignore.NAMES if os.path.lexists(os.path.join(full, name))]
        layers += ignore.folder_layers(full, prefix, names)
    return layers


def _begun(root: Path, glob: str, max_bytes: int, also: Collection[str]) -> _Walk:
    """Return a walk that has been nowhere yet."""
    code = glob.endswith(CODE)
    glob = glob.removesuffix(CODE)
    return _Walk(
        root=_real_folder(root),
        glob=_pattern(glob) if glob else None,
        code=code,
        named=frozenset(part for part in glob.split("/") if part.startswith(".") and "*" not in part) - _NEVER,
        also=also,
        ways=frozenset(_folders_to(also)),
        max_bytes=max_bytes,
    )


def _found(walk: _Walk) -> Scan:
    """Return what a walk found."""
    files = dict(sorted(walk.files.items()))
    return Scan(files, tuple(sorted(walk.skips)), walk.ignored, frozenset(walk.unknown), walk.folders)


def selects(glob: str, path: str) -> bool:
    """Tell whether a root's glob, or an empty one, reaches the file at ``path``; see ``scan``."""
    pattern = glob.removesuffix(CODE)
    if pattern and not globs.matches(pattern, path):
        return False
    return (pattern == glob != "") or is_supported(path) or (glob.endswith(CODE) and is_code(path))


def is_supported(path: str) -> bool:
    """Tell whether a file of this name is read when no glob is given."""
    return path[path.rfind(".") :].lower() in SUFFIXES


def _pattern(glob: str) -> re.Pattern[str]:
    """Return the pattern of a glob that somebody typed."""
    if why := globs.fault(glob):
        raise InputError(f"the glob {glob!r} cannot be used: {why}")
    return globs.compiled(glob)


def _real_folder(root: Path) -> str:
    """Return the root without links, once it is sure that it can be walked."""
    try:
        status = os.stat(root)
        if not stat.S_ISDIR(status.st_mode):
            raise InputError(f"{root} is no folder", hint=f"treering index {root.parent} --file {root}")
        os.scandir(root).close()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"there is no folder {root}", hint="treering status") from error
    except OSError as error:
        raise StorageFailed(f"{root} cannot be opened: {error.strerror}") from error
    return os.path.realpath(root)


def _folders_to(paths: Collection[str]) -> set[str]:
    """Return every folder on the way to those of the paths that have a hidden part."""
    ways: set[str] = set()
    for path in paths:
        if path.startswith(".") or "/." in path:
            parts = path.split("/")
            ways.update("/".join(parts[:n]) for n in range(1, len(parts)))
    return ways


def _folder(walk: _Walk, prefix: str, layers: tuple[ignore.Layer, ...]) -> list[tuple[str, tuple[ignore.Layer, ...]]]:
    """Take in one folder's files; return its folders with the ignore layers that hold in them."""
    full = os.path.join(walk.root, prefix)
    try:
        status = os.stat(full)
        reading.let_the_tick_pass(status)
        walk.folders[prefix[:-1]] = status.st_mtime_ns
        with os.scandir(full) as listing:
            entries = {entry.name: entry for entry in listing}
        layers += ignore.folder_layers(full, prefix, [name for name in ignore.NAMES if name in entries])
    except FileNotFoundError:
        return []  # it vanished since its parent was listed
    except OSError as error:
        walk.leave_out(prefix[:-1], f"it cannot be opened: {error.strerror}", unknown=True)
        return []
    except ignore.UnreadableRules as error:
        walk.leave_out(prefix[:-1], f"nothing in it is indexed, because {error}", unknown=True)
        return []
    if prefix and _ENVIRONMENT_MARK in entries:
        walk.ignored += 1
        return []
    closed = any(part.startswith(".") and part not in walk.named for part in prefix.split("/"))
    paths = [_entry(walk, prefix, entry, layers, closed=closed) for entry in entries.values()]
    return [(f"{path}/", layers) for path in paths if path]


def _entry(walk: _Walk, prefix: str, entry: os.DirEntry[str], layers: tuple[ignore.Layer, ...], *, closed: bool) -> str:
    """Take in one entry of a folder; return its path when it is a folder to walk, else ''.

    In a ``closed`` folder, a hidden one that holds known files, nothing but these is seen.
    """
    name = entry.name
    path = prefix + name
    is_folder = entry.is_dir(follow_symlinks=False)
    hidden = closed or (name[0] == "." and name not in walk.named)
    hidden = hidden and path not in walk.ways and path not in walk.also
    wanted = name not in _NEVER if is_folder else not hidden and (walk.wants(path, name) or _links_to_folder(entry))
    if hidden or not wanted or (layers and ignore.is_ignored(layers, path, is_folder=is_folder)):
        walk.ignored += 1
    elif not name.isascii() and _printable(name) != name:
        walk.leave_out(path, "its name is not valid UTF-8")
    elif is_folder:
        return path
    else:
        _file(walk, path, entry)
    return ""


def _file(walk: _Walk, path: str, entry: os.DirEntry[str]) -> None:
    """Take in one entry that is no folder."""
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return  # it vanished since the folder was listed
    except OSError as error:
        walk.leave_out(path, f"it cannot be read: {error.strerror}", unknown=True)
        return
    if stat.S_ISLNK(status.st_mode):
        walk.leave_out(path, _about_link(walk.root, entry.path))
    elif not stat.S_ISREG(status.st_mode):
        walk.leave_out(path, reading.not_a_file(status.st_mode))
    elif status.st_size > walk.max_bytes:
        walk.leave_out(path, reading.too_large(walk.max_bytes), unknown=True)
    else:
        walk.files[path] = reading.stamp_of(status)


def _links_to_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a link to a folder: its name shows no type."""
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False


def _about_link(real_root: str, full: str) -> str:
    """Return in words why a link is left out."""
    try:
        os.stat(full)
    except FileNotFoundError:
        return "it is a link that points to nothing"
    except OSError as error:
        circle = error.errno == errno.ELOOP
        return "it is a link that leads in a circle" if circle else f"it is a link that fails: {error.strerror}"
    if os.path.realpath(full).startswith(os.path.join(real_root, "")):
        return "it is a link inside the folder; what it points to is read under its own path"
    return "it is a link that leads out of the folder"


def _printable(path: str) -> str:
    """Return a path with bytes that are not valid UTF-8 written as hexadecimal escapes."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
