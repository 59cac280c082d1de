"""The tree as a map within a token budget: broad first, deepest where a question or a folder points."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from treering.domain.text import llm_tokens
from treering.domain.tree import BRANCHES, label, path_of
from treering.domain.tree_report import TreeMap, TreeNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.digest import StoredDigest
    from treering.ports import Transaction

_LINE_CHARS: Final = 110
_CLOSING_TOKENS: Final = 40


def outline(
    tx: Transaction, max_tokens: int, depth: int = 0, promised: Mapping[int, float] | None = None, near: str = ""
) -> TreeMap:
    """Return as much of the tree as fits, the trunk first.

    Args:
        tx: the store.
        max_tokens: estimated LLM tokens of the whole map.
        depth: levels below the trunk at the most; 0 for as many as fit.
        promised: nodes that a question points at, with how strongly; their children come first.
        near: beginning of the ranks that the caller works at; what covers it comes next.
    """
    trunk = tx.tree.trunk()
    nodes, leaves = tx.tree.count()
    due = tx.tree.count_due()
    if trunk is None:
        return TreeMap(None, "", 0, nodes, leaves, due)
    top = _node(trunk, 0)
    left = max_tokens - _CLOSING_TOKENS - llm_tokens("\n".join(lines_of(top)))
    shown: dict[int, list[TreeNode]] = {}
    waiting: list[tuple[float, int, int, int]] = []

    def wait(node: StoredDigest, below: int) -> None:
        """Line a node up to be opened."""
        pull = (promised or {}).get(node.number, 0.0) + (1e-3 if _covers(node, near) else 0.0)
        heappush(waiting, (-pull, below, len(shown), node.number))

    known = {trunk.number: trunk}
    wait(trunk, 0)
    while waiting:
        _, below, _, number = heappop(waiting)
        if known[number].level == 1 or (depth and below >= depth):
            continue
        children = sorted(tx.tree.children([number]), key=_branch)
        made = [_node(child, below + 1, known[number]) for child in children]
        cost = sum(llm_tokens("\n".join(lines_of(one))) + 1 for one in made)
        if cost > left:
            continue
        left -= cost
        shown[number] = made
        for child in children:
            known[child.number] = child
            wait(child, below + 1)
    top = _joined(top, shown)
    text = "\n".join(_written(top)) + "\n"
    return TreeMap(top, text, llm_tokens(text), nodes, leaves, due)


def lines_of(node: TreeNode) -> list[str]:
    """Return the lines that a node is shown as."""
    indent = "  " * node.below
    entries = f"{node.leaves} {'entry' if node.leaves == 1 else 'entries'}"
    said = " · ".join(node.text.split("\n"))
    said = said if len(said) <= _LINE_CHARS else f"{said[: _LINE_CHARS - 1]}…"
    return [f"{indent}{node.label} ({entries})", *([f"{indent}  {said}"] if said else [])]


def _written(node: TreeNode) -> list[str]:
    """Return the lines of a node and all that is shown below it."""
    return [*lines_of(node), *(line for child in node.children for line in _written(child))]


def _node(node: StoredDigest, below: int, parent: StoredDigest | None = None) -> TreeNode:
    """Return a node as it is shown."""
    is_branch = parent is not None and not parent.domain
    name = "trunk" if parent is None else node.domain if is_branch else label(node.first, node.last)
    return TreeNode(f"dig_{node.number}", name, node.domain, below, node.leaves, node.text, node.made)


def _joined(node: TreeNode, shown: Mapping[int, Sequence[TreeNode]]) -> TreeNode:
    """Return a node with all that is shown below it."""
    children = shown.get(int(node.id.removeprefix("dig_")), ())
    return node._replace(children=tuple(_joined(child, shown) for child in children))


def _branch(node: StoredDigest) -> int:
    """Return the place of a node's branch: memories first, then kinds of text in their order."""
    return BRANCHES.index(node.domain)


def _covers(node: StoredDigest, near: str) -> bool:
    """Tell whether a node stands above what begins like that."""
    if not near or not node.domain:
        return bool(near)
    return path_of(node.first)[: len(near)] <= near <= path_of(node.last)[: len(near)]
