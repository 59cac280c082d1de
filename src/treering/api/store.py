"""MemoryStore: one method for each use case.

Each method owns the lock, opens the transactions and puts rooms together; what a use case decides is in its room.
"""

from __future__ import annotations

from treering.api.together import Together


class MemoryStore(Together):
    """A memory, open and warm; safe to share between threads."""
