"""D23: the steps that docs/format.md numbers are those that are done; a crash after each leaves what the page says."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any, Final

import pytest
from stores_for_faults import BACKUP, FORGET, REBUILD, REINDEX, RESTORE, UPGRADE
from test_mirror_faults import held
from walks_for_faults import Unit, units, walked
from works_for_faults import AGAIN, INDEX, MEANINGS, MIRROR, SYNC, Work

pytestmark = [pytest.mark.sqlite, pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")]

REPOSITORY: Final = Path(__file__).resolve().parents[2]

WORKS: Final = {
    "index": INDEX, "index again": AGAIN, "index with meanings": MEANINGS, "mirror": MIRROR, "sync": SYNC,
    "rebuild": REBUILD, "backup": BACKUP, "restore": RESTORE, "upgrade": UPGRADE, "reindex": REINDEX, "forget": FORGET,
}  # fmt: skip


# A store that has a log is opened; nobody else may write while it is looked whether there is anything to do.
NOTHING: Final = ("sql pragma journal_mode = wal", "sql begin immediate\nsql commit")


def numbered(title: str) -> list[int]:
    """Return the numbers of the steps that the page gives under a title."""
    page = (REPOSITORY / "docs" / "format.md").read_text(encoding="utf-8")
    section = page.split(f"## The write order of {title}\n", 1)[1].split("\n## ", 1)[0]
    return [int(number) for number in re.findall(r"^\| (\d+)\. ", section, re.MULTILINE)]


def step_of(unit: Unit, work: Work) -> int:
    """Return the number of the step that wrote something; 0 for none."""
    return next((number for number, shape in work.steps.items() if re.search(shape, unit.text, re.DOTALL)), 0)


def first_of_each(work: Work, events: list[str]) -> dict[int, int]:
    """Return the first event of each step in the order in which steps begin; nothing is written by no step."""
    firsts: dict[int, int] = {}
    for unit in units(events, apart=work.apart):
        number = step_of(unit, work)
        if not number and unit.text in NOTHING:
            continue
        assert number, f"no step of the page writes this: {unit.text}"
        firsts.setdefault(number, unit.first)
    return firsts


@pytest.mark.parametrize("name", WORKS)
def test_the_steps_of_the_page_are_those_that_are_done(
    quick_project: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each step is done in its turn, nothing is written beside them, and a crash after each leaves what is said."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "0")  # who asks reads no file
    project, work = quick_project, WORKS[name]
    work.prepare(project)
    begin = project.path.with_name(f"{project.path.name}-begin")
    shutil.copytree(project.path, begin)
    try:
        walk(project, work, begin)
    finally:
        shutil.rmtree(begin)


def put_back(project: Any, begin: Path) -> None:
    """Make the project what it was in the beginning."""
    shutil.rmtree(project.path)
    shutil.copytree(begin, project.path)


def walk(project: Any, work: Work, begin: Path) -> None:
    """Do a work once to its end, then die after each of its steps; ``begin`` is what it begins with."""
    put_back(project, begin)
    events = walked(project.path, lambda: work.run(project))
    assert events is not None
    project.wanted = held(project, "store")
    work.check(project)
    firsts = first_of_each(work, events)
    assert list(firsts) == [number for number in numbered(work.title) if number not in work.unwritten]
    for number, following in zip(firsts, list(firsts)[1:], strict=False):
        put_back(project, begin)
        assert walked(project.path, lambda: work.run(project), kill_at=firsts[following]) is None, number
        if number in work.left:
            found = work.left[number](project)
            assert isinstance(found, list)
            assert all(found), (number, found)
        work.mend(project)
        work.check(project)
