"""Briefings: what is pinned for a while, by whom, and how many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.curate import targets
from treering.domain.briefing import MOST_MEMORIES
from treering.domain.dates import instant, stamped
from treering.domain.depth import in_short
from treering.domain.operation import Outcome
from treering.errors import BriefingsFull, InputError, NotAllowed, NotFound, Refused
from treering.journal import StoredBriefing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from treering.curate.curator import Curator, Inverse
    from treering.ports import Transaction

_NAMED_CHARS = 60


def pin(tx: Transaction, curator: Curator, ids: Sequence[str], lasts: timedelta, most: int) -> Outcome:
    """Pin one memory, or several as one briefing, until some time has passed; what is pinned already ends then.

    Args:
        tx: a transaction that may write; those of others wait for it, so that two never take the last place both.
        curator: on whose behalf.
        ids: the memories.
        lasts: for how long.
        most: how many briefings may be active.

    Raises:
        NotFound: if a memory is not there.
        InputError: if there are too many.
        Refused: if one is archived.
        BriefingsFull: if as many are active as there may be; they are named.
        NotAllowed: if an agent would change what the owner pinned.
    """
    memories = _pinnable(tx, ids)
    active = tx.attention.briefings(curator.at)
    former = next((one for one in active if set(one.memories) == set(memories)), None)
    _require_own(curator, former)
    if former is None:
        _require_room(tx, active, most)
    tx.attention.remove_ended(curator.at)
    id = former.id if former else memories[0] if len(memories) == 1 else curator.make_id("brf")
    until = stamped(instant(curator.at) + lasts)
    tx.attention.pin(StoredBriefing(id, memories, curator.at, until, curator.caller.role, curator.caller.name))
    curator.record(tx, "pin", id, "accepted", [_again(former) if former else ["unpin", id]])
    return Outcome("accepted", id, notices=(f"pinned until {until}",))


def unpin(tx: Transaction, curator: Curator, id: str) -> Outcome:
    """End a briefing.

    Raises:
        NotFound: if nothing of this id is pinned.
        NotAllowed: if an agent would end what the owner pinned.
    """
    former = _active(tx, curator, id)
    _require_own(curator, former)
    tx.attention.unpin(id)
    curator.record(tx, "unpin", id, "accepted", [_again(former)])
    return Outcome("accepted", id)


def _pinnable(tx: Transaction, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the memories of a briefing, each once."""
    memories = tuple(dict.fromkeys(targets.get(tx, id).id for id in ids))
    if len(memories) > MOST_MEMORIES:
        raise InputError(f"{len(memories)} memories are no briefing; {MOST_MEMORIES} at the most")
    for memory in tx.memories.memories(memories).values():
        if memory.status == "archived":
            raise Refused(f"{memory.id} is archived", hint=f"treering restore-memory {memory.id}")
    return memories


def _active(tx: Transaction, curator: Curator, id: str) -> StoredBriefing:
    """Return an active briefing."""
    active = tx.attention.briefings(curator.at)
    for one in active:
        if one.id == id:
            return one
    for one in active:
        if id in one.memories:
            raise NotFound(f"{id} is not pinned by itself, but in {one.id}", hint=f"treering unpin {one.id}")
    raise NotFound(f"{id} is not pinned", hint="treering briefings")


def take_back(tx: Transaction, curator: Curator, id: str, former: Sequence[str | int]) -> None:
    """Undo a pin: end it, or put back what was pinned before, unless that has ended or its memories are gone."""
    tx.attention.unpin(id)
    if not former:
        return
    pinned_at, until, role, author, *memories = map(str, former)
    known = tx.memories.memories(memories)
    left = tuple(one for one in memories if one in known)
    if left and until > curator.at:
        tx.attention.pin(StoredBriefing(id, left, pinned_at, until, role, author))  # type: ignore[arg-type]


def _again(former: StoredBriefing) -> Inverse:
    """Return the step that pins as before."""
    return ["pin", former.id, former.pinned_at, former.until, former.role, former.author, *former.memories]


def _require_own(curator: Curator, former: StoredBriefing | None) -> None:
    """Refuse an agent what would change a briefing of the owner's."""
    if former is not None and former.role == "owner" and curator.caller.role != "owner":
        raise NotAllowed(
            f"the owner pinned {former.id} until {former.until}", hint="the owner can end it: treering unpin"
        )


def _require_room(tx: Transaction, active: Sequence[StoredBriefing], most: int) -> None:
    """Refuse one briefing more than there may be, and name those that are active."""
    if len(active) < most:
        return
    memories = tx.memories.memories([one.memories[0] for one in active])
    listed = "; ".join(
        f"{one.id} until {one.until[:16]}Z: {in_short(known.content, known.summary, _NAMED_CHARS)}"
        for one in active
        if (known := memories.get(one.memories[0])) is not None and known.trust != "external"
    )
    named = {one.id for one in active if one.id in listed}
    rest = "".join(f"; {one.id} until {one.until[:16]}Z" for one in active if one.id not in named)
    raise BriefingsFull(
        f"{len(active)} briefings are active, and {most} is the most: {listed}{rest}",
        hint=f"treering unpin {active[0].id}",
    )
