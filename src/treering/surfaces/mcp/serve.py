"""The server as a process: the SDK is loaded, messages flow, and it ends well however it ends.

The handshake is answered before any store, model or index is opened.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from treering.errors import Unavailable
from treering.places import global_folder

if TYPE_CHECKING:
    from treering.surfaces.mcp.protocol import Handlers
    from treering.surfaces.mcp.streams import Wire
    from treering.surfaces.mcp.workplace import Wish

LOG: Final = logging.getLogger(__name__)
_LAST_ANSWERS_S: Final = 3.0
_LAST_WRITES_S: Final = 5.0
_ARRIVAL_S: Final = 0.05  # in which a message that was read becomes a call that is running
_LOG_BYTES: Final = 1_000_000


def serve(wish: Wish) -> int:
    """Serve one client over standard input and output until it leaves, and return the exit status.

    Raises:
        Unavailable: if the SDK is not installed, or standard input or output is closed.
    """
    is_terminal = os.isatty(0) if sys.stdin is not None else False
    source, target = claimed()
    if is_terminal:
        sys.stderr.write("Treering's MCP server waits for an agent's client on standard input; Ctrl-C ends it.\n")
    load_sdk()
    from treering.surfaces.mcp.protocol import Handlers
    from treering.surfaces.mcp.streams import Wire
    from treering.surfaces.mcp.workplace import Workplace

    keep_log()
    workplace = Workplace(wish)
    handlers = Handlers(workplace)
    asyncio.run(_run(handlers, Wire(source, target)))
    if handlers.stop(_LAST_WRITES_S):
        workplace.close()
        LOG.info("ended")
        return 0
    LOG.warning("ended while a call was running; what it had not committed is as if it had not been asked for")
    logging.shutdown()
    os._exit(0)


def claimed() -> tuple[int, int]:
    """Take standard input and output for the protocol and return their private descriptors.

    From then on the process's own standard input is empty, and its standard output goes to standard error.

    Raises:
        Unavailable: if one of them is closed.
    """
    try:
        source, target = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # standard error is closed
            os.dup2(nothing, 1)
        os.close(nothing)
    except OSError as error:
        raise Unavailable(
            f"standard input or output is closed ({error.strerror})", hint="let an agent's client start the server"
        ) from error
    return source, target


def load_sdk() -> None:
    """Import the SDK as quickly as it can be.

    It defines a thousand classes. Not looking for garbage meanwhile, and building a class's validator when it is first
    used, take a fifth off the start (docs/decisions/0012-mcp-sdk.md).

    Raises:
        Unavailable: if it is not installed.
    """
    gc.disable()
    try:
        with suppress(ImportError, AttributeError):  # a detail of the SDK's: without it the start is slower
            from mcp_types import _wire_base

            _wire_base.WireModel.model_config["defer_build"] = True
        import mcp.server.lowlevel  # noqa: F401 - so that it is loaded
    except ImportError as error:
        raise Unavailable(f"the MCP SDK cannot be loaded ({error})", hint="pip install 'mcp>=2.3,<3'") from error
    finally:
        gc.freeze()
        gc.enable()


def keep_log() -> None:
    """Send what is logged to a file, which is made with its first line; nothing of it gets to the client."""
    from logging.handlers import RotatingFileHandler

    logging.raiseExceptions = False  # a full disk is no reason to fail, or to write to standard error
    try:
        folder = log_folder()
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            os.path.join(folder, "mcp.log"), maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("treering").setLevel(logging.INFO)


def log_folder() -> str:
    """Return the folder of the log: ``TREERING_HOME``, else the user's folder for states of programs."""
    if os.environ.get("TREERING_HOME"):
        return global_folder(os.environ)
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "treering")


async def _run(handlers: Handlers, wire: Wire) -> None:
    """Serve until the client leaves or a signal comes."""
    import anyio
    from anyio import to_thread

    server = handlers.server()
    ended = anyio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with suppress(NotImplementedError, RuntimeError):  # no such signals here
            loop.add_signal_handler(number, ended.set)

    async def finish_calls() -> None:
        """Let calls be answered that came in just before the input ended."""
        with anyio.move_on_after(_LAST_ANSWERS_S):
            await anyio.sleep(_ARRIVAL_S)
            await to_thread.run_sync(handlers.all_ended, abandon_on_cancel=True)

    async def watch_reader() -> None:
        await wire.gone.wait()
        ended.set()

    async with wire.open(finish_calls) as (incoming, outgoing), anyio.create_task_group() as group:

        async def talk() -> None:
            await server.run(incoming, outgoing, server.create_initialization_options())
            ended.set()

        group.start_soon(talk)
        group.start_soon(watch_reader)
        LOG.info("serving from %s", handlers.workplace.wish.folder)
        await ended.wait()
        group.cancel_scope.cancel()
