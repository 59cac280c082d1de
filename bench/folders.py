"""What folders that change and single memories cost: appending, looking whether anything changed, saving.

Usage: ``python bench/folders.py [append] [freshness] [save]``. CPU time of this process, medians; every figure stands
beside the time of a fixed loop, which tells how fast the machine is at that moment.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import treering
from treering.api import freshness

if TYPE_CHECKING:
    from collections.abc import Callable

_DAY: Final = "## Day {0}\n\nThe payment {0} was booked and the ledger balanced again.\n\n"
_SENTENCES: Final = (
    "The {1} of project {0} is reviewed by the person on call, and the outcome is written down in the log of week {0}."
)
_WORDS: Final = (
    "ledger gateway harbour schedule budget invoice release backup certificate database locker courier".split()
)


def spent(action: Callable[[], object]) -> float:
    """Return the CPU seconds that an action takes."""
    started = time.process_time()
    action()
    return time.process_time() - started


def calibration() -> float:
    """Return the CPU seconds of a million additions: the least of five."""
    return min(spent(lambda: sum(i + 1 for i in range(1_000_000))) for _ in range(5))


def tell(what: str, figure: str) -> None:
    """Print one figure beside the machine's speed."""
    print(f"{what}: {figure}  (a million additions: {calibration():.3f} s)", flush=True)


def append(folder: Path) -> None:
    """Append 1 kB to 5 MB eight times, against indexing the 5 MB."""
    log = folder / "log.md"
    log.write_text("# Log\n\n" + "".join(_DAY.format(n) for n in range(70_000)), encoding="utf-8")
    with treering.open(store=folder / "store") as memory:
        whole = spent(lambda: memory.index(folder))
        took = []
        for number in range(8):
            with log.open("a", encoding="utf-8") as end:
                end.write(f"## More {number}\n\n" + "The ledger balanced.\n" * 45)
            took.append(spent(lambda: memory.index(folder)))
    size = log.stat().st_size / 1e6
    median = statistics.median(took)
    tell(f"append to {size:.1f} MB", f"{median * 1000:.1f} ms, whole {whole:.2f} s: 1/{whole / median:.0f}")


def look(folder: Path) -> None:
    """Look at 3,000 files in 100 folders of which none has changed."""
    for one in range(3000):
        file = folder / "notes" / str(one % 100) / f"{one}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Note {one}\n\nAbout {_WORDS[one % len(_WORDS)]}.\n", encoding="utf-8")
    with treering.open(store=folder / "store") as memory:
        memory.index(folder / "notes")
        with memory._reading() as tx:  # noqa: SLF001 - one step of a search, alone
            roots = list(memory._roots(tx).values())  # noqa: SLF001
            took = [
                spent(lambda: list(freshness.look(tx, roots, memory.place.folder, time.monotonic() + 60)))
                for _ in range(9)
            ]
    tell("freshness of 3,000 files", f"{statistics.median(took) * 1000:.1f} ms")


def save(folder: Path) -> None:
    """Save single memories into stores of 1,000 and of 50,000."""
    with treering.open(store=folder / "store") as memory:
        known = 0
        for size in (1_000, 50_000):
            for number in range(known, size):
                memory.remember(_SENTENCES.format(number, _WORDS[number % len(_WORDS)]))
            known = size
            new = [f"At size {size} the {_WORDS[n % len(_WORDS)]} number {n} is kept." for n in range(300)]
            took = [spent(partial(memory.remember, text)) for text in new]
            tell(
                f"save at {size:,}",
                f"p50 {statistics.median(took) * 1000:.2f} ms, max {max(took) * 1000:.1f} ms",
            )


def main(names: list[str]) -> int:
    """Run what was named, else all."""
    for name, work in (("append", append), ("freshness", look), ("save", save)):
        if not names or name in names:
            with TemporaryDirectory(prefix="treering-bench-") as temporary:
                work(Path(temporary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
