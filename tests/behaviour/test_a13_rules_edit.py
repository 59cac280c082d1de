"""A13: after an edit of the rules, indexing renews metadata without cutting text again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import treering

if TYPE_CHECKING:
    from pathlib import Path


def test_a_rules_edit_renews_metadata_only(labelled: Path) -> None:
    """Every file is refreshed, none is changed, and its version, its chunks and their ids are the same."""
    rules = labelled / ".treering.json"
    with treering.open() as memory:
        first = memory.index(["."])[0]
        before = memory.search("durable queue", where={"kind": "decision"}).results[0]
        rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
        second = memory.index(["."])[0]
        after = memory.search("durable queue", where={"kind": "choice"}).results[0]
        assert not memory.search("durable queue", where={"kind": "decision"}).found
    assert (second.added, second.changed, second.refreshed) == (0, 0, first.files)
    assert second.chunks == first.chunks
    assert (after.id, after.version, after.text) == (before.id, before.version, before.text)


def test_a_new_layout_of_the_rules_renews_nothing(labelled: Path) -> None:
    """White space in the rules file is no edit: nothing is refreshed, and a filter goes on working."""
    rules = labelled / ".treering.json"
    with treering.open() as memory:
        memory.index(["."])
        rules.write_text(rules.read_text(encoding="utf-8").replace(", ", " ,\n  "), encoding="utf-8")
        assert memory.search("durable queue", where={"kind": "decision"}).found
        assert memory.index(["."])[0].refreshed == 0
