"""The walk: a slot's claims by validity, each met by what is in force at its date."""

from collections.abc import Mapping, Sequence
from typing import Final

from treering.domain.claim import WhyDisputed
from treering.domain.clash import Loss
from treering.domain.decided import UNKNOWN
from treering.domain.precedence import Precedence, mask, places_in
from treering.domain.standing import Standing
from treering.domain.stretch import OpenStretch, is_free_of, is_protected

# Trust is 0, 1 or 2; what is confirmed is protected against each.
_LEVELS: Final = 3


class Walk:
    """What came of each claim, after all have been met.

    Args:
        claims: those in the walk, and others.
        order: how edges order them; its masks refer to ``claims``.
        losses: how claims lose clashes, by id.
    """

    def __init__(self, claims: Sequence[Standing], order: Precedence, losses: Mapping[str, Loss]) -> None:
        self.stretches: list[OpenStretch] = []
        self.disputed: dict[str, WhyDisputed] = {}
        self._claims = claims
        self._places = {one.id: place for place, one in enumerate(claims)}
        self._order = order
        self._is_ordered = any(order.before)
        self._is_plain = not (self._is_ordered or losses)
        self._losses = losses
        self._effective = 0
        self._passed: list[Standing] = []
        self._coming = 0
        self._protecting: dict[int, int] = {}

    def meet_dated(self, claims: Sequence[Standing]) -> None:
        """Meet the claims that have a place in time, in the order in which the walk comes to them."""
        if not self._is_ordered:
            for one in claims:
                self._meet(one)
            return
        self._note_protecting(claims)
        met, at = 0, UNKNOWN
        for one in claims:
            if one.start != at:
                self._coming &= ~met
                met, at = 0, one.start
            met |= 1 << self._places[one.id]
            self._meet(one)

    def listed(self, one: Standing) -> tuple[object, ...]:
        """Return the place of a claim among claims that are listed by validity: undated ones last.

        Where no rule orders two, their words do: ids follow the order of arrival, which must not show.
        """
        before = self._order.before[self._places[one.id]].bit_count()
        return one.date is None, one.start, before, one.claim.content, one.claim.value or "", one.id

    def _note_protecting(self, claims: Sequence[Standing]) -> None:
        """Note which of the claims to be met protect themselves against each level of trust."""
        self._coming = mask(self._places[one.id] for one in claims)
        for one in claims:
            if one.id not in self._losses:
                for trust in range(_LEVELS if one.decided.first else one.trust):
                    self._protecting[trust] = self._protecting.get(trust, 0) | 1 << self._places[one.id]

    def _meet(self, one: Standing) -> None:
        """Meet the next claim by validity."""
        last = self.stretches[-1] if self.stretches else None
        in_force = last if last and last.holds_at(one.start) else None
        same = in_force if in_force and in_force.said == one.said else None
        if self._is_plain and not same and not (in_force and in_force.is_protected_against(one)):
            self._begin(in_force, one, OpenStretch(one))  # as most do: what is asked below comes to the same
            return
        loss = self._losses.get(one.id)
        if same and same.joins(one):
            self._join(same, one)
        elif same and one.state != "stated" and same.is_emptied_by(one, stopped=self._is_stopped(one)):
            self._begin(same, one, same.emptied(one))
        elif loss:
            self._lose(in_force, one, loss)
        elif self._is_ordered and self._is_replaced(one):
            self._passed.append(one)
        elif same and same.is_archived_and_repeated_by(one):
            self._dispute(one, "repeats_archived")
        elif (in_force and in_force.is_protected_against(one)) or (self._is_ordered and self._is_held_off(one)):
            self._dispute(one, "protected")
            self._passed.append(one)
        elif same and same.repeats_with_another_end(one):
            self._join(same, one)
        else:
            self._begin(in_force, one, OpenStretch(one))

    def meet_undated(self, one: Standing) -> None:
        """Meet a claim that has no place in time, after all that have one."""
        saying = [stretch for stretch in self.stretches if stretch.held and stretch.joins(one)]
        if saying:
            saying[-1].members.append(one)
        elif self._is_replaced(one):
            return
        elif any(stretch.is_archived_and_repeated_by(one) for stretch in self.stretches):
            self._dispute(one, "repeats_archived")
        else:
            self._dispute(one, "undated")

    def _join(self, in_force: OpenStretch, one: Standing) -> None:
        """Let a claim confirm what is in force by repeating it."""
        place, ender = self._places[one.id], in_force.ender
        in_force.add(one, follows=bool(ender and self._order.before[place] >> self._places[ender.id] & 1))
        if self._is_ordered:
            self._effective |= 1 << place

    def _begin(self, in_force: OpenStretch | None, one: Standing, begun: OpenStretch) -> None:
        """Let a claim take effect; it ends what is in force, and what was passed over at its date may say the same."""
        if in_force:
            in_force.stop = one.start
        self.stretches.append(begun)
        if self._is_ordered:
            self._effective |= 1 << self._places[one.id]
        if self._passed:
            for other in self._passed:
                if other.start == one.start and begun.joins(other):
                    self.disputed.pop(other.id, None)
                    self._join(begun, other)
            self._passed.clear()

    def _lose(self, in_force: OpenStretch | None, one: Standing, loss: Loss) -> None:
        """Put aside a claim that lost a clash; a tie contests what is in force, unless that is protected anyway."""
        if loss == "overruled":
            return
        self._dispute(one, "clash")
        contests = loss == "tied" and one.state == "stated"
        if contests and in_force and in_force.state == "stated" and not in_force.is_protected_against(one):
            in_force.contested = in_force.contested or one.start

    def _dispute(self, one: Standing, why: WhyDisputed) -> None:
        """Let a claim wait for the owner; one that was archived or erased waits for nobody."""
        if one.state == "stated":
            self.disputed[one.id] = why

    def _is_replaced(self, one: Standing) -> bool:
        """Say whether a claim that replaces this one, and that this one could not stop, has taken effect already."""
        for place in places_in(self._order.after[self._places[one.id]] & self._effective):
            other = self._claims[place]
            if not is_protected(one, other) and not is_free_of(one, other):
                return True
        return False

    def _is_held_off(self, one: Standing) -> bool:
        """Say whether a claim of its date or a later one, which this one replaces, is protected against it."""
        held = self._order.before[self._places[one.id]] & self._coming & self._protecting.get(one.trust, 0)
        return bool(held) and any(is_protected(self._claims[place], one) for place in places_in(held))

    def _is_stopped(self, one: Standing) -> bool:
        """Say whether a claim is stopped by something else than what is in force."""
        return one.id in self._losses or self._is_held_off(one)
