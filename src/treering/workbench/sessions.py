"""The desks of sessions that outlive a process, each in a file beside the store and outside its database.

A record is appended for each change, in one write, so that two commands of a session lose nothing of each other's;
a record that was torn by a crash is passed over. A session ends with the terminal that it belongs to, or when nothing
was added for a week; its file then goes with the next look at any. What is erased from the store takes all of them
along, because they may hold it (``docs/decisions/0041-sessions-outside.md``).
"""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from treering.errors import InputError, StorageFailed
from treering.workbench.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treering.workbench.desk import Record

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SUFFIX: Final = ".session"
_TERMINAL: Final = re.compile(r"terminal-(\d+)-(\d+)\.session")
_IDLE_S: Final = 7 * 86_400


def folder_of(store_folder: str) -> str:
    """Return where the sessions of a store are."""
    return os.path.join(store_folder, "cache", "sessions")


def current(environ: Mapping[str, str]) -> str:
    """Return the name of the session that a command belongs to: ``TREERING_SESSION``, else its terminal's."""
    named = environ.get("TREERING_SESSION", "")
    if named:
        return named
    leader = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    return f"terminal-{leader}-{_began(leader)}"


def opened(folder: str, name: str) -> Desk:
    """Return the desk of a session, with what it holds; nothing is made before something is put on it.

    Raises:
        InputError: if no session can be called so.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"no session can be called {name[:80]!r}: letters, digits, dots and dashes, at most 100",
            hint="TREERING_SESSION=review treering scratch recall",
        )
    _end_old(folder)
    file = os.path.join(folder, name + _SUFFIX)
    desk = Desk()
    for record in _records(file):
        with suppress(TypeError, ValueError):
            desk.replay(record)
    desk.keep = lambda record: _append(file, record)
    return desk


def drop_all(folder: str) -> int:
    """Remove every session's file and return how many there were."""
    return sum(_remove(entry) for entry in _listed(folder))


def end(folder: str, name: str) -> bool:
    """Remove a session's file and tell whether there was one."""
    return bool(_NAME.fullmatch(name)) and _remove(os.path.join(folder, name + _SUFFIX))


def _end_old(folder: str) -> None:
    """Remove the files of sessions that have ended."""
    now = time.time()
    for file in _listed(folder):
        terminal = _TERMINAL.fullmatch(os.path.basename(file))
        with suppress(OSError):
            over = now - os.stat(file).st_mtime > _IDLE_S
            if terminal is not None:
                over = over or _began(int(terminal[1])) != terminal[2]
            if over:
                _remove(file)


def _began(process: int) -> str:
    """Return when a process began, as its system counts; ``0`` where that cannot be told or it is gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    if os.path.isdir("/proc/self"):
        return "gone"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        pass
    return "0"


def _listed(folder: str) -> list[str]:
    """Return the files of all sessions."""
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_SUFFIX)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _remove(file: str) -> bool:
    """Remove a file and tell whether it was there."""
    try:
        os.remove(file)
    except FileNotFoundError:
        return False
    return True


def _records(file: str) -> list[Record]:
    """Return the records of a file in order, without those that were torn."""
    try:
        with open(file, "rb") as opened_file:
            raw = opened_file.read()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageFailed(f"{file} cannot be read: {error.strerror}") from error
    found = []
    for line in raw.split(b"\n"):
        if line:
            with suppress(ValueError):
                record = json.loads(line)
                if isinstance(record, dict):
                    found.append(record)
    return found


def _append(file: str, record: Record) -> None:
    """Add a record, on a line of its own even behind one that was torn.

    Raises:
        StorageFailed: if it cannot be written; then it is as if it had not been.
    """
    line = b"\n" + json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
    folder = os.path.dirname(file)
    try:
        for made in (os.path.dirname(os.path.dirname(folder)), os.path.dirname(folder), folder):
            os.makedirs(made, mode=0o700, exist_ok=True)  # one by one: those on the way would be open to others
        with suppress(FileExistsError), open(os.path.join(folder, ".gitignore"), "x", encoding="utf-8") as ignore:
            ignore.write("*\n")
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            while line:
                line = line[os.write(descriptor, line) :]
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StorageFailed(f"{file} cannot be written: {error.strerror}") from error
