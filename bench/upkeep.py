"""What keeping a large store honest costs: erase, verify, backup, export and import of many memories, in CPU time.

Usage: ``python bench/upkeep.py [MEMORIES]`` (default 50,000). Prints one line for each, beside what was promised. The
store is made in a temporary folder and is gone afterwards. Times are of this machine; compare ratios.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("TREERING_EMBEDDING_PROVIDER", "none")

import treering
from treering.upkeep import scan

_BATCH = 500
_SYLLABLES = "ba co di fu ga he ki lo mu na pe ri so tu va we".split()


def content(number: int) -> str:
    """Return the words of one memory: of 4,096 words that nobody else uses, so that few stretches are shared."""
    chosen = random.Random(number)  # noqa: S311  no secret
    words = ["".join(chosen.choices(_SYLLABLES, k=3)) for _ in range(12)]
    return f"{' '.join(words).capitalize()} in room {number}."


def filled(folder: Path, count: int) -> treering.MemoryStore:
    """Return a store with so many memories."""
    memory = treering.open(store=folder)
    for start in range(0, count, _BATCH):
        memory.propose([{"op": "create", "memory": {"content": content(n)}} for n in range(start, start + _BATCH)])
    return memory


def timed(act: Callable[[], object]) -> tuple[float, object]:
    """Return the CPU seconds that something takes, and what it returns."""
    began = time.process_time()
    done = act()
    return time.process_time() - began, done


def main(count: int) -> None:
    """Measure everything once."""
    folder = Path(tempfile.mkdtemp(prefix="treering-upkeep-"))
    try:
        took, made = timed(lambda: filled(folder / "store", count))
        memory: treering.MemoryStore = made  # type: ignore[assignment]
        print(f"made {count:,} memories: {took:.1f} s")
        size = sum(file.stat().st_size for file in (folder / "store").rglob("*") if file.is_file())
        page = memory.list("memories", limit=8).items
        for one in page:
            took, done = timed(lambda one=one: memory.forget([one.id]))
            proof = done.receipt.proof
            paths = [path for path, reach in scan.owned(str(folder / "store"), "memory.db") if reach != "named"]
            alone, _ = timed(lambda paths=paths: scan.scan(paths, ["Nothing that stands in it anywhere."]))
            print(
                f"erase one: {took * 1000:.0f} ms, of it scan of {proof.size_bytes / 1e6:.0f} MB {alone * 1000:.0f} ms"
                f" ({proof.size_bytes / 1e6 / alone:.0f} MB/s); found {proof.found}"
            )
        took, checked = timed(memory.verify)
        print(f"verify: {took:.2f} s, {checked.problems[:3]}")
        took, archived = timed(lambda: memory.backup(folder / "backups"))
        print(f"backup of {size / 1e6:.0f} MB: {took:.2f} s ({size / 1e6 / took:.0f} MB/s)")
        took, _ = timed(lambda: treering.restore(archived.path, folder / "restored"))
        print(f"restore: {took:.2f} s ({size / 1e6 / took:.0f} MB/s)")
        out, rows = timed(lambda: memory.export(folder / "all.jsonl"))
        other = treering.open(store=folder / "other")
        took, _ = timed(lambda: other.take_in(folder / "all.jsonl"))
        rate = (count - len(page)) / (out + took)
        print(f"export of {rows:,} rows: {out:.2f} s; import: {took:.2f} s; {rate:.0f} memories per CPU-s")
        mine, theirs = ([one.content for one in m.list("memories", limit=1000).items] for m in (memory, other))
        print(f"equal: {mine == theirs}")
        other.close()
        memory.close()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
