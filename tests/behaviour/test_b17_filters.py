"""B17: a search is narrowed by kind, status, entity and time before anything is ranked, alike on every surface."""

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
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory with a history of where somebody lives, a decision, an end and two files of one day each."""
    for day in ("2024-03-01", "2026-03-01"):
        (folder / f"{day}.md").write_text(f"---\ndate: {day}\n---\n# Moving\n\nThe moving van came on {day}.\n")
    (folder / "undated.md").write_text("# Moving\n\nThe moving van is blue.\n")
    with treering.open() as opened:
        opened.index([folder])
        opened.remember(
            "Ana lives in Madrid.", slot="ana/home", value="Madrid", valid_from="2024-03-11", entities=["Ana"]
        )
        opened.remember(
            "Ana lives in Valencia.", slot="ana/home", value="Valencia", valid_from="2026-02-03", entities=["Ana"]
        )
        opened.remember("Bo decided that Bo lives on a boat.", kind="decision", entities=["Bo", "Bo Li"])
        opened.remember(
            "Cy lives in Cadiz.", valid_from="2020", valid_to="2021-06-30", kind="person", entities=["Cy"]
        )  # fmt: skip
        yield opened


def said(memory: MemoryStore, question: str = "who lives where", **narrowed: Any) -> list[str]:
    """Return the places that an answer names first in each result."""
    answer = memory.search(question, mode="keyword", empty_gate=0, **narrowed)
    return sorted(result.text for result in answer.results)


MADRID = "Ana lives in Madrid."
VALENCIA = "Ana lives in Valencia."
BOAT = "Bo decided that Bo lives on a boat."
CADIZ = "Cy lives in Cadiz."


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"kind": "decision"}, [BOAT]),
        ({"kind": ["decision", "person"]}, [BOAT, CADIZ]),
        ({"status": "active"}, [VALENCIA, BOAT]),
        ({"status": ["active", "superseded"]}, [MADRID, VALENCIA, BOAT, CADIZ]),
        ({"status": "disputed"}, []),
        ({"entity": "ANA", "status": "active"}, [VALENCIA]),
        ({"entity": "Bo Li"}, [BOAT]),
        ({"entity": ["Cy", "Bo"]}, [BOAT, CADIZ]),
        ({"as_of": "2025-01-01", "in_": "memories"}, [MADRID]),
        ({"as_of": "2020-12-31", "in_": "memories"}, [CADIZ]),
        ({"as_of": "2021-07-01", "in_": "memories"}, []),
        ({"as_of": "2026-02-03", "in_": "memories"}, [VALENCIA]),
        ({"as_of": "2026-02-02T23:59:59Z", "in_": "memories"}, [MADRID]),
        ({"from_": "2025-01-01", "to": "2025-12-31"}, [MADRID, VALENCIA]),  # never without what followed
        ({"to": "2021", "in_": "memories"}, [CADIZ]),
        ({"to": "2019", "in_": "memories"}, []),
        ({"known_at": "2020-01-01"}, []),
        ({"known_at": "9000-01-01", "kind": "decision"}, [BOAT]),
        ({"kind": "decision", "status": "superseded"}, []),
    ],
)
def test_what_passes(memory: MemoryStore, narrowed: dict[str, Any], expected: list[str]) -> None:
    """Kinds, statuses and names are alternatives of one another; the conditions must all hold."""
    assert said(memory, **narrowed) == sorted(expected)


def test_what_is_past_counts_as_superseded(memory: MemoryStore) -> None:
    """A memory whose end has passed is found as superseded, though nothing followed it."""
    assert said(memory, status="superseded", entity="Cy") == [CADIZ]
    (result,) = memory.search("Cy lives where", mode="keyword", kind="person").results
    assert result.notices == ("no longer holds, since 2021-06-30",)


def test_as_of_a_day_shows_what_held_and_what_followed(memory: MemoryStore) -> None:
    """What held then stands first as active and names what superseded it later; what came later is not there."""
    result, *others = memory.search("where does Ana live", mode="keyword", as_of="2025-01-01", in_="memories").results
    assert (result.text, result.status) == (MADRID, "active")
    assert result.notices[0].startswith("superseded later: since 2026-02-03: Valencia (mem_")
    assert not others


def test_what_is_disputed_is_said_from_when_it_begins(memory: MemoryStore) -> None:
    """As of a day a disputed claim is there if it is said to hold by then, in search and in context."""
    for place in ("Lisbon", "Oslo"):
        memory.remember(f"Dee lives in {place}.", slot="dee/home", valid_from="2025-06-01")
    found = {"Dee lives in Lisbon.", "Dee lives in Oslo."}
    for day, expected in (("2025-05-31", set()), ("2025-06-01", found)):
        assert {*said(memory, "where does Dee live", as_of=day, in_="memories")} & found == expected
        answer = memory.context("where does Dee live", as_of=day)
        assert {one.text for one in (*answer.current, *answer.disputed)} & found == expected


def test_what_was_not_known_superseded_nothing(memory: MemoryStore) -> None:
    """Before the successor was recorded its predecessor was the answer, whatever is true of that day today."""
    old = memory.remember("The gateway listens on port 7000.", valid_from="2025-01-01").id
    known = memory.show(old).recorded_at
    memory.remember("The gateway listens on port 8000.", valid_from="2025-06-01", replaces=old)
    (result,) = memory.search("which port has the gateway", mode="keyword", known_at=known, in_="memories").results
    assert (result.id, result.status) == (old, "active")
    assert said(memory, "gateway port", known_at=known, status="active") == ["The gateway listens on port 7000."]
    assert said(memory, "gateway port", known_at=known, status="superseded") == []


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({}, {"2024-03-01.md", "2026-03-01.md", "undated.md"}),
        ({"as_of": "2025-01-01"}, {"2024-03-01.md", "undated.md"}),
        ({"as_of": "2024-03-01"}, {"2024-03-01.md", "undated.md"}),
        ({"from_": "2025-01-01"}, {"2026-03-01.md"}),
        ({"to": "2024-03-01"}, {"2024-03-01.md"}),
        ({"kind": "file"}, {"2024-03-01.md", "2026-03-01.md", "undated.md"}),
        ({"kind": "meeting"}, set()),
        ({"entity": "Ana"}, set()),
        ({"known_at": "2020"}, set()),
    ],
)
def test_files_are_of_their_own_date(memory: MemoryStore, narrowed: dict[str, Any], expected: set[str]) -> None:
    """A file dated later is not there as of a day, one without a date is; a range holds what is dated in it."""
    answer = memory.search("when did the moving van come", mode="keyword", empty_gate=0, in_="sources", **narrowed)
    assert {result.file for result in answer.results} == expected


@pytest.mark.parametrize(
    ("narrowed", "message"),
    [
        ({"kind": "opinion"}, "kind = 'opinion'; possible are episodic"),
        ({"status": "gone"}, "status = 'gone'; possible are active, superseded, disputed"),
        ({"status": "archived"}, "what is archived is in no search"),
        ({"as_of": "soon"}, "'soon' is no date"),
        ({"from_": "2026-02", "to": "2026-01"}, "ends before it begins"),
    ],
)
def test_what_cannot_be_asked_for(memory: MemoryStore, narrowed: dict[str, Any], message: str) -> None:
    """A kind, status or date that there is not is refused and the possible ones are named."""
    with pytest.raises(InputError, match=message):
        memory.search("who lives where", **narrowed)


def test_nobody_of_that_name(memory: MemoryStore) -> None:
    """A name that nobody has is said, instead of an empty answer."""
    with pytest.raises(NotFound, match="nobody and nothing is known as 'Dee'"):
        memory.search("who lives where", entity="Dee")


def test_the_command_line_has_the_same_filters(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """Each option narrows as the method's argument does."""
    question = ("search", "--json", "--mode", "keyword", "--empty-gate", "0", "who lives where")
    for options, expected in (
        (("--kind", "decision"), [BOAT]),
        (("--status", "active", "--entity", "Ana"), [VALENCIA]),
        (("--as-of", "2025-01-01", "--in", "memories"), [MADRID]),
        (("--from", "2025-01-01", "--to", "2025-12-31", "--in", "memories"), [VALENCIA, MADRID]),
        (("--known-at", "2020-01-01"), []),
    ):
        answer = json.loads(run(*question, *options).out)
        assert [result["text"] for result in answer["results"]] == expected
