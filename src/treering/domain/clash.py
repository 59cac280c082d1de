"""Clashes: claims whose dates overlap, who say different things, and whom nothing orders."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate
from operator import or_
from typing import Literal

from treering.domain.decided import UNKNOWN
from treering.domain.precedence import Precedence
from treering.domain.standing import Said, Standing

Loss = Literal["overruled", "outranked", "tied"]
"""How a claim fares badly in a clash: against a later decision of the owner, a higher rank, or an equal one."""


class Clashes:
    """Who clashes with whom, judged pair by pair.

    Args:
        ranked: claims, the lowest rank first.
        order: how edges order them; its masks refer to ``ranked``.
        here: the places of those in the walk.
    """

    def __init__(self, ranked: Sequence[Standing], order: Precedence, here: Sequence[int]) -> None:
        self._ranked = ranked
        self._order = order
        self._crowded = _crowded(ranked, here)
        dated = [(1 << place, ranked[place]) for place in self._crowded]
        self._starts = _Before((one.start, bit) for bit, one in dated)
        self._stops = _Before((one.after, bit) for bit, one in dated)
        acts = [(one.decided.acted, bit) for bit, one in dated if one.decided.acted]
        self._acts, self._is_acted_on = _Before(acts), bool(acts)
        self._same: dict[Said, int] = {}
        for bit, one in dated:
            self._same[one.said] = self._same.get(one.said, 0) | bit

    def losses(self) -> dict[str, Loss]:
        """Return how claims lose, by id."""
        judged = ((self._ranked[place].id, self._loss(place)) for place in self._crowded)
        return {id: loss for id, loss in judged if loss}

    def _loss(self, place: int) -> Loss | None:
        """Return how a claim loses against its rivals of the highest rank; None when it does not."""
        rivals = self._rivals(place)
        if not rivals:
            return None
        one, best = self._ranked[place], self._ranked[rivals.bit_length() - 1]
        if best.rank == one.rank:
            return "tied"
        if best.rank < one.rank:
            return None
        overruled = one.decided.first and best.decided.last > one.decided.last
        return "overruled" if overruled else "outranked"

    def _rivals(self, place: int) -> int:
        """Return the mask of the claims that a claim clashes with."""
        one = self._ranked[place]
        overlapping = self._starts.before(one.after) & ~self._stops.upto(one.start)
        ordered = self._order.before[place] | self._order.after[place]
        rivals = overlapping & ~(self._same[one.said] | ordered)
        return rivals & ~self._apart_by_an_act(one) if rivals and self._is_acted_on else rivals

    def _apart_by_an_act(self, one: Standing) -> int:
        """Return the mask of claims before whose date this was archived or erased, or the other way round."""
        acted = one.decided.acted
        freed = self._acts.before(one.start)
        return freed | ~self._starts.upto(acted) if acted else freed


def _crowded(ranked: Sequence[Standing], here: Sequence[int]) -> list[int]:
    """Return the places of the dated claims whose date overlaps another one's; mostly there are few."""
    walking = ((place, ranked[place]) for place in here)
    dated = sorted((one.start, one.after, place) for place, one in walking if one.date)
    crowded: set[int] = set()
    reach, farthest = UNKNOWN, -1
    for start, after, place in dated:
        if start < reach:
            crowded |= {farthest, place}
        if after > reach:
            reach, farthest = after, place
    return sorted(crowded)


class _Before:
    """Masks of claims by an instant that each one has.

    Args:
        entries: the instant and the bit of each claim.
    """

    def __init__(self, entries: Iterable[tuple[datetime, int]]) -> None:
        ordered = sorted(entries)
        self._instants = [instant for instant, _ in ordered]
        self._masks = list(accumulate((bit for _, bit in ordered), or_, initial=0))

    def before(self, instant: datetime) -> int:
        """Return the claims whose instant lies before one."""
        return self._masks[bisect_left(self._instants, instant)]

    def upto(self, instant: datetime) -> int:
        """Return the claims whose instant lies before one or is that one."""
        return self._masks[bisect_right(self._instants, instant)]
