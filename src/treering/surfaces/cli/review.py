"""``treering review``: what waits for the owner, and the owner's word on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, again, did_you_mean, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from treering.api import MemoryStore
    from treering.domain.operation import Outcome

_VERBS: Final = ("list", "show", "approve", "reject")
_PAGE: Final = 50


def _declare(parser: ArgumentParser) -> None:
    """Add why something is turned down, and the size of a page."""
    parser.add_argument("--reason", metavar="R", default="", help="of reject: why, for the record")
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(1, 1000), default=_PAGE,
        help=f"of list: entries of a page, 1 to 1000 (default: {_PAGE})",
    )  # fmt: skip
    parser.add_argument("--after", metavar="CURSOR", default="", help="of list: where the page before ended")


def _run(request: Request) -> int:
    """List, show or decide."""
    verb, *names = request.words or ("list",)
    if verb not in _VERBS:
        known = ", ".join(_VERBS)
        raise InputError(
            f"review has no {verb[:80]!r}{did_you_mean(verb, _VERBS)}; there are {known}", hint="treering review list"
        )
    if request.options.reason and verb != "reject":
        raise InputError(
            f"a reason is given for reject, not for {verb}", hint="treering review reject prp_… --reason R"
        )
    ids = tuple(dict.fromkeys(map(printable, names)))
    if verb == "list":
        return _list(request, ids)
    if not ids:
        raise InputError(f"nothing was named to {verb}", hint="treering review list")
    with open_memory(request.options) as memory, memory.lock:
        if verb == "show":
            return _show(request, memory, ids)
        return _decide(request, memory, verb, ids)


def _list(request: Request, ids: tuple[str, ...]) -> int:
    """Show one page of what waits."""
    options = request.options
    if ids:
        raise InputError(f"review list takes no words, got {ids[0][:80]!r}", hint=f"treering review show {ids[0][:80]}")
    with open_memory(options) as memory:
        page = memory.list("proposals", limit=options.limit, after=printable(options.after))
    if options.json:
        from treering.surfaces.views import item_json, list_json

        say_json(list_json(map(item_json, page.items), page.total, page.next or ""))
        return 0
    from treering.surfaces.views_text import counted, item_text

    text = "".join(map(item_text, page.items))
    following = f"next: treering review show {page.items[0].id}\n" if page.items else ""  # type: ignore[union-attr]
    if page.next:
        following += f"more: {again(options)} review list --after {page.next}\n"
    say(f"{text}{len(page.items)} of {counted(page.total, 'proposal')}\n{following}")
    return 0


def _show(request: Request, memory: MemoryStore, ids: tuple[str, ...]) -> int:
    """Show proposals with both sides."""
    shown = [memory.review_show(id) for id in ids]
    from treering.surfaces import views_review

    if request.options.json:
        from treering.surfaces.views import list_json

        say_json(list_json(map(views_review.waiting_json, shown), len(shown)))
        return 0
    zone = memory.zone
    for one in shown:
        decide = f"treering review approve {one.id}  # or: review reject {one.id} --reason R"
        following = f"next: {decide}\n" if one.state == "waiting" else ""
        say(f"{views_review.waiting_text(one, zone)}{following}")
    return 0


def _decide(request: Request, memory: MemoryStore, verb: str, ids: tuple[str, ...]) -> int:
    """Approve or reject all that was named; nothing when one of them is not there."""
    for id in ids:
        memory.review_show(id)
    reason = printable(request.options.reason)
    outcomes: list[Outcome] = [
        memory.approve(id) if verb == "approve" else memory.reject(id, reason=reason) for id in ids
    ]
    from treering.surfaces import views_memory

    if request.options.json:
        say_json(views_memory.outcomes_json(outcomes))
        return 0
    word = {"approve": "Approved", "reject": "Rejected"}[verb]
    say("".join(views_memory.outcome_text(one, word) for one in outcomes) + "next: treering review list\n")
    return 0


COMMAND: Final = Command(
    "review",
    "[list | show ID… | approve ID… | reject ID…] [options]",
    "See what waits for you, with both sides and their quotes, and decide. ID is the proposal, prp_…, or the memory "
    "that waits. What is approved is confirmed; the rivals that were shown beside it are rejected.",
    (
        "treering review list",
        "treering review show prp_…",
        "treering review approve prp_…",
        "treering review reject prp_… --reason 'a rumour'",
    ),
    _declare,
    _run,
)
