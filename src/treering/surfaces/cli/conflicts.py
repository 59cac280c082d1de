"""``treering conflicts``: where claims contradict one another."""

from __future__ import annotations

from typing import Final

from treering.surfaces.cli.facts import declare_subject
from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json
from treering.surfaces.cli.timeline import slots_json


def _run(request: Request) -> int:
    """Show each slot in which something is disputed, with its history."""
    no_words(request, "conflicts")
    with open_memory(request.options) as memory:
        found = memory.conflicts(printable(request.options.subject))
        zone = memory.zone
    if request.options.json:
        say_json(slots_json(found))
        return 0
    from treering.surfaces.views_slots import timeline_text
    from treering.surfaces.views_text import counted

    following = "treering review list" if found else "treering facts"
    text = "".join(f"{timeline_text(one, zone)}\n" for one in found)
    say(f"{text}{counted(len(found), 'slot')} with conflicts\nnext: {following}\n")
    return 0


COMMAND: Final = Command(
    "conflicts",
    "[options]",
    "Show the slots in which claims contradict one another, and why each waits for you.",
    ("treering conflicts", "treering conflicts --subject project-a"),
    declare_subject,
    _run,
)
