"""The shape of the tree of digests: in which order leaves stand, and where a group of them is parted.

A rank is a path, then a place in it: ``file:docs/a.md`` and the ordinal of a chunk, a memory's topic and its id. Leaves
stand in the order of their ranks, so that a node covers a folder, a file, a run of files or a topic as far as its
size allows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.kinds import DOMAINS

if TYPE_CHECKING:
    from collections.abc import Sequence

MEMORIES: Final = "memories"
"""The branch of memories; the others are kinds of text."""

BRANCHES: Final = (MEMORIES, *DOMAINS)
"""The branches in the order in which they stand."""

TRUNK: Final = 1000
"""Level of the trunk: above any other."""

_SEPARATOR: Final = "\x1f"
_DIGITS: Final = 7


def rank(path: str, place: int | str) -> str:
    """Return the rank of a leaf."""
    return f"{path}{_SEPARATOR}{place:0{_DIGITS}d}" if isinstance(place, int) else f"{path}{_SEPARATOR}{place}"


def path_of(rank: str) -> str:
    """Return the path of a rank."""
    return rank.partition(_SEPARATOR)[0]


def partition(ranks: Sequence[str], factor: int) -> list[int]:
    """Return where groups of at most ``factor`` end, so that folders and files stay together where that is possible.

    Each group but the last is at least half full. The last two share what is left where that is little.

    Args:
        ranks: of the first leaf of each member, in order.
        factor: the most members of a group, at least 2.
    """
    ends: list[int] = []
    start = 0
    while len(ranks) - start > factor:
        least = max(1, min(factor // 2, (len(ranks) - start) // 2))
        rest = len(ranks) - start - factor
        # What remains behind the cut is a group of its own, or more.
        most = factor if rest >= factor // 2 else max(least, (len(ranks) - start + 1) // 2)
        cuts = range(start + least, start + most + 1)
        start = min(cuts, key=lambda cut: (_depth(ranks[cut - 1], ranks[cut]), -cut))
        ends.append(start)
    return [*ends, len(ranks)]


def _depth(left: str, right: str) -> int:
    """Return how many folders and files two neighbours have in common."""
    before, after = path_of(left), path_of(right)
    if before == after:
        return before.count("/") + 2
    depth = 0
    for one, other in zip(before.split("/"), after.split("/"), strict=False):
        if one != other:
            break
        depth += 1
    return depth


def label(first: str, last: str) -> str:
    """Return what a node covers, for people: a file, a folder, or the first and last of several.

    Args:
        first: rank of its first leaf.
        last: rank of its last leaf.
    """
    one, other = (path_of(rank).partition(":") for rank in (first, last))
    begin, end = (name if kind else start for start, kind, name in (one, other))
    if begin == end:
        return begin
    folders = begin.split("/")[:-1]
    common = 0
    for mine, theirs in zip(folders, end.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        common += 1
    above = "/".join(folders[:common])
    left, right = begin[len(above) :].lstrip("/"), end[len(above) :].lstrip("/")
    return f"{above}/ {left} … {right}" if above else f"{begin} … {end}"
