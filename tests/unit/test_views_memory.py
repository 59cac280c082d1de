"""Memories and outcomes as JSON and as text: keys are a promise, and no stored text steers a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from treering.domain.evidence import Quoted
from treering.domain.operation import Change, Outcome
from treering.domain.report import Remembered
from treering.surfaces import views, views_memory, views_text

if TYPE_CHECKING:
    from treering.domain.operation import OutcomeName

QUOTE = Quoted("We keep one queue.", "src_1", "ver_1", (1, 1), "owner", changed_since=False)
MEMORY = Remembered(
    "mem_1", "decision", "Queue", "We keep one queue.", "One queue.", "active", "inferred", "owner", 2,
    "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", ("db", "ops"), {"category": ("a", "b")}, (QUOTE,),
    ((1, "We keep two queues.", "2026-02-01T00:00:00.000Z"),),
)  # fmt: skip


def test_an_outcome_has_every_key() -> None:
    """One change is one object with what it moved; several are a batch in order."""
    change = Change("mem_2", "active", "superseded", "it is later")
    given = views_memory.outcome_json(Outcome("accepted", "mem_1", (change,), ("look",)))
    assert given == {
        "schema": 1, "outcome": "accepted", "id": "mem_1", "notices": ["look"], "proposal": None,
        "changed": [{"id": "mem_2", "from": "active", "to": "superseded", "why": "it is later"}],
        "similar": [],
    }  # fmt: skip
    one, two = Outcome("accepted", "mem_1"), Outcome("exists", "mem_2")
    assert views_memory.outcomes_json([one]) == views_memory.outcome_json(one)
    batch = views_memory.outcomes_json([one, two])
    assert [outcome["id"] for outcome in batch["outcomes"]] == ["mem_1", "mem_2"]
    assert "schema" not in batch["outcomes"][0]


def test_a_memory_has_the_keys_of_a_result() -> None:
    """What is shown and listed has the names that results have; history and quotes are whole."""
    given = views.shown_json(MEMORY)
    assert views.item_json(MEMORY) == given == json.loads(json.dumps(given))
    assert given["quotes"] == [
        {"text": "We keep one queue.", "source_id": "src_1", "lines": [1, 1], "trust": "owner", "changed_since": False}
    ]
    assert given["history"] == [{"revision": 1, "text": "We keep two queues.", "until": "2026-02-01T00:00:00.000Z"}]
    assert (given["type"], given["text"], given["metadata"]) == (
        "memory", "We keep one queue.", {"category": ["a", "b"]},
    )  # fmt: skip
    assert {key for key, value in given.items() if value in (None, [])} == {
        "slot", "value", "valid_from", "valid_to", "superseded_by", "why", "entities", "links", "scope",
    }  # fmt: skip


def test_a_memory_as_text() -> None:
    """Everything that is known of it, the quote's words where they are others, and the history when asked for."""
    text = views_text.shown_text(MEMORY)
    for part in (
        "mem_1  2026-01-01  Queue", "decision, active, inferred", "revision 2", "tags: db, ops", "category: a, b",
        "summary: One queue.", "\nWe keep one queue.\n", "quoted from src_1:1-1 (trust owner)",
    ):  # fmt: skip
        assert part in text, part
    assert "two queues" not in text
    assert "revision 1, until 2026-02-01T00:00:00.000Z:\nWe keep two queues.\n" in views_text.shown_text(
        MEMORY, history=True
    )
    other = MEMORY._replace(quotes=(QUOTE._replace(text="Elsewhere", changed_since=True),))
    assert "“Elsewhere” (trust owner; the source has changed since)" in views_text.shown_text(other)


def test_a_memory_on_a_line() -> None:
    """Its title, else the beginning of what it says, on one line of bounded length."""
    assert views_text.item_text(MEMORY) == "mem_1  2026-01-01  decision  Queue  [db, ops]\n"
    long = views_text.item_text(MEMORY._replace(title="", content="word\n" * 500, tags=()))
    assert long.count("\n") == 1
    assert len(long) < 150
    assert long.endswith(" …\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("accepted", "Remembered mem_1"),
        ("merged", "Remembered with mem_1, which says the same"),
        ("superseded", "Remembered mem_1; it takes the place of what held before"),
        ("backfilled", "Remembered mem_1, in the past"),
        ("disputed", "Remembered mem_1, disputed: the owner decides (prp_1)"),
        ("queued", "Not done yet: prp_1 waits for the owner"),
        ("exists", "Already there: mem_1"),
    ],
)
def test_every_outcome_has_words(name: OutcomeName, said: str) -> None:
    """What became of a change, what else it moved and why, what to know, the next command: a line each."""
    change = Change("mem_2", "active", "superseded", "mem_1 holds from 2026-02-03")
    proposal = "prp_1" if name in {"disputed", "queued"} else ""
    text = views_memory.outcome_text(Outcome(name, "mem_1", (change,), ("look",), proposal), "Remembered", "treering x")
    first, moved, notice, following = text.splitlines()
    assert first.startswith(said)
    assert moved == "  mem_2: active → superseded (mem_1 holds from 2026-02-03)"
    assert (notice, following) == ("note: look", "next: treering x")


def test_where_a_memory_stands_is_said() -> None:
    """Its slot and value, its time in the store's zone, its successor, why it waits, whom it speaks of, its links."""
    madrid = ZoneInfo("Europe/Madrid")
    memory = MEMORY._replace(
        status="superseded", slot="user/location", value="Madrid", valid_from="2024-03-10T23:00:00Z",
        valid_to="2026-02-03T08:30:00Z", superseded_by="mem_2", why="contested", entities=("Ana", "Luis"),
        links=(("mem_1", "supports", "mem_3"),), title="", tags=(),
    )  # fmt: skip
    text = views_text.shown_text(memory, zone=madrid)
    for line in (
        "slot: user/location = Madrid", "valid: 2024-03-11 – 2026-02-03 09:30:00", "superseded by: mem_2",
        "superseded: contested", "entities: Ana, Luis", "link: mem_1 supports mem_3",
    ):  # fmt: skip
        assert f"\n{line}\n" in text, line
    assert views_text.item_text(memory, madrid) == (
        "mem_1  2026-01-01  decision  superseded 2026-02-03 09:30:00 by mem_2  user/location:  We keep one queue.\n"
    )


def test_no_stored_text_steers_the_terminal() -> None:
    """Escape sequences, controls and marks that reorder a line are in no output."""
    evil = "a\x1b[31mb\x1b]0;title\x07\u202ec\x08\x9bd"
    memory = MEMORY._replace(
        title=evil, content=evil, summary=evil, tags=(evil,), metadata={evil: (evil,)},
        quotes=(QUOTE._replace(text=f"{evil} more"),), history=((1, evil, "2026"),),
    )  # fmt: skip
    outcome = Outcome("exists", "mem_1", notices=(evil,))
    for text in (
        views_text.shown_text(memory, history=True),
        views_text.item_text(memory),
        views_memory.outcome_text(outcome, "Already there:", "treering show mem_1"),
    ):
        assert not {"\x1b", "\x07", "\u202e", "\x08", "\x9b"} & set(text)
