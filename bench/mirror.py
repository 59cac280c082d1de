"""The mirror: written for the first time, made a store again, synced after one edit, and what it costs a save.

Usage: ``python bench/mirror.py [MEMORIES]`` (50,000 unless said). CPU time of this process, threads included.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import treering

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS: Final = "gateway ledger harbour pump locker queue release window approver backup signal market".split()
_SAVES: Final = 200


def text(number: int) -> str:
    """Return a sentence of some ten words that no other number has."""
    chosen = " ".join(_WORDS[(number * step) % len(_WORDS)] for step in (1, 3, 5, 7, 11))
    return f"Fact {number} says that the {chosen} has number {number * 7919}."


def cpu_s(act: Callable[[], object]) -> float:
    """Return the CPU time of one call."""
    before = time.process_time()
    act()
    return time.process_time() - before


def fill(memory: treering.MemoryStore, count: int) -> None:
    """Save memories one by one as people do: each keeps its note; every fifth answers a topic, some have tags."""
    with memory.lock:
        for number in range(count):
            slot = f"a/slot{number}" if number % 5 == 0 else ""
            memory.remember(text(number), slot=slot, tags=["fact", _WORDS[number % len(_WORDS)]])


def saves(folder: Path, *, enabled: bool) -> float:
    """Return what saving one memory costs in milliseconds, until it is committed."""
    os.environ["TREERING_MIRROR_ENABLED"] = str(enabled).lower()
    with treering.open(store=folder) as memory:
        memory.remember("The first one")
        return statistics.median(cpu_s(lambda n=n: memory.remember(text(n))) * 1000 for n in range(_SAVES))  # type: ignore[misc]


def main() -> None:
    """Measure, and print a line for each figure."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    os.environ["TREERING_EMBEDDING_PROVIDER"] = "none"
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        pairs = [(saves(root / f"on{n}", enabled=True), saves(root / f"off{n}", enabled=False)) for n in range(5)]
        on, off = (statistics.median(side) for side in zip(*pairs, strict=True))
        print(f"one save: {on:.3f} ms with a mirror that is written later, {off:.3f} ms without")
        os.environ["TREERING_MIRROR_ENABLED"] = "false"
        with treering.open(store=root / "store") as memory:
            fill(memory, count)
        os.environ["TREERING_MIRROR_ENABLED"] = "true"
        with treering.open(store=root / "store") as memory:
            print(f"first mirror of {count:,} memories: {cpu_s(memory.write_mirror):.1f} s")
            print(f"a sync that finds nothing: {cpu_s(memory.sync) * 1000:.0f} ms")
            [file] = list(Path(memory.mirror_folder).rglob("memories/*/fact-7-*"))
            file.write_text(file.read_text(encoding="utf-8").replace("Fact 7 says", "Fact 7 said"), encoding="utf-8")
            print(f"a sync of one edit: {cpu_s(lambda: memory.sync(as_owner=True)) * 1000:.0f} ms")
            mirror = memory.mirror_folder
            stat = cpu_s(lambda: [one.stat() for folder, _, _ in os.walk(mirror) for one in os.scandir(folder)]) * 1000
            print(f"a stat of every file: {stat:.0f} ms")
            memory.update(memory.list("memories", limit=1).items[0].id, title="Another")
            print(f"one change written: {cpu_s(memory.write_mirror) * 1000:.1f} ms")
        with treering.open(store=root / "other") as other:
            took = cpu_s(lambda: other.rebuild(mirror))
            print(f"rebuild: {took:.1f} s, {count / took:,.0f} memories per CPU-s")


if __name__ == "__main__":
    main()
