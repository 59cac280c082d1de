"""A slot's claims and stretches as its oracle holds them while it walks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from treering.domain.claim import Claim, SlotStatus, WhyDisputed

RANK: Final = {"external": 0, "agent": 1, "owner": 2}
EVER: Final = datetime.min.replace(tzinfo=UTC)
Key = tuple[str, ...]


@dataclass(eq=False)
class Entry:
    """A claim with what the decisions made of it."""

    claim: Claim
    key: Key
    start: datetime | None
    start_to: datetime | None
    end: datetime | None
    dead: SlotStatus | None
    act: datetime | None
    decided: list[tuple[datetime, datetime | None]]
    before: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        """Return the claim's id."""
        return self.claim.id

    @property
    def rank(self) -> int:
        """Return its trust, the higher the better."""
        return RANK[self.claim.trust]

    @property
    def undated(self) -> bool:
        """Say whether it has no date, though it may be in force since ever."""
        return self.start in (None, EVER)

    @property
    def unstoppable(self) -> bool:
        """Say whether protection never stops it: the owner typed it, or decided for it."""
        return self.claim.actor == "owner" or bool(self.decided)

    def free_of(self, other: Entry) -> bool:
        """Say whether it is dated after the other one was archived or erased."""
        return other.act is not None and self.start is not None and self.start > other.act

    def shields(self, other: Entry, act: datetime | None) -> bool:
        """Say whether it protects what it says against another claim, having been put away at ``act``."""
        if other.unstoppable or (act is not None and other.start is not None and other.start > act):
            return False
        held = [until for _, until in self.decided if until is None or (other.start and other.start < until)]
        return bool(held) or self.rank > other.rank


@dataclass(eq=False)
class Run:
    """A stretch while it grows."""

    key: Key
    start: datetime | None
    end: datetime | None
    ender: Entry | None
    state: SlotStatus | None
    members: list[Entry]
    shield: list[tuple[Entry, datetime | None]]
    stop: datetime | None = None
    contested: datetime | None = None

    def protected(self, entry: Entry) -> bool:
        """Say whether what it holds stops the claim."""
        return any(member.shields(entry, act) for member, act in self.shield)

    def join(self, entry: Entry) -> None:
        """Take a claim in that says the same; the latest stated end holds."""
        self.members.append(entry)
        self.shield.append((entry, entry.act))
        if entry.end is None:
            return
        tied = self.ender is not None and self.ender.start == entry.start and entry.id not in self.ender.before
        if self.ender is not None and self.end is not None:
            if entry.id in self.ender.before:
                return
            if tied and self.ender.id not in entry.before and self.end > entry.end:
                return
        self.end, self.ender = entry.end, entry


@dataclass(eq=False)
class Walk:
    """What came of one walk."""

    runs: list[Run] = field(default_factory=list)
    status: dict[str, SlotStatus] = field(default_factory=dict)
    why: dict[str, WhyDisputed] = field(default_factory=dict)

    def dispute(self, entry: Entry, why: WhyDisputed) -> None:
        """Put a claim to the owner."""
        self.status[entry.id], self.why[entry.id] = "disputed", why

    def holder(self, entry: Entry) -> Run | None:
        """Return the stretch that holds the claim."""
        return next((run for run in self.runs if entry.id in [member.id for member in run.members]), None)

    def held(self, entry: Entry) -> bool:
        """Say whether the claim is in force for any time."""
        run = self.holder(entry)
        return run is not None and run.start != run.stop
