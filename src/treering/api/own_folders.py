"""Folders that Treering wrote itself: a store's mirror, or an export of one, are no documents to be imported."""

from __future__ import annotations

import os
from shlex import quote
from typing import TYPE_CHECKING, Final

from treering.errors import Refused
from treering.upkeep.mirror import front, names
from treering.upkeep.mirror.folder import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.places import Place

_MOST: Final = 1 << 20


def require_foreign(paths: Iterable[str], place: Place) -> None:
    """Refuse a folder that holds the files of a store: each of its memories would become a text about a memory.

    Args:
        paths: what is to be imported.
        place: where the store is that imports.

    Raises:
        Refused: if one is the mirror of a store, or an export of one.
    """
    own = folder_of(place.database) if place.address is None else ""
    for path in paths:
        if not _is_of_a_store(path):
            continue
        if own and os.path.realpath(path) == os.path.realpath(own):
            raise Refused(f"{path} is the mirror of this store: edits are synced", hint=place.command("sync"))
        raise Refused(
            f"{path} holds the memories of a store, as its mirror or as an export: imported, each of its files would be"
            " one more text (--force does that)",
            hint=f"treering --store NEW/FOLDER rebuild --from {quote(path)}",
        )


def _is_of_a_store(path: str) -> bool:
    """Tell whether a folder has the file that Treering writes about the store itself."""
    try:
        with open(os.path.join(path, names.STORE), encoding="utf-8") as opened:
            values = front.split(opened.read(_MOST)).front or {}
    except (OSError, UnicodeDecodeError):
        return False
    return values.get("type") == "Store" and isinstance(values.get("format"), int)
