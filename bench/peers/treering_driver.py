"""Treering's driver for the side-by-side benchmark: the same verbs and keys as the peers' drivers.

usage: treering_driver.py index DIR | search TEXT -k 10 --dir DIR
       treering_driver.py bench DIR --queries FILE | profile DIR --queries FILE
       treering_driver.py benchmem MEMORIES.jsonl QUERIES.json

``benchmem`` saves each row ({"title", "content", "tags"}) as one memory of a new store that is removed at the
end, and asks each query ({"q", "gold"}) for it; what saving many costs is measured in a second one, in batches.
The others' store stands beside DIR as DIR.treering and never in
it. ``bench`` and ``profile`` start by removing that store; ``bench`` also rewrites one file of DIR and restores
it: give it a copy. CPU is this process's with its children's, user and system. One JSON object (or list) goes to
stdout.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering import MemoryStore
    from treering.domain.query import Answer

Given = ParamSpec("Given")
Value = TypeVar("Value")

UNBOUNDED = 100_000  # tokens; the peers' answers have no upper bound, so ranks are compared without ours
PROFILE_LINES = 15
BATCH = 1000  # memories that are saved as one step where many are saved


class Took(NamedTuple):
    """What a call cost, in seconds."""

    wall: float
    cpu: float


def cpu_s() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(call: Callable[Given, Value], *args: Given.args, **options: Given.kwargs) -> tuple[Took, Value]:
    """Call and return the cost with the value."""
    wall, cpu = time.perf_counter(), cpu_s()
    value = call(*args, **options)
    return Took(time.perf_counter() - wall, cpu_s() - cpu), value


def percentile(values: Sequence[float], percent: float) -> float:
    """Nearest-rank percentile, by the definition that the peers' drivers use."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, round(percent / 100 * (len(ranked) - 1)))]


def latency(costs: Sequence[Took]) -> dict[str, float]:
    """Summarise the costs of repeated calls, in milliseconds."""
    wall, cpu = [cost.wall * 1e3 for cost in costs], [cost.cpu * 1e3 for cost in costs]
    return {
        "n": len(costs),
        "p50_ms": round(percentile(wall, 50), 3),
        "p95_ms": round(percentile(wall, 95), 3),
        "mean_ms": round(sum(wall) / len(wall), 3),
        "cpu_p50_ms": round(percentile(cpu, 50), 3),
        "cpu_p95_ms": round(percentile(cpu, 95), 3),
        "cpu_max_ms": round(max(cpu), 3),
    }


def quality(ranks: Sequence[tuple[str, int | None]]) -> dict[str, dict[str, float]]:
    """Share of the queries of each kind whose file stood among the first 1, 5 and 10 results."""
    table: dict[str, dict[str, float]] = {}
    for kind in sorted({kind for kind, _ in ranks}):
        found = [rank for each, rank in ranks if each == kind]
        table[kind] = {
            f"hit@{depth}": round(sum(rank is not None and rank < depth for rank in found) / len(found), 3)
            for depth in (1, 5, 10)
        }
    return table


def resident_mb() -> float:
    """Resident memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def peak_mb() -> float:
    """The most resident memory that this process has had, in the peers' drivers' unit (1,000 KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def store_of(directory: Path) -> Path:
    """Where the store for a corpus stands: beside it."""
    return directory.with_name(directory.name + ".treering")


def store_bytes(store: Path) -> int:
    """Size of everything that the store keeps on disk."""
    return sum(file.stat().st_size for file in store.rglob("*") if file.is_file())


def file_rank(answer: Answer, directory: Path, gold: str) -> int | None:
    """Position of the first result from the wanted file; None when it is not among them."""
    wanted = (directory / gold).resolve()
    for rank, result in enumerate(answer.results):
        if result.file is not None and Path(result.file).resolve() == wanted:
            return rank
    return None


def named_rank(answer: Answer, directory: Path, gold: str) -> int | None:
    """Position of the first result that is of the wanted file or names it as another that holds the same passage."""
    own = file_rank(answer, directory, gold)
    for rank, result in enumerate(answer.results[:own]):
        if any(f"/{gold}" in notice for notice in result.notices):
            return rank
    return own


def characters(answer: Answer) -> int:
    """Length of the text that an answer hands out."""
    return sum(len(result.text) for result in answer.results)


def ask_all(
    memory: MemoryStore,
    queries: list[dict[str, str]],
    directory: Path,
    limit: int | None = None,
    max_tokens: int | None = None,
) -> dict[str, Any]:
    """Ask every query on a warm store and summarise speed, ranks and sizes."""
    costs, ranks, named, answers = [], [], [], []
    for query in queries:
        cost, answer = timed(memory.search, query["q"], limit=limit, max_tokens=max_tokens)
        costs.append(cost)
        answers.append((characters(answer), answer.tokens, len(answer.results)))
        ranks.append((query["kind"], file_rank(answer, directory, query["gold"])))
        named.append((query["kind"], named_rank(answer, directory, query["gold"])))
    lengths, tokens = [length for length, _, _ in answers], [count for _, count, _ in answers]
    return {
        "warm": latency(costs),
        "result_chars_p50": percentile(lengths, 50),
        "result_chars_p95": percentile(lengths, 95),
        "result_chars_max": max(lengths),
        "tokens_p50": percentile(tokens, 50),
        "tokens_max": max(tokens),
        "results_mean": round(sum(results for _, _, results in answers) / len(answers), 2),
        "not_found": sum(not results for _, _, results in answers),
        "quality": quality(ranks),
        "quality_named": quality(named),
    }


def reindex_one_changed(memory: MemoryStore, directory: Path) -> Took:
    """Cost of a run after one file has changed; the file is restored and read again."""
    files = sorted(directory.rglob("*.md"))
    file = files[len(files) // 2]
    original = file.read_bytes()
    file.write_bytes(b"# changed head\n\n" + original)
    cost, _ = timed(memory.index, [directory])
    file.write_bytes(original)
    memory.index([directory])
    return cost


def bench(directory: Path, queries: list[dict[str, str]], limit: int, cold: int) -> dict[str, Any]:
    """Index, re-index and search one corpus, and return every figure."""
    import_cost, _ = timed(importlib.import_module, "treering.api")
    import treering

    store = store_of(directory)
    shutil.rmtree(store, ignore_errors=True)
    base = resident_mb()

    def reopen(text: str) -> Answer:
        """Open the store, ask one question, close it."""
        with treering.open(directory, store=str(store)) as memory:
            return memory.search(text, limit=limit, max_tokens=UNBOUNDED)

    with treering.open(directory, store=str(store)) as memory:
        index, reports = timed(memory.index, [directory])
        unchanged, _ = timed(memory.index, [directory])
        changed = reindex_one_changed(memory, directory)
        chunks = memory.status().chunks
    first, _ = timed(reopen, queries[0]["q"])
    with treering.open(directory, store=str(store)) as memory:
        asked = ask_all(memory, queries, directory, limit=limit, max_tokens=UNBOUNDED)
        warm_mb = resident_mb()
    with treering.open(directory, store=str(store)) as memory:  # anew, so that it finds nothing cached by the last pass
        default = ask_all(memory, queries, directory)
    reopened = [timed(reopen, query["q"])[0] for query in queries[:cold]]
    files = sum(report.files for report in reports)
    return {
        "tool": "treering",
        "files": files,
        "units": chunks,
        "chunks": chunks,
        "import_s": round(import_cost.wall, 3),
        "import_cpu_s": round(import_cost.cpu, 3),
        "index_s": round(index.wall, 3),
        "index_cpu_s": round(index.cpu, 3),
        "files_per_s": round(files / index.wall, 1),
        "files_per_cpu_s": round(files / index.cpu, 1),
        "reindex_noop_s": round(unchanged.wall, 4),
        "reindex_noop_cpu_s": round(unchanged.cpu, 4),
        "reindex_one_changed_s": round(changed.wall, 4),
        "first_search_s": round(first.wall, 4),
        "first_search_cpu_s": round(first.cpu, 4),
        "cold_api_search": latency(reopened) if reopened else None,
        "db_mb": round(store_bytes(store) / 1e6, 2),
        "rss_base_mb": round(base, 1),
        "rss_warm_mb": round(warm_mb, 1),
        "peak_mb": round(peak_mb(), 1),
        **asked,
        "default": default,
    }


def profile(directory: Path, queries: list[dict[str, str]]) -> None:
    """Print where indexing and warm searching spend their time, by each function's own time."""
    import cProfile
    import pstats

    import treering

    store = store_of(directory)
    shutil.rmtree(store, ignore_errors=True)
    with treering.open(directory, store=str(store)) as memory:
        for title, work in (
            ("index", lambda: memory.index([directory])),
            ("unchanged re-index", lambda: memory.index([directory])),
            ("warm search", lambda: [memory.search(query["q"]) for query in queries]),
        ):
            profiler = cProfile.Profile()
            profiler.runcall(work)
            print(f"== {title}")
            pstats.Stats(profiler, stream=sys.stdout).strip_dirs().sort_stats("tottime").print_stats(PROFILE_LINES)


def bulk_cpu(memories: Sequence[dict[str, Any]]) -> float:
    """CPU seconds of saving every memory into a store of its own in batches, as who has many at hand does it."""
    import treering

    folder = Path(tempfile.mkdtemp())
    try:
        with treering.open(folder, store=str(folder / "store")) as memory:
            memory.init()
            took = 0.0
            for start in range(0, len(memories), BATCH):
                batch = [
                    {"op": "create", "memory": {key: row[key] for key in ("content", "title", "tags")}}
                    for row in memories[start : start + BATCH]
                ]
                took += timed(memory.propose, batch)[0].cpu
            return took
    finally:
        shutil.rmtree(folder)


def bench_memories(memories: Sequence[dict[str, Any]], queries: Sequence[dict[str, str]], limit: int) -> dict[str, Any]:
    """Save every memory in one process, ask every query, and return every figure."""
    import treering

    bulk = bulk_cpu(memories)
    folder = Path(tempfile.mkdtemp())
    try:
        with treering.open(folder, store=str(folder / "store")) as memory:
            memory.init()
            saves, ids = [], {}
            for row in memories:
                cost, outcome = timed(memory.remember, row["content"], title=row["title"], tags=row["tags"])
                saves.append(cost)
                ids.setdefault(row["content"], outcome.id)
            searches, ranks = [], []
            for query in queries:
                cost, answer = timed(memory.search, query["q"], limit=limit, max_tokens=UNBOUNDED)
                searches.append(cost)
                found = [result.id for result in answer.results]
                wanted = ids[query["gold"]]
                ranks.append(("mem", found.index(wanted) if wanted in found else None))
            default = [timed(memory.search, query["q"])[0] for query in queries]
            held = memory.status().memories
        return {
            "tool": "treering",
            "memories": len(memories),
            "held": held,
            "bulk_cpu_s": round(bulk, 3),
            "one_by_one_cpu_s": round(sum(cost.cpu for cost in saves), 3),
            "save": latency(saves),
            "save_last_1000": latency(saves[-1000:]),
            "warm": latency(searches),
            "warm_default": latency(default),
            "quality": quality(ranks),
            "db_mb": round(store_bytes(folder) / 1e6, 2),
            "peak_mb": round(peak_mb(), 1),
        }
    finally:
        shutil.rmtree(folder)


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("index").add_argument("dir", type=Path)
    search = verbs.add_parser("search")
    search.add_argument("text")
    search.add_argument("--dir", type=Path, required=True)
    search.add_argument("-k", type=int, default=10)
    for name in ("bench", "profile"):
        verb = verbs.add_parser(name)
        verb.add_argument("dir", type=Path)
        verb.add_argument("--queries", type=Path, required=True)
        verb.add_argument("-k", type=int, default=10)
        verb.add_argument("--cold", type=int, default=10)
    memories = verbs.add_parser("benchmem")
    memories.add_argument("memories", type=Path)
    memories.add_argument("queries", type=Path)
    memories.add_argument("-k", type=int, default=10)
    return parser.parse_args()


def main() -> None:
    """Run one verb."""
    given = arguments()
    if given.verb == "benchmem":
        rows = [json.loads(line) for line in given.memories.read_text(encoding="utf-8").split("\n") if line]
        queries = json.loads(given.queries.read_text(encoding="utf-8"))
        print(json.dumps(bench_memories(rows, queries, given.k)))
        return
    directory = given.dir.resolve()
    if given.verb in ("bench", "profile"):
        queries = json.loads(given.queries.read_text(encoding="utf-8"))
        if given.verb == "profile":
            profile(directory, queries)
        else:
            print(json.dumps(bench(directory, queries, given.k, given.cold)))
        return
    import treering

    store = store_of(directory)
    with treering.open(directory, store=str(store)) as memory:
        if given.verb == "search":
            answer = memory.search(given.text, limit=given.k, max_tokens=UNBOUNDED)
            print(json.dumps([{"path": row.file, "score": row.score, "text": row.text} for row in answer.results]))
            return
        cost, reports = timed(memory.index, [directory])
        files, units = sum(report.files for report in reports), memory.status().chunks
    print(json.dumps({"files": files, "units": units, "seconds": cost.wall, "db_bytes": store_bytes(store)}))


if __name__ == "__main__":
    main()
