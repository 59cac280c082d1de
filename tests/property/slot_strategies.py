"""Small slots for the properties of a history: few values, few dates, so that the rules meet one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hypothesis import strategies as st
from slot_dates import span

from treering.domain.claim import Claim, Decision, DecisionKind

STARTS: Final = (
    "2026", "2026-01-10", "2026-01-20", "2026-02-10", "2026-02-25", "2026-03", "2026-03-10", "2026-03-10",
    "2026-03-10T09:00:00+02:00", "2026-03-10T07:00:00Z", "2026-03-10T08:00:00", "2026-03-10T23:30:00-05:00",
    "2026-04-01", "2026-05-01", "2026-05-20", "2026-07-01", "2026-10-20", "2026-10-21T12:00:00+00:00", "2026-11",
    "2026-11-05", "2027-01-01", "2027-03-10",
)  # fmt: skip
ENDS: Final = (
    "2026", "2026-03", "2026-03-10", "2026-03-10T12:00:00+01:00", "2026-05-20", "2026-06", "2026-12-31", "2027-02",
)  # fmt: skip
RECORDED: Final = (
    "2026-03-01T08:00:00+00:00",
    "2026-10-01T00:00:00Z",
    "2026-10-09T02:00:00+02:00",
    "2026-11-10T00:00:00Z",
)
DECIDED: Final = (
    "2026-02-20T10:00:00Z", "2026-03-10T07:30:00Z", "2026-04-15T00:00:00+02:00", "2026-10-18T09:00:00Z",
    "2026-10-20T00:00:00Z", "2026-10-21T12:00:00Z", "2026-10-25T18:00:00-03:00", "2026-11-03T00:00:00Z",
)  # fmt: skip
ASKED: Final = (
    "2026-01-01T00:00:00Z", "2026-02-15T00:00:00Z", "2026-03-10T07:00:00Z", "2026-03-10T12:00:00+02:00",
    "2026-04-01T00:00:00Z", "2026-07-01T00:00:00Z", "2026-10-22T00:00:00Z", "2026-11-30T12:00:00Z",
    "2027-06-01T00:00:00Z",
)  # fmt: skip
KNOWN: Final = ("2026-03-05T00:00:00Z", "2026-10-05T00:00:00Z", "2026-10-20T00:00:00Z", "2026-11-01T00:00:00Z")
UNTIL: Final = ("2026-02-10T00:00:00Z", "2026-03-10T00:00:00Z", "2026-05-01T00:00:00Z", "2026-11-05T00:00:00Z")
WORDING: Final = ("The answer is {}.", "the  ANSWER is {}.", "The answer is {}, still.")


class Slot(NamedTuple):
    """A slot and a question about it."""

    claims: tuple[Claim, ...]
    decisions: tuple[Decision, ...]
    true_at: str
    known_at: str | None


@st.composite
def claims(
    draw: st.DrawFn,
    name: str,
    before: Sequence[str],
    *,
    undated: bool = True,
    ends: bool = True,
    edges: bool = True,
    tombstones: bool = True,
) -> Claim:
    """Make a claim; it may replace those named before it, so that no replacements go round in a ring."""
    said = draw(st.sampled_from(("v", "w", "x") if draw(st.booleans()) else ("v", "w")))
    start = None if undated and draw(st.integers(0, 5)) == 0 else draw(st.sampled_from(STARTS))
    end = None
    if ends and draw(st.integers(0, 3)) == 0:
        end = draw(st.sampled_from([*(e for e in ENDS if not start or span(e)[1] > span(start)[0]), "2028"]))
    owner = draw(st.integers(0, 5)) == 0
    return Claim(
        id=name,
        content=draw(st.sampled_from(WORDING)).format(said),
        trust="owner" if owner else draw(st.sampled_from(("agent", "agent", "owner", "external"))),
        actor="owner" if owner else "agent",
        recorded_at=draw(st.sampled_from(RECORDED)),
        value=draw(st.sampled_from((None, said, said, said, said, f" {said} "))),
        valid_from=start,
        valid_to=end,
        replaces=tuple(draw(st.sets(st.sampled_from(before), max_size=2)))
        if edges and before and draw(st.integers(0, 3)) == 0
        else (),
        erased_at=draw(st.sampled_from(DECIDED)) if tombstones and draw(st.integers(0, 9)) == 0 else None,
    )


@st.composite
def decisions(draw: st.DrawFn, made: Sequence[Claim], kinds: Sequence[DecisionKind]) -> tuple[Decision, ...]:
    """Make decisions; many are on all claims that say the same."""
    result: list[Decision] = []
    for at in draw(st.lists(st.sampled_from(DECIDED), max_size=4)):
        kind = draw(st.sampled_from(kinds))
        target = draw(st.sampled_from(made))
        until = draw(st.sampled_from(UNTIL)) if kind == "confirm" and draw(st.booleans()) else None
        whole = draw(st.booleans())
        on = [c for c in made if c is target or (whole and c.value is not None and c.value == target.value)]
        result.extend(Decision(kind, c.id, at, until) for c in on)
    return tuple(draw(st.permutations(result)))


ALL_KINDS: Final[tuple[DecisionKind, ...]] = ("confirm", "approve", "reject", "archive", "restore", "erase")


@st.composite
def slots(
    draw: st.DrawFn,
    *,
    undated: bool = True,
    ends: bool = True,
    edges: bool = True,
    kinds: Sequence[DecisionKind] = ALL_KINDS,
    most: int = 7,
) -> Slot:
    """Make a slot of two to seven claims, with what the owner decided and the two instants asked about."""
    made: list[Claim] = []
    for number in range(draw(st.integers(2, most))):
        before = [claim.id for claim in made]
        drawn = claims("abcdefg"[number], before, undated=undated, ends=ends, edges=edges, tombstones="erase" in kinds)
        made.append(draw(drawn))
    return Slot(
        claims=tuple(draw(st.permutations(made))),
        decisions=draw(decisions(made, kinds)) if kinds else (),
        true_at=draw(st.sampled_from(ASKED)),
        known_at=draw(st.sampled_from((None, None, None, None, *KNOWN))),
    )
