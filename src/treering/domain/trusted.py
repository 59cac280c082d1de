"""Whose word indexed files are: by the folders that somebody said it of, the innermost counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treering.domain.source import Trust

SETTING: Final = "trust of folders"
"""Where a store keeps it, as JSON: anchored paths with their trust."""


def read(text: str | None) -> dict[str, Trust]:
    """Return the folders with their trust from what is stored; none where nothing is."""
    return json.loads(text) if text else {}


def write(folders: Mapping[str, Trust]) -> str:
    """Return folders with their trust as they are stored."""
    return json.dumps(dict(sorted(folders.items())), ensure_ascii=False)


def with_folder(folders: Mapping[str, Trust], path: str, trust: Trust) -> dict[str, Trust]:
    """Return folders in which all below a path, or the file there, has a trust.

    Args:
        folders: as they were; what was said of something below the path counts no more.
        path: anchored; ``.`` for the project.
        trust: whose word it is.
    """
    return {**{one: word for one, word in folders.items() if not _is_below(one, path)}, path: trust}


def of_key(folders: Mapping[str, Trust], key: str) -> Trust:
    """Return whose word a file is; the owner's where nobody said anything."""
    around = [path for path in folders if _is_below(key.removeprefix("file:"), path)]
    return folders[max(around, key=lambda path: (path != ".", len(path)))] if around else "owner"


def _is_below(path: str, folder: str) -> bool:
    """Tell whether a path is a folder or lies below it; below the project is what has no other anchor."""
    if folder == ".":
        return not path.startswith(("/", "~/")) and path != "~"
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
