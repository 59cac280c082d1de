"""X07, D23: a short form of bench/reliability.py. A lost write fails here, a timing never."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def reliability() -> ModuleType:
    """Return the script as a module."""
    path = Path(__file__).resolve().parents[2] / "bench" / "reliability.py"
    spec = importlib.util.spec_from_file_location("reliability", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def never(figures: dict[str, Any], reliability: ModuleType) -> dict[str, Any]:
    """Return those figures that must be 0 and are not."""
    return {key: figures[key] for key in reliability.NEVER if figures.get(key)}


def test_writers_and_readers_on_one_store(reliability: ModuleType, tmp_path: Path) -> None:
    """Eight writers and eight readers in processes of their own lose nothing, meet no lock, and each gets through."""
    figures = reliability.contended(tmp_path / "store", 4, 8, 8)
    assert not never(figures, reliability)
    assert figures["writes acknowledged"] > 8
    assert figures["slowest writer against the mean"] > 0
    assert figures["searches"] > 0


def test_a_store_is_made_by_eight_at_once(reliability: ModuleType, tmp_path: Path) -> None:
    """Eight processes that open a store that is not there all save into the one that is made."""
    assert not never(reliability.opened(tmp_path, 2), reliability)


def test_killed_at_random(reliability: ModuleType, tmp_path: Path) -> None:
    """What was acknowledged before a kill is there, and the store is sound."""
    figures = reliability.killed(tmp_path / "store", 6, random.Random(11))  # noqa: S311  moments, no secrets
    assert not never(figures, reliability)
    assert figures["writes acknowledged"] >= 6


def test_a_process_that_stays_keeps_nothing(reliability: ModuleType, tmp_path: Path) -> None:
    """After thousands of operations there are no more files and threads than after hundreds; after closing none."""
    figures = reliability.soaked(tmp_path / "store", 2000)
    assert not never(figures, reliability)
    early, late = map(int, figures["open files"].split(" / "))
    assert late <= early
    early, late = map(int, figures["threads"].split(" / "))
    assert late <= early
    assert figures["after closing: open files of the store, threads"] == "0, 1"
    early, late = map(int, figures["resident memory, MB, after a tenth / at the end"].split(" / "))
    assert late < early + 40, "the caches of the first hundreds may still grow; a leak of each operation would show"
