"""How search by meaning grows: time, recall, memory and building with 10,000, 100,000 and a million vectors.

usage: scale.py --texts DIR [--counts 10000,100000,1000000] [--provider static|multilingual]

Texts are windows of forty words from all .md, .txt and .jsonl files under DIR; every eighth word begins one, or more of
them if that gives too few. Questions are windows from the middle of other texts, cut to ten words. Each count runs in a
process of its own. Recall: how many of the ten nearest are as near as the ten nearest by all
numbers; equal texts have equal vectors.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from treering import wiring
from treering.backends.sqlite.engine import SqliteBackend
from treering.derived import vectors
from treering.domain.query import Filter
from treering.domain.vector import SCALE
from treering.recall.matrix import Matrix
from treering.recall.meaning import Scanned
from treering.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Embedder

QUESTIONS: Final = 60
_WINDOW: Final = 40
_BATCH: Final = 2048
_SHORTEST: Final = 40


def main() -> int:
    """Measure every count, each in a process of its own, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", required=True)
    parser.add_argument("--counts", default="10000,100000,1000000")
    parser.add_argument("--provider", default="static", choices=("static", "multilingual"))
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.texts, options.provider, options.one)))
        return 0
    print(f"cal {cal():.3f} s; {options.provider}\n")
    print("| vectors | embed, CPU-s | read, CPU-s | search p50, ms | exact, ms | recall of 10 | RSS, MB |")
    print("|---|---|---|---|---|---|---|")
    for count in options.counts.split(","):
        command = [sys.executable, __file__, "--texts", options.texts, "--provider", options.provider, "--one", count]
        done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
        got = json.loads(done.stdout)
        print("| {count:,} | {embed} | {read} | {search} | {exact} | {recall} | {rss} |".format(**got), flush=True)
    print(f"\ncal {cal():.3f} s")
    return 0


def cal() -> float:
    """Return the CPU seconds of a million additions."""
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - began


def measure(folder: str, provider: str, count: int) -> dict[str, Any]:
    """Return the figures of one count."""
    embedder = wiring.make_embedder(Settings(embedding_provider=provider))
    assert embedder is not None  # noqa: S101 - for the types
    texts, questions = windows(folder, count)
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "memory.db")
        with closing(SqliteBackend(path, create=True)) as store:
            began = time.process_time()
            stored = fill(store, embedder, texts)
            embed = time.process_time() - began
        del texts
        with closing(SqliteBackend(path, create=False)) as store:
            return {"count": stored, "embed": round(embed, 1)} | searched(store, embedder, questions)


def searched(store: SqliteBackend, embedder: Embedder, questions: list[str]) -> dict[str, Any]:
    """Return how long reading and searching take, and what is found."""
    model = vectors.name_of(embedder)
    before = rss_mb()
    began = time.process_time()
    matrix = Matrix(model, embedder.dimension)
    with store.read() as tx:
        matrix.refresh(tx)
    read = time.process_time() - began
    times, exact_times, recalls = [], [], []
    held = rss_mb()
    rows = matrix._rows[: matrix.count]  # noqa: SLF001
    for text in questions:
        question = embedder.embed_query(text)
        if not any(question):
            continue
        began = time.process_time()
        asked = Scanned(question, matrix, embedder.id, english_only=embedder.english_only)
        with store.read() as tx:
            found = sorted(asked.nearest(tx, 100, Filter(), needed=False).values())[-10:]
        times.append(time.process_time() - began)
        began = time.process_time()
        tenth = exactly(rows, np.frombuffer(question, "<f4"))
        exact_times.append(time.process_time() - began)
        recalls.append(sum(cosine > tenth - 1e-6 for cosine in found) / 10)
    return {
        "read": round(read, 2),
        "search": round(statistics.median(times) * 1000, 2),
        "exact": round(statistics.median(exact_times) * 1000, 1),
        "recall": round(statistics.fmean(recalls), 3),
        "rss": f"{held:.0f} (+ {held - before:.0f})",
    }


def exactly(rows: np.ndarray[Any, Any], question: np.ndarray[Any, Any]) -> float:
    """Return the tenth highest cosine by all numbers."""
    cosines = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), 16_384):
        part = rows[start : start + 16_384].astype(np.float32)
        cosines[start : start + 16_384] = np.einsum("ij,j->i", part, question) / SCALE
    return float(np.partition(cosines, -10)[-10])


def fill(store: SqliteBackend, embedder: Embedder, texts: list[str]) -> int:
    """Store the vectors of texts as entries 1, 2 …, without the texts; return how many mean something."""
    model, stored = vectors.name_of(embedder), 0
    with store.write() as tx:
        database = tx.vectors._db  # type: ignore[attr-defined] # noqa: SLF001
        number = tx.vectors._number(model)  # type: ignore[attr-defined] # noqa: SLF001
        for start in range(0, len(texts), _BATCH):
            rows = [row for row in vectors.embed(embedder, texts[start : start + _BATCH]) if any(row)]
            database.run_many(
                "insert into vector (space, entry, model, change, row) values (1, :entry, :model, :change, :row)",
                [
                    {"entry": stored + at + 1, "model": number, "change": start + 1, "row": row}
                    for at, row in enumerate(rows)
                ],
            )
            stored += len(rows)
    return stored


def windows(folder: str, count: int) -> tuple[list[str], list[str]]:
    """Return that many different texts and some questions, the same in every run."""
    for stride in (8, 5, 3, 2, 1):
        found = list(dict.fromkeys(cut(folder, stride)))
        if len(found) >= count + 4 * QUESTIONS:
            break
    random.Random(0).shuffle(found)  # noqa: S311
    last = len(found) - 4 * QUESTIONS
    asked = [" ".join(text.split()[10:20]) for text in found[last:]]
    return found[: min(count, last)], [text for text in asked if len(text) > _SHORTEST and text.isascii()][:QUESTIONS]


def cut(folder: str, stride: int) -> Iterator[str]:
    """Yield the windows of all files."""
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix not in {".md", ".txt", ".jsonl"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".jsonl":
            if path.name != "corpus.jsonl":
                continue
            text = "\n\n".join(json.loads(line)["text"] for line in text.splitlines())
        for paragraph in re.split(r"\n\s*\n", text):
            words = paragraph.split()
            for start in range(0, max(1, len(words) - 5), stride):
                yield " ".join(words[start : start + _WINDOW])


def rss_mb() -> float:
    """Return the resident memory of the process; the most that it ever had where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 2**20


if __name__ == "__main__":
    sys.exit(main())
