"""Whether digests say what stands below them.

usage: digests.py SETS SET… [--limit N]

A digest is good if a question leads to it: the digests of one level are ordered by how near their text is to the
question, by the built-in embedder, and the first one that stands above a relevant document counts by its rank (MRR@10).
Levels 1 and 2 apart, each mean over the first three groups of every set.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treering.embedders.static import StaticEmbedder
from treering.evals.datasets import read
from treering.evals.memories import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.digest import StoredDigest
    from treering.evals.datasets import Question
    from treering.ports import Transaction

_GROUPS = 3
_LEVELS = (1, 2)
_RANKS = 10
# Of fewer nodes any digest is among the first.
_FEWEST = 4


def nodes_of(tx: Transaction) -> list[StoredDigest]:
    """Return all nodes below the trunk, higher ones first."""
    trunk = tx.tree.trunk()
    level, found = ([trunk] if trunk else []), []
    while level:
        below = tx.tree.children([node.number for node in level])
        found += below
        level = [node for node in below if node.level > 1]
    return found


def documents_below(tx: Transaction, nodes: Sequence[StoredDigest], memory: Memory) -> dict[int, set[str]]:
    """Return the documents that stand below each node."""
    found: dict[int, set[str]] = {node.number: set() for node in nodes}
    for node in reversed(nodes):
        if node.level == 1:
            chunks = tx.sources.chunks([leaf.entry for leaf in tx.tree.leaves([node.number])])
            found[node.number] = {memory.document(chunk.version, chunk.ordinal) for chunk in chunks.values()}
        if node.parent in found:
            found[node.parent] |= found[node.number]
    return found


def ranks(texts: Sequence[str], below: Sequence[set[str]], questions: Sequence[Question]) -> list[float]:
    """Return for each question one divided by the rank of the first text that leads to what is relevant."""
    embedder = StaticEmbedder()
    rows = np.frombuffer(embedder.embed_texts([text or " " for text in texts]), "<f4").reshape(len(texts), -1)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    values = []
    for question in questions:
        near = np.argsort(-(rows @ np.frombuffer(embedder.embed_query(question.text), "<f4")))[:_RANKS]
        wanted = set(question.relevant)
        values.append(next((1 / rank for rank, at in enumerate(near, start=1) if below[at] & wanted), 0.0))
    return values


def measure(folder: Path, name: str, limit: int) -> dict[int, float]:
    """Return the mean of each level over the first groups of a set."""
    dataset = read(folder / name)
    groups: dict[str, list[Question]] = {}
    for question in dataset.questions:
        if question.judged:
            groups.setdefault(question.group, []).append(question)
    values: dict[int, list[float]] = {level: [] for level in _LEVELS}
    for group, questions in list(groups.items())[:_GROUPS]:
        with Memory(dataset.groups[group], vectors=True) as memory, memory.digested() as tx:
            nodes = nodes_of(tx)
            below = documents_below(tx, nodes, memory)
        for level in _LEVELS:
            chosen = [node for node in nodes if node.level == level]
            if len(chosen) >= _FEWEST:
                texts = [node.text for node in chosen]
                values[level] += ranks(texts, [below[node.number] for node in chosen], questions[:limit])
    return {level: statistics.fmean(found) for level, found in values.items() if found}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--limit", type=int, default=150)
    given = parser.parse_args()
    print("| set | level 1 | level 2 |")
    print("|---|---|---|")
    every: dict[int, list[float]] = {level: [] for level in _LEVELS}
    for name in given.names:
        found = measure(given.folder, name, given.limit)
        for level, value in found.items():
            every[level].append(value)
        print(f"| {name} |", " | ".join(f"{found.get(level, float('nan')):.3f}" for level in _LEVELS), "|", flush=True)
    print("| mean |", " | ".join(f"{statistics.fmean(every[level]):.3f}" for level in _LEVELS), "|")


if __name__ == "__main__":
    main()
