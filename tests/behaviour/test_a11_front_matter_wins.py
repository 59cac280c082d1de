"""A11: for each key, front matter wins over the path rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import treering

if TYPE_CHECKING:
    from pathlib import Path


def test_front_matter_wins_key_by_key(labelled: Path) -> None:
    """The runbook's own kind stands, and the rule still adds the team that the runbook does not name."""
    with treering.open() as memory:
        memory.index(["."])
        assert memory.show("runbooks/failover.md").metadata == {
            "kind": ("runbook",),
            "severity": ("critical",),
            "systems": ("database",),
            "team": ("operations",),
        }
        assert not memory.search("promote the replica", where={"kind": "from-a-rule"}).found
        assert memory.search("promote the replica", where={"kind": "runbook", "team": "operations"}).found
