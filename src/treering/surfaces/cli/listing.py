"""``treering list``: memories, sources, slots, entities, proposals, briefings, roots and what came last, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import (
    Command,
    Request,
    again,
    declare_depth,
    did_you_mean,
    open_memory,
    whole_number,
)
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from treering.api import Page

_LISTS: Final = ("memories", "sources", "slots", "entities", "proposals", "briefings", "roots", "recent")
_NOUNS: Final = {
    "memories": "memory", "slots": "slot", "entities": "entity", "proposals": "proposal", "roots": "root",
    "briefings": "briefing",
}  # fmt: skip
_STARTS: Final = {
    "memories": "treering remember 'one sentence'", "slots": "treering remember TEXT --slot S",
    "entities": "treering remember TEXT --entity E", "proposals": "", "briefings": "treering pin ID --ttl 3d",
}  # fmt: skip
_LARGEST_PAGE: Final = 1000
_PAGE: Final = 50


def declare_page(parser: ArgumentParser) -> None:
    """Add the size of a page and where it begins."""
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(1, _LARGEST_PAGE), default=_PAGE,
        help=f"entries of a page, 1 to {_LARGEST_PAGE} (default: {_PAGE})",
    )  # fmt: skip
    parser.add_argument("--after", metavar="CURSOR", default="", help="where the page before ended")


def _declare(parser: ArgumentParser) -> None:
    """Add the page, and what narrows it."""
    declare_page(parser)
    declare_depth(parser)
    parser.add_argument(
        "--tag", metavar="T", action="append", default=[],
        help="only memories with this tag; may be repeated, then all of them must be there",
    )  # fmt: skip
    parser.add_argument(
        "--status", metavar="S", action="append", default=[],
        help="memories that are active, superseded, disputed or archived (default: not archived); proposals that are "
        "waiting (default), approved, rejected or closed; all for any",
    )  # fmt: skip
    parser.add_argument(
        "--kind", metavar="K", action="append", default=[], help="only memories of this kind; may be repeated"
    )
    parser.add_argument("--source", metavar="ID", default="", help="only memories that quote this source")
    parser.add_argument("--slot", metavar="S", default="", help="only memories of this topic, or subject")


def _run(request: Request) -> int:
    """Show one page."""
    options = request.options
    what = _read_list(request.words)
    narrowed = {
        "tag": [printable(one) for one in options.tag],
        "status": [printable(one) for one in options.status],
        "kind": [printable(one) for one in options.kind],
        "source": [printable(options.source)] if options.source else [],
        "slot": [printable(options.slot)] if options.slot else [],
    }
    return show_page(options, what, {name: values for name, values in narrowed.items() if values})


def show_page(options: Namespace, what: str, narrowed: Mapping[str, Sequence[str]]) -> int:
    """Show one page of a list.

    Args:
        options: with the size of the page and where it begins.
        what: which list.
        narrowed: what narrows it, by the option's name.
    """
    with open_memory(options) as memory:
        page = memory.list(
            what,
            limit=options.limit,
            after=printable(options.after),
            tags=narrowed.get("tag", ()),
            status=narrowed.get("status", ()),
            kind=narrowed.get("kind", ()),
            source="".join(narrowed.get("source", ())),
            slot="".join(narrowed.get("slot", ())),
            depth=getattr(options, "depth", ""),
        )
        zone, scope = memory.zone, memory.place.scope
    if options.json:
        from treering.surfaces.views import item_json, list_json

        say_json(list_json(map(item_json, page.items), page.total, page.next or ""))
        return 0
    from treering.surfaces.views_text import counted, item_text

    text = "".join(item_text(item, zone, scope) for item in page.items)
    count = counted(page.total, _NOUNS.get(what, "source"))
    say(f"{text}{len(page.items)} of {count}\n{_following(options, what, narrowed, page)}")
    return 0


def _following(options: Namespace, what: str, narrowed: Mapping[str, Sequence[str]], page: Page) -> str:
    """Return the command for the next page, or what fills an empty list."""
    from shlex import quote

    from treering.surfaces.views_text import clean_line

    if page.next:
        same = "".join(f" --{name} {quote(value)}" for name, values in narrowed.items() for value in values)
        size = "" if options.limit == _PAGE else f" --limit {options.limit}"
        return clean_line(f"next: {again(options)} list {what}{same}{size} --after {quote(page.next)}") + "\n"
    start = "" if page.total or narrowed else _STARTS.get(what, "treering index DIR")
    return f"next: {start}\n" if start else ""


def _read_list(words: tuple[str, ...]) -> str:
    """Return which list was asked for.

    Raises:
        InputError: if none or an unknown one was named.
    """
    if len(words) == 1 and words[0] in _LISTS:
        return words[0]
    known = ", ".join(_LISTS)
    if not words:
        raise InputError(f"no list was named; there are {known}", hint="treering list sources")
    named = " ".join(words)[:80]
    raise InputError(
        f"there is no list {named!r}{did_you_mean(named, _LISTS)}; there are {known}", hint="treering help list"
    )


COMMAND: Final = Command(
    "list",
    "memories|sources|slots|entities|proposals|briefings|roots|recent [options]",
    "List what the memory holds: memories with the newest first, sources by key, slots with what each says now, whom "
    "and what memories speak of, what waits for you, what is pinned, indexed directories, or the sources that came "
    "last.",
    (
        "treering list memories --tag billing",
        "treering list memories --status superseded --slot project-a",
        "treering list sources --limit 20",
        "treering list roots --json",
    ),
    _declare,
    _run,
)
