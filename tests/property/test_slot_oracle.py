"""The oracle of slots keeps what every history keeps; else a comparison with it would be worth nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from slot_dates import instant
from slot_oracle import oracle
from slot_strategies import Slot, slots

from treering.domain.claim import Decision, History

CHECKS = settings(max_examples=max(100, settings().max_examples))


def ask(slot: Slot, **changed: Any) -> History:
    """Return what the oracle answers."""
    asked = slot._replace(**changed)
    return oracle(asked.claims, asked.decisions, true_at=asked.true_at, known_at=asked.known_at)


@CHECKS
@given(slots(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_never_matters(slot: Slot, random: Any) -> None:
    """Claims and decisions in any order give the same history."""
    claims, decisions = list(slot.claims), list(slot.decisions)
    random.shuffle(claims)
    random.shuffle(decisions)
    assert ask(slot, claims=tuple(claims), decisions=tuple(decisions)) == ask(slot)


@CHECKS
@given(slots())
def test_no_two_stretches_overlap(slot: Slot) -> None:
    """Stretches follow one another; none is empty; only the first may have no start."""
    stretches = ask(slot).stretches
    for one in stretches:
        assert one.start is None or one.stop is None or instant(one.start) < instant(one.stop)
    for one, other in pairwise(stretches):
        assert one.stop is not None
        assert other.start is not None
        assert instant(one.stop) <= instant(other.start)


@CHECKS
@given(slots())
def test_statuses_and_stretches_agree(slot: Slot) -> None:
    """Every known claim has one status, the disputed ones wait with a reason, and no claim is in two stretches."""
    told = ask(slot)
    known = {c.id for c in slot.claims if not slot.known_at or instant(c.recorded_at) <= instant(slot.known_at)}
    assert set(told.status) == known
    disputed = {name for name, status in told.status.items() if status == "disputed"}
    assert disputed == set(told.why) == set(told.proposals)
    held = [name for stretch in told.stretches for name in stretch.ids]
    assert len(held) == len(set(held))
    assert not disputed & set(held)
    for stretch in told.stretches:
        if stretch.state == "stated":
            assert {told.status[name] for name in stretch.ids} <= {"active", "superseded"}
        else:
            assert {told.status[name] for name in stretch.ids} <= {"archived", "erased"}
            assert stretch.value is stretch.content is None
    assert {n for n, status in told.status.items() if status == "active"} <= set(held)
    assert (told.current is None) == (told.empty is not None)


@CHECKS
@given(slots())
def test_when_is_asked_changes_no_stretch(slot: Slot) -> None:
    """Stretches, disputes and their reasons are the same at every instant asked about."""
    one, other = ask(slot, true_at="2026-01-01T00:00:00Z"), ask(slot, true_at="2030-01-01T00:00:00Z")
    assert (one.stretches, one.why, one.proposals) == (other.stretches, other.why, other.proposals)


@CHECKS
@given(slots(kinds=("confirm", "approve", "reject", "archive", "restore")))
def test_known_at_is_the_same_function_over_what_was_known(slot: Slot) -> None:
    """What was known at a time is the history of the claims recorded and the decisions made by then."""
    if slot.known_at is None:
        return
    by = instant(slot.known_at)
    claims = tuple(c for c in slot.claims if instant(c.recorded_at) <= by)
    decisions = tuple(d for d in slot.decisions if instant(d.at) <= by)
    assert ask(slot) == ask(slot, claims=claims, decisions=decisions, known_at=None)


@CHECKS
@given(slots(kinds=("confirm", "approve")))
def test_a_rejected_claim_is_as_good_as_none(slot: Slot) -> None:
    """Without edges, a rejected claim is as one that was never made."""
    claims = tuple(c._replace(replaces=()) for c in slot.claims)
    gone = claims[0].id
    decisions = tuple(d for d in slot.decisions if d.target != gone)
    rejected = oracle(claims, (*decisions, _reject(gone)), true_at=slot.true_at)
    without = oracle(claims[1:], decisions, true_at=slot.true_at)
    assert rejected.rejected == (gone,)
    assert rejected._replace(rejected=()) == without._replace(status={**without.status, gone: "archived"})


def _reject(target: str) -> Decision:
    """Return a reject."""
    return Decision("reject", target, "2026-10-30T00:00:00Z")
