"""C11: the five measures that memstrata ships run by one command, are saved, and hold floors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from treering.evals import strata

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FLOORS: Final = {"precision@5": 0.95, "recall@10": 0.97, "saved_L1": 0.65, "decay_correct": 1.0, "briefing_boost": 1.0}


@pytest.mark.slow
@pytest.mark.sqlite
def test_five_measures_hold_their_floors(folder: Path) -> None:
    """Precision, recall, tokens that L1 saves, decay and briefings; floors stand below what was measured."""
    measures = strata.run()["measures"]
    assert {name: measures[name] for name in FLOORS if measures[name] < FLOORS[name]} == {}


@pytest.mark.sqlite
def test_one_command_saves_the_report(folder: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The report has what was measured with what; the terminal shows the same figures."""
    small = {"precision@5": 1.0, "recall@10": 1.0, "saved_L1": 0.664, "decay_correct": 1.0, "briefing_boost": 1.0}
    found = {"schema": 1, "kind": strata.KIND, "memories": 48, "queries": 20, "measures": small}
    monkeypatch.setattr(strata, "run", lambda: found)  # measured above; here it is about the command
    ran = run("eval", "strata", "--out", folder / "report.json")
    assert (ran.status, "66.4 %" in ran.out) == (0, True)
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == found
    assert json.loads(run("eval", "strata", "--json").out) == found
    assert run("eval", "strata", "words").status == 2
