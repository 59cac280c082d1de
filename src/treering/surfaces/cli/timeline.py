"""``treering timeline``: what was true when, and what was known when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from treering.domain.report import SlotHistory


def _declare(parser: ArgumentParser) -> None:
    """Add whose history, and the two clocks."""
    parser.add_argument("--subject", metavar="S", default="", help="all topics of this subject, such as project-a")
    parser.add_argument("--at", metavar="D", default="", help="what was true then: a date or an instant (default: now)")
    parser.add_argument(
        "--known-at", metavar="D", default="", help="only what was recorded and decided by then (default: all)"
    )


def _run(request: Request) -> int:
    """Show the histories that were asked for."""
    options = request.options
    name = printable(" ".join(request.words))
    subject, at, known_at = (printable(one) for one in (options.subject, options.at, options.known_at))
    if name and subject:
        raise InputError("a slot and a subject are two things", hint=f"treering timeline --subject {subject}")
    with open_memory(options) as memory:
        if name:
            found = memory.timelines_about(name, at=at, known_at=known_at)
        else:
            found = memory.timelines(subject, at=at, known_at=known_at)
        zone = memory.zone
    if options.json:
        say_json(slots_json(found))
        return 0
    from treering.surfaces import views_slots

    text = "\n".join(views_slots.timeline_text(one, zone, asked=bool(at)) for one in found)
    say(text or f"0 slots{f' of {subject}' if subject else ''}\nnext: treering remember TEXT --slot S\n")
    if any(one.disputed for one in found):
        say("next: treering review list\n")
    return 0


def slots_json(found: Sequence[SlotHistory]) -> dict[str, object]:
    """Return slots as one page of a list."""
    from treering.surfaces.views import list_json
    from treering.surfaces.views_slots import slot_json

    return list_json(map(slot_json, found), len(found))


COMMAND: Final = Command(
    "timeline",
    "[SLOT | ENTITY] [options]",
    "Show what was true when: of one slot, of all slots of a subject or of those that speak of an entity, or of "
    "everything. With --at, what was true then; with --known-at, what was believed then.",
    (
        "treering timeline user/location",
        "treering timeline --subject project-a --at 2026-03-01",
        "treering timeline project-a/architecture --at 2026-03-01 --known-at 2026-02-01",
    ),
    _declare,
    _run,
)
