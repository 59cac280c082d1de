"""The settled examples of what a slot's history is: each line of claims and decisions, and everything it expects.

The product and the oracle of the property tests are held to them alike.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from slot_oracle import oracle

from treering.domain.claim import Claim, Decision, History, Stretch
from treering.domain.shadowing import shadowed
from treering.domain.timeline import history

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ODD = [f"SLOT-{number:02}" for number in range(1, 80, 2) if number != 31]


@pytest.mark.parametrize("answer", [history, oracle])
@pytest.mark.parametrize("case", ODD)
def test_a_settled_example_comes_out_as_it_was_settled(case: str, answer: Callable[..., History], shared: Path) -> None:
    """Stretches, statuses, the current one, why there is none, and what waits are those of the example."""
    lines = (shared / "spec/slot_cases.jsonl").read_text("utf-8").splitlines()
    settled = next(found for line in lines if (found := json.loads(line))["id"] == case)
    assert _outcome(settled, answer) == settled["expected"]


def test_every_settled_example_is_run(shared: Path) -> None:
    """No line of the examples is left out."""
    lines = (shared / "spec/slot_cases.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ODD


def _outcome(case: dict[str, Any], answer: Callable[..., History]) -> dict[str, Any]:
    """Return what comes of a case, in its own words."""
    if "global_claims" not in case:
        return _words(_history(case, "claims", answer))
    both = [_history(case, name, answer) for name in ("claims", "global_claims")]
    found = shadowed(*both, trusted=case["project_trusted"])
    return {"store": found.store, "notice": found.notice, **_words(found.history)}


def _history(case: dict[str, Any], name: str, answer: Callable[..., History]) -> History:
    """Return the history of a case's claims."""
    claims = [Claim(**one) for one in case[name]]
    decisions = [Decision(**one) for one in case["decisions"]]
    return answer(claims, decisions, true_at=case["true_at"], known_at=case["known_at"])


def _words(found: History) -> dict[str, Any]:
    """Return a history in a case's words."""
    return {
        "intervals": [{"from": one.start, "to": one.stop, **_said(one), "state": one.state} for one in found.stretches],
        "status": found.status,
        "why": found.why,
        "current": _said(found.current) if found.current else None,
        "empty": found.empty,
        "proposals": list(found.proposals),
    }


def _said(one: Stretch) -> dict[str, Any]:
    """Return what a stretch says."""
    return {"ids": list(one.ids), "value": one.value, "content": one.content}
