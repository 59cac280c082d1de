"""D09, X04: facts have a timeline that both clocks ask: what was true, and what was known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path, clock: Any) -> Iterator[MemoryStore]:
    """Return the memory of an empty project, with a clock of the test's own."""
    with treering.open() as opened:
        yield opened


def test_a_fact_has_its_state_on_each_day(memory: MemoryStore) -> None:
    """Recorded in any order: on each day the value that held, none before the first one."""
    for value, at in (("Oslo", "2024-05-01"), ("Lima", "2026-01-01"), ("Rome", "2025-03-01")):
        memory.record_fact("user", "location", value, at)
    assert [memory.state_at("user/location", f"{year}-06-01") for year in (2023, 2024, 2025, 2026)] == [
        None, "Oslo", "Rome", "Lima",
    ]  # fmt: skip
    assert memory.active_state("User/Location") == "Lima"


def test_conflicts_show_what_each_side_quotes(memory: MemoryStore) -> None:
    """Both sides stand beside each other with the words that they rest on."""
    for said, value in (("We agreed on May 1.", "May 1"), ("Launch is June 1, said Ann.", "June 1")):
        source = memory.note(said).id
        memory.remember(
            f"Launch on {value}", slot="a/launch", value=value, valid_from="2026-01-01", source=source, quote=value
        )
    [conflict] = memory.conflicts()
    quoted = {quote.text for _, quotes in conflict.quotes for quote in quotes}
    assert {"May 1", "June 1"} <= quoted


def test_the_same_value_again_confirms(memory: MemoryStore) -> None:
    """It is one stretch, said twice, and no change."""
    memory.record_fact("user", "location", "Oslo", "2024-05-01")
    again = memory.remember("Still in Oslo", slot="user/location", value="Oslo", valid_from="2025-05-01")
    assert again.outcome == "merged"
    [stretch] = memory.timeline("user/location").stretches
    assert (stretch.start, stretch.claims, stretch.stop) == ("2024-05-01T00:00:00Z", 2, "")


def test_what_was_known_by_a_day_is_computed_as_of_that_day(memory: MemoryStore, clock: Any) -> None:
    """Claims, rewordings and decisions count from when they were recorded."""
    clock.at("2026-01-05T10:00:00")
    id = memory.remember("The lead is Ana", slot="team/lead", value="Ana", valid_from="2026-01-01").id
    clock.at("2026-02-05T10:00:00")
    memory.update(id, value="Ana Diaz")
    clock.at("2026-03-05T10:00:00")
    memory.remember("The lead is Luis", slot="team/lead", value="Luis", valid_from="2026-01-15")

    def lead(at: str, known_at: str) -> str | None:
        """Return the value at one instant, as known by another."""
        found = memory.timeline("team/lead", at=at, known_at=known_at).current
        return found.value if found else None

    assert lead("2026-01-20", "2026-01-20") == "Ana"
    assert lead("2026-01-20", "2026-02-20") == "Ana Diaz"
    assert lead("2026-01-20", "2026-03-20") == "Luis"
    assert lead("2026-01-20", "2026-01-01") is None
    assert lead("2026-01-10", "2026-03-20") == "Ana Diaz"
    assert lead("2026-01-20", "2026-02-05T13:00:00+03:00") == "Ana"  # ten in UTC: a moment before it was reworded
    assert lead("2026-01-20", "2026-02-05T13:00:30+03:00") == "Ana Diaz"


def test_facts_and_conflicts_of_a_subject(folder: Path, run: Callable[..., Any]) -> None:
    """`facts` has a line for each slot that says something, `conflicts` what waits and why; both by subject."""
    for slot, value, day in (
        ("project-a/launch", "May", "2026-01-01"), ("project-a/color", "red", "2026-01-01"),
        ("project-b/launch", "July", "2026-01-01"), ("project-a/color", "blue", "2026-01-01"),
    ):  # fmt: skip
        words = ("remember", f"It is {value}", "--slot", slot, "--value", value, "--valid-from", day)
        assert run("--as-agent", "scout", *words).status == 0
    facts = json.loads(run("facts", "--subject", "project-a", "--json").out)
    assert {one["slot"]: one["current"]["value"] for one in facts["items"]} == {"project-a/launch": "May"}
    [conflict] = json.loads(run("conflicts", "--json").out)["items"]
    assert (conflict["slot"], conflict["current"], conflict["empty"]) == ("project-a/color", None, "disputed")
    assert {one["why"] for one in conflict["disputed"]} == {"another claim of the same date differs"}
    assert json.loads(run("conflicts", "--subject", "project-b", "--json").out)["items"] == []
    text = run("conflicts").out
    assert "now: nothing: what was said of it waits for the owner" in text
    assert text.endswith("1 slot with conflicts\nnext: treering review list\n")
    assert run("facts").out.endswith("2 facts\nnext: treering timeline SLOT\n")
    listed = json.loads(run("list", "slots", "--json").out)
    assert [one["slot"] for one in listed["items"]] == ["project-a/color", "project-a/launch", "project-b/launch"]
    assert [one["slot"] for one in json.loads(run("timeline", "--subject", "project-a", "--json").out)["items"]] == [
        "project-a/color", "project-a/launch",
    ]  # fmt: skip


def test_days_are_those_of_the_stores_zone(
    folder: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day is shown as the day that was meant where the store was made."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    run("remember", "The shop is open", "--slot", "shop/state", "--value", "open", "--valid-from", "2026-03-01")
    run("remember", "The shop is shut", "--slot", "shop/state", "--value", "shut", "--valid-from", "2026-04-01T18:30")
    lines = run("timeline", "shop/state").out.splitlines()
    assert lines[1].startswith("  2026-03-01 – 2026-04-01 18:30:00  open")
    assert json.loads(run("timeline", "shop/state", "--json").out)["items"][0]["stretches"][0]["valid_from"] == (
        "2026-02-28T15:00:00Z"
    )


@pytest.mark.parametrize("date", ["2026-02-30", "yesterday", "0001-01-01", "2026-13", "2026-03-10T25:00"])
def test_what_is_no_date_is_said(folder: Path, run: Callable[..., Any], memory: MemoryStore, date: str) -> None:
    """Exit status 2 with the forms that there are, wherever a date is given."""
    memory.record_fact("user", "location", "Oslo", "2024-05-01")
    for words in (
        ("timeline", "user/location", "--at", date), ("timeline", "--known-at", date),
        ("remember", "x y z", "--valid-from", date), ("remember", "x y z", "--valid-to", date),
    ):  # fmt: skip
        ran = run(*words)
        assert ran.status == 2, words
        assert date in ran.err
    with pytest.raises(InputError):
        memory.state_at("user/location", date)
    with pytest.raises(NotFound, match="no slot"):
        memory.timeline("user/shoes")
