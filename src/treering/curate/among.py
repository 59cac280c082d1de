"""Among: what one more claim can change of a plain slot's history, found without reading all claims of the slot.

A history is a walk by date, and all that the walk knows when it comes to a claim is what is in force there. Where one
claim begins a stretch whose date no other claim's touches, the walk goes on as if nothing had been before. Between two
such places everything is judged anew, by the same rules; the rest stays (``docs/decisions/0124-among-others.md``).
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.curate.recorded import claims_of
from treering.domain.dates import from_micros, instant, micros, span
from treering.domain.timeline import history

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from treering.curate.curator import Curator
    from treering.domain.claim import History
    from treering.journal import Near, StoredClaim, StoredStretch
    from treering.ports import Transaction

_FIRST_YEAR: Final = 1
_LAST_YEAR: Final = 9998
_FIRST: Final = datetime(_FIRST_YEAR, 1, 3, tzinfo=UTC)
# More than the hours by which time zones may move a date into another year.
_SHIFT: Final = timedelta(days=2)
# A neighbour will do, where it is no edge the one behind it mostly is; three more seldom help.
_EACH: Final = 3


class Among(NamedTuple):
    """The part of a slot's history that one more claim may change.

    Attributes:
        claims: of that part, the new one too.
        found: its history.
        known: its stretches as they are stored.
        following: the stretch behind it, which stays; None when nothing follows.
    """

    claims: list[StoredClaim]
    found: History
    known: tuple[StoredStretch, ...]
    following: StoredStretch | None


class _Dated(NamedTuple):
    """A claim by its date."""

    start: datetime
    after: datetime
    id: str
    memory: str


class _Part(NamedTuple):
    """Claims from one edge up to another.

    Attributes:
        dated: the claims by date.
        known: their stretches as they are stored.
        following: the stretch that the other edge begins; None when there is none.
        edge: the claim that begins it; empty when there is none.
        is_first: whether nothing comes before.
    """

    dated: Sequence[_Dated]
    known: tuple[StoredStretch, ...]
    following: StoredStretch | None
    edge: str
    is_first: bool


def among(tx: Transaction, curator: Curator, claim: StoredClaim) -> Among | None:
    """Return the part of a slot's history that a new claim may change; None where the whole slot must be looked at.

    Args:
        tx: a transaction; the claim is in it.
        curator: who made it, and when.
        claim: it has a date and a memory of its own, and replaces nothing.
    """
    near = tx.claims.near(claim.slot, micros(instant(claim.valid_from, curator.zone)), curator.now, _EACH)
    if not (near.is_plain and near.is_told):
        return None
    if near.is_alone:
        found = history(claims_of(tx, [claim]), (), true_at=curator.at, zone=curator.zone)
        return Among([claim], found, (), None) if found.stretches else None
    part = _part(_dated(tx, curator.zone, claim.slot, near), near)
    return _judged(tx, curator, part, claim) if part and _is_undisputed(part, claim) else None


def _is_undisputed(part: _Part, claim: StoredClaim) -> bool:
    """Tell whether each claim of a part but the new one is in one of its stretches, and no clash is open there."""
    held = {claim.id, *(one.memory for one in part.known)}
    return {one.memory for one in part.dated} == held and all(
        one.state == "stated" and one.contested is None for one in part.known
    )


def _judged(tx: Transaction, curator: Curator, part: _Part, claim: StoredClaim) -> Among | None:
    """Return what a part comes to with the new claim; None where it says more than how its own stretches go on."""
    ids = [one.id for one in part.dated]
    stored = sorted(tx.claims.claims([*ids, part.edge] if part.edge else ids).values())
    found = history(claims_of(tx, stored), (), true_at=curator.at, zone=curator.zone)
    if found.why or sum(len(one.ids) for one in found.stretches) != len(stored):
        return None
    if not (_begins_as_before(found, part, claim) and _ends_as_before(found, part)):
        return None
    if not part.edge:
        return Among(stored, found, part.known, None)
    status = {id: status for id, status in found.status.items() if id != part.edge}
    found = found._replace(stretches=found.stretches[:-1], status=status)
    return Among([one for one in stored if one.id != part.edge], found, part.known, part.following)


def _begins_as_before(found: History, part: _Part, claim: StoredClaim) -> bool:
    """Tell whether the first stretch begins when it did, and stays the memory that it was."""
    if part.is_first:
        return True
    first, known = found.stretches[0], part.known[0]
    begins = micros(instant(first.start)) if first.start else None
    return begins == known.start and known.memory in first.ids and known.memory < claim.id


def _ends_as_before(found: History, part: _Part) -> bool:
    """Tell whether the other edge begins a stretch again."""
    return not part.edge or found.stretches[-1].ids == (part.edge,)


def _dated(tx: Transaction, zone: tzinfo, slot: str, near: Near) -> list[_Dated]:
    """Return the claims of a slot in the years of what is near, by date."""
    since, until = _FIRST_YEAR, _LAST_YEAR
    if len(near.before) == _EACH:
        since = (max(from_micros(near.before[-1].start), _FIRST) - _SHIFT).year
    if len(near.behind) == _EACH:
        until = (from_micros(near.behind[-1].start) + _SHIFT).year
    found = []
    for id, memory, valid_from in tx.claims.dated(slot, f"{since:04}", f"{until + 1:04}"):
        date = span(valid_from, zone)
        found.append(_Dated(date.start, date.after, id, memory))
    return sorted(found)


def _part(dated: Sequence[_Dated], near: Near) -> _Part | None:
    """Return the smallest part with an edge on each side, or the end of the slot; None when what is near has none."""
    starts = [one.start for one in dated]
    before, begin = _edge(dated, starts, near.before)
    behind, end = _edge(dated, starts, near.behind)
    if (begin is None and len(near.before) == _EACH) or (end is None and len(near.behind) == _EACH):
        return None
    known = (*reversed(near.before[:before]), *near.behind[:behind])
    if begin is not None:
        known = (near.before[before], *known)
    following = None if end is None else near.behind[behind]
    return _Part(dated[begin or 0 : end], known, following, "" if end is None else dated[end].id, begin is None)


def _edge(
    dated: Sequence[_Dated], starts: Sequence[datetime], stretches: Sequence[StoredStretch]
) -> tuple[int, int | None]:
    """Return the first of some stretches that is an edge, and the place of the claim that begins it.

    An edge is begun by a claim that no other one shares its instant with, and which the date of no earlier one touches.
    """
    for number, stretch in enumerate(stretches):
        at = from_micros(stretch.start)
        place = bisect_left(starts, at)
        if starts[place : place + 2].count(at) != 1 or dated[place].memory != stretch.memory:
            continue
        if all(one.after <= at for one in dated[:place]):
            return number, place
    return len(stretches), None
