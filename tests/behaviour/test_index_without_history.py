"""The index depends on the files alone: not on how they grew, on who else indexed, or on a run that broke off."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore
    from treering.domain.query import Result

PARTS = (
    "# Log\n\n## Monday\n\nThe first entry speaks of the osprey.\n",
    "\nIt goes on without a heading, about the merlin.\n",
    "\n### Evening\n\n- a hobby\n",
    "  - and its nest\n\n## Tuesday\n\n```\nharrier\n",
    "kite\n```\n",
)


def shown(memory: MemoryStore, word: str) -> Result:
    """Return the best result for a word."""
    return memory.search(word).results[0]


@pytest.mark.slow
def test_text_that_grew_is_indexed_as_if_it_came_at_once(
    remember_files: Callable[..., MemoryStore], tmp_path: Path
) -> None:
    """After each append, headings, lines and text are those of an index made from the whole file."""
    for count in range(1, len(PARTS) + 1):
        text = "".join(PARTS[:count])
        grown = remember_files({"log.md": text})
        other = tmp_path / f"whole{count}"
        other.mkdir()
        (other / "log.md").write_text(text, encoding="utf-8")
        with treering.open(other, store=str(other / "store")) as whole:
            whole.index([other])
            for word in ("osprey", "merlin", "hobby", "nest", "harrier", "kite"):
                assert whole.search(word).found == grown.search(word).found == (word in text)
                if word in text:
                    one, two = shown(grown, word), shown(whole, word)
                    assert (one.path, one.lines, one.text) == (two.path, two.lines, two.text)
            assert whole.status().chunks == grown.status().chunks


def test_processes_that_index_one_folder_all_succeed(project: Path) -> None:
    """Three at once, on a store that is not there yet: each ends well, and nothing stands twice."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    running = [
        subprocess.Popen([sys.executable, "-m", "treering", "index", "."], stdout=-3, stderr=-1, env=environment)
        for _ in range(3)
    ]
    ended = [(process.communicate(timeout=120)[1], process.returncode) for process in running]
    assert ended == [(b"", 0)] * 3
    with treering.open() as memory:
        assert memory.status().sources == 10
        assert memory.search("sorting robot").results[0].restatements == 0
        assert memory.index(["."])[0].unchanged == 10


@pytest.mark.slow
def test_a_run_that_broke_off_is_completed_by_the_next(folder: Path) -> None:
    """What was stored stays, what was missing comes, nothing stands twice, and a filter waits until then."""
    for number in range(600):
        (folder / f"{number:03}.md").write_text(f"---\nkind: note\n---\n# Note {number}\n\nbird{number} flew.\n")

    def break_off(done: int, _all: int) -> None:
        """Stop in the middle."""
        if done == 400:
            raise KeyboardInterrupt

    with treering.open() as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.index(["."], progress=break_off)
        assert 0 < memory.status().sources < 600
        report = memory.index(["."])[0]
        assert (report.files, report.added + report.unchanged) == (600, 600)
        for number in (0, 249, 250, 399, 400, 599):
            answer = memory.search(f"bird{number}", where={"kind": "note"})
            assert [(result.file, result.restatements) for result in answer.results[:1]] == [(f"{number:03}.md", 0)]


def test_a_second_run_does_nothing(memory: MemoryStore, project: Path) -> None:
    """Unchanged files are neither read nor stored again, and keep their versions."""
    before = shown(memory, "sorting robot")
    report = memory.index(["."])[0]
    assert (report.added, report.changed, report.removed, report.unchanged) == (0, 0, 0, 10)
    assert shown(memory, "sorting robot") == before
