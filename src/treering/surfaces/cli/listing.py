"""``treering list``: memories, sources, roots and what came last, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, did_you_mean, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_LISTS: Final = ("memories", "sources", "roots", "recent")
_LARGEST_PAGE: Final = 1000
_PAGE: Final = 50


def _declare(parser: ArgumentParser) -> None:
    """Add the size of a page and where it begins."""
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(1, _LARGEST_PAGE), default=_PAGE,
        help=f"entries of a page, 1 to {_LARGEST_PAGE} (default: {_PAGE})",
    )  # fmt: skip
    parser.add_argument("--after", metavar="CURSOR", default="", help="where the page before ended")
    parser.add_argument(
        "--tag", metavar="T", action="append", default=[],
        help="only memories with this tag; may be repeated, then all of them must be there",
    )  # fmt: skip


def _run(request: Request) -> int:
    """Show one page."""
    options = request.options
    what = _read_list(request.words)
    with open_memory(options) as memory:
        tags = tuple(map(printable, options.tag))
        page = memory.list(what, limit=options.limit, after=printable(options.after), tags=tags)
    if options.json:
        from treering.surfaces.views import item_json, list_json

        say_json(list_json(map(item_json, page.items), page.total, page.next or ""))
        return 0
    from shlex import quote

    from treering.surfaces.views_text import clean_line, counted, item_text

    text = "".join(map(item_text, page.items))
    noun = {"memories": "memory", "roots": "root"}.get(what, "source")
    if page.next:
        narrowed = "".join(f" --tag {quote(tag)}" for tag in tags)
        size = "" if options.limit == _PAGE else f" --limit {options.limit}"
        following = f"next: {_again(options)} list {what}{narrowed}{size} --after {quote(page.next)}"
        following = f"{clean_line(following)}\n"
    else:
        start = "treering remember 'one sentence'" if what == "memories" else "treering index DIR"
        following = "" if page.total or tags else f"next: {start}\n"
    say(f"{text}{len(page.items)} of {counted(page.total, noun)}\n{following}")
    return 0


def _again(options: Namespace) -> str:
    """Return the program with the global options that chose the store."""
    from shlex import quote

    store = "" if options.store is None else f" --store {quote(printable(options.store))}"
    return f"treering{store}" + ("" if options.scope == "both" else f" --scope {options.scope}")


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
    "memories|sources|roots|recent [options]",
    "List what the memory holds: memories with the newest first, sources by key, indexed directories, or the sources "
    "that came last.",
    ("treering list memories --tag billing", "treering list sources --limit 20", "treering list roots --json"),
    _declare,
    _run,
)
