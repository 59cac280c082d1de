"""The top of the tree of digests, as the index of the mirror tells it: what there is, before any file is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.tree import BRANCHES, label

if TYPE_CHECKING:
    from treering.domain.digest import StoredDigest
    from treering.ports import Transaction

_LINE_CHARS: Final = 240


def lines(tx: Transaction) -> list[str]:
    """Return a line for the trunk, one for each of its branches, and one for each node right below those."""
    trunk = tx.tree.trunk()
    if trunk is None:
        return []
    branches = sorted(tx.tree.children([trunk.number]), key=lambda one: BRANCHES.index(one.domain))
    found = [_line(trunk, "everything", 0)]
    for branch in branches:
        found.append(_line(branch, branch.domain, 1))
        if branch.level > 1:
            found += [_line(node, label(node.first, node.last), 2) for node in tx.tree.children([branch.number])]
    return found


def _line(node: StoredDigest, name: str, below: int) -> str:
    """Return the line of a node."""
    said = " · ".join(" ".join(line.split()) for line in node.text.split("\n") if line.strip())
    said = said if len(said) <= _LINE_CHARS else f"{said[: _LINE_CHARS - 1]}…"
    entries = f"{node.leaves} {'entry' if node.leaves == 1 else 'entries'}"
    return f"{'  ' * below}* {' '.join(name.split())} ({entries}){f': {said}' if said else ''}"
