"""Stretches while the walk makes them, and what they protect themselves against."""

from datetime import datetime
from typing import Final

from treering.domain.decided import ALWAYS
from treering.domain.standing import Standing

_Shield = tuple[int, datetime, datetime]
# Of a stretch that is stated: one for all of them.
_NONE: Final[frozenset[_Shield]] = frozenset()


class OpenStretch:
    """A stretch while the walk makes it: what one statement, said by one or more claims, amounts to.

    Attributes:
        start: its first instant; ``UNKNOWN`` when nobody knows.
        stop: the instant at which it holds no more; None when it has no end.
        said: what it says.
        state: ``stated``, or ``archived`` or ``erased`` when its place is left empty.
        members: the claims that say it, by validity.
        ender: the claim that stated its end; None when it has none.
        contested: since when a clash of equals that would follow it is undecided; None when there is none.
    """

    __slots__ = ("_shields", "_trust", "_until", "contested", "ender", "members", "said", "start", "state", "stop")

    def __init__(self, first: Standing) -> None:
        self.start = first.start
        self.stop = first.end
        self.said = first.said
        self.state = first.state
        self.members = [first]
        self.ender = first if first.end else None
        self.contested: datetime | None = None
        self._trust = first.trust
        self._until = first.decided.until
        self._shields = _NONE if first.state == "stated" else frozenset([_shield(first)])

    @property
    def held(self) -> bool:
        """Whether it held for any time."""
        return self.stop is None or self.start < self.stop

    def holds_at(self, moment: datetime) -> bool:
        """Say whether nothing has ended it by an instant."""
        return self.stop is None or moment < self.stop

    def joins(self, one: Standing) -> bool:
        """Say whether a claim says the same, ends included."""
        return self._is_like(one) and one.end in (None, self.stop)

    def repeats_with_another_end(self, one: Standing) -> bool:
        """Say whether a claim says the same and gives it another end."""
        return self._is_like(one) and one.end not in (None, self.stop)

    def is_emptied_by(self, one: Standing, *, stopped: bool) -> bool:
        """Say whether a claim that was archived or erased belongs to what is in force here.

        Args:
            one: the claim.
            stopped: whether something else stops it, so that it has no say about the end.
        """
        if self.said != one.said or self.state != "stated":
            return False
        return one.end in (None, self.stop) or not (stopped or self.is_protected_against(one))

    def emptied(self, one: Standing) -> "OpenStretch":
        """Return what is left of it from the date of a claim that was archived or erased: it frees nothing."""
        rest = OpenStretch(one)
        rest.stop = one.end or self.stop
        rest._shields |= {(self._trust, self._until, _acted(one))}
        return rest

    def add(self, one: Standing, *, follows: bool) -> None:
        """Let a claim that says the same join: it protects by its own trust and confirmation, from its date on.

        Args:
            one: the claim.
            follows: whether an edge puts it after the claim that stated the end.
        """
        self.members.append(one)
        if one.end:
            if self.ender and self.stop and self.ender.start == one.start and not follows:
                self.stop = max(self.stop, one.end)
            else:
                self.stop = one.end
            self.ender = one
        self._trust = max(self._trust, one.trust)
        self._until = max(self._until, one.decided.until)
        if one.state != "stated":
            self._shields |= {_shield(one)}

    def is_protected_against(self, one: Standing) -> bool:
        """Say whether it stops a later claim: it holds a confirmed one, or one of higher trust."""
        if one.by_owner:
            return False
        if self.state == "stated":
            return self._trust > one.trust or self._until > one.start
        for trust, until, acted in self._shields:
            if (trust > one.trust or until > one.start) and one.start <= acted:
                return True
        return False

    def is_archived_and_repeated_by(self, one: Standing) -> bool:
        """Say whether an agent says again what the owner archived."""
        return self.state == "archived" and self.said == one.said and one.state == "stated" and not one.by_owner

    def _is_like(self, one: Standing) -> bool:
        """Say whether a claim says the same and its place is as full or as empty."""
        return self.said == one.said and self.state == one.state


def is_protected(one: Standing, other: Standing) -> bool:
    """Say whether a claim by itself is protected against another one."""
    if other.by_owner or is_free_of(other, one):
        return False
    return one.trust > other.trust or one.decided.until > other.start


def is_free_of(one: Standing, other: Standing) -> bool:
    """Say whether a claim is dated after another one was archived or erased."""
    return other.state != "stated" and one.start > _acted(other)


def _shield(one: Standing) -> _Shield:
    """Return what a claim protects by: its trust, its confirmation, and since when it frees what is dated later."""
    return one.trust, one.decided.until, _acted(one)


def _acted(one: Standing) -> datetime:
    """Return when a claim was archived or erased."""
    return one.decided.acted or ALWAYS
