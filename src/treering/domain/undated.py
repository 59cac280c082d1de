"""Undated claims: which of them are in force since nobody knows when."""

from collections.abc import Mapping, Sequence

from treering.domain.precedence import Precedence, mask
from treering.domain.standing import Said, Standing


def opening(claims: Sequence[Standing], order: Precedence, here: Sequence[int]) -> set[str]:
    """Return the ids of the undated claims that are in force since nobody knows when.

    Args:
        claims: any.
        order: how edges order them; its masks refer to ``claims``.
        here: the places of those in the walk.
    """
    places = {place: claims[place] for place in here if not claims[place].date}
    if not places:
        return set()
    undated = mask(places)
    everyone = mask(here)
    dead = mask(place for place in here if claims[place].state != "stated")
    same = _by_said(claims, here)
    return {
        one.id
        for place, one in places.items()
        if not (
            # What differs has to come after it, or be undated and come before it.
            everyone & ~same[one.said] & ~(order.after[place] | order.before[place] & undated)
            # With a dated one that says the same it is evidence; but that does not bring back what was archived.
            or same[one.said] & ~undated & (everyone if one.state == "stated" else dead)
        )
    }


def _by_said(claims: Sequence[Standing], here: Sequence[int]) -> Mapping[Said, int]:
    """Return the mask of the claims that say each thing."""
    masks: dict[Said, int] = {}
    for place in here:
        said = claims[place].said
        masks[said] = masks.get(said, 0) | 1 << place
    return masks
