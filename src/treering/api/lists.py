"""Lists: one page of what a memory holds, for each thing that can be listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast, get_args

from treering.api import arguments
from treering.api.browsing import Page
from treering.domain.memory import IN_SEARCH, STATUSES
from treering.domain.query import Filter
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.api.browsing import Item
    from treering.curate.curator import Curator
    from treering.journal import ProposalState
    from treering.ports import Transaction

LISTS: Final = ("memories", "sources", "slots", "entities", "proposals", "briefings", "recent", "roots")
ANY: Final = "all"


class Wanted(NamedTuple):
    """What was asked for.

    Attributes:
        what: which list.
        limit: entries at the most.
        after: where the page before said to go on.
        statuses: of memories or proposals.
        filter: of memories, what narrows them.
    """

    what: str
    limit: int
    after: str
    statuses: tuple[str, ...]
    filter: Filter


def wanted(
    what: str,
    *,
    limit: int,
    after: str,
    tags: Sequence[str],
    status: Sequence[str] | str,
    kind: Sequence[str] | str,
    source: str,
    slot: str,
) -> Wanted:
    """Return what was asked for, checked; see ``MemoryStore.list``.

    Raises:
        InputError: if there is no such list, or it cannot be narrowed in that way.
    """
    if what not in LISTS:
        raise InputError(f"there is no list {what!r}; there are {', '.join(LISTS)}")
    from treering.domain.memory import memory_kind
    from treering.domain.slot import slot_key

    narrowed = Filter(
        arguments.tag_conditions(tags),
        source=source,
        kinds=tuple(memory_kind(str(one)) for one in arguments.several(kind)) if kind else (),
        slot=slot_key(slot) if slot else "",
    )
    if narrowed and what != "memories":
        names = (("tags", tags), ("kind", kind), ("source", source), ("slot", slot))
        given = " and ".join(name for name, value in names if value)
        raise InputError(f"{given} narrow the list of memories, not that of {what}", hint="treering list memories")
    limit = arguments.within("limit", limit, 1, 1000)
    return Wanted(what, limit, after, _statuses(what, status), narrowed)


def _statuses(what: str, status: Sequence[str] | str) -> tuple[str, ...]:
    """Return the statuses that were asked for; none for all of them.

    Raises:
        InputError: if there is no such status, or the list has none.
    """
    given = tuple(map(str, arguments.several(status))) if status else ()
    if what == "proposals":
        from treering.journal import ProposalState

        known: tuple[str, ...] = get_args(ProposalState)
        usual: tuple[str, ...] = ("waiting",)
    else:
        known, usual = STATUSES, IN_SEARCH
    if given and what not in {"memories", "proposals"}:
        raise InputError(f"the list of {what} has no status", hint="treering list memories --status superseded")
    for one in given:
        arguments.choice("status", one, (*known, ANY))
    return () if ANY in given else given or usual


def page(tx: Transaction, curator: Curator, asked: Wanted) -> Page:
    """Return one page of any list but that of directories."""
    match asked.what:
        case "memories":
            return memories(tx, asked)
        case "slots":
            return slots(tx, curator, asked)
        case "entities":
            return entities(tx, asked)
        case "proposals":
            return proposals(tx, curator, asked)
        case "briefings":
            return briefings(tx, curator, asked)
    return sources(tx, asked)


def memories(tx: Transaction, asked: Wanted) -> Page:
    """Return memories, the newest first."""
    from treering.recall import browse

    known = browse.list_memories(tx, asked.statuses, asked.limit + 1, asked.after, asked.filter)
    total = tx.memories.count(asked.statuses, asked.filter)
    return _page(known, total, asked.limit, [one.id for one in known])


def sources(tx: Transaction, asked: Wanted) -> Page:
    """Return sources by key, or the newest first."""
    newest_first = asked.what == "recent"
    found = tx.sources.list_sources(Filter(), asked.limit + 1, asked.after, newest_first=newest_first)
    cursors = [f"{one.recorded_at} {one.id}" if newest_first else one.key for one in found]
    return _page(found, tx.sources.count(Filter()).sources, asked.limit, cursors)


def slots(tx: Transaction, curator: Curator, asked: Wanted) -> Page:
    """Return slots by name, each with what it says now."""
    from treering.recall.slots import slot_history

    names = tx.claims.slots(asked.limit + 1, asked.after)
    found = [slot_history(tx, name, curator.at, curator.zone) for name in names]
    return _page(found, tx.claims.count_slots(), asked.limit, names)


def entities(tx: Transaction, asked: Wanted) -> Page:
    """Return entities, the oldest first."""
    found = tx.entities.list_entities(asked.limit + 1, asked.after)
    return _page(found, tx.entities.count(), asked.limit, [one.id for one in found])


def proposals(tx: Transaction, curator: Curator, asked: Wanted) -> Page:
    """Return what waits for the owner, or did, the oldest first, with both sides of each."""
    from treering.api.deciding import waiting
    from treering.curate import review

    state = cast("ProposalState | None", asked.statuses[0] if asked.statuses else None)
    if len(asked.statuses) > 1:
        raise InputError("one status of proposals at a time, or all", hint="treering list proposals --status all")
    found = tx.journal.list_proposals(state, asked.limit + 1, asked.after)
    shown = [waiting(tx, review.sides(tx, curator, one)) for one in found]
    return _page(shown, tx.journal.count_proposals(state), asked.limit, [one.id for one in found])


def briefings(tx: Transaction, curator: Curator, asked: Wanted) -> Page:
    """Return what is pinned, the oldest first."""
    from treering.recall.briefings import briefings

    known = briefings(tx, curator.at)
    ids = [one.id for one in known]
    start = ids.index(asked.after) + 1 if asked.after in ids else 0
    return _page(known[start : start + asked.limit + 1], len(known), asked.limit, ids[start:])


def _page(found: Sequence[Item], total: int, limit: int, cursors: Sequence[str]) -> Page:
    """Return the page of what was found when one entry more than its size was looked for."""
    return Page(tuple(found[:limit]), total, cursors[limit - 1] if len(found) > limit else None)
