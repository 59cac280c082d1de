"""Stamping: what every new thing is given: an identifier, the time; a new store, an id of its own."""

from __future__ import annotations

import os
import time
from functools import lru_cache

from treering.domain import ids
from treering.ledger import STORE_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from treering.domain.ids import Kind
    from treering.ports import Backend

_IDS_AT_ONCE: Final = 48
"""Identifiers for which random bytes are fetched together."""


def is_blank(store: Backend) -> bool:
    """Tell whether a database has no id yet and holds nothing: one that is just being made."""
    from treering.domain.query import EVERYTHING

    with store.read() as tx:
        if tx.setting(STORE_ID) or tx.sources.roots() or tx.sources.count(EVERYTHING).sources:
            return False
        return not tx.memories.list_memories((), 1, "")


def identify(store: Backend, note: Callable[[str], None]) -> None:
    """Give a database an id if it has none, and ``note`` it before others can see it."""
    with store.write() as tx:
        id = tx.setting(STORE_ID) or os.urandom(16).hex()
        note(id)
        tx.put_setting(STORE_ID, id)


_entropy: Final[list[bytes]] = []
"""Random bytes, eight for each of the next identifiers: the system is asked once for many."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_entropy.clear)  # no two processes may use the same


def make_id(kind: Kind) -> str:
    """Return a new identifier."""
    try:
        random = _entropy.pop()
    except IndexError:
        many = os.urandom(8 * _IDS_AT_ONCE)
        random, *rest = (many[i : i + 8] for i in range(0, len(many), 8))
        _entropy.extend(rest)
    return ids.make(kind, time.time_ns() // 1_000_000, random)


def now() -> str:
    """Return the time in UTC, ISO 8601 with milliseconds."""
    seconds, millis = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_second(seconds)}.{millis:03d}Z"


@lru_cache(maxsize=2)
def _second(seconds: int) -> str:
    """Return a second in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
