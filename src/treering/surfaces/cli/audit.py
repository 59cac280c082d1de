"""``treering audit``: who changed what, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, again, no_words, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_PAGE: Final = 50


def _declare(parser: ArgumentParser) -> None:
    """Add which lines."""
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(1, 1000), default=_PAGE,
        help=f"lines at the most, 1 to 1000 (default: {_PAGE})",
    )  # fmt: skip
    parser.add_argument("--receipts", action="store_true", help="the receipts of erasures instead")
    parser.add_argument("--target", metavar="ID", default="", help="only what was done to this memory or proposal")
    parser.add_argument(
        "--before", metavar="N", default="0", help="only lines before this; N,M of the project's store and your own"
    )


def _run(request: Request) -> int:
    """Show the newest lines."""
    no_words(request, "audit")
    options = request.options
    if options.receipts:
        return _receipts(request)
    target, before = printable(options.target), printable(options.before)
    with open_memory(options) as memory:
        found = memory.audit(limit=options.limit, before=before, target=target)
        total = memory.audit_size(target=target)
        zone, scope = memory.zone, memory.place.scope
    from treering.api.joining import older

    following = older(found, before, scope) if found and len(found) == options.limit else ""
    following = "" if set(following.split(",")) == {"1"} else following
    if options.json:
        from treering.surfaces.views import list_json
        from treering.surfaces.views_known import act_json

        say_json(list_json(map(act_json, found), total, following))
        return 0
    from treering.surfaces.views_known import act_line
    from treering.surfaces.views_text import clean_line, counted

    about = clean_line(f" --target {target}") if target else ""
    following = f"next: {again(options)} audit{about} --before {following}\n" if following else ""
    lines = "".join(act_line(one, zone, scope) for one in found)
    say(f"{lines}{len(found)} of {counted(total, 'act')}\n{following}")
    return 0


def _receipts(request: Request) -> int:
    """Show the receipts of erasures, the newest first."""
    from treering.surfaces import views_forget

    with open_memory(request.options) as memory:
        found = memory.receipts(limit=request.options.limit)
    if request.options.json:
        from treering.surfaces.views import list_json

        say_json(list_json(map(views_forget.receipt_json, found), len(found), ""))
        return 0
    say("".join(map(views_forget.receipt_text, found)) + f"{len(found)} shown\n")
    return 0


COMMAND: Final = Command(
    "audit",
    "[options]",
    "Show who changed what and what became of it, the newest first. The log holds ids and never what they say.",
    ("treering audit", "treering audit --limit 10 --target mem_…", "treering audit --receipts --json"),
    _declare,
    _run,
)
