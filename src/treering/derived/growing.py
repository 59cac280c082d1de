"""The structure of the tree of digests: leaves come and go, and only what stands above them changes.

Each branch (memories, and each kind of text) is a B-tree over the ranks of its leaves; the trunk stands above the
branches. Nodes are read as they are needed and written once, at the end.
"""

from __future__ import annotations

from bisect import bisect_right
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

from treering.domain.digest import StoredDigest
from treering.domain.tree import BRANCHES, TRUNK, partition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.domain.digest import Leaf
    from treering.ports import Transaction


class Growth:
    """What one transaction does to the structure.

    Attributes:
        nodes: every node that was read or made, as it is now.
        changed: numbers of those that stand above something that changed.
        gone: numbers of those that were removed.
    """

    def __init__(self, tx: Transaction, factor: int) -> None:
        """Begin with the tree as it is stored; ``factor`` is the most children of a node."""
        self._tx = tx
        self._factor = factor
        self.nodes: dict[int, StoredDigest] = {}
        self.changed: set[int] = set()
        self._below: dict[int, list[int]] = {}
        self._leaves: dict[int, dict[int, Leaf]] = {}
        self.gone: set[int] = set()
        self._moved: dict[int, Leaf] = {}
        self._dropped: set[int] = set()
        self._before: dict[int, int] = {}
        trunk = tx.tree.trunk()
        self._trunk = trunk.number if trunk else 0
        if trunk:
            self._take(trunk)

    def add(self, branch: str, leaves: Iterable[Leaf]) -> None:
        """Put leaves where they belong in a branch; a leaf that is there already must be taken out first."""
        for leaf in sorted(leaves, key=lambda leaf: (leaf.rank, leaf.entry)):
            place = self._place(branch, leaf.rank)
            self.leaves(place)[leaf.entry] = self._moved[leaf.entry] = leaf._replace(digest=place)
            self._dropped.discard(leaf.entry)
            self.changed.add(place)

    def take_out(self, leaves: Iterable[Leaf]) -> None:
        """Take leaves out of the tree."""
        for leaf in leaves:
            self._node(leaf.digest)
            self.leaves(leaf.digest).pop(leaf.entry, None)
            self._moved.pop(leaf.entry, None)
            self._dropped.add(leaf.entry)
            self.changed.add(leaf.digest)

    def settle(self) -> None:
        """Give every node that changed its right size, and carry that up to the trunk."""
        level = 1
        while waiting := [number for number in self.changed if number not in self.gone]:
            levels = sorted({self.nodes[number].level for number in waiting})
            level = next((one for one in levels if one >= level), 0)
            if not level:
                return
            for number in sorted(one for one in waiting if self.nodes[one].level == level):
                if number not in self.gone:
                    self._balance(number)
            level += 1

    def write(self) -> None:
        """Store what changed; texts and rows are the caller's to set before."""
        self._tx.tree.remove(self.gone)
        self._tx.tree.put(self.nodes[number] for number in sorted(self.changed - self.gone))
        self._tx.tree.remove_leaves(self._dropped)
        self._tx.tree.put_leaves(self._moved.values())

    def is_new(self, number: int) -> bool:
        """Tell whether other leaves stand below a node than when it was read."""
        return self._before.get(number) != self.nodes[number].fingerprint

    def leaves(self, number: int) -> dict[int, Leaf]:
        """Return the leaves right below a node, by entry."""
        if number not in self._leaves:
            self._leaves[number] = {leaf.entry: leaf for leaf in self._tx.tree.leaves([number])}
        return self._leaves[number]

    def below(self, number: int) -> list[int]:
        """Return the nodes right below a node, in order."""
        if number not in self._below:
            children = self._tx.tree.children([number])
            for child in children:
                self._take(child)
            self._below[number] = [child.number for child in children]
        return self._below[number]

    def _take(self, node: StoredDigest) -> None:
        """Take down a node as it is stored, unless it is at hand."""
        if node.number not in self.nodes:
            self.nodes[node.number] = node
            self._before[node.number] = node.fingerprint

    def _node(self, number: int) -> StoredDigest:
        """Return a node, with all that stand above it at hand."""
        while number and number not in self.nodes:
            self._take(self._tx.tree.nodes([number])[number])
            number = self.nodes[number].parent
        return self.nodes[number]

    def _place(self, branch: str, rank: str) -> int:
        """Return the node of the lowest level that a rank belongs under."""
        number = next((one for one in self._branches() if self.nodes[one].domain == branch), 0)
        if not number:
            number = self._new(self._trunk, 1, branch)
            self.below(self._trunk).append(number)
            self._leaves[number] = {}
        while self.nodes[number].level > 1:
            children = self.below(number)
            firsts = [self.nodes[child].first for child in children]
            number = children[max(0, bisect_right(firsts, rank) - 1)]
        return number

    def _branches(self) -> list[int]:
        """Return the nodes right below the trunk, which is made where there is none."""
        if not self._trunk:
            self._trunk = self._new(0, TRUNK, "")
            self._below[self._trunk] = []
        return self.below(self._trunk)

    def _new(self, parent: int, level: int, domain: str) -> int:
        """Make a node without children and return its number."""
        number = self._tx.tree.next_number()
        self.nodes[number] = StoredDigest(number, parent, level, domain, "", "", 0, 0, "", "", b"")
        self.changed.add(number)
        return number

    def _balance(self, number: int) -> None:
        """Give a node its right size: part it, join it with a neighbour, or remove it."""
        node = self.nodes[number]
        size = len(self._members(number))
        is_branch = node.parent == self._trunk
        if not size:
            self._remove(number)
        elif node.level == TRUNK:
            self._renew(number)
        elif size > self._factor:
            self._part(number)
        elif is_branch and node.level > 1 and size == 1:
            self._replace(number, self.below(number)[0])
        elif not is_branch and size < max(2, self._factor // 4) and len(self.below(node.parent)) > 1:
            self._join(number)
        else:
            self._renew(number)

    def _members(self, number: int) -> list[int]:
        """Return what stands right below a node, in order: entries on the lowest level, else nodes."""
        if self.nodes[number].level > 1:
            return self.below(number)
        leaves = self.leaves(number)
        return sorted(leaves, key=lambda entry: (leaves[entry].rank, entry))

    def _remove(self, number: int) -> None:
        """Remove a node that has nothing below it."""
        parent = self.nodes[number].parent
        self.gone.add(number)
        self.changed.discard(number)
        if parent:
            self._node(parent)
            self.below(parent).remove(number)
            self.changed.add(parent)
        else:
            self._trunk = 0

    def _replace(self, number: int, child: int) -> None:
        """Let the only child of a branch's node stand in its place."""
        node = self.nodes[number]
        self._below[number] = []
        siblings = self.below(node.parent)
        siblings[siblings.index(number)] = child
        self.nodes[child] = self.nodes[child]._replace(parent=node.parent)
        self.gone.add(number)
        self.changed |= {child, node.parent}
        if self.nodes[child].level > 1 and len(self.below(child)) == 1:
            self._replace(child, self.below(child)[0])

    def _join(self, number: int) -> None:
        """Give what stands below a node to its neighbour, which is parted where that is too much."""
        node = self.nodes[number]
        siblings = self.below(node.parent)
        at = siblings.index(number)
        other = siblings[at - 1] if at else siblings[1]
        self._give(self._members(number), node.level, other)
        if node.level > 1:
            self._below[number] = []
        siblings.remove(number)
        self.gone.add(number)
        self.changed |= {other, node.parent}
        self._balance(other)

    def _give(self, members: Sequence[int], level: int, to: int) -> None:
        """Put members under another node of a level."""
        if level == 1:
            for entry in members:
                leaf = self._leaf(entry)
                self.leaves(leaf.digest).pop(entry)
                self.leaves(to)[entry] = self._moved[entry] = leaf._replace(digest=to)
            return
        for child in members:
            self.nodes[child] = self.nodes[child]._replace(parent=to)
            self.changed.add(child)
        self._below[to] = sorted((*self.below(to), *members), key=lambda child: (self.nodes[child].first, child))

    def _leaf(self, entry: int) -> Leaf:
        """Return a leaf that was read."""
        return next(leaves[entry] for leaves in self._leaves.values() if entry in leaves)

    def _part(self, number: int) -> None:
        """Part a node into as many as it takes; the first part keeps its place."""
        node = self.nodes[number]
        members = self._members(number)
        leaves = self.leaves(number) if node.level == 1 else {}
        ends = partition([leaves[one].rank if leaves else self.nodes[one].first for one in members], self._factor)
        parent = node.parent
        if parent == self._trunk:
            parent = self._new(self._trunk, node.level + 1, node.domain)
            branches = self.below(self._trunk)
            branches[branches.index(number)] = parent
            self._below[parent] = [number]
            self.nodes[number] = node._replace(parent=parent)
        parts = [number]
        for start, end in pairwise(ends):
            part = self._new(parent, node.level, node.domain)
            if leaves:
                self._leaves[part] = {}
                for entry in members[start:end]:
                    leaf = leaves.pop(entry)
                    self._leaves[part][entry] = self._moved[entry] = leaf._replace(digest=part)
            else:
                self._below[part] = []
                self._give(members[start:end], node.level, part)
            parts.append(part)
        if not leaves:
            self._below[number] = members[: ends[0]]
        for part in parts:
            self._renew(part)
        siblings = self.below(parent)
        at = siblings.index(number)
        siblings[at : at + 1] = parts
        self.changed.add(parent)

    def _renew(self, number: int) -> None:
        """Let a node say where it begins and ends, and how much stands below it."""
        node = self.nodes[number]
        if node.level == 1:
            leaves = self.leaves(number)
            ordered = [leaves[entry] for entry in self._members(number)]
            first, last, count = ordered[0].rank, ordered[-1].rank, len(ordered)
            marks = [(leaf.entry, leaf.fingerprint) for leaf in ordered]
        else:
            if node.level == TRUNK:
                self.below(number).sort(key=lambda child: BRANCHES.index(self.nodes[child].domain))
            children = [self.nodes[child] for child in self.below(number)]
            first, last, count = children[0].first, children[-1].last, sum(child.leaves for child in children)
            marks = [(child.leaves, child.fingerprint) for child in children]
        hashed = blake2b(repr(marks).encode(), digest_size=8).digest()
        self.nodes[number] = node._replace(
            first=first, last=last, leaves=count, fingerprint=int.from_bytes(hashed, "big", signed=True)
        )
        self.changed.add(number)
        if node.parent:
            self._node(node.parent)
            self.changed.add(node.parent)
