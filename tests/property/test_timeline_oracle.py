"""The history of a slot is, for thousands of small slots, what the oracle makes of the rules."""

from __future__ import annotations

from hypothesis import given, settings
from slot_oracle import oracle
from slot_strategies import Slot, slots

from treering.domain.timeline import history

MANY = settings(max_examples=max(200, settings().max_examples))
MORE = settings(max_examples=max(600, settings().max_examples))


def compare(slot: Slot) -> None:
    """Ask both."""
    times = {"true_at": slot.true_at, "known_at": slot.known_at}
    assert history(slot.claims, slot.decisions, **times) == oracle(slot.claims, slot.decisions, **times)


@MANY
@given(slots(undated=False, ends=False, edges=False, kinds=()))
def test_dates_and_trusts_alone(slot: Slot) -> None:
    """Order, repeats, protection and clashes of dated claims."""
    compare(slot)


@MANY
@given(slots(undated=False, edges=False, kinds=()))
def test_with_ends(slot: Slot) -> None:
    """The same with claims that end."""
    compare(slot)


@MANY
@given(slots(edges=False, kinds=()))
def test_with_undated_claims(slot: Slot) -> None:
    """The same with claims that have no date."""
    compare(slot)


@MANY
@given(slots(undated=False, kinds=()))
def test_with_edges(slot: Slot) -> None:
    """Dated claims of which some were said to replace others."""
    compare(slot)


@MANY
@given(slots(undated=False, edges=False, kinds=("confirm", "approve", "reject")))
def test_with_judgements(slot: Slot) -> None:
    """Dated claims that the owner confirmed, approved or rejected."""
    compare(slot)


@MANY
@given(slots(undated=False, edges=False, kinds=("archive", "restore", "archive", "confirm")))
def test_with_archiving(slot: Slot) -> None:
    """Dated claims that the owner archived and restored."""
    compare(slot)


@MANY
@given(slots(undated=False, edges=False, kinds=("erase", "confirm", "archive")))
def test_with_erasing(slot: Slot) -> None:
    """Dated claims of which tombstones are left."""
    compare(slot)


@MORE
@given(slots())
def test_all_rules_together(slot: Slot) -> None:
    """Whatever meets, both make the same of it."""
    compare(slot)
