"""A copy of a store as it was before its layout changed, for whoever has to go back to an earlier program.

It is a database file that the earlier program opens as it is. The three newest layouts are kept.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Final

import apsw

from treering.errors import StorageFailed

_KEPT: Final = 3
_PAGES: Final = 1000
"""Pages that are copied at once: others write in between."""


def path_of(database: str, layout: int) -> str:
    """Return where the copy of a layout lies."""
    folder, name = os.path.split(database)
    return os.path.join(folder, "backups", f"{os.path.splitext(name)[0]}-layout-{layout}.db")


def keep(connection: apsw.Connection, database: str, layout: int) -> str:
    """Copy a store, unless that was done, and return where the copy is.

    Args:
        connection: an open one; no transaction may be open.
        database: the file.
        layout: its layout now.

    Raises:
        StorageFailed: if there is no room for it: nothing is changed then.
    """
    path = path_of(database, layout)
    if os.path.exists(path):
        return path
    part = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        copy(connection, part)
        os.replace(part, path)
    except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError) as error:
        raise StorageFailed(
            f"the store {database} has layout {layout} and is not upgraded, because no copy of it can be kept: {error}",
            hint="free some space",
        ) from error
    finally:
        with suppress(OSError):
            os.remove(part)
    _prune(database)
    return path


def copy(connection: apsw.Connection, path: str) -> None:
    """Write what a connection sees, as one state, into another database file, which may be read without a log."""
    target = apsw.Connection(path)
    try:
        with target.backup("main", connection, "main") as backup:
            while not backup.done:
                backup.step(_PAGES)
        target.execute("pragma journal_mode = delete")
    finally:
        target.close()


def _prune(database: str) -> None:
    """Remove the copies of all but the newest layouts."""
    folder, name = os.path.split(path_of(database, 0))
    shape = re.compile(re.escape(name.removesuffix("0.db")) + r"(\d+)\.db")
    found = sorted((int(one[1]), one[0]) for one in map(shape.fullmatch, os.listdir(folder)) if one)
    for _, old in found[:-_KEPT]:
        with suppress(OSError):
            os.remove(os.path.join(folder, old))
