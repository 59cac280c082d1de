"""Rows of the tree of digests and of what changed, as values; apart, because a cold search needs none of them."""

from __future__ import annotations

from treering.domain.named import NamedTuple


class StoredDigest(NamedTuple):
    """A node of the tree of digests.

    Attributes:
        number: its number.
        parent: the node above it; 0 for the trunk.
        level: 1 right above leaves; the trunk's is ``domain.tree.TRUNK``.
        domain: the branch: ``memories`` or a kind of text; empty for the trunk.
        first: rank of the first leaf below it.
        last: rank of the last one.
        leaves: how many there are below it.
        fingerprint: equal for equal leaves.
        made: what made its text.
        text: what stands below it, in lines.
        row: the mean of the vectors below it, as ``domain.vector`` stores one; empty where there are none.
    """

    number: int
    parent: int
    level: int
    domain: str
    first: str
    last: str
    leaves: int
    fingerprint: int
    made: str
    text: str
    row: bytes


class Leaf(NamedTuple):
    """A chunk or memory in the tree: its entry, the node above it, whose it is, its place, and what it says."""

    entry: int
    digest: int
    owner: str
    rank: str
    fingerprint: int


class OwnedLeaf(NamedTuple):
    """A chunk or memory as it is now.

    Attributes:
        owner: the source or memory.
        key: of a source; empty for a memory.
        topic: slot or kind of a memory; empty for a source.
        ordinal: place in its source.
        entry: its number.
        fingerprint: equal for equal content.
    """

    owner: str
    key: str
    topic: str
    ordinal: int
    entry: int
    fingerprint: int


class VersionChange(NamedTuple):
    """A version that was stored: of which source, when, and whether it was the first."""

    source: str
    key: str
    title: str
    custody: str
    version: str
    recorded_at: str
    is_first: bool
