"""Leftovers: what is left of what was forgotten, and of processes that died. Nothing of it needs the erased words."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from treering.domain.store_files import kind_of
from treering.upkeep import marks
from treering.upkeep.verify import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Transaction

_KEY: Final = "erasure key"
_PAGE: Final = 500
# Who writes such a file now has it for seconds.
_OLD_S: Final = 3600


def erased(tx: Transaction) -> tuple[list[Problem], int]:
    """Return erasures that are not finished, and erased sentences that a text has which is older than the erasure.

    A text that came later may say the same again: the owner has said it again.

    Returns:
        The problems, and how many marks were looked for.
    """
    problems = [
        Problem("unfinished", one.id, "this erasure is not finished; whoever opens the store next goes on")
        for one in tx.erasures.unfinished()
    ]
    known, ids = marked(tx)
    key = tx.setting(_KEY)
    if not (known and key):
        return problems, len(known)
    found = marks.held(tx, bytes.fromhex(key), known, lambda at, gone: bool(at) and at <= gone)
    problems += [
        Problem("forgotten", ids[mark], f"a text in the table {table} has a sentence that this erased")
        for mark, table in found.items()
    ]
    return problems, len(known)


def marked(tx: Transaction) -> tuple[dict[bytes, str], dict[bytes, str]]:
    """Return of each mark of an erased sentence when it was erased, and by which erasure."""
    known: dict[bytes, str] = {}
    ids: dict[bytes, str] = {}
    before = ""
    while page := tx.erasures.list_erasures(_PAGE, before):
        for one in page:
            known |= dict.fromkeys(marks.split(one.marks), one.begun_at)
            ids |= dict.fromkeys(marks.split(one.marks), one.id)
        before = page[-1].id
    return known, ids


def files(folder: str, database: str, *, fix: bool) -> list[Problem]:
    """Return what processes that died left in a store's folder; with ``fix`` it is removed.

    Args:
        folder: of the store.
        database: name of the database file.
        fix: whether to remove it.
    """
    problems = []
    for path, shown in _left(folder, database):
        gone = False
        if fix:
            with suppress(OSError):
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
                gone = True
        problems.append(Problem("orphan_file", shown, "left behind by a process that died", mended=gone))
    return problems


def _left(folder: str, database: str) -> Iterator[tuple[str, str]]:
    """Yield old files and folders that nobody writes any more, with their path in the store's folder."""
    now = time.time()
    for place, folders, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        for name in [*folders, *names]:
            path = os.path.join(place, name)
            shown = name if below == "." else f"{below}/{name}"
            kind = kind_of(shown, database)
            with suppress(OSError):
                if kind is not None and kind.leftover and now - os.lstat(path).st_mtime > _OLD_S:
                    yield path, shown
        folders[:] = [one for one in folders if not one.startswith(".backup-")]


def free_pages(database: str) -> list[Problem]:
    """Return free pages of a database that still hold bytes of what was removed; its log must be empty.

    SQLite blanks what it removes (``secure_delete``): a page that is free and not blank has escaped that.
    """
    with open(database, "rb") as file:
        header = file.read(100)
        size = int.from_bytes(header[16:18], "big")
        size = 65_536 if size == 1 else size
        trunk, problems, seen = int.from_bytes(header[32:36], "big"), [], 0
        while trunk and seen <= int.from_bytes(header[36:40], "big"):
            seen += 1
            page = _page(file, trunk, size)
            count = min(int.from_bytes(page[4:8], "big"), size // 4 - 2)
            leaves = [int.from_bytes(page[at : at + 4], "big") for at in range(8, 8 + 4 * count, 4)]
            problems += [
                Problem("forgotten", f"page {leaf}", "a free page of the database is not blank")
                for leaf in leaves
                if _page(file, leaf, size).strip(b"\0")
            ]
            trunk = int.from_bytes(page[:4], "big")
    return problems


def _page(file: IO[bytes], number: int, size: int) -> bytes:
    """Return a page of a database."""
    file.seek((number - 1) * size)
    return file.read(size)
