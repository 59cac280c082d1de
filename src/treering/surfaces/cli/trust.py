"""``treering trust``: a store and settings that came with a project count as the user's own from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, no_agent
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: the folder says it all."""


def _run(request: Request) -> int:
    """Trust what was named and say what that is."""
    from treering import api

    no_agent(request.options, "trust a store")
    if len(request.words) != 1:
        raise InputError("which project is to be trusted?", hint="treering trust DIR, the project's folder")
    status = api.trust(printable(request.words[0]))
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
        return 0
    from treering.surfaces.views_text import place_text

    say(f"Trusted, with its settings.\n{place_text(status)}next: treering status\n")
    return 0


COMMAND: Final = Command(
    "trust",
    "DIR",
    "Trust the store and the settings that came with a project. Until then they are words from outside: external, "
    "unconfirmed, never written, and no setting leads anywhere.",
    ("treering trust .", "treering trust ~/src/kelp"),
    _declare,
    _run,
)
