"""Documents read in a process of its own, which is killed when one takes too long or too much memory.

One process reads document after document, because starting it costs more than most documents do. It gets bytes and
gives text over two pipes, opens no file, and goes when this process goes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from treering.domain.source import Document, Extract
from treering.ingest import readers
from treering.ingest.encoding import Undecodable
from treering.ingest.readers.formats import Unread, reader_for

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Limits(NamedTuple):
    """What one document may take.

    Attributes:
        seconds: of the clock; half as much of the processor.
        memory_bytes: address space of the process, where the system can limit it.
    """

    seconds: float = 60.0
    memory_bytes: int = 2_000_000_000


USUAL: Final = Limits()

# The child looks where this process looks for packages, so that readers of others are found as well.
_START: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from treering.ingest.readers.child import serve; serve(*map(float, sys.argv[2:]))"
)


class Readings:
    """Reads documents in a child process, one at a time; may be used from several threads.

    The child starts with the first document that needs it, and again after it was killed.
    """

    def __init__(self, limits: Limits = USUAL) -> None:
        """Prepare; nothing is started yet."""
        self._limits = limits
        self._child: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child."""
        self.close()

    def read(self, raw: bytes, name: str) -> Document:
        """Return what ``treering.ingest.readers.read`` returns; text is decoded here, at once.

        Raises:
            Unread: if its text cannot be had, or takes too long or too much memory.
            Undecodable: if it should be text and is none.
        """
        target = reader_for(raw, name)
        return readers.document(raw, self._extract(target, raw, name) if target else None)

    def abandon(self) -> None:
        """Kill the child at once; a document that another thread reads is then ``Unread``."""
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child; the next document starts another."""
        with self._turn:
            self._end()

    def _extract(self, target: str, raw: bytes, name: str) -> Extract:
        """Return what the child reads."""
        with self._turn:
            child = self._started()
            late = threading.Event()

            def kill() -> None:
                late.set()
                child.kill()

            timer = threading.Timer(self._limits.seconds, kill)
            timer.daemon = True
            timer.start()
            try:
                send(cast("IO[bytes]", child.stdin), {"target": target, "name": name}, raw)
                said, text = receive(cast("IO[bytes]", child.stdout))
            except (OSError, EOFError, ValueError) as error:
                self._end()
                raise self._killed(child.returncode, is_late=late.is_set()) from error
            except BaseException:  # interrupted between question and answer: the next answer would be this one's
                child.kill()
                self._end()
                raise
            finally:
                timer.cancel()
        return answered(said, text)

    def _killed(self, status: int, *, is_late: bool) -> Unread:
        """Return why the child is gone."""
        import signal

        if is_late or status == -getattr(signal, "SIGXCPU", 0):
            return Unread(f"it takes longer than {self._limits.seconds:g} s to read", code="too_long")
        if status == -getattr(signal, "SIGKILL", 0):
            return Unread("it takes more memory than there is", code="too_large")
        return Unread(f"it is damaged: its reader crashed on it (status {status})")

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the child, started if there is none."""
        if self._child is None or self._child.poll() is not None:
            self._end()
            self._child = subprocess.Popen(  # noqa: S603  this interpreter, with our own code
                [sys.executable, "-c", _START, json.dumps(sys.path), str(self._limits.seconds / 2),
                 str(self._limits.memory_bytes)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=os.name == "posix",  # an interrupt at the terminal is ours to answer
            )  # fmt: skip
        return self._child

    def _end(self) -> None:
        """Close the pipes, which ends the child, and wait for it."""
        child, self._child = self._child, None
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # it is gone already
        try:
            child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def send(pipe: IO[bytes], head: dict[str, object], body: bytes) -> None:
    """Write a message: a line of JSON, which says how long the body is, and the body."""
    pipe.write(json.dumps({**head, "size": len(body)}).encode() + b"\n")
    pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[dict[str, object], bytes]:
    """Return a message.

    Raises:
        EOFError: if the other side is gone. What is no message raises ValueError.
    """
    line = pipe.readline()
    if not line:
        raise EOFError
    head = cast("dict[str, object]", json.loads(line))
    size = cast("int", head["size"])
    body = pipe.read(size)
    if len(body) < size:
        raise EOFError
    return head, body


def answered(said: dict[str, object], body: bytes) -> Extract:
    """Return what the child's message says.

    Raises:
        Unread: if it says that there is no text.
        Undecodable: the same, for what should be text.
    """
    if "code" in said:
        raise Unread(str(said["reason"]), code=cast("readers.formats.Code", said["code"]))
    if "reason" in said:
        raise Undecodable(str(said["reason"]))
    pairs = cast("list[list[str]]", said["properties"])
    return Extract(
        body.decode("utf-8", "surrogatepass"),
        str(said["encoding"]),
        str(said["notice"]),
        str(said["title"]),
        tuple([(key, value) for key, value in pairs]),
    )
