"""A store of an earlier layout, when something fails while it is brought up to date: one of the layouts, and whole."""

from __future__ import annotations

from typing import Any

import pytest
from states_for_faults import Healed
from stores_for_faults import earlier, look
from test_mirror_faults import held
from works_for_faults import layout, there

from treering.backends.sqlite.engine import SCHEMA
from treering.errors import StorageFailed

pytestmark = pytest.mark.sqlite


def test_every_statement_of_an_upgrade_fails_once(quick_project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All from one on fail, as in a crash: the store has one of the layouts, and the next open goes on."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "0")
    project = quick_project
    earlier(project)
    project.copy("store", "start")
    with project.watched() as statements:
        look(project)
        total = statements.seen
    after, contents = held(project, "store"), project.contents("store")
    assert after["memories"]
    assert contents["sources"]
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Open it once more, and check what is there."""
        look(project)
        assert held(project, "store") == after, number
        assert project.contents("store") == contents, number
        assert project.is_whole("store"), number

    failed, seen = 0, set()
    for number in range(1, total + 1):
        project.copy("start", "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, True
            try:
                look(project)
            except StorageFailed:
                failed += 1
        assert project.is_whole("store"), number
        seen.add(layout(project))
        assert there(project, "store/backups/memory-layout-3.db") or layout(project) == 3, number
        healed.once(heal)
    assert failed > 100
    assert seen == set(range(3, SCHEMA + 1))
