"""``treering pause``: nothing is taken in until ``treering resume``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def declare_nothing(_parser: ArgumentParser) -> None:
    """Add nothing: it is said of the whole memory."""


def _run(request: Request) -> int:
    """Pause and say what that means."""
    no_words(request, "pause")
    with open_memory(request.options) as memory:
        since = memory.pause()
    if request.options.json:
        say_json({"schema": 1, "paused": since})
    else:
        say(
            f"Paused since {since}: agents write nothing and nothing is imported. Everything is still found, and what "
            "you type with treering remember is kept.\nnext: treering resume\n"
        )
    return 0


COMMAND: Final = Command(
    "pause",
    "[options]",
    "Stop capture, in every process: agents change nothing and nothing is imported until treering resume. What is "
    "there is still found, indexed folders stay as they are on the disk, and what you type with treering remember is "
    "kept.",
    ("treering pause", "treering resume"),
    declare_nothing,
    _run,
)
