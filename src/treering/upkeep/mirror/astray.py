"""Files of the mirror that nothing notes: moved or copied by hand, brought back by version control, half written.

What was erased may stand in them. A file of an erased object goes, as a sync would have it; what people wrote
themselves is theirs, and is only named.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from treering.domain.ids import is_id
from treering.upkeep import marks
from treering.upkeep.mirror import front, names, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from treering.ports import Transaction
    from treering.upkeep.mirror.folder import Folder

_KEPT: Final = names.RESERVED | names.OWN


def remove(tx: Transaction, folder: Folder, paths: Iterable[str]) -> list[str]:
    """Remove those of some files that are of an erased object, or that nobody reads; return which went.

    Args:
        tx: a transaction that may write: as long as it is open nobody else writes the mirror.
        folder: the mirror.
        paths: the files, below it.

    Raises:
        StorageFailed: if the operating system refuses.
    """
    gone = []
    for path in sorted(paths, key=lambda one: one.endswith(names.CUT)):
        if _may_go(tx, folder, path):
            folder.remove(path)
            gone.append(path)
    return gone


def unnoted(tx: Transaction, folder: Folder) -> list[str]:
    """Return the files that do not lie there as they were written, and those of which nothing is noted."""
    noted = {(file.path, file.size_bytes, file.mtime_ns) for file in tx.mirrored.files().values()}
    return [seen[0] for seen in folder.everything() if seen not in noted]


def saying(
    tx: Transaction, folder: Folder, paths: Iterable[str], key: bytes, known: Mapping[bytes, str]
) -> dict[str, set[bytes]]:
    """Return the files that say an erased sentence which no text of the store says, with the marks of it.

    Args:
        tx: the store.
        folder: the mirror.
        paths: the files, below it.
        key: the store's own.
        known: the marks, with each when it was erased.
    """
    found: dict[str, set[bytes]] = {}
    for path in paths:
        said = {marks.mark(key, one) for text in _texts(folder, path) for one in marks.sentences(text)}
        if held := said.intersection(known):
            found[path] = held
    every = {mark: known[mark] for held in found.values() for mark in held}
    living = marks.held(tx, key, every) if every else {}
    left = {path: held.difference(living) for path, held in found.items()}
    return {path: held for path, held in left.items() if held}


def _may_go(tx: Transaction, folder: Folder, path: str) -> bool:
    """Tell whether a file is of an erased object, or nobody's."""
    name = path.rpartition("/")[2]
    if name.startswith(".") and name.endswith(".tmp"):  # its writer is dead: who writes has the store's write lock
        return True
    if name in _KEPT:
        return False
    if name.endswith(names.CUT):
        return folder.stat(f"{path.removesuffix(names.CUT)}.md") is None
    try:
        values = front.split(texts.decode(folder.read(path))).front or {}
    except (texts.Unreadable, OSError):
        return False
    id = str(values.get("id") or "")
    owner = str(values.get("source") or "") if is_id(id, "ver") else id
    return bool(owner) and bool(tx.memories.forgotten_at(owner))


def _texts(folder: Folder, path: str) -> Iterator[str]:
    """Yield what a file says: the strings of its front matter and of lines of JSON, and its lines."""
    try:
        text = folder.read(path).decode("utf-8", "replace")
    except OSError:
        return
    parts = front.split(text)
    yield from marks.strings(parts.front)
    for line in (parts.body if parts.front is not None else text).split("\n"):
        if line.startswith("{"):
            yield from marks.strings_in(line)
        yield line.removeprefix("> ")


def below(folder: Folder, paths: Iterable[str]) -> dict[str, str]:
    """Return those of some files that lie in the mirror, by their whole path."""
    start = folder.path + os.sep
    return {path: path.removeprefix(start).replace(os.sep, "/") for path in paths if path.startswith(start)}
