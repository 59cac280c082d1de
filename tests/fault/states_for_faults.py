"""What a failure leaves in a store's folder, told apart: the same state is healed once, whichever statement left it."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import apsw

_MADE: Final = re.compile(
    r"(?P<id>(?:[a-z]{3}_)?01[0-9a-hjkmnp-tv-z]{20})"
    r"|(?P<part>(?<=-)[0-9a-hjkmnp-tv-z]{12}(?=\.tmp))"
    r"|(?P<time>20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|\b1[6-9]\d{14}(?:\d{3})?\b)"
    r"|(?P<key>[0-9a-f]{16,})"
)
"""What is another one in each run: ids, times, digests of what holds them, keys that were drawn."""


class _Names:
    """Gives what is made anew in each run the number of its first appearance."""

    def __init__(self) -> None:
        """Have met none."""
        self._met: dict[str, str] = {}

    def plain(self, text: str) -> str:
        """Return a text with numbers in place of ids, and without times and keys."""
        return _MADE.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        """Return what stands for one match."""
        if found["id"] is None:
            return f"<{found.lastgroup}>"
        return self._met.setdefault(found[0][-22:], f"<id {len(self._met)}>")


def state_of(folder: Path) -> str:
    """Return a digest of a store's folder: every row of every table, every file, and whether the mirror knows it.

    Two folders with the same digest differ in ids, times and keys alone, so that what heals one heals the other.
    """
    database = folder / "memory.db"
    files = sorted(path for path in folder.rglob("*") if not path.name.startswith("memory.db"))
    lines = [*(_rows(database) if database.exists() else ()), *(_told(path, folder) for path in files)]
    return sha256(_Names().plain("\n".join(lines)).encode()).hexdigest()


def _rows(database: Path) -> list[str]:
    """Return the layout of a database and its rows, in the order in which they lie there."""
    connection = apsw.Connection(str(database))
    connection.exec_trace = None  # whoever watches the program's connections does not mean this one
    run = connection.execute
    try:
        layout = run("select name, sql from sqlite_schema order by name").fetchall()
        tables = [name for name, sql in layout if sql and "table" in sql.lower()[:20] and not name.startswith("words")]
        lines = [sha256(repr([run("pragma user_version").fetchall(), layout]).encode()).hexdigest()[:15]]
        for table in tables:
            lines += [f"{table} {_shown(row)}" for row in run(f'select * from "{table}"')]  # noqa: S608
        if any(name == "words_vocabulary" for name, _ in layout):
            lines += [repr(row) for row in run("select term, doc, cnt from words_vocabulary")]
            lines.append(repr(run("select count(*) from words_docsize").fetchall()))
        if "mirror_file" in tables:
            known = run("select path, sha256, size_bytes, mtime_ns from mirror_file").fetchall()
            lines += [_known(database.parent / "mirror", *row) for row in known]
    finally:
        connection.close()
    return lines


def _shown(row: tuple[Any, ...]) -> str:
    """Return a row as a line; of bytes, which are drawn or computed, their length."""
    return repr([f"{len(value)} bytes" if isinstance(value, bytes) else value for value in row])


def _known(mirror: Path, path: str, digest: str, size_bytes: int, mtime_ns: int) -> str:
    """Return what a sync would see of a file that the store knows."""
    file = mirror / path
    if not file.exists():
        return f"{path} is not there"
    stat, same = file.stat(), sha256(file.read_bytes()).hexdigest() == digest
    return f"{path} {same} {(stat.st_size, stat.st_mtime_ns) == (size_bytes, mtime_ns)}"


def _told(path: Path, folder: Path) -> str:
    """Return a file with its text, a copy of a database with a short digest of it, or a folder."""
    name = str(path.relative_to(folder))
    if not path.is_file():
        return name
    if path.suffix == ".db":
        return f"{name} {sha256(path.read_bytes()).hexdigest()[:15]}"
    return f"{name} {path.read_text('utf-8', 'replace')}"


class Healed:
    """Lets what mends a store run once for each state that failures leave.

    Each statement still fails, and what it leaves is looked at each time. What a store is mended from is nothing but
    its folder, whose memory was closed: the same folder is mended in the same way.
    """

    def __init__(self, folder: Path) -> None:
        """Watch a folder in which one store after the other is broken."""
        self._folder = folder
        self._known: set[str] = set()

    def __len__(self) -> int:
        """Return how many states there were."""
        return len(self._known)

    def once(self, heal: Callable[[], object]) -> None:
        """Call ``heal``, unless a store in this state was healed before."""
        state = state_of(self._folder)
        if state not in self._known:
            heal()
            self._known.add(state)
