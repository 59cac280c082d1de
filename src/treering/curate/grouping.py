"""Grouping: which claims of a slot share a memory.

The claims of one stretch say the same and are one memory. The others are grouped by what they say and what became of
them, so that the same objection raised twice waits once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treering.domain.dates import instant
from treering.domain.standing import content_key, value_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from treering.domain.claim import History, SlotStatus, Stretch
    from treering.domain.memory import MemoryStatus
    from treering.journal import StoredClaim


class Group(NamedTuple):
    """Claims that are one memory.

    Attributes:
        leader: the claim whose id is the memory's.
        status: of the memory.
        claims: by validity.
        wording: the claim whose words the memory has.
        stretch: the stretch that they are; None for what is in none.
        place: its number in the history; −1 for what is in none.
    """

    leader: str
    status: MemoryStatus
    claims: tuple[StoredClaim, ...]
    wording: StoredClaim
    stretch: Stretch | None
    place: int


def grouped(stored: Sequence[StoredClaim], found: History, zone: tzinfo) -> list[Group]:
    """Return the groups of a slot's claims; erased ones are in none."""
    alive = {one.id: one for one in stored if not one.erased_at and found.status[one.id] != "erased"}
    place_of = {id: place for place, stretch in enumerate(found.stretches) for id in stretch.ids}
    rejected = frozenset(found.rejected)
    members: dict[tuple[object, ...], list[StoredClaim]] = {}
    for id, claim in alive.items():
        place = place_of.get(id)
        if place is not None:
            key: tuple[object, ...] = (place, found.status[id])
        else:
            said = ("value", value_key(claim.value)) if claim.value else ("content", content_key(claim.content))
            # What was rejected together stays together; what is rejected later changes nothing about it.
            key = (said, found.status[id], claim.memory if id in rejected else "")
        members.setdefault(key, []).append(claim)
    return [
        _group(claims, found.status[claims[0].id], found, place_of.get(claims[0].id, -1), zone)
        for claims in members.values()
    ]


def _group(claims: list[StoredClaim], status: SlotStatus, found: History, place: int, zone: tzinfo) -> Group:
    """Return one group."""
    stretch = found.stretches[place] if place >= 0 else None
    # By id at last: ids tell the order of arrival, which must not show.
    if len(claims) > 1:
        claims.sort(key=lambda one: (_order(one, zone), one.content, one.valid_to, one.valid_from, one.value, one.id))
    worded = [one for one in claims if stretch and one.content == stretch.content]
    kept = [one.id for one in claims if one.memory == one.id]
    leader = min(kept or [one.id for one in claims])
    shown: MemoryStatus = "archived" if status == "erased" else status
    return Group(leader, shown, tuple(claims), (worded or claims)[-1], stretch, place)


def _order(claim: StoredClaim, zone: tzinfo) -> str:
    """Return since when a claim holds, in a form that sorts; undated ones first."""
    return instant(claim.valid_from, zone).isoformat() if claim.valid_from else ""
