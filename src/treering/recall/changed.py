"""What changed since an instant: memories, sources and files, in one list."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from treering.domain.tree_report import Change, Changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering.domain.digest import VersionChange
    from treering.ports import Transaction
    from treering.records import StoredMemory


def changed(tx: Transaction, since: str, limit: int, place_of: Callable[[str], str]) -> Changed:
    """Return what changed, the last first.

    Args:
        tx: the store.
        since: the instant, as the store records its own.
        limit: how many at the most.
        place_of: returns how the file or key of a source is shown.
    """
    most = limit + 1
    memories, versions = tx.changes.memories(since, most), tx.changes.versions(since, most)
    forgotten, departed = tx.changes.forgotten(since, most), tx.changes.departed(since, most)
    found = [one for memory in memories for one in _of_memory(memory, since)]
    found += [_of_version(version, place_of) for version in versions]
    found += [Change(at, "forgotten", "memory" if id.startswith("mem_") else "source", id, "") for id, at in forgotten]
    found += [Change(at, "gone", "file", "", place_of(key)) for key, at in departed]
    found.sort(key=lambda one: (one.at, one.id, one.what), reverse=True)
    counts = Counter(f"{one.type} {one.what}" for one in found)
    cut = len(found) > limit or most in {len(memories), len(versions), len(forgotten), len(departed)}
    return Changed(since, tuple(found[:limit]), dict(sorted(counts.items())), cut)


def _of_memory(memory: StoredMemory, since: str) -> Iterator[Change]:
    """Yield what happened to a memory: that it was added, and how it stands since its last change."""
    text = memory.summary or memory.content
    if memory.recorded_at >= since:
        yield Change(memory.recorded_at, "added", "memory", memory.id, text, slot=memory.slot)
    was_updated = memory.changed_at > memory.recorded_at and memory.revision > 1
    if memory.status != "active" or was_updated:
        what = "updated" if memory.status == "active" else memory.status
        yield Change(memory.changed_at, what, "memory", memory.id, text, memory.superseded_by, memory.slot)


def _of_version(version: VersionChange, place_of: Callable[[str], str]) -> Change:
    """Return that a file or source is there or has another text."""
    is_file = version.custody == "tracked"
    first = "indexed" if is_file else "imported"
    return Change(
        version.recorded_at,
        first if version.is_first else "changed",
        "file" if is_file else "source",
        version.source,
        place_of(version.key) if is_file else version.title or version.key,
    )
