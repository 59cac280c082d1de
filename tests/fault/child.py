"""The command line as a process that something happens to: ``python child.py FAULT NUMBER WORD…``.

Faults: ``none``; ``gate`` waits for a line on standard input once everything is loaded; ``statement``
kills the process with SIGKILL before its NUMBER-th statement, ``commit`` before the first statement
after its NUMBER-th commit, ``file`` before its NUMBER-th step with a file of the mirror; ``size``
kills it in the middle of the write that would make a file larger than NUMBER bytes; ``plain`` takes
root's power over permissions away; ``count`` prints the number of statements to standard error at the
end.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import signal
import sys

import apsw
from files_for_faults import watch_files

import treering.api.catching_up
import treering.api.indexing
import treering.backends.migrate
import treering.chunkers  # noqa: F401  loaded before the fault
from treering.surfaces.cli import main

LINUX_CAPABILITY_VERSION_3 = 0x20080522


def give_up_power() -> None:
    """Drop every capability: permission bits then bind root as its owner."""
    if os.geteuid() == 0:
        header = (ctypes.c_uint32 * 2)(LINUX_CAPABILITY_VERSION_3, 0)
        nothing = (ctypes.c_uint32 * 6)()
        if ctypes.CDLL(None).capset(header, nothing):
            sys.exit(99)


def trace_statements(kill_at: int = 0, kill_after: int = 0) -> itertools.count[int]:
    """Count the statements of every connection from now on; kill at one, or after a number of commits."""
    numbers = itertools.count(1)
    commits = 0

    def trace(_cursor: object, sql: str, _bindings: object) -> bool:
        nonlocal commits
        if next(numbers) == kill_at or 0 < kill_after == commits:
            os.kill(os.getpid(), signal.SIGKILL)
        commits += sql == "commit"
        return True

    apsw.connection_hooks.append(lambda connection: setattr(connection, "exec_trace", trace))
    return numbers


def trace_files(kill_at: int, store: str) -> None:
    """Kill at a step with a file of a store's mirror: one that is opened to be written, replaced or removed."""
    files = watch_files(os.path.join(store, "mirror"))
    files.before = lambda: os.kill(os.getpid(), signal.SIGKILL) if files.seen == kill_at else None


def run(fault: str, number: int, words: list[str]) -> int:
    """Put the fault in place, run the command and return its exit status."""
    numbers = itertools.count(1)
    if fault == "statement":
        trace_statements(kill_at=number)
    elif fault == "commit":
        trace_statements(kill_after=number)
    elif fault == "file":
        trace_files(number, words[words.index("--store") + 1])
    elif fault == "count":
        numbers = trace_statements()
    elif fault == "gate":
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
    elif fault == "size":
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (number, number))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    elif fault == "plain":
        give_up_power()
    status = main(words)
    if fault == "count":
        sys.stderr.write(str(next(numbers) - 1))
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
