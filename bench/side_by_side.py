"""Treering beside poma-memory: the same corpora, the same queries, one run, CPU time.

usage: side_by_side.py [--shared DIR] [--work DIR] [--poma-python PATH] [--sizes 1000,3000] [--rounds N]

Runs the two in turn, each in processes of its own, with a calibration loop before and after each, and
prints one Markdown table per corpus: medians over the rounds, ratios within each round. Standard
library only. ``README.md`` beside this file explains the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

REPOSITORY = Path(__file__).resolve().parent.parent
COLD_QUERIES = 10
VERSION_RUNS = 5
REFERENCE_CAL_S = 0.05  # the machine that absolute limits are written for
Figures = dict[str, Any]


class Row(NamedTuple):
    """One line of the table.

    Attributes:
        title: what is measured, with its unit.
        value: takes the figure from a run's figures; may raise KeyError where a tool has none.
        more_is_better: which way the ratio goes.
        places: decimals to print.
        scales: whether it is a time, which a slower machine makes longer.
    """

    title: str
    value: Callable[[Figures], float]
    more_is_better: bool = False
    places: int = 1
    scales: bool = False


ROWS = (
    Row("files indexed", lambda run: run["files"], more_is_better=True, places=0),
    Row("index, files per CPU-s", lambda run: run["files"] / run["index_cpu_s"], more_is_better=True),
    Row(
        "unchanged re-index, CPU-s per 1,000 files",
        lambda run: run["reindex_noop_cpu_s"] / run["files"] * 1e3,
        places=3,
        scales=True,
    ),
    Row("warm search, CPU ms p50", lambda run: run["warm"]["cpu_p50_ms"], places=2, scales=True),
    Row("warm search, CPU ms p95", lambda run: run["warm"]["cpu_p95_ms"], places=2, scales=True),
    Row(
        "warm search with defaults, CPU ms p50", lambda run: run["default"]["warm"]["cpu_p50_ms"], places=2, scales=True
    ),
    Row(
        "warm search with defaults, CPU ms p95", lambda run: run["default"]["warm"]["cpu_p95_ms"], places=2, scales=True
    ),
    Row("first search of an opened store, CPU ms", lambda run: run["first_search_cpu_s"] * 1e3, scales=True),
    Row("`search` from the shell, process CPU ms p50", lambda run: run["shell_search_ms"], scales=True),
    Row("`--version`, process CPU ms", lambda run: run["version_ms"], scales=True),
    Row("database ÷ text", lambda run: run["db_mb"] / run["text_mb"], places=2),
    Row("heading queries, hit@1", lambda run: run["quality"]["heading"]["hit@1"], more_is_better=True, places=3),
    Row("heading queries, hit@10", lambda run: run["quality"]["heading"]["hit@10"], more_is_better=True, places=3),
    Row("body queries, hit@1", lambda run: run["quality"]["body"]["hit@1"], more_is_better=True, places=3),
    Row("body queries, hit@10", lambda run: run["quality"]["body"]["hit@10"], more_is_better=True, places=3),
    Row(
        "body queries, hit@1, named copies counted",
        lambda run: run["quality_named"]["body"]["hit@1"],
        more_is_better=True,
        places=3,
    ),
    Row(
        "body queries, hit@10, named copies counted",
        lambda run: run["quality_named"]["body"]["hit@10"],
        more_is_better=True,
        places=3,
    ),
    Row("results per answer, 10 asked for, mean", lambda run: run["results_mean"], places=2),
    Row("answer of 10 without a budget, characters p50", lambda run: run["result_chars_p50"], places=0),
    Row("answer of 10 without a budget, characters p95", lambda run: run["result_chars_p95"], places=0),
    Row("answer of 10 without a budget, characters max", lambda run: run["result_chars_max"], places=0),
    Row("results per answer with defaults, mean", lambda run: run["default"]["results_mean"], places=2),
    Row("answer with defaults, characters p50", lambda run: run["default"]["result_chars_p50"], places=0),
    Row("answer with defaults, characters p95", lambda run: run["default"]["result_chars_p95"], places=0),
    Row("answer with defaults, characters max", lambda run: run["default"]["result_chars_max"], places=0),
    Row("answer with defaults, tokens max", lambda run: run["default"]["tokens_max"], places=0),
    Row("queries answered NOT FOUND", lambda run: run["default"]["not_found"], places=0),
    Row("heading queries with defaults, hit@1", lambda run: run["default"]["quality"]["heading"]["hit@1"], places=3),
    Row("body queries with defaults, hit@1", lambda run: run["default"]["quality"]["body"]["hit@1"], places=3),
    Row("RSS while searching, MB", lambda run: run["rss_warm_mb"]),
    Row("RSS peak, MB", lambda run: run["peak_mb"]),
)


class Bench(NamedTuple):
    """Where everything is: the handed drivers, the scratch folder, the interpreters and commands."""

    peers: Path
    work: Path
    poma_python: Path | None
    treering: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """Environment for every measured process: a home of its own, compiled modules kept."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TREERING_", "PYTHON", "XDG_", "POMA_"))
        }
        return kept | {
            "HOME": str(self.work / "home"),
            "PYTHONPATH": str(REPOSITORY / "src"),
            "PYTHONPYCACHEPREFIX": str(self.work / "pycache"),
            "HF_HUB_OFFLINE": "1",
        }

    def json_of(self, *command: str | Path) -> Figures:
        """Run a driver and return the object on its last line."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.work, env=self.environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{shlex.join(map(str, command))} failed:\n{done.stderr}")
        figures: Figures = json.loads(done.stdout.splitlines()[-1])
        return figures

    def cpu_ms(self, *command: str | Path) -> float:
        """CPU milliseconds of one whole process, user and system."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.work, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            check=False,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):  # 1 says that nothing was found
            raise SystemExit(f"{shlex.join(map(str, command))} failed:\n{done.stderr}")
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3

    def cal(self) -> float:
        """CPU seconds of the fixed loop: how fast this machine is just now."""
        done = subprocess.run([sys.executable, str(self.peers / "cal.py")], capture_output=True, text=True, check=True)
        return float(done.stdout)


def make_corpora(shared: Path, work: Path) -> None:
    """Make the corpora and query files in the scratch folder unless they are there."""
    if (work / "queries_c3000.json").exists():
        return
    print(f"making corpora in {work}", file=sys.stderr)
    subprocess.run(
        [sys.executable, shared / "peers" / "make_subsets.py", shared / "markdown", work],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    script = work / "make_sets.py"  # it writes beside itself
    shutil.copyfile(shared / "peers" / "make_sets.py", script)
    subprocess.run([sys.executable, script, work], check=True, stdout=subprocess.DEVNULL)


def own_copy(work: Path, corpus: str, tool: str) -> Path:
    """Return a tool's own copy of a corpus: both drivers rewrite a file, one keeps its database inside."""
    copy = work / "copies" / f"{tool}_{corpus}"
    if not copy.exists():
        shutil.copytree(work / corpus, copy)
    return copy


def tools(bench: Bench, corpus: str) -> Iterator[tuple[str, list[str | Path], list[str | Path], list[str | Path]]]:
    """Each tool with its bench command, its search command (the text comes behind) and its version command."""
    queries = bench.work / f"queries_{corpus}.json"
    copy = own_copy(bench.work, corpus, "treering")
    driver = REPOSITORY / "bench" / "peers" / "treering_driver.py"
    store = copy.with_name(copy.name + ".treering")
    yield (
        "treering",
        [sys.executable, driver, "bench", copy, "--queries", queries, "--cold", "0"],
        [*bench.treering, "--store", store, "search"],
        [*bench.treering, "--version"],
    )
    if bench.poma_python is not None:
        copy = own_copy(bench.work, corpus, "poma")
        command = bench.poma_python.with_name("poma-memory")
        yield (
            "poma",
            [bench.poma_python, bench.peers / "driver_poma.py", "bench", copy, "--queries", queries, "--cold", "1"],
            [command, "search", "--path", copy, "--socket", "off"],
            [command, "--version"],
        )


def run_once(bench: Bench, corpus: str) -> dict[str, Figures]:
    """One round over one corpus: each tool's figures, taken in turn."""
    files = [file for file in (bench.work / corpus).rglob("*.md") if file.is_file()]
    text_mb = sum(file.stat().st_size for file in files) / 1e6
    rounds: dict[str, Figures] = {}
    used = list(tools(bench, corpus))
    for name, driver, _, version in used:
        before = bench.cal()
        rounds[name] = bench.json_of(*driver) | {"text_mb": text_mb}
        bench.cpu_ms(*version)  # compiles what is not compiled yet
        rounds[name]["version_ms"] = statistics.median(bench.cpu_ms(*version) for _ in range(VERSION_RUNS))
        rounds[name]["cal"] = (before, bench.cal())
        print(f"{corpus} {name}: cal {before:.4f} before, {rounds[name]['cal'][1]:.4f} after", file=sys.stderr)
    questions = json.loads((bench.work / f"queries_{corpus}.json").read_text(encoding="utf-8"))
    texts = [question["q"] for question in questions[:: max(1, len(questions) // COLD_QUERIES)]][:COLD_QUERIES]
    for _, _, search, _ in used:
        bench.cpu_ms(*search, texts[-1])
    cold: dict[str, list[float]] = {name: [] for name, *_ in used}
    for text in texts:
        for name, _, search, _ in used:
            cold[name].append(bench.cpu_ms(*search, text))
    for name, costs in cold.items():
        rounds[name]["shell_search_ms"] = statistics.median(costs)
    return rounds


def figure(row: Row, run: Figures) -> float | None:
    """A run's figure for a row; None where the tool has no such thing."""
    try:
        return float(row.value(run))
    except KeyError:
        return None


def median(values: Sequence[float | None]) -> float | None:
    """Median of what is there; None when nothing is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def at_reference(row: Row, run: Figures) -> float | None:
    """A run's time as the reference machine would have taken it; None for what is no time."""
    value = figure(row, run)
    return value * REFERENCE_CAL_S / statistics.mean(run["cal"]) if row.scales and value is not None else None


def advantage(row: Row, run: dict[str, Figures]) -> float | None:
    """How many times better ours is than the peer's within one round."""
    ours, theirs = (figure(row, run[name]) for name in ("treering", "poma"))
    better, worse = (ours, theirs) if row.more_is_better else (theirs, ours)
    return better / worse if better is not None and worse else None


def table(rounds: list[dict[str, Figures]]) -> Iterator[str]:
    """The Markdown table of one corpus."""

    def cell(value: float | None, form: str) -> str:
        """A figure, or a dash where there is none."""
        return "–" if value is None else format(value, form)

    paired = "poma" in rounds[0]
    yield f"| measure | Treering | at cal {REFERENCE_CAL_S} |" + (" poma-memory | better by |" if paired else "")
    yield "|---|---|---|" + ("---|---|" if paired else "")
    for row in ROWS:
        form = f",.{row.places}f"
        line = f"| {row.title} | {cell(median([figure(row, run['treering']) for run in rounds]), form)} |"
        line += f" {cell(median([at_reference(row, run['treering']) for run in rounds]), form)} |"
        if paired:
            theirs = cell(median([figure(row, run["poma"]) for run in rounds]), form)
            ratio = median([advantage(row, run) for run in rounds])
            line += f" {theirs} | {cell(ratio, '.2f')}{'' if ratio is None else '×'} |"
        yield line


def report(bench: Bench, corpus: str, rounds: list[dict[str, Figures]]) -> None:
    """Print one corpus: the calibration beside the table."""
    print(f"\n### {corpus}: {rounds[0]['treering']['text_mb']:.1f} MB of Markdown, {len(rounds)} round(s)\n")
    for name in rounds[0]:
        pairs = ", ".join(f"{before:.4f} → {after:.4f}" for before, after in (run[name]["cal"] for run in rounds))
        print(f"cal before → after {name}: {pairs} s  ")
    if bench.poma_python is None:
        print("No --poma-python was given: Treering's figures alone, nothing to compare with.  ")
    print()
    print("\n".join(table(rounds)), flush=True)


def treering_command(given: str | None) -> tuple[str, ...]:
    """The command to measure from the shell: as given, else installed beside this Python, else the module."""
    if given:
        return tuple(shlex.split(given))
    installed = Path(sys.executable).with_name("treering")
    return (str(installed),) if installed.exists() else (sys.executable, "-m", "treering")


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(os.environ.get("TREERING_SHARED") or REPOSITORY.parent / "shared")
    parser.add_argument("--shared", type=Path, default=shared, help="folder with peers/ and markdown/")
    parser.add_argument("--work", type=Path, required=True, help="scratch folder; corpora are made in it if absent")
    parser.add_argument("--poma-python", type=Path, help="Python of an environment with poma-memory[mcp]")
    parser.add_argument("--treering", help="command to measure from the shell")
    parser.add_argument("--sizes", default="1000,3000", help="of 200, 1000, 3000")
    parser.add_argument("--rounds", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    given = arguments()
    peers = given.shared.resolve() / "peers"
    if not peers.is_dir():
        raise SystemExit(f"{peers} is not there: name the folder that holds peers/ and markdown/ with --shared")
    work = given.work.resolve()
    (work / "home").mkdir(parents=True, exist_ok=True)
    make_corpora(given.shared.resolve(), work)
    poma = None if given.poma_python is None else given.poma_python.absolute()  # not resolved: it names a venv
    bench = Bench(peers, work, poma, treering_command(given.treering))
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, CPU time, `{shlex.join(bench.treering)}`")
    for size in given.sizes.split(","):
        corpus = f"c{int(size):04d}"
        report(bench, corpus, [run_once(bench, corpus) for _ in range(given.rounds)])


if __name__ == "__main__":
    main()
