"""Which questions of real people name a time."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from treering.domain.asking import when_asked

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def _read(shared: Path, name: str) -> tuple[int, int]:
    """Return how many questions of a set name a time, and how many there are."""
    rows = (shared / f"eval/sets/{name}/queries.jsonl").read_text("utf-8").splitlines()
    return sum(bool(when_asked(json.loads(row)["text"], NOW).words) for row in rows), len(rows)


@pytest.mark.parametrize("name", ["code_docstrings_py", "cosqa", "cranfield", "docs_xling_fastapi"])
def test_questions_about_code_and_physics_name_none(name: str, shared: Path) -> None:
    """At most one in each set does: numbers, versions and verbs are no dates."""
    assert _read(shared, name)[0] <= 1


def test_questions_about_times_are_read(shared: Path) -> None:
    """Of a set in which nearly every question holds a year or a range of them, nine in ten are read."""
    found, all_of_them = _read(shared, "timeqa_human")
    assert found > 0.88 * all_of_them
