"""``treering doctor``: what Treering needs on this machine, and whether it is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(parser: ArgumentParser) -> None:
    """Add what the output is for."""
    parser.add_argument(
        "--report", action="store_true", help="without your paths and words, to be sent with a report of a fault"
    )


def _run(request: Request) -> int:
    """Look at everything and say what is wrong."""
    no_words(request, "doctor")
    with open_memory(request.options) as memory:
        found = memory.doctor()
    from treering.surfaces import views_upkeep

    report = request.options.report
    if request.options.json:
        say_json(views_upkeep.findings_json(found, redacted=report))
    else:
        say(views_upkeep.findings_text(found, redacted=report))
    return int(any(one.state == "wrong" for one in found))


COMMAND: Final = Command(
    "doctor",
    "[options]",
    "Look at Python, packages, the embedder, settings and where they come from, the store, its permissions, disk and "
    "file system, what could leave the machine, and which agent clients are configured. Nothing is changed. Exit "
    "status 1 when something is wrong.",
    ("treering doctor", "treering doctor --report"),
    _declare,
    _run,
)
