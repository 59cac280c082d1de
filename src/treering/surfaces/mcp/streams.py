"""Messages over standard input and output, by bytes: one JSON object on each line, UTF-8 whatever the locale says.

The SDK's own transport drops what it cannot read without a word and takes lines of any length. Here a broken line
gets the answer that JSON-RPC has for it, and the session goes on. Whatever else prints to standard output lands on
standard error.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio
from anyio import to_thread
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
    Outgoing = MemoryObjectSendStream[SessionMessage]

MOST_BYTES: Final = 16_000_000
"""Of one message. The longest text that can be saved has ten million bytes."""

_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600
_INTERNAL_ERROR: Final = -32603
_READ_BYTES: Final = 1 << 16


class Refused(NamedTuple):
    """A line that is no message.

    Attributes:
        code: of JSON-RPC.
        why: in words.
        id: of the request, where it can be told.
    """

    code: int
    why: str
    id: str | int | None = None

    def line(self) -> bytes:
        """Return the answer."""
        error = {"code": self.code, "message": self.why}
        return json.dumps({"jsonrpc": "2.0", "id": self.id, "error": error}).encode() + b"\n"


def lines(source: int) -> Iterator[bytes | None]:
    """Yield the lines that come in, None for one that is too long; ends with the input."""
    kept = bytearray()
    is_too_long = False
    while True:
        try:
            read = os.read(source, _READ_BYTES)
        except OSError:
            read = b""
        *whole, rest = read.split(b"\n")
        for line in whole:
            kept += line
            yield None if is_too_long or len(kept) > MOST_BYTES else bytes(kept)
            kept.clear()
            is_too_long = False
        kept += rest
        if len(kept) > MOST_BYTES:
            is_too_long = True
            kept.clear()
        if not read:
            if kept or is_too_long:
                yield None if is_too_long else bytes(kept)
            return


def parsed(line: bytes | None) -> JSONRPCMessage | Refused | None:
    """Return the message on a line, why it is none, or None where nothing is to be said."""
    if line is None:
        return Refused(_INVALID_REQUEST, f"the message is longer than {MOST_BYTES:,} bytes")
    if not line.strip():
        return None
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _mended(line)


def _mended(line: bytes) -> JSONRPCMessage | Refused | None:
    """Return the message on a line that only half characters spoil, else why there is none."""
    try:
        value: Any = json.loads(line.decode())
    except UnicodeDecodeError as error:
        return Refused(_PARSE_ERROR, f"Parse error: byte {error.start} of the message is not UTF-8")
    except (ValueError, RecursionError):
        return Refused(_PARSE_ERROR, "Parse error: the line is no JSON")
    if not isinstance(value, dict):
        batch = "batches are not part of the protocol" if isinstance(value, list) else "a message is an object"
        return Refused(_INVALID_REQUEST, f"Invalid request: {batch}")
    with suppress(ValueError):
        whole = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return jsonrpc_message_adapter.validate_json(whole, by_name=False)
    if "method" not in value and ("result" in value or "error" in value):
        return None  # an answer that cannot be read is answered by nobody
    id = value.get("id")
    known = id if isinstance(id, (str, int)) and not isinstance(id, bool) else None
    return Refused(_INVALID_REQUEST, "Invalid request: it is no JSON-RPC 2.0 message", known)


class Wire:
    """Both directions of one connection.

    Attributes:
        gone: set once nobody reads what is written.
    """

    def __init__(self, source: int, target: int) -> None:
        """Use two descriptors; nothing is read yet."""
        self._source = source
        self._target = target
        self._writing = threading.Lock()
        self.gone = anyio.Event()

    @asynccontextmanager
    async def open(self, before_end: Callable[[], Awaitable[None]]) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        """Yield the streams that the SDK serves.

        Args:
            before_end: awaited at the end of the input before the SDK is told, so that calls may still be answered.
        """
        send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, receive = anyio.create_memory_object_stream[SessionMessage](0)
        loop = asyncio.get_running_loop()

        async def end() -> None:
            await before_end()
            await send.aclose()

        def read() -> None:
            for line in lines(self._source):
                message = parsed(line)
                if isinstance(message, Refused):
                    self._write(message.line())
                elif message is not None and not _done(send.send(SessionMessage(message)), loop):
                    return
            _done(end(), loop)

        async def write() -> None:
            limiter = anyio.CapacityLimiter(1)
            async for message in receive:
                line = _line(message.message)
                if not await to_thread.run_sync(self._write, line, limiter=limiter):
                    self.gone.set()

        threading.Thread(target=read, name="reader", daemon=True).start()
        async with anyio.create_task_group() as group:
            group.start_soon(write)
            try:
                yield incoming, outgoing
            finally:
                await outgoing.aclose()

    def _write(self, line: bytes) -> bool:
        """Write a line whole and tell whether somebody reads."""
        with self._writing:
            left = memoryview(line)
            while left:
                try:
                    left = left[os.write(self._target, left) :]
                except OSError:
                    return False
        return True


def _done(step: Coroutine[Any, Any, None], loop: asyncio.AbstractEventLoop) -> bool:
    """Have the loop take a step, wait for it, and tell whether the loop is still there to take it."""
    try:
        asyncio.run_coroutine_threadsafe(step, loop).result()
    except (CancelledError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        return False
    except RuntimeError:  # the loop is closed
        step.close()
        return False
    return True


def _line(message: JSONRPCMessage) -> bytes:
    """Return a message as a line; one that no JSON can carry becomes an error."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:
        return Refused(_INTERNAL_ERROR, "the answer holds what no text holds", getattr(message, "id", None)).line()
