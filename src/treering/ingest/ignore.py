"""Ignore files, read as version control reads ``.gitignore``: nearest folder first, last line wins.

Read are ``.gitignore`` and ``.treeringignore`` (which wins) of every folder, those of the folders
above a root up to the enclosing checkout, and the checkout's ``info/exclude``. A pattern above a
root that would take out the root itself is passed over, for the user named that root.
Written here and not taken from pathspec, whose import alone costs more than a walk over 1,000
files; the oracle of the tests is git.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.ingest import encoding, globs, reading

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES: Final = (".gitignore", ".treeringignore")
_MAX_BYTES: Final = 1_000_000


class UnreadableRules(Exception):
    """An ignore file is there and cannot be read; the message names it and says why."""


class Pattern(NamedTuple):
    """One line of an ignore file.

    Attributes:
        regex: what a name, or a path below the ignore file's folder, must match as a whole.
        by_name: whether the last part of the path is compared, and not the whole path.
        folders_only: whether it ended with ``/``.
        ignored: False for a line that began with ``!``.
    """

    regex: re.Pattern[str]
    by_name: bool
    folders_only: bool
    ignored: bool

    def hits(self, path: str, name: str, *, is_folder: bool) -> bool:
        """Tell whether this line speaks about ``path``."""
        if self.folders_only and not is_folder:
            return False
        return self.regex.fullmatch(name if self.by_name else path) is not None


class Layer(NamedTuple):
    """The patterns of one folder.

    Attributes:
        patterns: last line first.
        cut: how many characters of a path below the root come before the folder.
        above: what must be put before it, for a folder above the root.
        names: any of the patterns that compare names.
        paths: any of the patterns that compare paths.
    """

    patterns: tuple[Pattern, ...]
    cut: int
    above: str
    names: re.Pattern[str] | None
    paths: re.Pattern[str] | None


def is_ignored(layers: tuple[Layer, ...], path: str, *, is_folder: bool) -> bool:
    """Tell whether the ignore files take ``path`` (below the root) out; its folders are not asked."""
    path = globs.comparable(path)
    name = path.rpartition("/")[2]
    for layer in reversed(layers):
        local = layer.above + path[layer.cut :]
        if (layer.names is None or not layer.names.fullmatch(name)) and (
            layer.paths is None or not layer.paths.fullmatch(local)
        ):
            continue  # one look instead of one for each line
        for pattern in layer.patterns:
            if pattern.hits(local, name, is_folder=is_folder):
                return pattern.ignored
    return False


def folder_layers(folder: str, prefix: str, names: Iterable[str]) -> tuple[Layer, ...]:
    """Return the layers that the ignore files ``names`` in ``folder`` add.

    Args:
        folder: the folder's full path.
        prefix: its path below the root with a ``/`` at the end; empty for the root.
        names: those of ``NAMES`` that stand in it.

    Raises:
        UnreadableRules: if one of them cannot be read or decoded.
    """
    return tuple(_layer(parse(_text(folder, name)), len(globs.comparable(prefix))) for name in names)


def outer_layers(real_root: str) -> tuple[Layer, ...]:
    """Return the layers that apply to a root from outside it: the checkout's, outermost first.

    Raises:
        UnreadableRules: if one of the ignore files cannot be read or decoded.
    """
    folders = [real_root]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):
        parent = os.path.dirname(folders[-1])
        if parent == folders[-1]:
            return ()
        folders.append(parent)
    checkout = folders[-1]
    layers = [_outer_layer(real_root, checkout, os.path.join(checkout, ".git", "info"), "exclude")]
    for folder in reversed(folders[1:]):
        layers += [_outer_layer(real_root, folder, folder, name) for name in NAMES]
    return tuple(layer for layer in layers if layer.patterns)


def _outer_layer(real_root: str, anchor: str, folder: str, name: str) -> Layer:
    """Return the layer of one ignore file that may be absent, without what hits the root itself."""
    if not os.path.isfile(os.path.join(folder, name)):
        return _layer((), 0)
    above = globs.comparable(os.path.relpath(real_root, anchor).replace(os.sep, "/"))
    if above == ".":
        return _layer(parse(_text(folder, name)), 0)
    parts = above.split("/")
    parents = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    kept = (
        pattern
        for pattern in parse(_text(folder, name))
        if not any(pattern.hits(parent, parent.rpartition("/")[2], is_folder=True) for parent in parents)
    )
    return _layer(tuple(kept), 0, above + "/")


def _layer(patterns: tuple[Pattern, ...], cut: int, above: str = "") -> Layer:
    """Return a layer with its two look-at-once expressions."""
    sources = [[p.regex.pattern for p in patterns if p.by_name is by_name] for by_name in (True, False)]
    names, paths = (re.compile("|".join(source), re.DOTALL) if source else None for source in sources)
    return Layer(tuple(reversed(patterns)), cut, above, names, paths)


def _text(folder: str, name: str) -> str:
    """Return an ignore file's text."""
    try:
        raw = reading.read(os.path.realpath(folder), name, _MAX_BYTES).raw
        return encoding.decode(raw).text
    except (reading.Unreadable, encoding.Undecodable) as error:
        raise UnreadableRules(f"its ignore file {name} cannot be used: {error}") from error


def parse(text: str) -> tuple[Pattern, ...]:
    """Return the patterns of an ignore file's text, in order; lines that mean nothing are left out."""
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return tuple(pattern for pattern in map(_pattern, lines) if pattern is not None)


def _pattern(line: str) -> Pattern | None:
    """Return the pattern of one line; None for a comment, a blank line or nonsense."""
    if line.startswith("#"):
        return None
    ignored = not line.startswith("!")
    line = _without_trailing_blanks(line.removeprefix("!"))
    folders_only = line.endswith("/")
    line = globs.comparable(line.removesuffix("/"))
    if not line:
        return None
    by_name = "/" not in line
    parts = line.removeprefix("/").split("/")
    source = globs.part_source(parts[0]) if by_name else globs.path_source(parts)
    return Pattern(re.compile(source, re.DOTALL), by_name, folders_only, ignored)


def _without_trailing_blanks(line: str) -> str:
    """Return a line without its trailing blanks; one behind a backslash stays."""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 and len(line) > len(bare) else bare
