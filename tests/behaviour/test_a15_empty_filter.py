"""A15: a filter that nothing passes is an empty answer, not a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_nothing_passes_and_the_answer_says_so(labelled: Path, run: Callable[..., Any]) -> None:
    """No error: the reason is that the filter left nothing, and the exit status is that of "no"."""
    with treering.open() as memory:
        memory.index(["."])
        answer = memory.search("promote the replica", where={"kind": "recipe"})
    assert (answer.found, answer.reason) == (False, "filtered_out")
    done = run("search", "promote the replica", "--where", "kind=recipe")
    assert (done.status, done.err) == (1, "")
    assert "NOT FOUND" in done.out
    assert "filter" in done.out


def test_it_differs_from_a_filter_that_something_passes(labelled: Path) -> None:
    """Where sources pass and none of them answers, the reason is another one."""
    with treering.open() as memory:
        memory.index(["."])
        assert memory.search("xylophone", where={"kind": "runbook"}).reason in {"no_match", "empty_gate"}
