"""``treering entity``: whom and what memories speak of, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli import listing
from treering.surfaces.cli.options import Command, Request, did_you_mean, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_VERBS: Final = ("list", "alias", "merge")
_USAGE: Final = {"alias": "treering entity alias ent_… 'another name'", "merge": "treering entity merge ent_… ent_…"}


def _declare(parser: ArgumentParser) -> None:
    """Add the size of a page and where it begins."""
    listing.declare_page(parser)


def _run(request: Request) -> int:
    """List, name or merge."""
    verb, *names = request.words or ("list",)
    if verb not in _VERBS:
        known = ", ".join(_VERBS)
        raise InputError(
            f"entity has no {verb[:80]!r}{did_you_mean(verb, _VERBS)}; there are {known}", hint="treering entity list"
        )
    if verb == "list":
        if names:
            raise InputError(f"entity list takes no words, got {names[0][:80]!r}", hint="treering entity list")
        return listing.show_page(request.options, "entities", {})
    if len(names) != 2:
        raise InputError(f"entity {verb} takes two names, got {len(names)}", hint=_USAGE[verb])
    first, second = map(printable, names)
    with open_memory(request.options) as memory:
        outcome = memory.entity_alias(first, second) if verb == "alias" else memory.entity_merge(first, second)
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.outcome_json(outcome))
    else:
        word = {"alias": "Named", "merge": "Merged into"}[verb]
        done = outcome if outcome.outcome == "exists" else outcome._replace(outcome="accepted")
        say(views_memory.outcome_text(done, word, "treering entity list"))
    return 0


COMMAND: Final = Command(
    "entity",
    "[list | alias ENTITY NAME | merge ENTITY OTHER] [options]",
    "List whom and what memories speak of; give one of them another name; make one of two that are the same: "
    "the first stays, under the names of both. ENTITY is an id, or a name that it alone has.",
    (
        "treering entity list",
        "treering entity alias ent_… 'Project Alpha'",
        "treering entity merge ent_… ent_…",
    ),
    _declare,
    _run,
)
