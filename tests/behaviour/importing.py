"""What the tests of kept originals share: an agent's hands on the same store, and meeting notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.api import MemoryStore
from treering.domain.policy import Caller

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.domain.keeping import Imported

NOTES: Final = """\
---
title: Project A weekly sync
date: 2026-10-01
project: Project A
attendees: [Alice, Bob]
type: meeting
---
# Project A weekly sync 2026-10-01
## Decisions
- [slot: launch-date] Project A will launch on November 15.
## Facts
- The push platform is maintained by Bob's team.
## Action Items
- @Bob finish the integration review by October 10.
"""


def agent(memory: MemoryStore) -> MemoryStore:
    """Return the same memory on behalf of an agent."""
    return MemoryStore(memory.place, memory.settings, Caller("agent", "bot"))


def outcomes(imported: Iterable[Imported]) -> dict[str, str]:
    """Return what became of each file, by its name."""
    return {one.path.rpartition("/")[2]: one.outcome for one in imported}
