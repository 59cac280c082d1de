"""D17: long output is condensed to its head, errors, totals and tail; the rest can be recalled."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

import treering
from treering.domain.text import llm_tokens
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

LOG = "\n".join(
    [
        "$ pytest", *[f"tests/test_ok.py::test_{n} PASSED" for n in range(3000)],
        "E       AssertionError: the heron was late", "tests/test_heron.py:12: AssertionError",
        "FAILED tests/test_heron.py::test_arrives - AssertionError: the heron was late",
        "==== 1 failed, 3000 passed in 12.20s ====", "",
    ]
)  # fmt: skip


@pytest.fixture
def memory(folder: Path) -> MemoryStore:
    """Return the memory of an empty project."""
    return treering.open(folder)


def test_output_is_condensed_and_recalled(memory: MemoryStore) -> None:
    """First lines, the failed test, the error, the totals; any other line is found by its words."""
    with memory:
        made = memory.digest_output(LOG, label="tests")
        assert llm_tokens(made.digest.text) <= 1500
        assert made.digest.failures == ("tests/test_heron.py::test_arrives",)
        for part in ("$ pytest", "the heron was late", "1 failed, 3000 passed"):
            assert part in made.digest.text
        assert "test_2417 " not in made.digest.text
        found = memory.scratch_recall("test_2417").found
        assert found[0].label == "tests"
        assert "tests/test_ok.py::test_2417 PASSED" in found[0].text
        assert memory.list("sources").total == 0 if memory.status().exists else True


def test_the_command_condenses_files_and_pipes(
    memory: MemoryStore, folder: Path, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file or standard input, with bytes that are no UTF-8; recall works in the next command."""
    with memory:
        (folder / "test.log").write_bytes(LOG.encode() + b"\xff\xfe broken bytes\n")
        status, out, _ = run("digest", "test.log")
        assert status == 0
        assert "tests/test_heron.py:: test_arrives" in out
        assert "test_2417" in run("scratch", "recall", "test_2417")[1]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG.encode())))
        shown = json.loads(run("digest", "-", "--label", "piped", "--json")[1])
        assert shown["failures"] == ["tests/test_heron.py::test_arrives"]
        assert shown["tokens"] <= 1500 < shown["whole_tokens"]
        assert run("digest", "nowhere.log")[0] == 3
        assert run("digest", ".")[0] == 2


def test_nothing_to_condense_is_refused(memory: MemoryStore) -> None:
    """Blank output is said so."""
    with memory, pytest.raises(InputError):
        memory.digest_output(" \n")
