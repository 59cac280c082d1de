"""Files that the owner forgot and that stay out of the index until they are readmitted.

A tombstone keeps no path: its name is a digest of the file's key, made with the store's own key. A directory that was
forgotten whole is readmitted by indexing it by its name, since nobody names it by accident; a run over a directory
around it leaves its files out.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from treering.errors import NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.api.earlier import OpenBackend
    from treering.places import Place
    from treering.ports import Transaction

SETTING: Final = "erasure key"
"""The setting with the store's own key, in hexadecimal digits."""
PREFIX: Final = "out_"


def names_out(key: bytes, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the tombstones of sources that stay out.

    Args:
        key: the store's own.
        keys: of the sources; of a directory ``dir:`` and its anchored path.
    """
    return tuple(
        PREFIX + blake2b(one.encode("utf-8", "surrogateescape"), digest_size=16, key=key).hexdigest() for one in keys
    )


class StayingOut:
    """What a run over a directory leaves out."""

    def __init__(self, place: Place, folder: str, key: bytes, names: frozenset[str], *, readmits: bool) -> None:
        """Prepare a run over ``folder``; with ``readmits`` nothing is left out, and what was is noted."""
        self._place = place
        self._folder = folder
        self._key = key
        self._names = names
        self._readmits = readmits
        self._found: set[str] = set()

    def __call__(self, below: str) -> bool:
        """Tell whether a file, by its path below the folder, is left out."""
        if not self._names:
            return False
        anchored = self._place.anchor(os.path.join(self._folder, below))
        found = self._names.intersection(names_out(self._key, [f"file:{anchored}"]))
        if self._readmits:
            self._found |= found
        return bool(found) and not self._readmits

    @property
    def readmitted(self) -> frozenset[str]:
        """Names of the tombstones of what was met and not left out."""
        return frozenset(self._found)


def staying_out(open_backend: OpenBackend, place: Place, folder: str, path: str, *, readmit: bool) -> StayingOut:
    """Return what a run leaves out.

    Args:
        open_backend: opens the database.
        place: the store.
        folder: the root's.
        path: the directory that was named, in the root or the root itself; empty when nobody named one.
        readmit: whether everything is to be read again.
    """
    try:
        with open_backend(create=False).read() as tx:
            names, key = _known(tx)
    except NotFound:
        names, key = frozenset(), b""
    above, folders = path, []
    while above:
        folders.append(f"dir:{place.anchor(above)}")
        above = os.path.dirname(above) if os.path.dirname(above) != above else ""
    by_name = bool(names) and not names.isdisjoint(names_out(key, folders))
    return StayingOut(place, folder, key, names, readmits=readmit or by_name)


def left_out(tx: Transaction, place: Place, folder: str) -> StayingOut:
    """Return what a run over a root's folder would leave out as things stand."""
    names, key = _known(tx)
    return StayingOut(place, folder, key, names, readmits=False)


def _known(tx: Transaction) -> tuple[frozenset[str], bytes]:
    """Return the names of what stays out, and the store's key."""
    known = tx.setting(SETTING)
    return tx.memories.kept_out(), bytes.fromhex(known) if known else b""


def require_in(out: StayingOut, below: str, command: str) -> None:
    """Refuse a single file that was forgotten.

    Raises:
        Refused: if it stays out.
    """
    if out(below):
        raise Refused(f"{below} was forgotten", hint=command)
