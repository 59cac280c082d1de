"""D08: a question that may mean several things is asked back, with candidates; a clue tells; nothing is guessed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from treering import MemoryStore
    from treering.domain.ambiguity import Choice

MADRID = "Luis lives in Madrid, in a street near the park."
VALENCIA = "Luis lives in Valencia."


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory that knows two people of one first name."""
    with treering.open(folder) as opened:
        opened.remember(MADRID, entities=["Luis Marín"])
        opened.remember(VALENCIA, entities=["Luis Pérez"])
        opened.remember("Ana lives in Oslo.", entities=["Ana Ruiz"])
        yield opened


def test_a_name_that_several_have_is_asked_back(memory: MemoryStore) -> None:
    """The candidates say who is meant, however long each text is; the trace says how it was decided."""
    answer = memory.search("where does Luis live?")
    assert not answer.found
    assert {one.about for one in answer.ambiguous} == {"Luis Marín", "Luis Pérez"}
    assert answer.tokens <= 900
    assert any(step.step == "ambiguity" and "confidence" in step.why for step in answer.trace)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where does Ana live?", "Ana lives in Oslo."),
        ("who lives near the park?", MADRID),
        ("does Luis live near a park in Madrid?", MADRID),
    ],
)
def test_what_can_be_told_apart_is_answered(memory: MemoryStore, question: str, first: str) -> None:
    """A name that one person has, and a question whose other words say which one, are answered."""
    assert memory.search(question).results[0].text == first


@pytest.mark.parametrize(("clue", "first"), [("Marín", MADRID), ("Luis Pérez", VALENCIA), ("the park", MADRID)])
def test_a_clue_decides(memory: MemoryStore, clue: str, first: str) -> None:
    """Words of the text, or the rest of a name that stands in no text."""
    assert memory.search("where does Luis live?", clue=clue).results[0].text == first


def test_a_filter_or_an_open_gate_asks_for_no_clue(memory: MemoryStore) -> None:
    """Whoever says whom is meant, or wants the weak hits too, is not asked."""
    assert memory.search("where does Luis live?", entity="Luis Pérez").results[0].text == VALENCIA
    assert len(memory.search("where does Luis live?", empty_gate=0).results) > 1


def test_the_same_topic_of_two_subjects_is_asked_back(memory: MemoryStore) -> None:
    """Both projects have a launch date; whoever names one of them gets its date."""
    memory.remember("Alpha launches in May.", slot="alpha/launch-date", value="May")
    memory.remember("Beta launches in June.", slot="beta/launch-date", value="June")
    asked = memory.search("launch date")
    assert {one.about for one in asked.ambiguous} == {"alpha", "beta"}
    assert memory.search("launch date of beta").results[0].text == "Beta launches in June."


def test_the_loop_ends(memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """It asks at most three times, or as often as the setting says; then it is still ambiguous, never a guess."""
    rounds: list[int] = []

    def vague(candidates: Sequence[Choice]) -> str:
        """Never help."""
        rounds.append(len(candidates))
        return "Luis"

    assert memory.ask("where does Luis live?", clue_provider=vague).ambiguous
    assert len(rounds) == 3
    monkeypatch.setenv("TREERING_SEARCH_MAX_CLUE_ROUNDS", "1")
    with treering.open(folder) as other:
        assert other.ask("where does Luis live?", clue_provider=vague).ambiguous
    assert len(rounds) == 4


def test_it_is_shown_at_the_terminal(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """Candidates with where they stand and the next command, exit status 0; the same as JSON; ``ask`` without one."""
    shown = run("search", "where does Luis live?")
    assert shown.status == 0
    assert shown.out.startswith("AMBIGUOUS")
    assert "Luis Marín" in shown.out
    assert "next: treering search --clue" in shown.out
    found = json.loads(run("search", "--json", "where does Luis live?").out)
    assert (found["found"], found["results"], found["reason"]) == (False, [], "ambiguous")
    assert {one["about"] for one in found["ambiguous"]["candidates"]} == {"Luis Marín", "Luis Pérez"}
    assert json.loads(run("search", "--json", "where does Ana live?").out)["ambiguous"] is None
    asked = run("ask", "where does Luis live?")
    assert (asked.status, asked.out.startswith("AMBIGUOUS")) == (0, True)
    clued = run("ask", "where does Luis live?", "--clue", "Pérez")
    assert (clued.status, VALENCIA in clued.out) == (0, True)
    assert run("ask").status == 2


def test_candidates_fit_the_budget(memory: MemoryStore) -> None:
    """However little is allowed, what is listed fits."""
    for most in (50, 60, 90, 200):
        assert memory.search("where does Luis live?", max_tokens=most).tokens <= most
