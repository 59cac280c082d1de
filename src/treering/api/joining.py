"""Joining: what two stores say, as one list, one page, one log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from treering.api.browsing import Page
from treering.domain.tree_report import Changed
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.api.browsing import Item
    from treering.domain.briefing import Briefing
    from treering.domain.report import Waiting
    from treering.journal import StoredAct

_Scoped = TypeVar("_Scoped", "Waiting", "Briefing", "StoredAct")

OTHERS: Final = "@global:"
"""Begins the cursor of a page on which the user's own store has begun; no list has an entry of that name."""

_STORES: Final = 2
_DIGITS: Final = 16
"""Of a line's number at the most."""


def older(found: Sequence[StoredAct], before: int | str, own: str) -> str:
    """Return what to give as ``before`` for the lines of the audit log that follow a page.

    Args:
        found: the page, not empty.
        before: what it was asked for with.
        own: scope of the first store.
    """
    if not any(act.scope for act in found):
        return str(found[-1].number)
    mine, theirs = two_numbers(before)
    for act in found:
        if act.scope == own:
            mine = act.number
        else:
            theirs = act.number
    return f"{mine},{theirs}"


def two_numbers(before: int | str) -> tuple[int, int]:
    """Return before which line of the project's log a page ends, and of the other one.

    Raises:
        InputError: if it is no number and no two.
    """
    parts = str(before).split(",")
    if len(parts) > _STORES or not all(part.isascii() and part.isdigit() and len(part) < _DIGITS for part in parts):
        raise InputError(f"before={str(before)[:40]!r} is no line of the audit log", hint="treering audit")
    return int(parts[0]), int(parts[-1])


def changed_in_both(mine: Changed | None, theirs: Changed | None, own: str, limit: int) -> Changed:
    """Return what changed in two stores as one list; one of them may have nothing.

    Args:
        mine: what changed in the first.
        theirs: what changed in the user's own.
        own: scope of the first store.
        limit: changes at the most.
    """
    found = [(one, scope) for one, scope in ((mine, own), (theirs, "global")) if one is not None]
    items = [change._replace(scope=scope) for one, scope in found for change in one.items]
    items.sort(key=lambda one: (one.at, one.id, one.what), reverse=True)
    names = sorted({name for one, _ in found for name in one.counts})
    counts = {name: sum(one.counts.get(name, 0) for one, _ in found) for name in names}
    cut = any(one.cut for one, _ in found) or len(items) > limit
    return Changed(found[0][0].since, tuple(items[:limit]), counts, cut)


def scoped(items: Iterable[_Scoped], scope: str) -> tuple[_Scoped, ...]:
    """Return entries with the scope of their store."""
    return tuple(one._replace(scope=one.scope or scope) for one in items)


def _with_scope(item: Item, scope: str) -> Item:
    """Return an entry with the scope of its store."""
    return item._replace(scope=scope)


def one_page(mine: Page | None, theirs: Page | None, limit: int, *, at_others: bool, place: str) -> Page:
    """Return one page of two lists: what is left of the first, then the second."""
    total = sum(page.total for page in (mine, theirs) if page is not None)
    own = mine.items if mine is not None and not at_others else ()
    own = tuple(_with_scope(one, place) for one in own)
    if mine is not None and mine.next and not at_others:
        return Page(own, total, mine.next)
    others = tuple(_with_scope(one, "global") for one in theirs.items) if theirs is not None else ()
    room = limit - len(own)
    if theirs is None or (len(others) <= room and theirs.next is None):
        return Page((*own, *others), total, None)
    if room == len(others):
        return Page((*own, *others), total, f"{OTHERS}{theirs.next}")
    return Page(own, total, OTHERS) if own else Page(others, total, f"{OTHERS}{theirs.next}")
