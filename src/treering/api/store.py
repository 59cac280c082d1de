"""MemoryStore: one method for each use case.

Each method owns the lock, opens the transactions and puts rooms together; what a use case decides is in its room.
"""

from __future__ import annotations

from treering.api.directories import Directories
from treering.api.memories import Memories
from treering.api.searching import Searching


class MemoryStore(Searching, Memories, Directories):
    """A memory, open and warm; safe to share between threads."""
