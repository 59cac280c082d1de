"""Descent: from the trunk of the tree of digests to the leaves that answer, with a bounded number of nodes opened.

Opened is a node whose children were looked at. Each level keeps the ``tree.beam_width`` most promising of these: by
the words, as the best entry below a child that the keyword index brought, and by meaning, as the cosine of the mean
of the vectors below it. Where neither tells the branches apart all of them stay open. So beam × depth nodes are
opened, and fewer where branches end early.
"""

from __future__ import annotations

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

# Entries that words bring, whose places tell where to go down.
_BY_WORDS: Final = 200


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


def descend(tx: Transaction, query: Query, asked: Asked, asking: Asking) -> tuple[Shortlist, Descent]:
    """Go down to the leaves that promise most; return them, best first, and how the descent went."""
    trunk = tx.tree.trunk()
    if trunk is None:
        return Shortlist([], "tree", 0, "nothing is digested"), Descent(0, 0, 0, ())
    words = _by_words(tx, asked, query.filter)
    promising = _above(tx, words)
    cosine = cosine_with(asking.question) if asking.question else None
    opened: dict[int, StoredDigest] = {}
    bottom: list[StoredDigest] = []
    level, depth = [trunk], 0
    while level:
        depth += 1
        opened |= {node.number: node for node in level}
        bottom += [node for node in level if node.level == 1]
        children = tx.tree.children([node.number for node in level if node.level > 1])
        cosines = {node.number: cosine(node.row) for node in children if cosine and node.row}
        # What upper levels did not need is spent right above the leaves: beam × depth in all.
        spared = asking.beam * depth - len(opened) if all(node.level == 1 for node in children) else 0
        level = _kept(children, promising, cosines, query.tuning.meaning, asking.beam + max(0, spared), trunk.number)
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


def _above(tx: Transaction, words: Mapping[int, float]) -> dict[int, float]:
    """Return for each node above an entry that words brought the best BM25 below it."""
    found: dict[int, float] = {}
    above = tx.tree.above(list(words))
    scores: dict[int, float] = {}
    for entry, number in above.items():
        scores[number] = max(scores.get(number, 0.0), words[entry])
    while scores:
        found |= {number: max(score, found.get(number, 0.0)) for number, score in scores.items()}
        up: dict[int, float] = {}
        for node in tx.tree.nodes(list(scores)).values():
            if node.parent:
                up[node.parent] = max(up.get(node.parent, 0.0), scores[node.number])
        scores = up
    return found


def _kept(
    children: Sequence[StoredDigest],
    promised: Mapping[int, float],
    cosines: Mapping[int, float],
    weight: float,
    beam: int,
    trunk: int,
) -> list[StoredDigest]:
    """Return the children that promise most; all branches of the trunk where nothing tells them apart."""
    by_words = {node.number: promised[node.number] for node in children if node.number in promised}
    if not by_words and len(set(cosines.values())) <= 1:
        return [node for node in children if node.parent == trunk] or list(children)[:beam]
    listed, _ = fuse(by_words, dict(cosines), weight)
    known = {node.number: node for node in children}
    return [known[one.entry] for one in best(listed)[:beam]]


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
