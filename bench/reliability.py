"""What a dozen processes and kill -9 do to one store: lost writes, lock errors, starved writers, leaks.

usage: reliability.py [contention] [opening] [kills] [soak] [--seconds 60] [--rounds 100] [--operations 100000]
                      [--markdown]

Everything is real: separate processes, a store in a file, the signal of ``kill -9``. A write counts as acknowledged
once its id was printed by the process that made it; each acknowledged write must be there afterwards, and ``verify``
must find nothing. ``--markdown`` prints the table of docs/reference/reliability.md. A short form of each part runs as
a test (tests/fault/test_reliability.py); there a lost write fails, a timing never.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "src")]

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering import MemoryStore

    Figures = dict[str, Any]

WRITERS = READERS = MIXED = OPENERS = 8
_WORDS: Final = "avocet godwit knot dunlin whimbrel plover ruff snipe tern heron egret crake rail stint".split()


def main(arguments: list[str]) -> int:
    """Run the named parts and print their figures; 1 when a write was lost or a lock met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args(arguments)
    failed = False
    for name in options.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="treering-reliability-") as folder:
            figures = PARTS[name](Path(folder), options)
        failed = failed or any(figures[key] for key in NEVER if key in figures)
        show(name, figures, markdown=options.markdown)
    if options.markdown:
        print(f"\n{machine()}")
    return int(failed)


NEVER: Final = ("lost writes", "errors", "not opened", "problems found by verify")
"""Figures that must be 0."""


def contention(folder: Path, options: argparse.Namespace) -> Figures:
    """Let writers save and readers search at once, each in a process of its own."""
    return contended(folder / "store", options.seconds, WRITERS, READERS)


def contended(store: Path, seconds: float, writers: int, readers: int) -> Figures:
    """Return what became of ``writers`` and ``readers`` on one store for some seconds."""
    _seed(store)
    processes = [start("write", store, number, seconds) for number in range(writers)]
    processes += [start("read", store, number, seconds) for number in range(readers)]
    ends = _together(processes)
    wrote, read = ends[:writers], ends[writers:]
    acknowledged = [id for end in wrote for id in end["ids"]]
    each = [len(end["ids"]) for end in wrote]
    waits = sorted(ms for end in wrote for ms in end["ms"])
    asked = sorted(ms for end in read for ms in end["ms"])
    waited = sorted(ms for end in read for ms in end.get("waited", ()))
    return {
        "writes acknowledged": len(acknowledged),
        "lost writes": len(_lost(store, acknowledged)),
        "errors": sum(end["errors"] for end in ends),
        "slowest writer against the mean": round(min(each) / (sum(each) / len(each)), 2),
        "a write, ms p50 / p99 / worst": _spread(waits),
        "searches": len(asked),
        "a search, ms p50 / p99 / worst": _spread(asked),
        "of that neither computing nor waiting for a core": _spread(waited),
        "problems found by verify": _problems(store),
    }


def opening(folder: Path, options: argparse.Namespace) -> Figures:
    """Let eight processes make one store at the same moment, ten times, each with a first save."""
    return opened(folder, max(1, options.rounds // 10))


def opened(folder: Path, rounds: int) -> Figures:
    """Return how many of eight processes could not open a store that all of them make."""
    failed = lost = 0
    for number in range(rounds):
        store = folder / f"store{number}"
        ends = _together([start("open", store, opener, 0) for opener in range(OPENERS)])
        failed += sum(end["errors"] for end in ends)
        lost += len(_lost(store, [id for end in ends for id in end["ids"]]))
    return {"rounds": rounds, "not opened": failed, "lost writes": lost}


def kills(folder: Path, options: argparse.Namespace) -> Figures:
    """Kill a process at random moments while it saves, supersedes, archives and indexes."""
    return killed(folder / "store", options.rounds, random.Random(7))  # noqa: S311  moments, no secrets


def killed(store: Path, rounds: int, chance: random.Random) -> Figures:
    """Return what is lost when a process is killed at random, many times, on one store."""
    acknowledged: list[str] = []
    problems = 0
    for number in range(rounds):
        with start("endless", store, number, 0) as process:
            _go([process])
            said = _pipe(process.stdout)
            acknowledged.append(said.readline().strip())
            time.sleep(chance.uniform(0, 0.25))  # the moment of the kill is what is drawn
            process.send_signal(signal.SIGKILL)
            acknowledged += said.read().split("\n")[:-1]  # what follows the last line end was not acknowledged whole
        if number % 10 == 9 or number == rounds - 1:
            problems += _problems(store)
    return {
        "rounds": rounds,
        "writes acknowledged": len(acknowledged),
        "lost writes": len(_lost(store, acknowledged)),
        "problems found by verify": problems,
    }


def soak(folder: Path, options: argparse.Namespace) -> Figures:
    """Do many operations in one process and look what they leave behind."""
    return soaked(folder / "store", options.operations)


def soaked(store: Path, operations: int) -> Figures:
    """Return the memory, open files and threads of a process at a tenth of its operations and at their end."""
    process = start("soak", store, operations, 0)
    [end] = _together([process])
    early, late = end["early"], end["late"]
    return {
        "operations": operations,
        "errors": end["errors"],
        "resident memory, MB, after a tenth / at the end": f"{early['rss_mb']} / {late['rss_mb']}",
        "open files": f"{early['files']} / {late['files']}",
        "threads": f"{early['threads']} / {late['threads']}",
        "after closing: open files of the store, threads": f"{end['closed']['files']}, {end['closed']['threads']}",
        "CPU ms an operation": round(end["cpu_s"] / operations * 1000, 2),
        "problems found by verify": _problems(store),
    }


PARTS: Final[dict[str, Callable[[Path, argparse.Namespace], Figures]]] = {
    "contention": contention, "opening": opening, "kills": kills, "soak": soak,
}  # fmt: skip


def start(work: str, store: Path, number: int, seconds: float) -> subprocess.Popen[str]:
    """Start a worker; it says ``ready`` and waits for a line."""
    return subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve()), "--worker", work, str(store), str(number), str(seconds)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def _go(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Let waiting workers begin at once."""
    for process in processes:
        if _pipe(process.stdout).readline() != "ready\n":
            raise SystemExit("a worker did not start")
    for process in processes:
        pipe = _pipe(process.stdin)
        pipe.write("\n")
        pipe.flush()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    """Return a pipe that was asked for."""
    if pipe is None:
        raise SystemExit("a worker has no pipe")
    return pipe


def _together(processes: Sequence[subprocess.Popen[str]]) -> list[Figures]:
    """Let workers run at once and return what each said at its end."""
    _go(processes)
    ends: list[Figures] = []
    for process in processes:
        said = process.communicate()[0]
        ends.append(json.loads(said) if process.returncode == 0 and said else {"ids": [], "ms": [], "errors": 1})
    return ends


def _seed(store: Path) -> None:
    """Put some memories into a store."""
    import treering

    with treering.open(store=str(store)) as memory:
        for number in range(200):
            memory.remember(f"Seed {number}: the {_WORDS[number % len(_WORDS)]} of lake {number} was seen.")


def _lost(store: Path, ids: Sequence[str]) -> list[str]:
    """Return the acknowledged memories that are not in a store."""
    import treering

    with treering.open(store=str(store)) as memory:
        there: set[str] = set()
        page = memory.list("memories", limit=1000, status="all")
        while True:
            there |= {item.id for item in page.items}
            if not page.next:
                return sorted(set(ids) - there)
            page = memory.list("memories", limit=1000, status="all", after=page.next)


def _problems(store: Path) -> int:
    """Return how many problems ``verify`` finds."""
    import treering

    with treering.open(store=str(store)) as memory:
        return len(memory.verify().problems)


def _spread(values: Sequence[float]) -> str:
    """Return the median, the 99th percentile and the greatest of sorted values."""
    if not values:
        return "–"
    return " / ".join(f"{values[min(len(values) - 1, int(len(values) * share))]:.1f}" for share in (0.5, 0.99, 1))


# What a worker does


def work(what: str, store: str, number: int, seconds: float) -> None:
    """Do one worker's part; the last line of output is what came of it."""
    import treering

    memory = treering.open(store=store)
    print("ready", flush=True)
    sys.stdin.readline()
    if what == "endless":
        _save_without_end(memory, number)
        return
    doing = {"write": _write, "read": _read, "open": _open, "soak": _soak}[what]
    end = doing(memory, number, seconds)
    memory.close()
    if what == "soak":
        end["closed"] = {"files": _files(store), "threads": _threads()}
    print(json.dumps(end))


def _write(memory: MemoryStore, number: int, seconds: float) -> Figures:
    """Save as fast as possible."""
    end: Figures = {"ids": [], "ms": [], "errors": 0}
    until = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < until:
        began = time.perf_counter()
        try:
            id = memory.remember(f"Writer {number} saw {_WORDS[turn % len(_WORDS)]} number {turn}.").id
        except Exception as error:  # noqa: BLE001  whatever it is, it is counted and shown
            print(repr(error), file=sys.stderr)
            end["errors"] += 1
        else:
            end["ids"].append(id)
            end["ms"].append(round((time.perf_counter() - began) * 1000, 2))
        turn += 1
    return end


def _read(memory: MemoryStore, number: int, seconds: float) -> Figures:
    """Search as fast as possible; an empty answer about what is there counts as an error."""
    end: Figures = {"ids": [], "ms": [], "waited": [], "errors": 0}
    until = time.monotonic() + seconds
    turn = number
    while time.monotonic() < until:
        began, had = time.perf_counter(), _had_ns()
        try:
            found = memory.search(f"{_WORDS[turn % len(_WORDS)]} lake {turn % 200}", empty_gate=0).found
            end["errors"] += not found
        except Exception as error:  # noqa: BLE001
            print(repr(error), file=sys.stderr)
            end["errors"] += 1
        took = (time.perf_counter() - began) * 1000
        end["ms"].append(round(took, 2))
        if had is not None and (has := _had_ns()) is not None:
            end["waited"].append(round(max(0.0, took - (has - had) / 1e6), 2))
        turn += 1
    return end


def _had_ns() -> int | None:
    """Return how long this thread has computed or waited for a core; None where the system does not tell."""
    try:
        computed, queued, _ = Path("/proc/thread-self/schedstat").read_text().split()
    except (OSError, ValueError):
        return None
    return int(computed) + int(queued)


def _open(memory: MemoryStore, number: int, _: float) -> Figures:
    """Make the store with a first save."""
    try:
        return {"ids": [memory.remember(f"Opener {number} was here.").id], "ms": [], "errors": 0}
    except Exception as error:  # noqa: BLE001
        print(repr(error), file=sys.stderr)
        return {"ids": [], "ms": [], "errors": 1}


def _save_without_end(memory: MemoryStore, number: int) -> None:
    """Write in every way until killed, and print the id of each memory once it is there."""
    turn = 0
    while True:
        slot = f"place-{turn % 5}/name"
        print(memory.remember(f"Round {number} found {_WORDS[turn % len(_WORDS)]} {turn}.").id, flush=True)
        print(memory.remember(f"It is {number}-{turn}.", slot=slot, value=f"{number}-{turn}").id, flush=True)
        kept = memory.remember(f"Passing remark {number}-{turn}.").id
        memory.archive(kept)
        print(kept, flush=True)
        memory.note(f"# Note {number}-{turn}\n\nThe {_WORDS[turn % len(_WORDS)]} sleeps.\n")
        turn += 1


def _soak(memory: MemoryStore, operations: int, _: float) -> Figures:
    """Save, ask, change, hide and erase in turns, so that the store stays small."""
    end: Figures = {"errors": 0}
    began = time.process_time()
    living: list[str] = []
    for turn in range(operations):
        try:
            _one(memory, turn, living)
        except Exception as error:  # noqa: BLE001
            print(repr(error), file=sys.stderr)
            end["errors"] += 1
        if turn + 1 == max(1, operations // 10):
            end["early"] = _resources()
    end["late"] = _resources()
    end["cpu_s"] = time.process_time() - began
    return end


def _one(memory: MemoryStore, turn: int, living: list[str]) -> None:
    """Do one operation; of ten, three save, four ask, one changes, one hides and one or two erase."""
    word = _WORDS[turn % len(_WORDS)]
    match turn % 10:
        case 0 | 3 | 6:
            living.append(memory.remember(f"Turn {turn}: a {word} passed the {_WORDS[turn // 7 % len(_WORDS)]}.").id)
        case 7 if living:
            memory.update(living[-1], text=f"Turn {turn}: it was no {word}.")
        case 8 if living:
            memory.archive(living[len(living) // 2])
        case 9 if len(living) > 300:
            memory.forget(living[:3])
            del living[:3]
        case _:
            memory.search(f"{word} turn {turn}")


def _resources() -> Figures:
    """Return what this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    size = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return {"rss_mb": round(size), "files": len(os.listdir("/proc/self/fd")), "threads": _threads()}


def _threads() -> int:
    """Return how many threads Python knows of in this process; numpy's own pool is none of them."""
    return threading.active_count()


def _files(store: str) -> int:
    """Return how many files of a store this process has open."""
    links = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    return sum(link.startswith(os.path.realpath(store)) for link in links)


# What is shown


def show(name: str, figures: Figures, *, markdown: bool) -> None:
    """Print the figures of one part."""
    if not markdown:
        print(f"\n{name}", *(f"  {key:50} {value}" for key, value in figures.items()), sep="\n", flush=True)
        return
    print(
        f"\n| {name} | |\n|---|---|", *(f"| {key} | {_thousands(value)} |" for key, value in figures.items()), sep="\n"
    )


def _thousands(value: object) -> str:
    """Return a figure for people."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def machine() -> str:
    """Return on what the figures were measured."""
    return (
        f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}, "
        f"calibration {_calibration():.3f} s"
    )


def _calibration() -> float:
    """Return the CPU seconds of a fixed loop, as ``side_by_side.py`` prints them."""
    began = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number * number % 7
    return time.process_time() - began


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
