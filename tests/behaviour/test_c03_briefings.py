"""C03, C14: a briefing is pinned for a while: raised while it is active, ending silently, at most five at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import BriefingsFull, InputError, NotAllowed, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Clock

    from treering import MemoryStore

FREEZE = "The release freeze of the locker service starts on Friday. Coffee is free that day."
SIGNED = "Ana signs the release of the locker service. Her desk is on the third floor."
LADDER = "A ladder stands behind the depot."


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return an empty memory."""
    with treering.open(folder) as opened:
        yield opened


def first(memory: MemoryStore, question: str) -> str:
    """Return the id of what a search shows first."""
    return memory.search(question).results[0].id


def test_a_briefing_outranks_its_equals_until_it_ends(memory: MemoryStore, clock: Clock) -> None:
    """While it is active it stands above what answers as well; afterwards it is an ordinary memory again."""
    north, south = (memory.remember(f"The {end} gate opens with a key of brass.").id for end in ("north", "south"))
    ordinary = first(memory, "which gate opens with a brass key")
    pinned = south if ordinary == north else north
    until = memory.pin(pinned, ttl="3d").notices
    assert "pinned until" in until[0]
    assert first(memory, "which gate opens with a brass key") == pinned
    assert [one.id for one in memory.briefings()] == [pinned]
    clock.at("2026-01-04T01:00:00")
    assert first(memory, "which gate opens with a brass key") == ordinary
    assert memory.briefings() == ()
    assert memory.list("briefings").total == 0


def test_it_is_listed_at_the_start_of_a_session(memory: MemoryStore) -> None:
    """A context has what is pinned even where the question is about something else, within its budget, and once."""
    id = memory.remember(FREEZE).id
    memory.remember(LADDER)
    memory.pin(id, ttl="2w")
    other = memory.context("where is the ladder")
    assert [one.id for one in other.briefings] == [id]
    assert "## Pinned" in other.text
    assert "pinned until" in other.text
    assert other.tokens <= 900
    own = memory.context("when does the release freeze start")
    assert [one.id for one in own.current] == [id]
    assert own.briefings == ()
    assert memory.context("where is the ladder", as_of="2020-01-01").briefings == ()


def test_several_memories_make_one_briefing(memory: MemoryStore) -> None:
    """It is told as the sentence of each that has most to do with the others, in their own words, with their ids."""
    freeze, signed = memory.remember(FREEZE).id, memory.remember(SIGNED).id
    id = memory.pin([freeze, signed], ttl="12h").id
    [one] = memory.briefings()
    assert (one.id, one.memories) == (id, (freeze, signed))
    assert one.text == (
        f"The release freeze of the locker service starts on Friday. [{freeze}]\n"
        f"Ana signs the release of the locker service. [{signed}]"
    )
    assert [one.id for one in memory.context("who repairs bicycles").briefings] == [id]
    assert memory.pin([signed, freeze], ttl="1d").id == id  # the same ones again: its time begins anew
    assert memory.unpin(id).outcome == "accepted"
    assert memory.briefings() == ()


def test_it_says_what_holds_now(memory: MemoryStore, clock: Clock) -> None:
    """What was superseded since it was pinned is told with what holds instead; what was archived is told no more."""
    old = memory.remember("The door code is one two three.", slot="door/code", value="123").id
    memory.pin(old, ttl="1w")
    new = memory.remember("The door code is four five six.", slot="door/code", value="456").id
    [one] = memory.briefings()
    assert any("456" in notice and new in notice for notice in one.notices)
    ladder = memory.remember(LADDER).id
    memory.pin(ladder, ttl="1w")
    memory.archive(ladder)
    assert [one.id for one in memory.briefings()] == [old]
    memory.restore_memory(ladder)
    assert [one.id for one in memory.briefings()] == [old, ladder]
    memory.forget(ladder)
    assert [one.id for one in memory.briefings()] == [old]


def test_the_sixth_is_refused_with_the_list(memory: MemoryStore) -> None:
    """Not everything can be important: five are active at once, and whoever wants another one chooses."""
    ids = [memory.remember(f"Rule {word} of the yard.").id for word in ("one", "two", "three", "four", "five", "six")]
    for id in ids[:5]:
        memory.pin(id, ttl="1d")
    with pytest.raises(BriefingsFull) as refused:
        memory.pin(ids[5], ttl="1d")
    assert all(id in str(refused.value) for id in ids[:5])
    assert "Rule three of the yard." in str(refused.value)
    assert refused.value.hint == f"treering unpin {ids[0]}"
    assert memory.pin(ids[0], ttl="2d").outcome == "accepted"  # one that is pinned may be pinned anew
    memory.unpin(ids[1])
    assert memory.pin(ids[5], ttl="1d").outcome == "accepted"


def test_of_many_who_race_for_the_last_place_one_gets_it(memory: MemoryStore, folder: Path) -> None:
    """Each has a connection of its own, as processes have."""
    ids = [memory.remember(f"Rule {number} of the yard.").id for number in range(10)]
    for id in ids[:4]:
        memory.pin(id, ttl="1d")

    def race(id: str) -> bool:
        """Pin one and tell whether there was room."""
        with treering.open(folder) as own:
            try:
                own.pin(id, ttl="1d")
            except BriefingsFull:
                return False
            return True

    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(race, ids[4:]))
    assert sum(got) == 1
    assert len(memory.briefings()) == 5


@pytest.mark.parametrize("ttl", ["0d", "0", "100y", "99999999w", "-3d", "soon", "", "3 days", "1.5d"])
def test_a_time_that_is_none_is_refused(memory: MemoryStore, ttl: str) -> None:
    """No time, a life time, and what cannot be read pin nothing."""
    id = memory.remember(FREEZE).id
    with pytest.raises(InputError, match="ttl"):
        memory.pin(id, ttl=ttl)
    assert memory.briefings() == ()


def test_what_cannot_be_pinned_is_refused(memory: MemoryStore) -> None:
    """Memories that are not there or hidden, and nothing at all."""
    id = memory.remember(LADDER).id
    with pytest.raises(NotFound):
        memory.pin("mem_0000000000000000000000", ttl="1d")
    with pytest.raises(InputError):
        memory.pin([], ttl="1d")
    with pytest.raises(NotFound):
        memory.unpin(id)
    memory.archive(id)
    with pytest.raises(Refused, match="archived"):
        memory.pin(id, ttl="1d")


def test_agents_pin_and_leave_the_owners_alone(memory: MemoryStore, folder: Path) -> None:
    """An agent may pin; what the owner pinned it neither ends nor changes."""
    mine, theirs = memory.remember(FREEZE).id, memory.remember(SIGNED).id
    memory.pin(mine, ttl="1d")
    with treering.open(folder, as_agent="scout") as agent:
        assert agent.pin(theirs, ttl="1h").outcome == "accepted"
        for attempt in (lambda: agent.unpin(mine), lambda: agent.pin(mine, ttl="1w")):
            with pytest.raises(NotAllowed, match="the owner pinned"):
                attempt()
        assert agent.unpin(theirs).outcome == "accepted"
    assert [(one.id, one.author) for one in memory.briefings()] == [(mine, "owner")]


def test_pins_stand_in_the_audit_log_and_can_be_undone(memory: MemoryStore) -> None:
    """Undo ends what was pinned, puts back what was ended, and the former time of what was pinned anew."""
    id = memory.remember(FREEZE).id
    memory.pin(id, ttl="1d")
    [before] = memory.briefings()
    memory.pin(id, ttl="1w")
    memory.unpin(id)
    assert [act.name for act in memory.audit()][:3] == ["unpin", "pin", "pin"]
    memory.undo()
    [again] = memory.briefings()
    assert again.until > before.until
    memory.undo()
    assert memory.briefings() == (before,)
    memory.undo()
    assert memory.briefings() == ()


def test_it_is_one_command_each(folder: Path, run: Callable[..., Any]) -> None:
    """Pin, list, unpin at the terminal, as words and as JSON."""
    id = json.loads(run("remember", FREEZE, "--json").out)["id"]
    assert run("briefings").out == "Nothing is pinned.\nnext: treering pin ID --ttl 3d\n"
    missing = run("pin", id)
    assert (missing.status, "--ttl" in missing.err) == (2, True)
    pinned = run("pin", id, "--ttl", "3d")
    assert (pinned.status, f"Pinned {id}  pinned until" in pinned.out) == (0, True)
    listed = json.loads(run("list", "briefings", "--json").out)
    assert listed == json.loads(run("briefings", "--json").out)
    assert listed["items"][0]["text"] == FREEZE
    assert FREEZE in run("list", "briefings").out
    assert run("unpin", id).status == 0
    assert run("unpin", id).status == 3


def test_an_export_has_them(memory: MemoryStore, tmp_path: Path) -> None:
    """What is pinned is part of what a store keeps."""
    id = memory.remember(FREEZE).id
    memory.pin(id, ttl="1w")
    file = tmp_path / "all.jsonl"
    memory.export(file)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert any(id in json.dumps(row) and "pinned_at" in json.dumps(row) for row in rows)
    assert memory.verify().problems == ()
