"""The registry of files in a store's folder: what each kind is, and how an erasure reaches it.

A file of no kind here is not Treering's. Who adds a kind of file registers it; a test fills a store in every way and
fails for a file that has none.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Final, Literal

from treering.domain.named import NamedTuple

VERSION_CONTROL: Final = (".git", ".hg", ".jj", ".svn", ".fossil", ".bzr")
"""Folders that are version control's, wherever they lie: a receipt names them, and nothing in them is Treering's."""

_NOT_THERE: Final = "(?!(?:.*/)?(?:" + "|".join(map(re.escape, VERSION_CONTROL)) + ")/)"
Reach = Literal["scanned", "rewritten", "removed", "named", "none"]


class FileKind(NamedTuple):
    """One kind of file.

    Attributes:
        name: what it is called.
        pattern: regular expression for its path in the store's folder; ``{db}`` is the database's name, ``{stem}`` the
            folder of originals, ``{mirror}`` that of the mirror.
        reach: ``scanned`` where the erasure removes the words from it and then reads every byte; ``rewritten`` where
            its maker does so first; ``removed`` where the whole file goes; ``named`` where the receipt only names it;
            ``none`` where no word of a memory stands in it.
        how: the same in a sentence.
        leftover: whether it is what a process that died left behind, and may go.
    """

    name: str
    pattern: str
    reach: Reach
    how: str
    leftover: bool = False


STORE_FILES: Final = (
    FileKind("database", r"{db}", "scanned", "rows are removed, their pages blanked, every byte is read afterwards"),
    FileKind("log", r"{db}-(wal|shm|journal)", "scanned", "emptied into the database, by whoever can, then read"),
    FileKind("signs", r"{db}-signs-[0-9a-f]{{8}}", "rewritten", "rows of what was erased are cut out"),
    FileKind("signs half written", r"{db}-signs-[0-9a-f]{{8}}-\d+", "removed", "nobody reads it", leftover=True),
    FileKind("original", r"{stem}/[0-9a-f]{{2}}/[0-9a-f]{{64}}", "scanned", "removed once no version names its digest"),
    FileKind("original half written", r"{stem}/.*\.part", "removed", "nobody reads it", leftover=True),
    FileKind("session", r"cache/.*\.session", "removed", "desks of all sessions go with any erasure"),
    FileKind("cache", r"cache/(?!.*\.gitignore$).*", "removed", "made again when needed"),
    FileKind(
        "mirror half written",
        r"{mirror}/(.*/)?\.\d+-[^/]*\.tmp",
        "removed",
        "nobody reads it",
        leftover=True,
    ),
    FileKind("mirror", r"{mirror}/.*", "rewritten", "its maker writes the files anew, then every byte is read"),
    FileKind("backup", r"backups/.*\.tar", "named", "the receipt names those that are older than the erasure"),
    FileKind("earlier layout", r"backups/.*-layout-\d+\.db", "named", "as a backup: the receipt names it"),
    FileKind("backup half written", r"(\.backup-.*|backups/.*\.part)", "removed", "nobody reads it", leftover=True),
    FileKind("settings", r"config\.toml", "none", "the user's own; no memory stands in it"),
    FileKind("ignore file", r"(.*/)?\.gitignore", "none", "names of files alone"),
)


def kind_of(path: str, database: str) -> FileKind | None:
    """Return the kind of a file; None for one that is not Treering's.

    Args:
        path: in the store's folder, with ``/``.
        database: name of the database file.
    """
    found = _patterns(database).fullmatch(path)
    return STORE_FILES[int(found.lastgroup[1:])] if found and found.lastgroup else None


@cache
def _patterns(database: str) -> re.Pattern[str]:
    """Return all patterns as one, each a group with its place in the list; the group that ends last is the kind's."""
    own = "" if database == "memory.db" else f"{os.path.splitext(database)[0]}-"
    names = {
        "db": re.escape(database),
        "stem": re.escape(f"{own}originals"),
        "mirror": re.escape(f"{own}mirror"),
    }
    every = (f"(?P<k{place}>{kind.pattern.format(**names)})" for place, kind in enumerate(STORE_FILES))
    return re.compile(f"{_NOT_THERE}(?:{'|'.join(every)})", re.DOTALL)
