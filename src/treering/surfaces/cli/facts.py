"""``treering facts``: what is in force now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json
from treering.surfaces.cli.timeline import slots_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def declare_subject(parser: ArgumentParser) -> None:
    """Add of whom."""
    parser.add_argument("--subject", metavar="S", default="", help="only topics of this subject, such as project-a")


def _run(request: Request) -> int:
    """Show each slot that says something now, on a line."""
    no_words(request, "facts")
    with open_memory(request.options) as memory:
        found = memory.facts(printable(request.options.subject))
        zone = memory.zone
    if request.options.json:
        say_json(slots_json(found))
        return 0
    from treering.surfaces.views_slots import fact_line
    from treering.surfaces.views_text import counted

    following = "treering timeline SLOT" if found else "treering remember TEXT --slot S"
    say("".join(fact_line(one, zone) for one in found) + f"{counted(len(found), 'fact')}\nnext: {following}\n")
    return 0


COMMAND: Final = Command(
    "facts",
    "[options]",
    "Show what is in force now, a line for each slot.",
    ("treering facts", "treering facts --subject project-a"),
    declare_subject,
    _run,
)
