"""Digests: a tree over chunks and memories, made from what is due and no more.

Every transaction leaves a whole tree: structure, texts and rows of all nodes that changed are written together. So a
run that is interrupted loses its last batch, and two at once take turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.derived.growing import Growth
from treering.domain import tree
from treering.domain.condensing import EXTRACTIVE, condense
from treering.domain.digest import Leaf
from treering.domain.instructions import reads_like_instructions
from treering.domain.vector import mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.digest import OwnedLeaf, StoredDigest
    from treering.ports import Transaction
    from treering.records import StoredChunk

BATCH: Final = 250
"""Sources and memories in one transaction, which others that write wait for: up to a second."""

MOST_LEAVES: Final = 2000
"""Leaves in one transaction; a source with more is taken in parts."""

MODEL: Final = "tree.model"
"""Setting of the store: the model whose vectors the rows are the means of."""

# Leaves of owners that a transaction does not get to are read in vain: 250 files of 1,000 chunks have 250,000.
_READ_TOGETHER: Final = 10
_MOST_REMOVED: Final = 500
_HEADINGS: Final = 2
_TITLE_CHARS: Final = 200
_SYMBOL_CHARS: Final = 300
_DETECTED: Final = 6000


def grow(
    tx: Transaction,
    factor: int,
    domain_of: Callable[[str, str], str],
    owners: Sequence[str],
    *,
    removing: bool = False,
) -> int:
    """Take what owners have into the tree, and out of it what they have no more; return how many leaves that is.

    Args:
        tx: a transaction that may write.
        factor: the most children of a node.
        domain_of: returns what kind of text a source is from its key and its beginning.
        owners: sources and memories; those that are then as the tree says are due no more.
        removing: whether what they have no more must all go now, however much that is.
    """
    growth = Growth(tx, factor)
    left, done = MOST_LEAVES, []
    new: dict[str, list[Leaf]] = {}
    for start in range(0, len(owners), _READ_TOGETHER):
        if left <= 0 and not removing:
            break
        some = owners[start : start + _READ_TOGETHER]
        known: dict[str, dict[int, Leaf]] = {owner: {} for owner in some}
        for leaf in tx.tree.leaves_of(some):
            known[leaf.owner][leaf.entry] = leaf
        now: dict[str, list[OwnedLeaf]] = {owner: [] for owner in some}
        for one in tx.tree.current(some):
            now[one.owner].append(one)
        branches = _branches(tx, now, domain_of)
        for owner in some:
            if left <= 0 and not removing:
                break
            wanted = {one.entry: _leaf(one) for one in now[owner]}
            old = known[owner]
            stale = [one for entry, one in old.items() if wanted.get(entry) != one._replace(digest=0)]
            growth.take_out(stale)
            fresh = [one for entry, one in wanted.items() if entry not in old or old[entry]._replace(digest=0) != one]
            new.setdefault(branches.get(owner, ""), []).extend(fresh[: max(0, left)])
            if len(fresh) <= max(0, left):
                done.append(owner)
            left -= min(len(fresh), max(0, left)) + len(stale)
    for branch, leaves in new.items():
        growth.add(branch, leaves)
    growth.settle()
    _describe(tx, growth)
    growth.write()
    tx.tree.done(done)
    return MOST_LEAVES - left


def without_removed(tx: Transaction, factor: int, domain_of: Callable[[str, str], str]) -> None:
    """Take what was erased or changed out of the tree; digests above it are made again, in the same transaction.

    Where that is much the whole tree goes, to be made again by the next run.
    """
    owners = tx.tree.removed()
    if len(owners) > _MOST_REMOVED:
        tx.tree.clear()
        tx.tree.all_due()
    elif owners:
        grow(tx, factor, domain_of, owners, removing=True)


def _leaf(one: OwnedLeaf) -> Leaf:
    """Return a leaf as the tree keeps it, under no node yet."""
    if one.key:
        return Leaf(one.entry, 0, one.owner, tree.rank(one.key, one.ordinal), one.fingerprint)
    return Leaf(one.entry, 0, one.owner, tree.rank(one.topic, one.owner), one.fingerprint ^ one.ordinal)


def _branches(tx: Transaction, now: dict[str, list[OwnedLeaf]], domain_of: Callable[[str, str], str]) -> dict[str, str]:
    """Return the branch that each owner's leaves belong to."""
    found = {owner: tree.MEMORIES for owner, leaves in now.items() if leaves and not leaves[0].key}
    sources = [owner for owner, leaves in now.items() if leaves and leaves[0].key]
    said = tx.sources.metadata(sources)
    for source in tx.sources.sources(sources).values():
        domain = next(iter(said.get(source.id, {}).get("domain", ())), "")
        if not domain:
            domain = domain_of(source.key, tx.sources.text(source.version, 0, min(source.chars, _DETECTED)))
        found[source.id] = domain
    return found


def _describe(tx: Transaction, growth: Growth) -> None:
    """Give the nodes that changed their texts and rows, the lowest first."""
    model = tx.setting(MODEL) or ""
    numbers = [one for one in growth.changed - growth.gone if growth.is_new(one)]
    numbers.sort(key=lambda one: (growth.nodes[one].level, one))
    lowest = [one for one in numbers if growth.nodes[one].level == 1]
    entries = [entry for number in lowest for entry in growth.leaves(number)]
    texts = texts_of(tx, entries)
    rows = tx.vectors.of(model, entries) if model else {}
    for number in numbers:
        node = growth.nodes[number]
        if node.level == 1:
            ordered = sorted(growth.leaves(number).values(), key=lambda leaf: (leaf.rank, leaf.entry))
            said = [texts.get(leaf.entry, "") for leaf in ordered]
            below = [(rows.get(leaf.entry, b""), 1) for leaf in ordered]
        else:
            children = [growth.nodes[child] for child in growth.below(number)]
            said = [child.text for child in children]
            below = [(child.row, child.leaves) for child in children]
        growth.nodes[number] = node._replace(text=condense(said), row=mean(below), made=EXTRACTIVE)


def texts_of(tx: Transaction, entries: Sequence[int]) -> dict[int, str]:
    """Return what chunks and memories say, as far as it may stand in a digest.

    What comes from outside and reads like instructions stays below: a digest is read without looking for its source.
    """
    chunks = tx.sources.chunks(entries)
    sources = tx.sources.sources(list({chunk.source for chunk in chunks.values()}))
    found = {}
    for entry, chunk in chunks.items():
        outside = sources[chunk.source].trust == "external"
        found[entry] = "" if outside and reads_like_instructions(chunk.text) else _under_headings(chunk)
    missing = [entry for entry in entries if entry not in chunks]
    for entry, memory in (tx.memories.by_entries(missing) if missing else {}).items():
        outside = memory.trust == "external"
        text = memory.summary or memory.content
        found[entry] = "" if outside and reads_like_instructions(text) else text
    return found


def _under_headings(chunk: StoredChunk) -> str:
    """Return a chunk's text below the nearest headings that it does not begin with: they say what it is about."""
    if chunk.kind == "symbol":  # what it is called and how it begins say more than what it does line by line
        return f"{' › '.join(heading.title for heading in chunk.path)}\n{chunk.text[:_SYMBOL_CHARS]}"
    titles = [heading.title for heading in chunk.path[-_HEADINGS:] if heading.title not in chunk.text[:_TITLE_CHARS]]
    return f"{' › '.join(titles)}\n{chunk.text}" if titles else chunk.text


def inputs(tx: Transaction, node: StoredDigest) -> list[str]:
    """Return the texts that a node's digest is made of."""
    if node.level > 1:
        return [child.text for child in tx.tree.children([node.number])]
    leaves = tx.tree.leaves([node.number])
    texts = texts_of(tx, [leaf.entry for leaf in leaves])
    return [texts.get(leaf.entry, "") for leaf in leaves]
