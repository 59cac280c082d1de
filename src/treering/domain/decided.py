"""What the owner's decisions on a claim add up to."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Final, Literal, NamedTuple

from treering.domain.claim import Decision
from treering.domain.dates import instant

ALWAYS: Final = datetime.max.replace(tzinfo=UTC)
"""Later than every instant."""
UNKNOWN: Final = datetime.min.replace(tzinfo=UTC)
"""Earlier than every instant: the start of what holds since nobody knows when."""

State = Literal["stated", "archived", "erased"]

# Of decisions made at one instant, and whose order nobody noted, the one that takes away more counts as the later.
_SEVERITY: Final = ("restore", "confirm", "approve", "reject", "archive", "erase")


class Decided(NamedTuple):
    """What holds of a claim by the owner's word.

    Attributes:
        state: whether it was archived or erased.
        acted: since when it is; None when it is not, or nobody knows.
        rejected: whether it was taken out of the walk.
        first: when it was first confirmed or approved; None when it never was.
        last: when it was last confirmed or approved; ``UNKNOWN`` when it never was.
        until: up to when its confirmation protects it; ``UNKNOWN`` when it has none.
    """

    state: State = "stated"
    acted: datetime | None = None
    rejected: bool = False
    first: datetime | None = None
    last: datetime = UNKNOWN
    until: datetime = UNKNOWN


UNDECIDED: Final = Decided()


def decided(decisions: Iterable[Decision], *, known_at: datetime | None, zone: tzinfo) -> dict[str, Decided]:
    """Return what the decisions made by an instant add up to, for each claim they name.

    Args:
        decisions: in any order, on any claims; those of one instant count by their numbers.
        known_at: when; None for now. An erasure counts before it was made, too.
        zone: where dates without an offset are meant.
    """
    dated = ((instant(one.at, zone), one) for one in decisions)
    counted = [(at, one) for at, one in dated if known_at is None or at <= known_at or one.kind == "erase"]
    counted.sort(key=lambda entry: (entry[0], entry[1].number, _SEVERITY.index(entry[1].kind)))
    result: dict[str, Decided] = {}
    for at, one in counted:
        before = result.get(one.target, UNDECIDED)
        result[one.target] = _after(before, at, one, zone)
    return result


def _after(before: Decided, at: datetime, one: Decision, zone: tzinfo) -> Decided:
    """Return what holds after one more decision, the latest so far."""
    match one.kind:
        case "confirm" | "approve":
            until = instant(one.until, zone) if one.until else ALWAYS
            return before._replace(rejected=False, first=before.first or at, last=at, until=max(before.until, until))
        case "reject":
            return before._replace(rejected=True)
        case "restore" if before.state != "erased":
            return before._replace(rejected=False, state="stated", acted=None)
        case "archive" if before.state == "stated":
            return Decided("archived", at, before.rejected, before.first, before.last, before.until)
        case "erase" if before.state != "erased":
            # What was archived before freed what came after that act; an erasure takes none of it back.
            return before._replace(state="erased", acted=before.acted or at)
    return before
