"""Treering beside poma-memory and sage-memory on the same work: one script, one table.

usage: compare.py --work DIR [--shared DIR] [--poma-python PATH] [--sage-python PATH] [--sizes 1000,3000]
                  [--memories 1000,10000] [--rounds N] [--only files,memories,processes]

Makes the peers' environments and the corpora in the scratch folder unless they are there, runs the systems in turn,
each in processes and with a home folder of its own, and prints CPU times (medians over the rounds), ratios within
each round and the fixed loop of ``cal.py`` beside them. ``../README.md`` explains the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import environments
import passages
from side_by_side import REPOSITORY, Bench, make_corpora, own_copy, treering_command

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
Figures = dict[str, Any]
SYSTEMS = ("treering", "poma", "sage")
FEW_CALLS = 8  # of a server that builds its index anew at every call


class Row(NamedTuple):
    """One line of the table: a title, how a system's figure is found, and which way is better."""

    title: str
    value: Callable[[Figures], float]
    more_is_better: bool = False
    places: int = 1


def _hits(kind: str, rule: str, depth: int) -> Row:
    """Return the row of one share of hits."""
    noun = {"heading": "heading queries", "body": "body queries"}[kind]
    return Row(f"{noun}, hit@{depth} by {rule}", lambda run: run["hits"][kind][rule][depth], True, 2)


FILE_ROWS = (
    Row("index, files per CPU-s", lambda run: run["files"] / run["index_cpu_s"], True),
    Row("nothing changed, CPU-s per 1,000 files", lambda run: run["reindex_noop_cpu_s"] / run["files"] * 1e3, places=3),
    Row("warm search, CPU ms p50", lambda run: run["warm"]["cpu_p50_ms"], places=2),
    Row(
        "the same with defaults (a budget, the gate), CPU ms p50",
        lambda run: run["default"]["warm"]["cpu_p50_ms"],
        places=2,
    ),
    Row("first search of a process, CPU-s", lambda run: run["first_search_cpu_s"], places=3),
    Row("database ÷ text", lambda run: run["db_mb"] / run["text_mb"], places=2),
    Row("RSS while searching, MB", lambda run: run["rss_warm_mb"], places=0),
    *(_hits(kind, rule, depth) for kind in ("heading", "body") for depth in (1, 10) for rule in ("file", "passage")),
    Row("answer as asked for by default, characters p50", lambda run: run["answer"]["result_chars_p50"], places=0),
    Row("answer as asked for by default, characters max", lambda run: run["answer"]["result_chars_max"], places=0),
)
MEMORY_ROWS = (
    Row("save one memory, CPU ms p50", lambda run: run["save_one"]["cpu_p50_ms"], places=2),
    Row("save many, memories per CPU-s", lambda run: run["count"] / run["all_cpu_s"], True, 0),
    Row("search, CPU ms p50", lambda run: run["warm"]["cpu_p50_ms"], places=2),
    Row("hit@1", lambda run: run["quality"]["mem"]["hit@1"], True, 2),
    Row("hit@10", lambda run: run["quality"]["mem"]["hit@10"], True, 2),
)
PROCESS_ROWS = (
    Row("`--version` (sage-memory: `--help`), process CPU ms", lambda run: run["version_ms"], places=0),
    Row("`search` from the shell, 1,000 files, process CPU ms", lambda run: run["shell_ms"], places=0),
    Row("MCP: start to first answer, CPU ms", lambda run: run["mcp"]["first_answer_cpu_ms"], places=0),
    Row("MCP: the same ÷ `import mcp` there", lambda run: run["mcp"]["first_answer_cpu_ms"] / run["sdk_ms"], places=2),
    Row("MCP: warm search, whole round trip, CPU ms", lambda run: run["mcp"]["warm_cpu_ms"], places=1),
    Row(
        "MCP: tools as JSON, characters for each",
        lambda run: run["mcp"]["tools_json_chars"] / run["mcp"]["tools"],
        places=0,
    ),
    Row("MCP: tools", lambda run: run["mcp"]["tools"], places=0),
    Row("MCP: all tools as JSON, characters", lambda run: run["mcp"]["tools_json_chars"], places=0),
    Row("MCP: answer, characters p50", lambda run: run["mcp"]["answer_chars_p50"], places=0),
    Row("MCP: answer, characters max", lambda run: run["mcp"]["answer_chars_max"], places=0),
    Row("MCP: RSS, MB", lambda run: run["mcp"]["rss_mb"], places=0),
)


class Pythons(NamedTuple):
    """The interpreters of the systems; None where one cannot be run here."""

    treering: Path
    poma: Path
    sage: Path | None

    def command(self, system: str, name: str) -> str:
        """Return a command of a system's environment."""
        return str(getattr(self, system).with_name(name))


def measured(bench: Bench, run: Callable[[], Figures]) -> Figures:
    """Return a system's figures with the fixed loop before and after."""
    before = bench.cal()
    return run() | {"cal": (before, bench.cal())}


def file_round(bench: Bench, pythons: Pythons, corpus: str) -> dict[str, Figures]:
    """Measure indexing and searching of files; sage-memory has no such thing."""
    queries = bench.work / f"queries_{corpus}.json"
    known = passages.Corpus(bench.work / corpus)
    asked = json.loads(queries.read_text(encoding="utf-8"))
    text_mb = sum(file.stat().st_size for file in (bench.work / corpus).rglob("*.md")) / 1e6
    drivers = {"treering": HERE / "treering_driver.py", "poma": bench.peers / "driver_poma.py"}
    found = {}
    for system, driver in drivers.items():
        python = getattr(pythons, system)
        copy = own_copy(bench.work, corpus, system)

        def run(python: Path = python, driver: Path = driver, copy: Path = copy, system: str = system) -> Figures:
            figures = bench.json_of(python, driver, "bench", copy, "--queries", queries, "--cold", "1")
            answers = bench.json_of(python, HERE / "answers.py", system, copy, "--queries", queries)
            hits = {
                kind: {"file": shares.by_file, "passage": shares.by_passage}
                for kind, shares in passages.shares(known, asked, answers).items()
            }
            return figures | {"text_mb": text_mb, "hits": hits, "answer": figures.get("default", figures)}

        found[system] = measured(bench, run)
        print(f"{corpus} {system}: cal {found[system]['cal']}", file=sys.stderr)
    return found


def memory_round(bench: Bench, pythons: Pythons, count: int) -> dict[str, Figures]:
    """Measure saving and finding single memories; poma-memory has none."""
    memories, queries = bench.work / f"mem_{count}.jsonl", bench.work / f"memq_{count}.json"

    def ours() -> Figures:
        run = bench.json_of(pythons.treering, HERE / "treering_driver.py", "benchmem", memories, queries)
        return run | {"save_one": run["save_last_1000"], "all_cpu_s": run["bulk_cpu_s"], "count": run["memories"]}

    def theirs() -> Figures:
        home = bench.work / f"sage_{count}"
        shutil.rmtree(home, ignore_errors=True)
        driver = bench.peers / "driver_sage.py"
        words = ("benchmem", memories, queries, "--fastload", "--home", home)
        run = bench.json_of(pythons.sage or "", driver, *words)
        return run | {"save_one": run["store_last60"], "all_cpu_s": run["index_cpu_s"], "count": run["files"]}

    found = {"treering": measured(bench, ours)}
    if pythons.sage:
        found["sage"] = measured(bench, theirs)
    return found


def process_round(bench: Bench, pythons: Pythons) -> dict[str, Figures]:
    """Measure whole processes: version, a search from the shell, and the MCP server as its client sees it."""
    corpus = "c1000"
    queries = bench.work / f"queries_{corpus}.json"
    texts = [row["q"] for row in json.loads(queries.read_text(encoding="utf-8"))][::20]
    copies = {system: own_copy(bench.work, corpus, system) for system in ("treering", "poma")}
    store = copies["treering"].with_name(copies["treering"].name + ".treering")
    shell = {
        "treering": [*bench.treering, "--store", str(store), "search"],
        "poma": [pythons.command("poma", "poma-memory"), "search", "--path", copies["poma"], "--socket", "off"],
    }
    version = {
        "treering": [*bench.treering, "--version"],
        "poma": [pythons.command("poma", "poma-memory"), "--version"],
    }
    more = json.dumps({"path": str(copies["poma"])})
    few = ["--rounds", "1", "--calls", str(FEW_CALLS)]
    servers: dict[str, list[Any]] = {
        "treering": ["--tool", "memory_search", "--", *bench.treering, "--store", store, "serve"],
        "poma": ["--tool", "poma_search", "--more", more, *few, "--", pythons.command("poma", "poma-memory-mcp")],
    }
    if pythons.sage:
        version["sage"] = [pythons.command("sage", "sage-memory"), "--help"]
        home = bench.work / "sage_1000"
        settings = [f"HOME={home / '_home'}", f"SAGE_PROJECT_ROOT={home / 'proj'}"]
        command = ["env", *settings, pythons.command("sage", "sage-memory")]
        servers["sage"] = ["--tool", "sage_memory_search", "--cwd", home / "proj", "--", *command]
    found: dict[str, Figures] = {}
    for system, words in servers.items():

        def run(system: str = system, words: list[Any] = words) -> Figures:
            asked = bench.work / "memq_1000.json" if system == "sage" else queries
            sdk = [bench.cpu_ms(getattr(pythons, system), "-c", "import mcp") for _ in range(4)][1:]
            bench.cpu_ms(*version[system])
            figures: Figures = {
                "version_ms": statistics.median(bench.cpu_ms(*version[system]) for _ in range(5)),
                "sdk_ms": statistics.median(sdk),
                "mcp": bench.json_of(sys.executable, HERE / "mcp_driver.py", "--queries", asked, *words),
            }
            if system in shell:
                figures["shell_ms"] = statistics.median(bench.cpu_ms(*shell[system], text) for text in texts)
            return figures

        found[system] = measured(bench, run)
    return found


def table(title: str, rows: tuple[Row, ...], rounds: list[dict[str, Figures]]) -> None:
    """Print one part of the table."""
    names = {"treering": "Treering", "poma": "poma-memory", "sage": "sage-memory"}
    systems = [system for system in SYSTEMS if system in rounds[0]]
    cals = "; ".join(
        f"{names[system]} {', '.join('%.3f → %.3f' % run[system]['cal'] for run in rounds)}"  # noqa: UP031
        for system in systems
    )
    print(f"\n**{title}** (cal, s: {cals})\n")
    print(f"| measure | {' | '.join(f'{names[system]}' for system in systems)} | better by |")
    print("|---" * (len(systems) + 2) + "|")
    for row in rows:
        cells = [_cell(row, [run[system] for run in rounds]) for system in systems]
        print(f"| {row.title} | {' | '.join(cells)} | {_advantages(row, systems, rounds)} |")


def _figure(row: Row, run: Figures) -> float | None:
    """Return a system's figure; None where it has no such thing."""
    try:
        return float(row.value(run))
    except KeyError:
        return None


def _cell(row: Row, runs: list[Figures]) -> str:
    """Return the median over the rounds, or a dash."""
    values = [value for value in (_figure(row, run) for run in runs) if value is not None]
    return f"{statistics.median(values):,.{row.places}f}" if values else "–"


def _advantages(row: Row, systems: list[str], rounds: list[dict[str, Figures]]) -> str:
    """Return how many times better ours is than each peer's: medians of the ratios within each round."""
    found = []
    for system in systems[1:]:
        ratios = []
        for run in rounds:
            ours, theirs = _figure(row, run["treering"]), _figure(row, run[system])
            if ours and theirs:
                ratios.append(ours / theirs if row.more_is_better else theirs / ours)
        if ratios:
            found.append(f"{statistics.median(ratios):.2f}×")
    return ", ".join(found) or "–"


def machine() -> str:
    """Return what this machine is, in a line."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{name}, {os.cpu_count()} cores, {memory_gb:.0f} GB, {platform.system()} {platform.release()}; load {load}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shared", type=Path, default=os.environ.get("TREERING_SHARED") or REPOSITORY.parent / "shared"
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--poma-python", type=Path)
    parser.add_argument("--sage-python", type=Path)
    parser.add_argument("--treering", help="command to measure from the shell")
    parser.add_argument("--sizes", default="1000,3000")
    parser.add_argument("--memories", default="1000,10000")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default="files,memories,processes")
    given = parser.parse_args()
    work = given.work.resolve()
    (work / "home").mkdir(parents=True, exist_ok=True)
    shared = Path(given.shared).resolve()
    make_corpora(shared, work)
    pythons = Pythons(
        Path(sys.executable),
        environments.poma_python(work, given.poma_python),
        environments.sage_python(work, given.sage_python),
    )
    bench = Bench(shared / "peers", work, pythons.poma, treering_command(given.treering))
    print(f"{machine()}; Python {platform.python_version()}; {environments.POMA}, {environments.SAGE}; CPU times")
    wanted, rounds = given.only.split(","), range(given.rounds)
    if "files" in wanted:
        for size in map(int, given.sizes.split(",")):
            corpus = f"c{size:04}"
            table(f"{size:,} Markdown files", FILE_ROWS, [file_round(bench, pythons, corpus) for _ in rounds])
    if "memories" in wanted:
        for count in map(int, given.memories.split(",")):
            table(f"{count:,} memories", MEMORY_ROWS, [memory_round(bench, pythons, count) for _ in rounds])
    if "processes" in wanted:
        table("Processes and servers", PROCESS_ROWS, [process_round(bench, pythons) for _ in rounds])


if __name__ == "__main__":
    main()
