"""What the tree of digests costs and finds.

usage: tree.py quality SETS SET… [--limit N] | scale [N…] [--keep DIR] | answers [N…] [--keep DIR]

``quality``: recall within the first ten documents by descent beside hybrid search, and nodes opened. ``scale``: CPU of
digesting N chunks, of one changed memory, and nodes opened by a descent beside beam × log_B N. ``answers``: tokens of
the map, of a search and of a descent at N memories. Figures are CPU time. Stores that are kept in a folder are made
once and used again; what is digested already is then digested anew.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import statistics
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import treering
from treering.evals.datasets import read
from treering.evals.memories import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

# As many made-up words as a large vocabulary has, so that some are rare.
_WORDS = [f"{a}{b}{c}" for a in ("ka", "lo", "mi", "nu", "re", "sa", "to", "vi") for b in ("ban", "del", "fir", "gol",
          "hum", "jat", "kep", "lin") for c in ("", "a", "en", "or", "us", "ix", "um", "ot")]  # fmt: skip


def quality(folder: Path, names: list[str], limit: int) -> None:
    """Print what descent finds of what hybrid search finds."""
    print("| set | questions | hybrid recall@10 | tree recall@10 | share | opened | nodes | depth |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        dataset = read(folder / name)
        found: dict[str, list[float]] = {"hybrid": [], "tree": []}
        opened, nodes, depth = [], [], []
        groups: dict[str, list] = {}
        for question in dataset.questions:
            if question.judged:
                groups.setdefault(question.group, []).append(question)
        each = max(1, limit // max(1, len(groups)))
        for group, questions in groups.items():
            with Memory(dataset.groups[group], vectors=True) as memory:
                memory._memory.consolidate()  # noqa: SLF001 - a bench of ours
                for question in questions[:: max(1, len(questions) // each)][:each]:
                    wanted = set(question.relevant)
                    for mode, values in found.items():
                        first = memory.ranking(question.text, mode)[:10]
                        values.append(len(wanted.intersection(first)) / len(wanted))
                    went = memory._memory.search(question.text, mode="tree", empty_gate=0).descent  # noqa: SLF001
                    opened.append(went.opened)
                    nodes.append(went.nodes)
                    depth.append(went.depth)
        hybrid, tree = (statistics.fmean(values) for values in found.values())
        share = tree / hybrid if hybrid else math.nan
        print(f"| {name} | {len(opened)} | {hybrid:.3f} | {tree:.3f} | {share:.2f} | {statistics.fmean(opened):.1f}"
              f" | {statistics.fmean(nodes):.0f} | {statistics.fmean(depth):.1f} |", flush=True)  # fmt: skip


def _filled(folder: str, size: int) -> treering.MemoryStore:
    """Return a project with ``size`` chunks of made-up notes, indexed and embedded."""
    chosen = random.Random(size)  # noqa: S311 - made-up words
    root = Path(folder)
    if (root / ".treering").exists():
        return treering.open(root)
    (root / ".git").mkdir(parents=True)
    per_file = 20
    for number in range(0, size, per_file):
        file = root / f"area{number // 2000}" / f"note{number}.md"
        file.parent.mkdir(exist_ok=True)
        parts = []
        for part in range(min(per_file, size - number)):
            words = " ".join(chosen.choices(_WORDS, k=70))
            parts.append(f"## Part {number + part}\n\nEntry number{number + part} says: {words}.\n")
        file.write_text("\n".join(parts), encoding="utf-8")
    memory = treering.open(root)
    memory.index(root)
    return memory


@contextmanager
def _folder(keep: str, size: int) -> Iterator[str]:
    """Return a folder for a store of a size, which is gone behind the block unless it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        place = f"{keep}/{size}" if keep else folder
        os.environ["TREERING_HOME"] = f"{place}.home"  # the user's own store would be asked, too
        yield place
        shutil.rmtree(f"{folder}.home", ignore_errors=True)


def scale(sizes: list[int], keep: str) -> None:
    """Print what digesting and descending cost."""
    print("| chunks | digested/CPU-s | one changed leaf, CPU ms | opened | 3 × log₈ n | nodes | descent, CPU ms |")
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        with _folder(keep, size) as folder, closing(_filled(folder, size)) as memory:
            began = time.process_time()
            made = memory.consolidate()
            if not made.changed:
                began = time.process_time()
                made = memory.consolidate(force=True)
            speed = made.leaves / (time.process_time() - began)
            changes = []
            for number in range(5):
                memory.remember(f"Change number {number}: the valve of boiler {number} was replaced")
                memory.ensure_embeddings()
                began = time.process_time()
                memory.consolidate()
                changes.append(1000 * (time.process_time() - began))
            opened, cpu = [], []
            for number in range(0, size, max(1, size // 40)):
                began = time.process_time()
                opened.append(memory.search(f"what does entry number{number} say", mode="tree").descent.opened)
                cpu.append(1000 * (time.process_time() - began))
            bound = 3 * math.log(max(made.leaves, 8), 8)
            mean = statistics.fmean(opened)
            print(f"| {made.leaves:,} | {speed:,.0f} | {statistics.median(changes):.1f} | {mean:.1f}"
                  f" (at most {max(opened)}) | {bound:.1f} | {made.nodes:,} | {statistics.median(cpu):.1f} |",
                  flush=True)  # fmt: skip


def answers(sizes: list[int], keep: str) -> None:
    """Print how long answers are in memories of several sizes."""
    print("| entries | map | search | descent | opened |")
    print("|---|---|---|---|---|")
    for size in sizes:
        with _folder(keep, size) as folder, closing(_filled(folder, size)) as memory:
            memory.consolidate()
            found, went, opened = [], [], []
            for number in range(0, size, max(1, size // 20)):
                text = f"what does entry number{number} say"
                found.append(memory.search(text).tokens)
                answer = memory.search(text, mode="tree")
                went.append(answer.tokens)
                opened.append(answer.descent.opened)
            print(f"| {size:,} | {memory.tree().tokens} | {min(found)}–{max(found)} | {min(went)}–{max(went)}"
                  f" | {statistics.fmean(opened):.1f} |", flush=True)  # fmt: skip


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    of_sets = kinds.add_parser("quality")
    of_sets.add_argument("folder", type=Path)
    of_sets.add_argument("names", nargs="+")
    of_sets.add_argument("--limit", type=int, default=300)
    for kind, sizes in (("scale", [100, 10_000]), ("answers", [50, 5_000, 50_000])):
        of_sizes = kinds.add_parser(kind)
        of_sizes.add_argument("sizes", nargs="*", type=int, default=sizes)
        of_sizes.add_argument("--keep", default="", help="folder for the stores")
    given = parser.parse_args()
    if given.kind == "quality":
        quality(given.folder, given.names, given.limit)
    elif given.kind == "scale":
        scale(given.sizes, given.keep)
    else:
        answers(given.sizes, given.keep)


if __name__ == "__main__":
    main()
