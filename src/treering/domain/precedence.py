"""Which claims come before which because somebody said so: the edges that ``replaces`` draws.

Sets of claims are bit masks over their places in one list, so that a thousand claims of one day
are compared with one another in a thousand steps.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from treering.domain.standing import Standing

Edges = Mapping[int, AbstractSet[int]]

_NONE: Final[AbstractSet[int]] = frozenset()


class Precedence(NamedTuple):
    """Which claims are ordered by edges, along any number of them.

    Attributes:
        before: for each claim, the mask of those before it.
        after: for each claim, the mask of those after it.
    """

    before: list[int]
    after: list[int]


def precedence(claims: Sequence[Standing]) -> Precedence:
    """Return how ``replaces`` orders claims.

    Edges to claims that are not there, and edges in a ring or between two rings, order nothing.

    Args:
        claims: in any order; masks refer to it.
    """
    found = Precedence([0] * len(claims), [0] * len(claims))
    earlier, later, ways = _without_rings(_replaced(claims))
    for one in ways:
        for other in earlier.get(one, ()):
            found.before[one] |= found.before[other] | 1 << other
    for one in reversed(ways):
        for other in later.get(one, ()):
            found.after[one] |= found.after[other] | 1 << other
    return found


def mask(places: Iterable[int]) -> int:
    """Return the mask of places."""
    found = 0
    for place in places:
        found |= 1 << place
    return found


def places_in(masked: int) -> Iterator[int]:
    """Yield the places in a mask, the highest first."""
    while masked:
        place = masked.bit_length() - 1
        yield place
        masked ^= 1 << place


def _replaced(claims: Sequence[Standing]) -> dict[int, set[int]]:
    """Return, for each claim that replaces others, which."""
    if not any(one.claim.replaces for one in claims):
        return {}
    places = {one.id: place for place, one in enumerate(claims)}
    return {
        place: {places[other] for other in one.claim.replaces if other in places and other != one.id}
        for place, one in enumerate(claims)
        if one.claim.replaces
    }


def _without_rings(earlier: Edges) -> tuple[Edges, Edges, list[int]]:
    """Return the edges less those among claims in a ring or between two rings: both ways, and the order they give."""
    later = _turned(earlier)
    among = earlier.keys() | later.keys()
    ways = _freed(earlier, later, among)
    if len(ways) == len(among):
        return earlier, later, ways
    stuck = among - set(ways)
    ring = stuck - set(_freed(later, earlier, stuck))
    kept = {one: others - ring if one in ring else others for one, others in earlier.items()}
    later = _turned(kept)
    return kept, later, _freed(kept, later, kept.keys() | later.keys())


def _freed(earlier: Edges, later: Edges, among: AbstractSet[int]) -> list[int]:
    """Return the claims in an order in which each one follows all before it; those behind a ring never come up."""
    waits = {one: len(earlier.get(one, _NONE) & among) for one in among}
    free = [one for one, count in waits.items() if not count]
    for one in free:
        for other in later.get(one, _NONE) & among:
            waits[other] -= 1
            if not waits[other]:
                free.append(other)
    return free


def _turned(edges: Edges) -> dict[int, set[int]]:
    """Return the edges the other way round."""
    turned: dict[int, set[int]] = {}
    for one, others in edges.items():
        for other in others:
            turned.setdefault(other, set()).add(one)
    return turned
