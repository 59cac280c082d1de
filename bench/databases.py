"""Treering on PostgreSQL beside SQLite: the same files, the same questions, one machine.

usage: databases.py [--shared DIR] [--chunks 10000,100000] [--questions 100]

Indexes Markdown files until a store has so many chunks, embeds them, asks, and prints one Markdown table for each
size. Further chunks than the files have come from files with their paragraphs mixed. The server is a throwaway one on
a socket of this machine, without fsync: its times are those of CPU, not of a disk or a network. CPU seconds are those
of the process and, for PostgreSQL, of the server with it. ``README.md`` beside this file explains the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "src"), str(REPOSITORY / "scripts")]

from throwaway_postgres import Server  # noqa: E402

from treering import wiring  # noqa: E402
from treering.api import MemoryStore  # noqa: E402
from treering.derived.vectors import embed_question, name_of  # noqa: E402
from treering.domain.query import Filter  # noqa: E402
from treering.places import find_place  # noqa: E402
from treering.settings import Settings  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FIGURES: Final = (
    "chunks", "load, s", "load, CPU-s", "chunks per CPU-s", "embed and store, CPU-s", "HNSW build, s",
    "HNSW build, CPU-s", "size, MB", "keyword, ms p50", "keyword, ms p95", "hybrid, ms p50", "hybrid, ms p95",
    "hybrid, CPU-ms", "nearest 100 alone, CPU-ms", "recall of 10 against exact", "recall of 100 against exact",
    "keyword, CPU-ms", "filtered hybrid, CPU-ms",
)  # fmt: skip
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Clock:
    """Measures wall and CPU seconds, the server's included."""

    def __init__(self, server: Server | None) -> None:
        """Watch this process, and a server if there is one."""
        self._server = server
        self.wall_s = self.cpu_s = 0.0

    def _cpu(self) -> float:
        """Return the CPU seconds that were used so far."""
        return time.process_time() + (0.0 if self._server is None else server_cpu_s(self._server))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measure a block."""
        wall, cpu = time.monotonic(), self._cpu()
        yield
        self.wall_s, self.cpu_s = time.monotonic() - wall, self._cpu() - cpu


def server_cpu_s(server: Server) -> float:
    """Return the CPU seconds of a server with all its processes, those that ended included."""
    pid = server.process_id
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(folder.name) == pid:
                total += sum(map(int, fields[11:15]))
            elif int(fields[1]) == pid:
                total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def write_corpus(markdown: Path, folder: Path, chunks: int) -> int:
    """Write files that give about so many chunks and return how many files there are."""
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in sorted(markdown.rglob("*.md"))]
    chosen = random.Random(1)  # noqa: S311  the same corpus each time
    chosen.shuffle(texts)
    paragraphs = [part for text in texts for part in text.split("\n\n") if 40 < len(part) < 2000]
    written, room = 0, chunks * 430  # characters of a chunk, about
    for number in range(10**9):
        text = texts[number] if number < len(texts) else "\n\n".join(chosen.sample(paragraphs, 30))
        (folder / f"{number % 50}").mkdir(parents=True, exist_ok=True)
        (folder / f"{number % 50}" / f"{number}.md").write_text(text, encoding="utf-8")
        written += len(text)
        if written > room:
            return number + 1
    return 0


def questions_of(shared: Path, count: int) -> list[str]:
    """Return natural questions of the development sets, evenly from each."""
    found: list[str] = []
    for name in ("cosqa", "docs_xling_fastapi", "chunking_eval", "timeqa_human"):
        for file in sorted((shared / "eval" / "sets" / name).glob("quer*.jsonl")):
            lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            texts = [str(line.get("text") or line.get("question") or line.get("query")) for line in lines]
            found += [text for text in texts if text.isascii()][: count // 4]
    return found[:count]


def measure(store: str | None, server: Server | None, folder: Path, questions: Sequence[str]) -> dict[str, float]:
    """Load a corpus into a store, ask, and return figures."""
    clock = Clock(server)
    environ = {"HOME": str(folder.parent), "TREERING_STORE": store or str(folder.parent / "store")}
    place = find_place(None, str(folder), environ)
    figures: dict[str, float] = {}
    with clock.running(), MemoryStore(place, Settings(embedding_provider="none")) as memory:
        memory.index([folder])
        figures["chunks"] = memory.status().chunks
    figures |= {"load, s": clock.wall_s, "load, CPU-s": clock.cpu_s}
    figures["chunks per CPU-s"] = figures["chunks"] / clock.cpu_s
    with MemoryStore(place, Settings()) as memory:
        backend = memory._opened(create=False)  # noqa: SLF001  what is measured alone
        settle, backend.settle = backend.settle, lambda: None  # type: ignore[method-assign]
        with clock.running():
            memory.ensure_embeddings()
        figures["embed and store, CPU-s"] = clock.cpu_s
        exact = nearest(memory, questions)
        with clock.running():
            settle()
        figures |= {"HNSW build, s": clock.wall_s, "HNSW build, CPU-s": clock.cpu_s} if server else {}
        found = nearest(memory, questions)
        figures["recall of 10 against exact"] = recall(found, exact, 10)
        figures["recall of 100 against exact"] = recall(found, exact, 100)
        figures["size, MB"] = int(backend.info()["size_bytes"]) / 1e6
        figures |= times(memory, questions, folder, clock, alone=server is not None)
    return figures


def nearest(memory: MemoryStore, questions: Sequence[str]) -> list[list[float]]:
    """Return the cosines of the hundred nearest entries of each question."""
    embedder = wiring.make_embedder(memory.settings)
    assert embedder is not None  # noqa: S101
    found = []
    with memory._reading() as tx:  # noqa: SLF001
        for question in questions:
            vector = embed_question(embedder, question)
            near = tx.vectors.nearest(name_of(embedder), vector, 100, Filter()) if vector else {}
            found.append(list(near.values()))
    return found


def recall(found: Sequence[Sequence[float]], exact: Sequence[Sequence[float]], most: int) -> float:
    """Return which share of the nearest was found; one that is as near as the last of them counts, too."""
    shares = []
    for ours, true in zip(found, exact, strict=True):
        if true:
            last = true[:most][-1] - 1e-6
            shares.append(min(1.0, sum(cosine >= last for cosine in ours) / len(true[:most])))
    return statistics.fmean(shares)


def times(
    memory: MemoryStore, questions: Sequence[str], folder: Path, clock: Clock, *, alone: bool
) -> dict[str, float]:
    """Return how long searches take in a process that stays."""
    figures: dict[str, float] = {}
    memory.search(questions[0])
    memory.search(questions[0])

    def ask(name: str, **named: Any) -> None:  # noqa: ANN401  any option of a search
        """Ask every question once and keep median and 95th percentile."""
        took = []
        with clock.running():
            for question in questions:
                began = time.monotonic()
                memory.search(question, **named)
                took.append((time.monotonic() - began) * 1000)
        figures[f"{name}, ms p50"] = statistics.median(took)
        figures[f"{name}, ms p95"] = sorted(took)[int(len(took) * 0.95)]
        figures[f"{name}, CPU-ms"] = clock.cpu_s * 1000 / len(questions)

    ask("keyword", mode="keyword")
    ask("hybrid")
    ask("filtered hybrid", path=folder / "7")
    if alone:
        with clock.running():
            nearest(memory, questions)
        figures["nearest 100 alone, CPU-ms"] = clock.cpu_s * 1000 / len(questions)
    return figures


def main() -> None:
    """Measure every size on both databases and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=REPOSITORY.parent / "shared")
    parser.add_argument("--chunks", default="10000,100000")
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    questions = questions_of(options.shared, options.questions)
    for chunks in map(int, options.chunks.split(",")):
        with tempfile.TemporaryDirectory(prefix="treering-bench-") as name, Server(shared_buffers="512MB") as server:
            folder = Path(name) / "corpus"
            write_corpus(options.shared / "markdown", folder, chunks)
            both = [measure(None, None, folder, questions), measure(server.url(), server, folder, questions)]
        print(f"\n| {len(questions)} questions | SQLite | PostgreSQL |\n|---|---|---|")
        for figure in FIGURES:
            cells = [f"{one[figure]:,.3g}" if figure in one else "–" for one in both]
            print(f"| {figure} | {cells[0]} | {cells[1]} |", flush=True)


if __name__ == "__main__":
    main()
