"""The process that reads documents for ``apart``: one after the other, within its limits."""

from __future__ import annotations

import os
import sys
from typing import IO

from treering.errors import InputError
from treering.ingest import readers
from treering.ingest.encoding import Undecodable
from treering.ingest.readers import apart
from treering.ingest.readers.formats import Unread


def serve(seconds: float, memory_bytes: float) -> None:
    """Answer one document after the other until the pipe ends.

    Args:
        seconds: of the processor that each may take.
        memory_bytes: address space that this process may take.
    """
    questions, answers = sys.stdin.buffer, _alone()
    _limit_memory(int(memory_bytes))
    while True:
        try:
            head, raw = apart.receive(questions)
        except (EOFError, ValueError):
            return
        _limit_time(seconds)
        _answer(answers, str(head["target"]), raw, str(head["name"]))


def _alone() -> IO[bytes]:
    """Return where answers go, and let what a library prints go nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


def _answer(answers: IO[bytes], target: str, raw: bytes, name: str) -> None:
    """Read one document and say what came of it."""
    try:
        found = readers.extract(target, raw, name)
    except Unread as error:
        apart.send(answers, {"reason": str(error), "code": error.code}, b"")
    except (Undecodable, InputError) as error:
        apart.send(answers, {"reason": str(error)}, b"")
    else:
        head = found._asdict()
        text = head.pop("text").encode("utf-8", "surrogatepass")
        apart.send(answers, head, text)


def _limit_memory(most: int) -> None:
    """Let this process take no more address space, where the system can say so."""
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (ImportError, ValueError, OSError):
        return  # the limit of time, and that of what an archive unpacks to, still hold


def _limit_time(seconds: float) -> None:
    """Let the system end this process when the next document takes more of the processor."""
    try:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
    except (ImportError, ValueError, OSError):
        return  # the clock's limit holds
