"""What a work writes, in its order: statements that change a database, and files that are written, renamed or removed.

The works are run in processes of their own that are forked here, so that one can be killed between two of its steps.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_READS: Final = re.compile(
    r"select|with|explain|rollback|savepoint|release|begin$|pragma (?!journal_mode =|wal_checkpoint)"
)
_FILES: Final = {"os.rename": "rename", "os.remove": "remove", "os.mkdir": "mkdir", "os.rmdir": "rmdir"}
_FAILED: Final = 70


class Unit(NamedTuple):
    """What is there whole or not at all: a transaction, or one thing that is done to a file.

    Attributes:
        first: number of its first event.
        text: its events, a line for each.
    """

    first: int
    text: str


class _Recorder:
    """Writes events down, and ends the process like ``kill -9`` before one of them."""

    def __init__(self, folder: Path, kill_at: int) -> None:
        """Watch this process to its end."""
        self.events: list[str] = []
        self._folder = os.path.join(folder, "")
        self._kill_at = kill_at
        sys.addaudithook(self._hook)
        apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", self._trace))

    def _note(self, event: str) -> None:
        """Add an event, or die before it."""
        if len(self.events) == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.events.append(event)

    def _trace(self, _cursor: object, sql: str, bindings: Any) -> bool:
        """Note a statement that writes; of an erasure also what it is by then."""
        if not _READS.match(sql):
            state = bindings.get("state", "") if isinstance(bindings, dict) and "erasure" in sql else ""
            self._note(f"sql {' '.join(sql.split())[:200]} {state}".rstrip())
        return True

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        """Note what is done to a file of the folder."""
        if event == "open":
            if isinstance(args[0], str) and isinstance(args[2], int) and args[2] & _WRITING:
                self._of_files("open", args[:1])
        elif event in _FILES:
            self._of_files(_FILES[event], args)

    def _of_files(self, verb: str, args: Sequence[Any]) -> None:
        """Note one thing that is done to files; a name alone is what the removal of a folder gives for its files."""
        paths = [os.fspath(one) for one in args if isinstance(one, (str, os.PathLike))]
        inside = [path.removeprefix(self._folder) for path in paths if path.startswith(self._folder) or "/" not in path]
        if inside:
            self._note(" ".join([verb, *inside]))


def walked(folder: Path, work: Callable[[], object], *, kill_at: int = -1) -> list[str] | None:
    """Run a work in a process of its own; return what it wrote in ``folder``, or None if it was killed as it should.

    Args:
        folder: what lies elsewhere is not told.
        work: is done in a copy of this process; nothing may be open here that it opens.
        kill_at: number of the event before which it dies; -1 for none.
    """
    told = folder / "events.json"
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of threads that the copy has not: it does one work and ends
        child = os.fork()
    if child == 0:
        status = _FAILED
        try:
            recorder = _Recorder(folder, kill_at)
            work()
            events = list(recorder.events)
            told.write_text(json.dumps(events), "utf-8")
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    if kill_at >= 0 and os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL:
        return None
    assert os.waitstatus_to_exitcode(ended) == 0
    events: list[str] = json.loads(told.read_text("utf-8"))
    told.unlink()
    return events


def units(events: Sequence[str], *, apart: bool = False) -> list[Unit]:
    """Return events, those of one transaction as one.

    Args:
        events: as they were noted.
        apart: whether those of a transaction stand for themselves, because it does things to files.
    """
    found: list[Unit] = []
    inside = False
    for number, event in enumerate(events):
        if inside and not apart:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}\n{event}")
        else:
            found.append(Unit(number, event))
        inside = event == "sql begin immediate" or (inside and event != "sql commit")
    return found
