"""One MCP server as its client sees it: start, first answer, warm calls, size of the tools, in CPU time of its process.

usage: mcp_driver.py --tool NAME --argument NAME --queries FILE [--more JSON] [--cwd DIR] [--rounds N] -- COMMAND…

Speaks the protocol by bytes (handshake of 2025-06-18), so it runs with any Python and any server. CPU time is read from
the process itself: user and system, all threads. Prints one JSON object. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
WARM_CALLS = 100
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Server:
    """A server process and a conversation with it."""

    def __init__(self, command: list[str], cwd: str | None) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._input: IO[bytes] = self.process.stdin or sys.stdout.buffer  # a pipe, as was asked for
        self._output: IO[bytes] = self.process.stdout or sys.stdin.buffer
        self._last = 0

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        self._input.write(json.dumps(message).encode() + b"\n")
        self._input.flush()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Return the answer to a request."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        for line in self._output:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._last:
                return answer
        raise SystemExit(f"{self.process.args} ended before it answered {method}")

    def cpu_s(self) -> float:
        """CPU seconds that the process has used, threads that ended included; in steps of 10 ms on most systems."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_S

    def rss_mb(self) -> float:
        """Resident memory of the process."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def end(self) -> None:
        """Leave, as a client does."""
        self._input.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._output.close()


def length(result: dict[str, Any]) -> int:
    """Characters of the text of a result."""
    return sum(len(part.get("text", "")) for part in result.get("content", ()))


def once(
    command: list[str], cwd: str | None, call: Callable[[str], dict[str, Any]], queries: list[str]
) -> dict[str, Any]:
    """Start the server, ask everything, and return the figures."""
    began = time.perf_counter()
    server = Server(command, cwd)
    try:
        server.ask("initialize", **HELLO)
        found = {"initialize_cpu_ms": server.cpu_s() * 1e3, "initialize_ms": (time.perf_counter() - began) * 1e3}
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = server.ask("tools/list")["result"]["tools"]
        first = server.ask("tools/call", **call(queries[0]))
        found |= {"first_answer_cpu_ms": server.cpu_s() * 1e3, "first_answer_ms": (time.perf_counter() - began) * 1e3}
        if first.get("result", {}).get("isError", "error" in first):
            raise SystemExit(f"{command}: {json.dumps(first)[:500]}")
        for query in queries[:3]:
            server.ask("tools/call", **call(query))
        asked, before, sizes, walls = 0, server.cpu_s(), [], []
        for query in queries:
            at = time.perf_counter()
            sizes.append(length(server.ask("tools/call", **call(query))["result"]))
            walls.append((time.perf_counter() - at) * 1e3)
            asked += 1
        found |= {
            "warm_cpu_ms": (server.cpu_s() - before) * 1e3 / asked,
            "warm_ms_p50": statistics.median(walls),
            "answer_chars_p50": statistics.median(sizes),
            "answer_chars_max": max(sizes),
            "tools": len(tools),
            "tools_json_chars": len(json.dumps(tools, ensure_ascii=False)),
            "annotated": sum("annotations" in tool for tool in tools),
            "rss_mb": server.rss_mb(),
        }
        return found
    finally:
        server.end()


def main() -> None:
    """Measure one server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--argument", default="query")
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--more", default="{}", help="further arguments of each call, as JSON")
    parser.add_argument("--cwd")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=WARM_CALLS)
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    queries = [row["q"] for row in json.loads(given.queries.read_text(encoding="utf-8"))]
    step = max(1, len(queries) // given.calls)

    def call(query: str) -> dict[str, Any]:
        return {"name": given.tool, "arguments": {given.argument: query, **json.loads(given.more)}}

    runs = [once(given.command, given.cwd, call, queries[::step][: given.calls]) for _ in range(given.rounds)]
    json.dump({key: round(statistics.median(run[key] for run in runs), 2) for key in runs[0]}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
