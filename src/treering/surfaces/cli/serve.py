"""``treering serve``: the memory for agents, over standard input and output."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from treering.errors import InputError, NotFound
from treering.surfaces.cli.options import Command, Request, no_words

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what an agent may see and do."""
    parser.add_argument("--stdio", action="store_true", help="over standard input and output (the only way so far)")
    parser.add_argument("--read-only", action="store_true", help="offer no tool that changes the memory")
    parser.add_argument(
        "--max-depth", choices=("L1", "L2"), default="",
        help="show nothing deeper, by any tool: L1 titles and summaries, L2 passages and contents; without a workbench",
    )  # fmt: skip
    parser.add_argument(
        "--tools", choices=("core", "all"), default="core",
        help="all: also code_map, code_find, read_file, scratch_note, scratch_recall, digest_output (default: core)",
    )  # fmt: skip
    parser.add_argument(
        "--allow", metavar="DIR", action="append", default=[],
        help="a folder outside the project, or a hidden one, that agents may index too; may be repeated",
    )  # fmt: skip


def _run(request: Request) -> int:
    """Serve until the client leaves."""
    no_words(request, "serve")
    options = request.options
    if options.scope != "both" and options.store is not None:
        raise InputError("--store and --scope name two stores", hint="leave one of them out")
    try:
        folder = os.getcwd()
    except FileNotFoundError as error:
        raise NotFound("the working directory was removed", hint="cd ~") from error
    from treering.api import arguments
    from treering.surfaces.cli.terminal import printable
    from treering.surfaces.mcp.serve import serve
    from treering.surfaces.mcp.workplace import Wish

    agent = "" if options.as_agent is None else arguments.agent(printable(options.as_agent)).name
    allowed = tuple(os.path.abspath(os.path.expanduser(one)) for one in options.allow)
    return serve(
        Wish(
            options.store,
            options.scope,
            allowed,
            options.read_only,
            folder,
            options.tools == "all",
            agent,
            options.max_depth,
        )
    )


COMMAND: Final = Command(
    "serve",
    "[options]",
    "Serve the memory to one agent's client as MCP over standard input and output; `treering-mcp` is the same. "
    "The client starts it; it ends with the client.",
    (
        "treering serve",
        "treering serve --read-only --max-depth L1",
        "treering --store ~/notes/.treering serve --allow ~/notes",
    ),
    _declare,
    _run,
)
