"""A06: too little evidence gives no answer; the threshold is calibrated and can be set, 0 for none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from treering import MemoryStore

WEAK = "which violin did the lighthouse keeper paint"


def test_weak_evidence_is_no_answer(memory: MemoryStore) -> None:
    """One word of many occurs: NOT FOUND by the calibrated threshold, and a question that is answered passes it."""
    answer = memory.search(WEAK)
    assert (answer.found, answer.reason, answer.results) == (False, "empty_gate", ())
    assert memory.search("which region does Bjarne approve").found


def test_each_call_may_set_it(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """0 shows the best of a bad lot, and the command says how to see the weak hits."""
    assert memory.search(WEAK, empty_gate=0).found
    refused = run("search", WEAK)
    assert refused.status == 1
    assert "treering search --empty-gate 0 --" in refused.out + refused.err
    assert run("search", "--empty-gate", "0", WEAK).status == 0


def test_a_setting_holds_where_the_call_says_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Call over setting over calibrated value."""
    monkeypatch.setenv("TREERING_SEARCH_EMPTY_GATE", "0")
    with treering.open() as memory:
        memory.index(["."])
        assert memory.search(WEAK).found
        assert memory.search(WEAK, empty_gate=0.9).reason == "empty_gate"


def test_a_filter_comes_before_it(memory: MemoryStore) -> None:
    """The evidence is weighed among what passes the filter: a strong hit elsewhere lends nothing to a weak one."""
    assert memory.search("promote the replica in Oslo").found
    assert memory.search("promote the replica in Oslo", path="decisions").reason in {"empty_gate", "no_match"}
