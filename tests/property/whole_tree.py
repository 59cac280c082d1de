"""What holds of every tree of digests, whatever was done to it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from treering.domain.condensing import EXTRACTIVE
from treering.domain.query import Filter
from treering.domain.tree import TRUNK

if TYPE_CHECKING:
    from treering.ports import Transaction


def entries_of(tx: Transaction) -> set[int]:
    """Return the entries that belong into a tree: chunks, but for notes of memories, and memories that may hold."""
    found: set[int] = set()
    for source in tx.sources.list_sources(Filter(), 10_000, ""):
        if not source.key.startswith("note:mem_"):
            found.update(chunk.entry for chunk in tx.sources.chunks_of(source.version))
    return found | {memory.entry for memory in tx.memories.list_memories(("active", "disputed"), 10_000, "")}


def check_whole(tx: Transaction, factor: int) -> int:
    """Check that all is reached from the trunk once, in order and within size; return how many nodes there are."""
    trunk = tx.tree.trunk()
    if trunk is None:
        assert tx.tree.count() == (0, 0)
        assert entries_of(tx) == set()
        return 0
    assert (trunk.level, trunk.parent) == (TRUNK, 0)
    reached: list[int] = []
    nodes, level = 0, [trunk]
    while level:
        nodes += len(level)
        for node in level:
            children = tx.tree.children([node.number])
            leaves = tx.tree.leaves([node.number])
            assert bool(children) != bool(leaves), node
            assert node.made == EXTRACTIVE
            if node.level != TRUNK:
                assert len(children or leaves) <= factor
            if leaves:
                assert node.level == 1
                assert (node.first, node.last, node.leaves) == (leaves[0].rank, leaves[-1].rank, len(leaves))
                reached += [leaf.entry for leaf in leaves]
            else:
                assert node.leaves == sum(child.leaves for child in children)
                assert all(child.level < node.level for child in children)
                if node.level != TRUNK:
                    assert len({child.level for child in children}) == 1
                    ends = [(child.first, child.last) for child in children]
                    assert ends == sorted(ends)
                    assert all(left[1] <= right[0] for left, right in pairwise(ends))
        level = [child for node in level for child in tx.tree.children([node.number])]
    assert len(reached) == len(set(reached))
    assert set(reached) == entries_of(tx)
    assert tx.tree.count() == (nodes, len(reached))
    return nodes
