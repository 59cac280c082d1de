"""B11: the owner confirms, and decides what waits, with both sides, their quotes and the reason in view."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import Conflict, NotAllowed, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore
    from treering.domain.operation import Outcome

SLOT = "api/timeout"
LONG = "Requests time out after 45 seconds, " + "as measured again and again " * 40 + "in Oslo."


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project in its owner's hands."""
    with treering.open() as opened:
        yield opened


@pytest.fixture
def confirmed(memory: MemoryStore) -> str:
    """Return a memory that the owner vouched for."""
    id = memory.remember("Requests time out after 30 seconds.", slot=SLOT, value="30 s").id
    memory.confirm(id)
    return id


@pytest.fixture
def disputed(confirmed: str) -> Outcome:
    """Return what became of an agent's claim that contradicts it."""
    with treering.open(as_agent="scout") as agent:
        return agent.remember(LONG, slot=SLOT, value="45 s")


def test_both_sides_stand_there_whole(memory: MemoryStore, confirmed: str, disputed: Outcome) -> None:
    """Asked by the proposal or by the memory: who, why, both texts in full, and the quotes of both."""
    waiting = memory.review_show(disputed.proposal)
    assert memory.review_show(disputed.id) == waiting
    assert (waiting.author, waiting.state, waiting.what) == ("scout", "waiting", "claim")
    assert waiting.why == "it differs from what is protected"
    assert waiting.memory is not None
    assert waiting.memory.content == waiting.memory.quotes[0].text == LONG
    assert [(one.id, one.verification) for one in waiting.against] == [(confirmed, "user_confirmed")]
    assert waiting.against[0].quotes[0].text == "Requests time out after 30 seconds."


def test_the_command_line_shows_both_sides(run: Callable[..., Any], disputed: Outcome) -> None:
    """`review show` cuts nothing, and says how to decide; `show` of a proposal is the same."""
    out = run("review", "show", disputed.proposal).out
    assert LONG in out
    assert "Requests time out after 30 seconds." in out
    assert out.count("quoted from src_") == 2
    assert out.splitlines()[-1].startswith(f"next: treering review approve {disputed.proposal}")
    assert run("show", disputed.proposal).out in out
    given = json.loads(run("review", "show", disputed.proposal, "--json").out)["items"][0]
    assert (given["memory"]["text"], given["operation"], len(given["against"])) == (LONG, None, 1)


def test_what_is_approved_is_confirmed(memory: MemoryStore, confirmed: str, disputed: Outcome) -> None:
    """It takes effect, by the owner's word; the one before is superseded; nothing waits any more."""
    outcome = memory.approve(disputed.proposal)
    assert [(change.id, change.before, change.after) for change in outcome.changed] == [
        (confirmed, "active", "superseded")
    ]
    shown = memory.show(disputed.id)
    assert (shown.status, shown.verification) == ("active", "user_confirmed")
    assert memory.review() == ()
    with pytest.raises(Conflict, match="decided already"):
        memory.approve(disputed.proposal)


def test_what_is_rejected_stays_readable(memory: MemoryStore, confirmed: str, disputed: Outcome) -> None:
    """It is archived with the reason on record; what held goes on; the proposal says so."""
    memory.reject(disputed.id, reason="measured on a bad line")
    shown = memory.show(disputed.id)
    assert (shown.status, shown.why, shown.content) == ("archived", "rejected", LONG)
    assert memory.show(confirmed).status == "active"
    decided = memory.review_show(disputed.proposal)
    assert (decided.state, decided.reason) == ("rejected", "measured on a bad line")
    assert [one.id for one in memory.list("proposals", status="rejected").items] == [disputed.proposal]


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_decision_is_taken_back_whole(memory: MemoryStore, confirmed: str, disputed: Outcome, verb: str) -> None:
    """After `undo` the same proposal waits again, and every memory is as it was."""
    before = memory.review(), memory.show(confirmed).status, memory.show(disputed.id).status
    getattr(memory, verb)(disputed.proposal)
    memory.undo()
    assert [one.id for one in memory.review()] == [disputed.proposal]
    assert (memory.review()[0].state, memory.show(confirmed).status, memory.show(disputed.id).status) == (
        "waiting", *before[1:],
    )  # fmt: skip


def test_an_operation_that_waits_shows_what_it_would_change(memory: MemoryStore, confirmed: str) -> None:
    """A claim without evidence for a slot is shown beside what answers that slot; an update beside its memory."""
    with treering.open(as_agent="scout") as agent:
        [claim] = agent.propose({"op": "create", "memory": {"content": "It is 60 seconds.", "slot": SLOT}})
        update = agent.update(confirmed, text="It is 60 seconds.")
    assert [claim.outcome, update.outcome] == ["queued", "queued"]
    for outcome in (claim, update):
        assert [one.id for one in memory.review_show(outcome.proposal).against] == [confirmed]


def test_only_the_owner_decides(disputed: Outcome) -> None:
    """An agent lists and reads what waits, and decides nothing."""
    with treering.open(as_agent="scout") as agent:
        assert [one.id for one in agent.list("proposals").items] == [disputed.proposal]
        for refused in (agent.approve, agent.reject, agent.confirm):
            with pytest.raises(NotAllowed, match="only the owner"):
                refused(disputed.id)
        with pytest.raises(NotAllowed):
            agent.forget([disputed.id])
        with pytest.raises(NotAllowed):
            agent.undo()


def test_what_does_not_wait_is_not_there(memory: MemoryStore, confirmed: str) -> None:
    """An unknown proposal, or a memory that nobody disputes: not found, with the command that lists what waits."""
    for name in ("prp_unknown", confirmed, ""):
        with pytest.raises(NotFound) as caught:
            memory.review_show(name)
        assert caught.value.hint == "treering review list"


def test_an_approved_change_of_words_is_confirmed_and_can_be_taken_back(memory: MemoryStore) -> None:
    """Approving an agent's update vouches for the new words; undo brings the former ones back, and the proposal."""
    saved = memory.remember("The gate is blue")
    with treering.open(as_agent="scout") as scout:
        waits = scout.update(saved.id, text="The gate is green")
    memory.approve(waits.proposal)
    shown = memory.show(saved.id)
    assert (shown.content, shown.verification) == ("The gate is green", "user_confirmed")
    memory.undo()
    shown = memory.show(saved.id)
    assert (shown.content, shown.verification) == ("The gate is blue", "inferred")
    assert [one.id for one in memory.review()] == [waits.proposal]
    assert memory.verify().problems == ()
