"""Claims about a slot, the owner's decisions on them, and the history that follows."""

from typing import Final, Literal, NamedTuple

from treering.domain.source import Trust

DecisionKind = Literal["confirm", "approve", "reject", "archive", "erase", "restore"]
SlotStatus = Literal["active", "superseded", "disputed", "archived", "erased"]
WhyDisputed = Literal["protected", "clash", "undated", "repeats_archived"]
WhyEmpty = Literal["unknown", "disputed", "ended", "archived", "erased", "future"]

WHY_DISPUTED: Final[dict[WhyDisputed, str]] = {
    "protected": "it differs from what is protected",
    "clash": "another claim of the same date differs",
    "undated": "it has no date and differs",
    "repeats_archived": "it repeats what was archived",
}
"""The same in words."""


class Claim(NamedTuple):
    """What somebody said of a slot.

    Attributes:
        id: the claim.
        content: the statement; whatever is left of it once it is erased.
        trust: lowest of its evidence.
        actor: who brought it: ``owner`` when the owner typed it, else ``agent``.
        recorded_at: when it was recorded, ISO 8601 with an offset.
        value: the short value that claims are compared by; None when there is none.
        valid_from: since when it holds: an instant, a date or a partial one (``2026``, ``2026-03``); None when unknown.
        valid_to: until when: partial dates inclusive, instants exclusive; None without an end.
        replaces: claims that this one was said to replace; they come before it.
        erased_at: when it was erased, so that this is its tombstone; None otherwise. The decision ``erase`` says the
            same.
    """

    id: str
    content: str
    trust: Trust
    actor: Literal["owner", "agent"]
    recorded_at: str
    value: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    replaces: tuple[str, ...] = ()
    erased_at: str | None = None


class Decision(NamedTuple):
    """What the owner decided on a claim.

    Attributes:
        kind: confirm, approve, reject, archive, erase or restore.
        target: the claim's id.
        at: when, ISO 8601 with an offset.
        until: the end that was shown when a superseded claim was confirmed: an instant, and the confirmation protects
            against what is dated before it; None otherwise. A partial date is taken at its start.
        number: its place among the decisions: of those of one instant the later one has the higher number.
    """

    kind: DecisionKind
    target: str
    at: str
    until: str | None = None
    number: int = 0


class Stretch(NamedTuple):
    """A time in which one statement holds.

    Attributes:
        start: its first instant in UTC, ISO 8601; None when unknown.
        stop: the instant at which it holds no more; None when it has no end.
        ids: the claims that say it, by validity.
        value: what they say; None without value, and once archived or erased.
        content: the statement; None once archived or erased.
        state: ``stated``, or ``archived`` or ``erased`` where the place is left empty.
        contested_since: since when a clash of equals that would follow it is undecided; None when there is none.
    """

    start: str | None
    stop: str | None
    ids: tuple[str, ...]
    value: str | None
    content: str | None
    state: Literal["stated", "archived", "erased"]
    contested_since: str | None = None


class History(NamedTuple):
    """What follows from a slot's claims and decisions.

    Attributes:
        stretches: by time; no two overlap.
        status: each claim's status at the instant asked about.
        why: why a claim is disputed.
        current: the stretch at the instant asked about; None when the slot is empty then.
        empty: why it is empty; None when it is not.
        proposals: claims that wait for the owner, by validity.
        rejected: those of the archived claims that the owner rejected, by validity.
    """

    stretches: tuple[Stretch, ...]
    status: dict[str, SlotStatus]
    why: dict[str, WhyDisputed]
    current: Stretch | None
    empty: WhyEmpty | None
    proposals: tuple[str, ...]
    rejected: tuple[str, ...] = ()
