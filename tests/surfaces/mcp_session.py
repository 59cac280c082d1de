"""A client's side of the MCP server, for tests: in memory, over a real process, and by raw bytes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Self

from mcp import Client, StdioServerParameters

from treering.surfaces.mcp.protocol import Handlers
from treering.surfaces.mcp.tools import TOOLS
from treering.surfaces.mcp.workplace import Wish, Workplace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp_types import CallToolResult

ERAS: Final = ("legacy", "auto", "2026-07-28")
START: Final = "import sys; from treering.surfaces.cli import main; sys.exit(main(['serve', *sys.argv[1:]]))"
TIMEOUT_S: Final = 60.0
CORE: Final = [tool.name for tool in TOOLS if tool.is_core]
READING: Final = [tool.name for tool in TOOLS if tool.is_core and not tool.writes]


@asynccontextmanager
async def in_memory(era: str = "auto", wish: Wish | None = None, **client: Any) -> AsyncIterator[Client]:
    """Yield a client of a server in this process."""
    workplace = Workplace(wish or Wish(folder=os.getcwd()))
    try:
        async with Client(Handlers(workplace).server(), mode=era, **client) as session:
            yield session
    finally:
        workplace.close()


def talk(conversation: Callable[[Client], Awaitable[None]], era: str = "auto", **named: Any) -> None:
    """Hold a conversation with a server in this process."""

    async def hold() -> None:
        async with in_memory(era, **named) as client:
            await asyncio.wait_for(conversation(client), TIMEOUT_S)

    asyncio.run(hold())


def talk_to_process(conversation: Callable[[Client], Awaitable[None]], era: str, *words: str) -> None:
    """Hold a conversation with a server in a process of its own."""

    async def hold() -> None:
        parameters = StdioServerParameters(
            command=sys.executable, args=["-c", START, *words], env=environment(), cwd=os.getcwd()
        )
        async with Client(parameters, mode=era) as client:
            await asyncio.wait_for(conversation(client), TIMEOUT_S)

    asyncio.run(hold())


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a server process."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "", **variables}


def text(result: CallToolResult) -> str:
    """Return what an agent is shown."""
    return "\n".join(getattr(part, "text", "") for part in result.content)


class Raw:
    """A server process that is spoken to by bytes.

    Attributes:
        process: the process.
        seen: every line that it has written.
    """

    def __init__(self, *words: str, code: str = START, **variables: str) -> None:
        """Start the process."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**variables),
        )  # fmt: skip
        self.seen: list[bytes] = []
        self._last = 0

    def __enter__(self) -> Self:
        """Return the session itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, whatever state it is in."""
        self.process.kill()
        self.process.communicate()

    def send(self, raw: bytes) -> None:
        """Write bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Return the next message that comes."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        self.seen.append(line)
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return its answer; others that come before are passed over."""
        self._last += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}).encode() + b"\n")
        while True:
            message = self.answer()
            if message.get("id") == self._last:
                return message

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        answered = self.ask("tools/call", name=tool, arguments=given)
        result: dict[str, Any] = answered["result"]
        return result

    def initialize(self) -> dict[str, Any]:
        """Shake hands."""
        hello = self.ask(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "probe", "version": "0"}
        )
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return hello

    def end(self) -> tuple[int, bytes, bytes]:
        """Close the input and return exit status, the rest of the output, and standard error."""
        out, err = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, out, err
