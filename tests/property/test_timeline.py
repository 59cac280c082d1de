"""What holds of a slot's history whatever was claimed and decided."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from treering.domain.claim import Claim, Decision
from treering.domain.timeline import history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.claim import History

IDS = tuple("abcdef")
DATES = (
    "2025", "2026", "2026-02", "2026-03", "2026-02-10", "2026-02-11", "2026-02-10T09:00:00Z",
    "2026-02-10T10:00:00+01:00", "2026-02-10T12:00:00Z", "2026-10-15", "2026-11-05", "2027",
)  # fmt: skip
MOMENTS = ("2026-10-10T00:00:00Z", "2026-10-20T00:00:00Z", "2026-10-30T00:00:00Z")
KINDS = ("confirm", "approve", "reject", "archive", "erase", "restore")
TRUSTS = ("owner", "agent", "external")

maybe_dates = st.none() | st.sampled_from(DATES)


@st.composite
def claim_lists(draw: st.DrawFn) -> list[Claim]:
    """Draw up to six claims on one slot."""
    claims = []
    for id in IDS[: draw(st.integers(0, len(IDS)))]:
        value = draw(st.sampled_from(("v", "w", "x", None)))
        content = draw(st.sampled_from(("It is v.", "It  is V.", "It is w.")))
        claims.append(
            Claim(
                id,
                content,
                draw(st.sampled_from(TRUSTS)),  # type: ignore[arg-type]
                draw(st.sampled_from(("agent", "agent", "owner"))),  # type: ignore[arg-type]
                draw(st.sampled_from(MOMENTS)),
                value,
                draw(maybe_dates),
                draw(st.none() | maybe_dates),
                tuple(draw(st.lists(st.sampled_from(IDS), max_size=1))),
            )
        )
    return claims


decisions_on = st.builds(
    Decision,
    st.sampled_from(KINDS),  # type: ignore[arg-type]
    st.sampled_from(IDS),
    st.sampled_from(MOMENTS),
    st.none() | st.sampled_from(("2026-02-10T12:00:00Z", "2026-11-05T00:00:00Z")),
)
decision_lists = st.lists(decisions_on, max_size=5)
instants = st.sampled_from((*DATES, *MOMENTS))


@given(claim_lists(), decision_lists, instants, st.none() | st.sampled_from(MOMENTS), st.data())
def test_the_order_of_claims_and_decisions_never_matters(
    claims: list[Claim], decisions: list[Decision], at: str, known: str | None, data: Any
) -> None:
    """Every permutation has the same history."""
    found = history(claims, decisions, true_at=at, known_at=known)
    mixed, also_mixed = data.draw(st.permutations(claims)), data.draw(st.permutations(decisions))
    assert history(mixed, also_mixed, true_at=at, known_at=known) == found


@given(claim_lists(), decision_lists, instants)
def test_stretches_are_in_order_and_never_overlap(claims: list[Claim], decisions: list[Decision], at: str) -> None:
    """Each has a length, the next begins when or after one has ended, and only the first may have no start."""
    stretches = history(claims, decisions, true_at=at).stretches
    assert all(one.start is None or one.stop is None or one.start < one.stop for one in stretches)
    for one, following in pairwise(stretches):
        assert one.stop is not None
        assert following.start is not None
        assert one.stop <= following.start


@given(claim_lists(), decision_lists, instants)
def test_each_claim_has_one_status_and_stands_in_at_most_one_stretch(
    claims: list[Claim], decisions: list[Decision], at: str
) -> None:
    """Statuses, reasons, stretches and proposals agree with one another."""
    found = history(claims, decisions, true_at=at)
    assert set(found.status) == {one.id for one in claims}
    disputed = {id for id, status in found.status.items() if status == "disputed"}
    assert disputed == set(found.why) == set(found.proposals)
    standing = [id for one in found.stretches for id in one.ids]
    assert len(standing) == len(set(standing))
    assert not disputed & set(standing)
    for one in found.stretches:
        states = {found.status[id] for id in one.ids}
        assert states <= ({one.state} if one.state != "stated" else {"active", "superseded"})
    active = {id for id, status in found.status.items() if status == "active"}
    assert active <= set(standing)


@given(claim_lists(), decision_lists, instants)
def test_what_is_current_holds_at_the_instant_and_its_absence_has_a_reason(
    claims: list[Claim], decisions: list[Decision], at: str
) -> None:
    """There is a current statement or a reason, never both; its claims are active."""
    found = history(claims, decisions, true_at=at)
    assert (found.current is None) == (found.empty is not None)
    if found.current:
        assert found.current in found.stretches
        assert {found.status[id] for id in found.current.ids} == {"active"}


@given(claim_lists(), decision_lists, st.sampled_from(KINDS), instants)
def test_a_decision_on_another_slot_s_claim_changes_nothing(
    claims: list[Claim], decisions: list[Decision], kind: Any, at: str
) -> None:
    """Only decisions on the slot's own claims count."""
    more = [*decisions, Decision(kind, "somewhere else", MOMENTS[1])]
    assert history(claims, more, true_at=at) == history(claims, decisions, true_at=at)


@given(claim_lists(), decision_lists, instants)
def test_a_rejected_claim_is_as_good_as_none(claims: list[Claim], decisions: list[Decision], at: str) -> None:
    """Without it and its edges the history is the same but for its status."""
    claims = [one._replace(replaces=()) for one in claims]
    rejected = [*(one for one in decisions if one.target != "a"), Decision("reject", "a", MOMENTS[1])]
    found = history(claims, rejected, true_at=at)
    without = history([one for one in claims if one.id != "a"], rejected, true_at=at)
    others = {id: status for id, status in found.status.items() if id != "a"}
    assert found._replace(status=others, rejected=tuple(id for id in found.rejected if id != "a")) == without


@given(claim_lists(), decision_lists, instants, st.none() | st.sampled_from(MOMENTS))
def test_a_tombstone_counts_as_the_erased_claim_did(
    claims: list[Claim], decisions: list[Decision], at: str, known: str | None
) -> None:
    """Once a decision erases a claim, it makes no difference whether its words are still there."""
    erased = {one.target for one in decisions if one.kind == "erase"}
    purged = [one._replace(content="", value=None) if one.id in erased else one for one in claims]
    assert history(purged, decisions, true_at=at, known_at=known) == history(
        claims, decisions, true_at=at, known_at=known
    )


@given(claim_lists(), decision_lists, instants, st.sampled_from(MOMENTS))
def test_known_at_is_the_history_of_what_was_there(
    claims: list[Claim], decisions: list[Decision], at: str, known: str
) -> None:
    """Claims recorded and decisions made by then, and every erasure."""
    then = [one for one in claims if one.recorded_at <= known]
    made = [one for one in decisions if one.at <= known or one.kind == "erase"]
    assert history(claims, decisions, true_at=at, known_at=known) == history(then, made, true_at=at)


@given(claim_lists(), decision_lists, instants)
def test_what_the_owner_confirmed_is_never_stopped_by_protection(
    claims: list[Claim], decisions: list[Decision], at: str
) -> None:
    """Nor is what the owner typed."""
    found = history(claims, decisions, true_at=at)
    confirmed = {one.target for one in decisions if one.kind in ("confirm", "approve")}
    owned = confirmed | {one.id for one in claims if one.actor == "owner"}
    assert not {id for id in owned if found.why.get(id) in ("protected", "repeats_archived")} - _undated(claims)


@given(claim_lists(), instants)
def test_a_restored_claim_is_as_if_nothing_had_happened(claims: list[Claim], at: str) -> None:
    """Archive or reject, then restore: nothing is left of it."""
    plain = history(claims, [], true_at=at)
    for kind in ("archive", "reject"):
        there_and_back = [Decision(kind, id, MOMENTS[0]) for id in IDS] + [  # type: ignore[arg-type]
            Decision("restore", id, MOMENTS[1]) for id in IDS
        ]
        assert history(claims, there_and_back, true_at=at) == plain


@given(claim_lists(), decision_lists, instants, instants)
def test_stretches_do_not_depend_on_the_instant_asked_about(
    claims: list[Claim], decisions: list[Decision], at: str, later: str
) -> None:
    """Only statuses and what is current do."""
    one, other = history(claims, decisions, true_at=at), history(claims, decisions, true_at=later)
    assert (one.stretches, one.why, one.proposals) == (other.stretches, other.why, other.proposals)
    assert _settled(one) == _settled(other)


def _settled(found: History) -> dict[str, str]:
    """Return the statuses that no instant changes."""
    return {id: status for id, status in found.status.items() if status not in ("active", "superseded")}


def _undated(claims: Sequence[Claim]) -> set[str]:
    """Return the ids of claims without a date."""
    return {one.id for one in claims if not one.valid_from}
