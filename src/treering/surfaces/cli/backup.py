"""``treering backup``: the store as one archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add where to."""
    parser.add_argument("--out", metavar="DIR", help="folder, or a name ending in .tar; default: backups/ in the store")


def _run(request: Request) -> int:
    """Write the archive and say where it is."""
    no_words(request, "backup")
    with open_memory(request.options) as memory:
        made = memory.backup(request.options.out)
    from treering.surfaces import views_upkeep

    if request.options.json:
        say_json(views_upkeep.archived_json(made))
    else:
        say(views_upkeep.archived_text(made, "Backed up", f"treering restore {made.path} --to DIR"))
    return 0


COMMAND: Final = Command(
    "backup",
    "[options]",
    "Write the store into one archive with a digest of every file, while others may go on writing. It holds all that "
    "the store holds: keep it where you keep that.",
    ("treering backup", "treering backup --out ~/backups"),
    _declare,
    _run,
)
