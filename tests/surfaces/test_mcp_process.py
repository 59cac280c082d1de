"""The MCP server as a process: framing by bytes, both eras, signals, a client that leaves, what a start imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_session import CORE, ERAS, READING, START, Raw, environment, talk_to_process, text

import treering

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.slow

PING = b'{"jsonrpc":"2.0","id":900,"method":"ping"}'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a document, which is the working directory."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    (folder / "guide.md").write_text("# Guide\n\nTo roll back run `kelp undo`.\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("era", ERAS)
def test_a_client_of_each_era_is_served(era: str) -> None:
    """The same server answers a client that shakes hands and one that does not."""

    async def conversation(client: Client) -> None:
        assert len((await client.list_tools()).tools) == len(CORE)
        assert not (await client.call_tool("memory_index", {"paths": ["."]})).is_error
        assert "guide.md" in text(await client.call_tool("memory_search", {"query": "how to roll back"}))

    talk_to_process(conversation, era)


def test_the_handshake_opens_nothing(project: Path, home: Path) -> None:
    """After handshake and lists, neither a store nor settings were looked at: broken ones do no harm yet."""
    (project / ".treering").mkdir()
    (project / ".treering" / "config.toml").write_text("[search]\nlimit = 'many'\n", encoding="utf-8")
    (project / ".treering" / "memory.db").write_bytes(b"no database at all, " * 100)
    with Raw() as raw:
        assert raw.initialize()["result"]["serverInfo"]["name"] == "treering"
        assert len(raw.ask("tools/list")["result"]["tools"]) == len(CORE)
        assert "resourceTemplates" in raw.ask("resources/templates/list")["result"]
        told = raw.call("memory_search", query="x")
        assert told["isError"]
        assert "search.limit" in told["content"][0]["text"]


def test_broken_lines_are_answered_and_survived() -> None:
    """CRLF, parts of lines, blank lines, garbage, wrong bytes, batches, depth and length: the session goes on."""
    with Raw() as raw:
        raw.initialize()
        raw.send(PING + b"\r\n")
        assert raw.answer() == {"jsonrpc": "2.0", "id": 900, "result": {}}
        raw.send(PING[:20])
        raw.send(PING[20:] + b"\n\n \n\r\n")
        assert raw.answer()["id"] == 900
        for line, code, id in (
            (b"nonsense", -32700, None),
            (b'{"\xff"}', -32700, None),
            (b"[" * 100_000, -32700, None),
            (b"[" + PING + b"]", -32600, None),
            (b"7", -32600, None),
            (b'{"id": 5, "method": "ping"}', -32600, 5),
            (b'{"jsonrpc": "2.0", "id": "a", "method": 3}', -32600, "a"),
            (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"y" * 16_000_001 + b'"}}', -32600, None),
            (b'{"jsonrpc":"2.0","id":8,"method":"no/such"}', -32601, 8),
        ):
            raw.send(line + b"\n")
            answered = raw.answer()
            assert (answered["error"]["code"], answered["id"]) == (code, id), line[:60]
        raw.send(b'{"jsonrpc":"2.0","id":77,"result":{}}\n{"jsonrpc":"2.0","method":"notifications/none"}\n')
        assert raw.ask("ping")["result"] == {}


def test_nothing_but_the_protocol_is_on_standard_output(project: Path) -> None:
    """Prints, warnings and logs from anywhere in the process stay off the wire."""
    code = (
        "import sys, os, warnings, logging\n"
        "import treering.api.browsing as browsing\n"
        "status = browsing.Browsing.status\n"
        "def noisy(self):\n"
        "    print('printed'); os.write(1, b'written to descriptor 1\\n'); os.system('echo from a child')\n"
        "    warnings.warn('warned'); logging.getLogger('x').error('logged')\n"
        "    return status(self)\n"
        "browsing.Browsing.status = noisy\n" + START
    )
    with Raw(code=code, PYTHONWARNINGS="always", LOG_LEVEL="DEBUG") as raw:
        raw.initialize()
        assert not raw.call("memory_list", view="status")["isError"]
        status, out, err = raw.end()
    assert (status, out) == (0, b"")
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in raw.seen)
    assert b"written to descriptor 1" in err
    assert b"Traceback" not in err


def test_the_log_is_a_file_without_what_was_said(home: Path) -> None:
    """The log names calls, their end and their time, and no text of the user's."""
    with Raw() as raw:
        raw.initialize()
        raw.call("memory_save", text="The vault opens with a feather")
        assert raw.end()[0] == 0
    log = (home / ".local" / "state" / "treering" / "mcp.log").read_text("utf-8")
    assert "memory_save: done" in log
    assert "feather" not in log


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_signals_end_it_quietly(name: str, project: Path) -> None:
    """A signal ends the process with status 0 and leaves a store that others can write."""
    with Raw() as raw:
        raw.initialize()
        raw.call("memory_save", text="Saved before the signal")
        raw.process.send_signal(getattr(signal, name))
        assert raw.end() == (0, b"", b"")
    with treering.open() as memory:
        memory.remember("Saved after the signal")
        assert memory.status().memories == 2


def test_calls_before_the_end_of_the_input_are_answered() -> None:
    """A client that writes its request and closes at once still gets the answer."""
    with Raw() as raw:
        raw.initialize()
        raw.call("memory_index", paths=["."])
        call = {"name": "memory_search", "arguments": {"query": "how to roll back"}}
        raw.send(json.dumps({"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": call}).encode() + b"\n")
        status, out, err = raw.end()
    assert (status, err) == (0, b"")
    assert b"guide.md" in out


def test_a_client_that_reads_no_more_is_the_end() -> None:
    """When nobody reads, the process ends without a traceback."""
    raw = Raw()
    with raw:
        raw.initialize()
        assert raw.process.stdout is not None
        raw.process.stdout.close()
        raw.send(PING + b"\n")
        assert raw.process.wait(60) == 0
        assert raw.process.stderr is not None
        assert raw.process.stderr.read() == b""


SLOW = (
    "import time, threading\n"
    "import treering.api.indexing as indexing\n"
    "run = indexing.Indexing.run\n"
    "def slow(self, path, glob, *, progress, **_):\n"
    "    open('begun', 'w').close()\n"
    "    while True:\n"
    "        progress(0, 1)\n"
    "        time.sleep(0.01)\n"
    "indexing.Indexing.run = slow\n" + START
)


def test_a_cancelled_call_stops(project: Path) -> None:
    """A call that is cancelled gets no answer and does not go on; others are served meanwhile and after."""
    with Raw(code=SLOW) as raw:
        raw.initialize()
        call = {"name": "memory_index", "arguments": {"paths": ["."]}}
        raw.send(json.dumps({"jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": call}).encode() + b"\n")
        _until(project / "begun")
        raw.ask("ping")
        raw.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":70}}\n')
        for _ in range(3):
            raw.call("memory_list", view="status")
        status, out, _ = raw.end()
    assert status == 0
    assert not [line for line in raw.seen + out.splitlines() if json.loads(line).get("id") == 70 and b"result" in line]
    log = (Path(os.environ["HOME"]) / ".local" / "state" / "treering" / "mcp.log").read_text("utf-8")
    assert "memory_index: stopped" in log


def test_a_client_that_leaves_a_running_call_behind_is_the_end_of_it(project: Path) -> None:
    """The process does not outlive its client because of a call that nobody waits for."""
    with Raw(code=SLOW) as raw:
        raw.initialize()
        call = {"name": "memory_index", "arguments": {"paths": ["."]}}
        raw.send(json.dumps({"jsonrpc": "2.0", "id": 70, "method": "tools/call", "params": call}).encode() + b"\n")
        _until(project / "begun")
        assert raw.end()[0] == 0


def test_text_is_exact_whatever_the_locale_says() -> None:
    """Umlauts, Chinese and emoji come back as they were sent, in a process whose locale knows ASCII alone."""
    said = "Gerät läuft – тест – 测试 – ✓🦉"
    with Raw(LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="cp1252") as raw:
        raw.initialize()
        saved = raw.call("memory_save", text=said)["structuredContent"]["id"]
        assert raw.call("memory_get", ids=[saved])["structuredContent"]["items"][0]["text"] == said
        raw.send(
            b'{"jsonrpc":"2.0","id":7000,"method":"tools/call","params":'
            b'{"name":"memory_save","arguments":{"text":"bad \\ud800 half"}}}\n'
        )
        assert raw.answer()["id"] == 7000


def test_two_servers_share_a_store() -> None:
    """Two clients of one project save side by side; nothing is lost and each finds what the other saved."""
    with Raw() as one, Raw() as two:
        for raw in (one, two):
            raw.initialize()

        def save(raw: Raw, name: str) -> None:
            for number in range(20):
                assert not raw.call("memory_save", text=f"{name} saw ship number {number}")["isError"]

        threads = [threading.Thread(target=save, args=pair) for pair in ((one, "Ines"), (two, "Bjarne"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for raw in (one, two):
            assert raw.call("memory_list", view="memories")["structuredContent"]["total"] == 40


def test_the_entry_point_is_the_same() -> None:
    """``treering-mcp`` serves as ``treering serve`` does, and takes its options."""
    code = "from treering.surfaces.mcp import run; run()"
    with Raw("--read-only", code=code) as raw:
        raw.initialize()
        assert len(raw.ask("tools/list")["result"]["tools"]) == len(READING)
        assert raw.end() == (0, b"", b"")


def test_only_a_server_imports_the_sdk() -> None:
    """No other command pays for it: the help of ``serve`` itself does not."""
    code = (
        "import sys; from treering.surfaces.cli import main; main(['serve', '--help']); main(['status']);"
        "print('LOADED', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, check=True, text=True, env=environment()
    )
    loaded = set(done.stdout.partition("LOADED")[2].split())
    assert not loaded & {"mcp", "mcp_types", "pydantic", "anyio", "asyncio", "starlette"}


def test_a_missing_sdk_is_told_in_words() -> None:
    """Without the SDK, the server says what to install and exits with status 6."""
    code = "import sys; sys.modules['mcp_types'] = None; sys.modules['mcp'] = None\n" + START
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=False, env=environment()
    )
    assert done.returncode == 6
    assert b"pip install" in done.stderr


def _until(file: Path) -> None:
    """Return once a file is there."""
    pause = threading.Event()
    for _ in range(3000):
        if file.exists():
            return
        pause.wait(0.01)
    pytest.fail(f"{file} never came")
