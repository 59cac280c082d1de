"""``treering undo``: the last change is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: it is always the last change."""


def _run(request: Request) -> int:
    """Take it back and say what that was."""
    no_words(request, "undo")
    with open_memory(request.options) as memory:
        outcome = memory.undo()
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.outcome_json(outcome))
    else:
        say(views_memory.outcome_text(outcome, "Undone:", "treering audit"))
    return 0


COMMAND: Final = Command(
    "undo",
    "[options]",
    "Take the last change back: a saved memory, an update, a decision, a name, an import with what was taken out of "
    "it. Once more takes back the one before. An erasure is for good, entities that were made one stay one, and an "
    "indexed directory leaves with 'treering forget DIR'.",
    ("treering undo",),
    _declare,
    _run,
)
