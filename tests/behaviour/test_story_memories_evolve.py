"""Three stories of memories that evolve, told at the command line: a move, a decision, and two clocks.

Read from top to bottom: each step is what a person types, and what they are told.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def said(run: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """Return a function that runs a command with --json and returns what it printed."""

    def call(*words: str) -> dict[str, Any]:
        """Run one command that succeeds."""
        ran = run(*words, "--json")
        assert ran.status == 0, ran
        given: dict[str, Any] = json.loads(ran.out)
        return given

    return call


def test_a_move_and_what_was_found_out_later(folder: Path, run: Callable[..., Any], said: Any, clock: Any) -> None:
    """Madrid, then Valencia; a year later the flat in Oslo before Madrid comes to light, and nothing is lost."""
    clock.at("2024-03-11T09:00:00")
    madrid = said(
        "remember", "I live in Madrid", "--slot", "user/location", "--value", "Madrid", "--valid-from", "2024-03-11"
    )
    assert madrid["outcome"] == "accepted"

    clock.at("2026-02-03T18:00:00")
    valencia = said(
        "remember", "I moved to Valencia", "--slot", "User/Location", "--value", "Valencia",
        "--valid-from", "2026-02-03",
    )  # fmt: skip
    assert valencia["outcome"] == "superseded"
    assert valencia["changed"] == [
        {"id": madrid["id"], "from": "active", "to": "superseded", "why": f"{valencia['id']} holds from 2026-02-03"}
    ]

    clock.at("2027-01-01T10:00:00")
    oslo = said("remember", "I lived in Oslo", "--slot", "user/location", "--value", "Oslo", "--valid-from", "2022-05")
    assert oslo["outcome"] == "backfilled"
    assert oslo["changed"] == []

    assert run("timeline", "user/location").out == (
        "user/location\n"
        f"  2022-05-01 – 2024-03-11  Oslo  ({oslo['id']})\n"
        f"  2024-03-11 – 2026-02-03  Madrid  ({madrid['id']})\n"
        f"  since 2026-02-03  Valencia  ({valencia['id']})\n"
        f"  now: Valencia ({valencia['id']})\n"
    )
    assert run("timeline", "user/location", "--at", "2025-06-01").out.endswith(
        f"on 2025-06-01: Madrid ({madrid['id']})\n"
    )
    assert run("timeline", "user/location", "--at", "2021-01-01").out.endswith(
        "on 2021-01-01: nothing yet: what was said holds later\n"
    )
    assert f"superseded 2026-02-03 by {valencia['id']}" in run("list", "memories").out


def test_a_decision_that_rumours_do_not_change(folder: Path, run: Callable[..., Any], said: Any, clock: Any) -> None:
    """Option A is decided and confirmed; an agent brings option B from elsewhere: it waits, with both sides shown."""
    clock.at("2026-10-01T09:00:00")
    chosen = said(
        "remember", "Pushes go through option A (the existing push platform)", "--kind", "decision",
        "--slot", "project-a/architecture", "--value", "option A", "--entity", "Project A",
        "--valid-from", "2026-10-01",
    )  # fmt: skip
    assert run("confirm", chosen["id"]).out.startswith(f"Confirmed {chosen['id']}\n")

    clock.at("2026-10-20T09:00:00")
    rumour = said(
        "--as-agent", "scout", "remember", "Pushes go through option B", "--slot", "project-a/architecture",
        "--value", "option B",
    )  # fmt: skip
    assert rumour["outcome"] == "disputed"
    assert said("facts")["items"][0]["current"]["value"] == "option A"

    listed = run("review", "list").out
    assert f"{rumour['proposal']}  2026-10-20  claim  Pushes go through option B" in listed
    both = run("review", "show", rumour["proposal"]).out
    assert (
        both.index("Pushes go through option B")
        < both.index("── what stands against it")
        < both.index("Pushes go through option A (the existing push platform)")
    )
    assert "claim by scout, waiting" in both
    assert "disputed: it differs from what is protected" in both
    assert "user_confirmed" in both

    refused = run("--as-agent", "scout", "review", "approve", rumour["proposal"])
    assert (refused.status, "only the owner" in refused.err) == (4, True)
    assert run("review", "reject", rumour["proposal"], "--reason", "a rumour").status == 0
    assert said("conflicts")["items"] == []
    assert said("facts")["items"][0]["current"]["value"] == "option A"
    assert "rejected" in run("show", rumour["id"]).out

    clock.at("2026-11-15T09:00:00")
    measured = said(
        "remember", "Pushes go through option B: option A loses one in fifty", "--slot", "project-a/architecture",
        "--value", "option B", "--valid-from", "2026-11-15",
    )  # fmt: skip
    assert measured["outcome"] == "superseded"  # the owner's own word is never stopped
    assert run("timeline", "Project A").out.splitlines()[1:3] == [
        f"  2026-10-01 – 2026-11-15  option A  ({chosen['id']})",
        f"  since 2026-11-15  option B  ({measured['id']})",
    ]


def test_what_was_true_and_what_was_believed(folder: Path, run: Callable[..., Any], said: Any, clock: Any) -> None:
    """The launch is set for May; in April one learns that since March it is July. Both clocks answer."""
    clock.at("2026-01-10T09:00:00")
    may = said(
        "remember", "Launch on May 4", "--slot", "project-a/launch-date", "--value", "May", "--valid-from", "2026-01-10"
    )  # fmt: skip
    clock.at("2026-04-02T09:00:00")
    july = said(
        "remember", "Launch on July 1", "--slot", "project-a/launch-date", "--value", "July",
        "--valid-from", "2026-03-01",
    )  # fmt: skip

    def launch(*when: str) -> str:
        """Return what the timeline says under given clocks."""
        return str(said("timeline", "project-a/launch-date", *when)["items"][0]["current"]["value"])

    assert launch("--at", "2026-03-15") == "July"  # what was true
    assert launch("--at", "2026-03-15", "--known-at", "2026-03-15") == "May"  # what we believed
    assert launch("--at", "2026-04-02", "--known-at", "2026-04-02") == "May"  # in the morning, before the news
    assert launch("--at", "2026-02-01") == "May"

    said("archive", july["id"], "--reason", "a misunderstanding")
    now = said("timeline", "project-a/launch-date")["items"][0]
    assert (now["current"], now["empty"]) == (None, "archived")  # nothing is revived silently
    assert "nothing: what held was archived" in run("timeline", "project-a/launch-date").out
    said("undo")
    assert launch() == "July"
    acts = [(act["act"], act["undone"]) for act in said("audit")["items"]]
    assert acts == [("undo", False), ("archive", True), ("create", False), ("create", False)]
    assert may["id"] in run("audit").out
