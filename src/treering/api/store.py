"""MemoryStore: one method for each use case.

Each method owns the lock, opens the transactions and puts rooms together; what a use case decides is in its room.
"""

from __future__ import annotations

from treering.api.asking import Asking
from treering.api.changing import Changing
from treering.api.counting import Counting
from treering.api.doctoring import Doctoring
from treering.api.duplicating import Duplicating
from treering.api.erasing import Erasing
from treering.api.importing import Importing
from treering.api.knowing import Knowing
from treering.api.pausing import Pausing
from treering.api.pinning import Pinning
from treering.api.reviewing import Reviewing
from treering.api.upkeep import Upkeep
from treering.api.workbench import Workbench


class MemoryStore(
    Erasing,
    Workbench,
    Reviewing,
    Pinning,
    Knowing,
    Asking,
    Changing,
    Upkeep,
    Importing,
    Doctoring,
    Duplicating,
    Pausing,
    Counting,
):
    """A memory, open and warm; safe to share between threads."""
