"""Failures of a folder's files: Python itself tells of each one that is opened to be written, replaced or removed."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_STEPS: Final = {"os.rename": 1, "os.remove": 0, "os.mkdir": 0, "os.rmdir": 0}
"""What changes a folder besides writing, with the place of the path that says where."""


class Files:
    """Counts what is done to the files below a folder, and lets one step fail as on a full disk.

    Attributes:
        failing: number of the first step that fails; 0 for none.
        error: what the system says then; that the disk is full, or a quota used up.
        lasting: whether all steps after it fail too.
        seen: steps so far.
        before: called before each step.
    """

    def __init__(self, folder: str) -> None:
        """Let nothing below ``folder`` fail."""
        self.folder = folder + os.sep
        self.failing = self.seen = 0
        self.error = errno.ENOSPC
        self.lasting = False
        self.before: Callable[[], object] = lambda: None

    def step(self, path: object) -> None:
        """Count a step; refuse it if its time has come."""
        if not isinstance(path, str) or not f"{path}{os.sep}".startswith(self.folder):
            return
        self.seen += 1
        self.before()
        if self.failing and (self.seen == self.failing or (self.lasting and self.seen > self.failing)):
            raise OSError(self.error, os.strerror(self.error), path)


_watching: list[Files] = []
_hooked: list[bool] = []


def _hook(event: str, args: tuple[object, ...]) -> None:
    """Tell whoever watches of a step; a hook stays for good, so it asks who does."""
    if not _watching:
        return
    if event == "open" and isinstance(args[2], int) and args[2] & _WRITING:
        path = args[0]
    elif event in _STEPS:
        path = args[_STEPS[event]]
    else:
        return
    for one in _watching:
        one.step(path)


def watch_files(folder: object) -> Files:
    """Watch what this process does to the files below a folder, to its end."""
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    files = Files(str(folder))
    _watching.append(files)
    return files


@contextmanager
def watched_files(folder: object) -> Iterator[Files]:
    """Watch what this process does to the files below a folder inside the block."""
    files = watch_files(folder)
    try:
        yield files
    finally:
        _watching.remove(files)
