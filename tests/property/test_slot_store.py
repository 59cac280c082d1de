"""What a store makes of a slot: the same in every order of arrival, as the oracle says, and undone without a trace."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from slot_store import KINDS, Decided, Said, claims, dated_claims, slot

several = st.lists(claims(), min_size=2, max_size=6)


@given(st.data(), several)
def test_the_order_of_arrival_does_not_matter(data: st.DataObject, said: list[Said]) -> None:
    """The same claims in any order, then the same decisions, come to the same memories and the same history."""
    decisions = data.draw(st.lists(st.builds(Decided, st.sampled_from(KINDS), st.sampled_from(said)), max_size=3))
    told = []
    for order in (said, data.draw(st.permutations(said))):
        with slot() as one:
            for claim in order:
                one.say(claim)
                one.require_agreement()
            told.append([one.told()])
            for decision in decisions:
                one.decide(decision)
                one.require_agreement()
                told[-1].append(one.told())
    assert told[0] == told[1]


@given(st.data(), several)
def test_decisions_between_claims(data: st.DataObject, said: list[Said]) -> None:
    """Whatever is decided between the claims, the rows are what the rules make of all claims and decisions."""
    with slot() as one:
        for number, claim in enumerate(said):
            one.say(claim)
            one.require_agreement()
            known = st.sampled_from(said[: number + 1])
            for decision in data.draw(st.lists(st.builds(Decided, st.sampled_from(KINDS), known), max_size=2)):
                one.decide(decision)
                one.require_agreement()
        before = one.told()
        one.memory.reindex()
        assert one.told() == before
        one.require_agreement()


@given(st.lists(dated_claims(), min_size=4, max_size=12), st.integers(0, 12))
def test_a_claim_that_its_neighbours_settle(said: list[Said], confirmed: int) -> None:
    """After each of many dated claims, the rows are those that all claims make together, and what the oracle says."""
    with slot() as one:
        for number, claim in enumerate(said):
            one.say(claim)
            one.require_agreement()
            one.require_whole()
            if number == confirmed:
                one.decide(Decided("confirm", claim))


@given(st.data(), several)
def test_undo_restores_what_was_said(data: st.DataObject, said: list[Said]) -> None:
    """After a claim or a decision was taken back, list, show, timeline and review say what they said before."""
    kinds = st.sampled_from([kind for kind in KINDS if kind != "forget"])
    with slot() as one:
        one.say(said[0])
        gone: set[str] = set()
        for number, claim in enumerate(said[1:], 1):
            known = st.builds(Decided, kinds, st.sampled_from(said[:number]))
            decisions = data.draw(st.lists(known, max_size=2))
            acts = [partial(one.say, claim), *(partial(one.decide, decision) for decision in decisions)]
            for act in acts:
                there, acted = one.ids(), one.memory.audit(limit=1)
                before = one.told(gone)
                act()
                if one.memory.audit(limit=1) == acted:
                    continue
                after = one.told(gone)
                one.undo()
                gone |= one.ids() - there  # a claim that was taken back stays as a rejected one
                assert one.told(gone) == before
                one.require_agreement()
                act()
                assert one.told(gone) == after
