"""``treering resume``: things are taken in again."""

from __future__ import annotations

from typing import Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.pause import declare_nothing
from treering.surfaces.cli.terminal import say, say_json


def _run(request: Request) -> int:
    """Let capture go on and say since when it was paused."""
    no_words(request, "resume")
    with open_memory(request.options) as memory:
        since = memory.resume()
    if request.options.json:
        say_json({"schema": 1, "paused": None, "was_paused_since": since or None})
    elif since:
        say(f"Capture goes on; it was paused since {since}.\nnext: treering status\n")
    else:
        say("Capture was not paused.\nnext: treering status\n")
    return 0


COMMAND: Final = Command(
    "resume",
    "[options]",
    "Let agents write and imports come in again after treering pause.",
    ("treering resume",),
    declare_nothing,
    _run,
)
