"""Saving memories: one by one at several sizes, in one batch, and into a slot that holds many claims already.

Usage: ``python bench/memories.py [--full]``. CPU time of this process; the machine's noise is in it.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import treering
from treering.curate.recorded import claims_of, decisions_of
from treering.domain.timeline import history

_SAVES: Final = 300
_BATCH: Final = 5000
_CLAIMS: Final = 1000
_WORDS: Final = "gateway ledger harbour pump locker queue release window approver backup signal market".split()


def text(number: int) -> str:
    """Return a sentence of some ten words that no other number has."""
    chosen = " ".join(_WORDS[(number * step) % len(_WORDS)] for step in (1, 3, 5, 7, 11))
    return f"Fact {number} says that the {chosen} has number {number * 7919}."


def cpu_ms(act: Callable[[], object]) -> float:
    """Return the CPU time of one call."""
    before = time.process_time()
    act()
    return (time.process_time() - before) * 1000


def created(number: int, quote: str = "", **fields: object) -> dict[str, object]:
    """Return an operation that adds one memory which quotes the note of the first one."""
    evidence = [{"source_id": "note:" + quote, "quote": "says that"}]
    return {"op": "create", "memory": {"content": text(number), "evidence": evidence, **fields}}


def sizes(memory: treering.MemoryStore, steps: tuple[int, ...]) -> Iterator[str]:
    """Yield what saving one memory costs at each size."""
    first = memory.remember(text(0)).id
    there = 1
    for size in steps:
        while there < size:
            count = min(_BATCH, size - there)
            batch = [created(number, first) for number in range(there, there + count)]
            took = cpu_ms(lambda batch=batch: memory.propose(batch))  # type: ignore[misc]
            if count >= _BATCH - 1:
                yield f"propose {count} at once, {there} there: {count / took * 1000:.0f} per CPU-s"
            there += count
        notes = [cpu_ms(lambda n=n: memory.remember(text(n))) for n in range(there, there + _SAVES)]  # type: ignore[misc]
        there += _SAVES
        sourced = [
            cpu_ms(lambda n=n: memory.remember(text(n), source="note:" + first, quote="says that"))  # type: ignore[misc]
            for n in range(there, there + _SAVES)
        ]
        there += _SAVES
        answers = [
            cpu_ms(
                lambda n=n: memory.remember(text(n), slot=f"a/slot{n}", source="note:" + first, quote="says that")  # type: ignore[misc]
            )
            for n in range(there, there + _SAVES)
        ]
        there += _SAVES
        shown = [f"{statistics.median(found):.2f}" for found in (notes, sourced, answers)]
        yield f"save at {size}: own note {shown[0]}, quoting a source {shown[1]}, into a new slot {shown[2]} ms p50"


def ordered(memory: treering.MemoryStore) -> Iterator[str]:
    """Yield what a slot of many claims costs, each of a day of its own, in any order."""
    days = [(date(1990, 1, 1) + timedelta(days=9 * (number * 7 % _CLAIMS))).isoformat() for number in range(_CLAIMS)]
    yield "claims of different days:"
    yield from slot(memory, days)


def clashing(memory: treering.MemoryStore) -> Iterator[str]:
    """Yield what a slot costs in which nearly every claim clashes with two others."""
    yield "claims that clash:"
    yield from slot(
        memory, [f"{1900 + number // 300}-{1 + number % 12:02}-{1 + number % 28:02}" for number in range(_CLAIMS)]
    )


def slot(memory: treering.MemoryStore, days: Sequence[str]) -> Iterator[str]:
    """Yield what a slot of many claims costs."""
    first = memory.remember(text(0)).id
    batch = [created(n, first, slot="a/b", value=str(n), valid_from=day) for n, day in enumerate(days, 10)]
    took = 0.0
    for start in range(0, _CLAIMS, 100):
        took += cpu_ms(lambda start=start: memory.propose(batch[start : start + 100]))  # type: ignore[misc]
    yield f"{_CLAIMS} claims of one slot, in batches of 100: {_CLAIMS / took * 1000:.0f} per CPU-s"
    with memory._viewing() as (tx, curator):  # noqa: SLF001  what is inside is measured
        stored = tx.claims.of_slot("a/b")
        made = decisions_of(tx.claims.decisions([one.id for one in stored]))
        claims = claims_of(tx, stored)
        times = [cpu_ms(lambda: history(claims, made, true_at=curator.at, zone=curator.zone)) for _ in range(20)]
    yield f"history of {len(claims)} claims: {statistics.median(times):.1f} ms p50"
    latest = [f"2020-{n:02}" for n in range(1, 13)]
    between = [(date(1995, 1, 3) + timedelta(days=153 * n)).isoformat() for n in range(12)]
    for number, (where, chosen) in enumerate((("later than all", latest), ("between", between)), 5):
        more = [
            created(1000 * number + n, first, slot="a/b", value=f"{where} {n}", valid_from=day)
            for n, day in enumerate(chosen)
        ]
        times = [cpu_ms(lambda one=one: memory.propose([one])) for one in more]  # type: ignore[misc]
        yield f"one more claim, {where}: {statistics.median(times):.1f} ms p50"


def main(arguments: list[str]) -> None:
    """Print every figure."""
    steps = (1000, 10_000, 50_000) if "--full" in arguments else (1000, 10_000)
    for measure in (lambda memory: sizes(memory, steps), ordered, clashing):
        with tempfile.TemporaryDirectory() as folder, treering.open(store=str(Path(folder) / "memory.db")) as memory:
            for line in measure(memory):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
