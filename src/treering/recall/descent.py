"""Descent: from the trunk of the tree of digests to the leaves that answer, with a bounded number of nodes opened.

Opened is a node whose children were looked at. What was seen and not opened yet waits, the most promising first,
whichever level it is of: what stands below a node promises as much as the best entry there that words and meaning
brought, and where they brought none, as the mean of the vectors there is near to the question. ``tree.beam_width``
times the depth of the tree is opened at the most; all branches of the trunk where nothing tells these apart.
"""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.domain.query import EVERYTHING, Descent
from treering.domain.tree import label
from treering.domain.vector import cosine_with
from treering.recall.shortlist import Listed, Shortlist, best, fuse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.digest import StoredDigest
    from treering.domain.query import Filter, Query
    from treering.ports import Transaction
    from treering.recall.candidates import Asked
    from treering.recall.meaning import Meaning

# Entries that words and meaning bring, whose places tell where to go down.
_BY_WORDS: Final = 200
_BY_MEANING: Final = 200


class Asking(NamedTuple):
    """What a descent needs to know besides the question.

    Attributes:
        beam: nodes that each level keeps.
        question: the question's vector; None where words alone lead.
        stored_as: what the vectors of its model are stored under.
    """

    beam: int
    question: bytes | None = None
    stored_as: str = ""


def descend(tx: Transaction, query: Query, asked: Asked, meaning: Meaning, asking: Asking) -> tuple[Shortlist, Descent]:
    """Go down to the leaves that promise most; return them, best first, and how the descent went."""
    trunk = tx.tree.trunk()
    if trunk is None:
        return Shortlist([], "tree", 0, "nothing is digested"), Descent(0, 0, 0, ())
    words = _by_words(tx, asked, query.filter)
    promised = _above(tx, _promising(tx, query, words, meaning))
    opened, depth = _opened(tx, trunk, promised, asking)
    bottom = [node for node in opened.values() if node.level == 1]
    listed = _leaves(tx, query, asking, bottom, words)
    above = tx.tree.above([listed.entries[0].entry]) if listed.entries else {}
    path = _path(opened, next(iter(above.values()), 0))
    return listed, Descent(len(opened), tx.tree.count()[0], depth, path)


def promised(tx: Transaction, asked: Asked) -> dict[int, float]:
    """Return the nodes above what a question's words bring, with the best BM25 below each."""
    return _above(tx, _by_words(tx, asked, EVERYTHING))


def _by_words(tx: Transaction, asked: Asked, filter: Filter) -> dict[int, float]:
    """Return the BM25 of the entries that words bring."""
    return dict(tx.keywords.rank(asked.terms, asked.frequencies, _BY_WORDS, filter)) if asked.terms else {}


def _promising(tx: Transaction, query: Query, words: dict[int, float], meaning: Meaning) -> dict[int, float]:
    """Return what the entries promise that words and meaning bring, as a search puts these together."""
    near = meaning.nearest(tx, _BY_MEANING, query.filter, needed=True)
    near |= meaning.cosines(tx, [entry for entry in words if entry not in near])
    listed, _ = fuse(words, near, query.tuning.meaning)
    return {one.entry: one.score for one in listed}


def _above(tx: Transaction, entries: Mapping[int, float]) -> dict[int, float]:
    """Return for each node above one of the entries the best score below it."""
    found: dict[int, float] = {}
    above = tx.tree.above(list(entries))
    scores: dict[int, float] = {}
    for entry, number in above.items():
        scores[number] = max(scores.get(number, -math.inf), entries[entry])
    while scores:
        found |= {number: max(score, found.get(number, -math.inf)) for number, score in scores.items()}
        up: dict[int, float] = {}
        for node in tx.tree.nodes(list(scores)).values():
            if node.parent:
                up[node.parent] = max(up.get(node.parent, -math.inf), scores[node.number])
        scores = up
    return found


def _opened(
    tx: Transaction, trunk: StoredDigest, promised: Mapping[int, float], asking: Asking
) -> tuple[dict[int, StoredDigest], int]:
    """Return the nodes that were opened, in that order, and how many a leaf has above it."""
    cosine = cosine_with(asking.question) if asking.question else None
    opened: dict[int, StoredDigest] = {}
    depth = 0
    # By promise, then by the mean of what stands below; the number decides between equals.
    waiting: list[tuple[float, float, int, int, StoredDigest]] = [(0.0, 0.0, trunk.number, 1, trunk)]
    while waiting and (not depth or len(opened) < asking.beam * depth):
        *_, steps, node = heapq.heappop(waiting)
        opened[node.number] = node
        if node.level == 1:
            depth = max(depth, steps)
            continue
        children = tx.tree.children([node.number])
        means = {child.number: cosine(child.row) for child in children if cosine and child.row}
        alike = node is trunk and not promised and len(set(means.values())) <= 1
        for child in children:
            promise = math.inf if alike else promised.get(child.number, -math.inf)
            mean = means.get(child.number, -math.inf)
            heapq.heappush(waiting, (-promise, -mean, child.number, steps + 1, child))
    return opened, depth


def _leaves(
    tx: Transaction, query: Query, asking: Asking, bottom: Iterable[StoredDigest], words: Mapping[int, float]
) -> Shortlist:
    """Return the leaves below the nodes that were reached, best first."""
    entries = [leaf.entry for leaf in tx.tree.leaves([node.number for node in bottom])]
    if query.filter:
        allowed = set(tx.vectors.passing(query.filter))
        entries = [entry for entry in entries if entry in allowed]
    rows = tx.vectors.of(asking.stored_as, entries) if asking.question else {}
    cosine = cosine_with(asking.question) if asking.question else None
    cosines = {entry: cosine(row) for entry, row in rows.items() if cosine and any(row)}
    by_words = {entry: words[entry] for entry in entries if entry in words}
    listed, _ = fuse(by_words, cosines, query.tuning.meaning)
    there = {one.entry for one in listed}
    listed += [Listed(entry, 0.0) for entry in entries if entry not in there]
    present = _present(tx, [one.entry for one in listed])
    listed = [one for one in best(listed) if one.entry in present]
    why = f"{len(by_words)} by words, {len(cosines)} by meaning"
    return Shortlist(listed, "tree", len(entries), why)


def _present(tx: Transaction, entries: Sequence[int]) -> set[int]:
    """Return those among the entries that are still there; the tree may be behind."""
    chunks = tx.sources.chunks(entries)
    missing = [entry for entry in entries if entry not in chunks]
    return {*chunks, *(tx.memories.by_entries(missing) if missing else ())}


def _path(opened: Mapping[int, StoredDigest], number: int) -> tuple[str, ...]:
    """Return what the nodes from the trunk to one of the lowest level cover."""
    names: list[str] = []
    while number in opened:
        node = opened[number]
        parent = opened.get(node.parent)
        is_branch = parent is not None and not parent.domain
        names.append("trunk" if not node.domain else node.domain if is_branch else label(node.first, node.last))
        number = node.parent
    return tuple(reversed(names))
