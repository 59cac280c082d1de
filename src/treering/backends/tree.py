"""The tree of digests: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import next_number, upsert
from treering.backends.space import InSpace
from treering.domain.digest import Leaf, OwnedLeaf, StoredDigest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_NODE: Final = f"select {', '.join(StoredDigest._fields)} from digest where space = :space"
_LEAF: Final = f"select {', '.join(Leaf._fields)} from digest_leaf where space = :space"
# The note of a memory is cut into chunks where it is long; the memory stands for them.
_CHUNKS: Final = (
    "select c.source, s.key, '', c.ordinal, c.entry, c.fingerprint from chunk c"
    " join source s on s.space = c.space and s.id = c.source"
    " where c.space = :space and s.key not like 'note:mem!_%' escape '!' and c.source in"
)
_MEMORIES: Final = (
    "select id, '', case when slot = '' then kind else slot end, revision, entry, fingerprint from memory"
    " where space = :space and status in ('active', 'disputed') and id in"
)
# A memory that is archived or says something else has a leaf all the same: `current` tells.
_REMOVED: Final = (
    "select distinct d.owner from digest_due d join digest_leaf l on l.space = d.space and l.owner = d.owner"
    " where d.space = :space order by d.owner"
)


class SqlTree(InSpace):
    """``ports.Tree`` in the common SQL of SQLite and PostgreSQL."""

    def due(self, limit: int) -> list[str]:
        """Return sources and memories that are due."""
        sql = "select owner from digest_due where space = :space order by owner limit :limit"
        return [row[0] for row in self._db.rows(sql, self._params(limit=limit))]

    def removed(self) -> list[str]:
        """Return those that are due and are in the tree."""
        return [row[0] for row in self._db.rows(_REMOVED, self._params())]

    def count_due(self) -> int:
        """Return how many are due."""
        return int(self._db.rows("select count(*) from digest_due where space = :space", self._params())[0][0])

    def done(self, owners: Sequence[str]) -> None:
        """Note that owners are as the tree says."""
        sql = "delete from digest_due where space = :space and owner = :owner"
        self._db.run_many(sql, [self._params(owner=owner) for owner in owners])

    def all_due(self) -> None:
        """Note that everything there is must be digested."""
        for table, owner in (("chunk", "source"), ("memory", "id")):
            self._db.run(
                f"insert into digest_due (space, owner) select distinct space, {owner} from {table}"
                " where space = :space on conflict do nothing",
                self._params(),
            )

    def current(self, owners: Sequence[str]) -> list[OwnedLeaf]:
        """Return the leaves that owners have now."""
        return [OwnedLeaf(*row) for sql in (_CHUNKS, _MEMORIES) for row in self._in(sql, owners)]

    def leaves_of(self, owners: Sequence[str]) -> list[Leaf]:
        """Return the leaves of owners as they stand in the tree."""
        return [Leaf(*row) for row in self._in(f"{_LEAF} and owner in", owners)]

    def leaves(self, digests: Sequence[int]) -> list[Leaf]:
        """Return the leaves right below nodes, by rank."""
        found = (Leaf(*row) for row in self._in(f"{_LEAF} and digest in", digests))
        return sorted(found, key=lambda leaf: (leaf.rank, leaf.entry))

    def above(self, entries: Sequence[int]) -> dict[int, int]:
        """Return the nodes right above entries."""
        sql = "select entry, digest from digest_leaf where space = :space and entry in"
        return {row[0]: row[1] for row in self._in(sql, entries)}

    def put_leaves(self, leaves: Iterable[Leaf]) -> None:
        """Store leaves, new or changed."""
        self._db.run_many(
            "insert into digest_leaf (space, entry, digest, owner, rank, fingerprint)"
            " values (:space, :entry, :digest, :owner, :rank, :fingerprint) on conflict (space, entry) do update"
            " set digest = excluded.digest, owner = excluded.owner, rank = excluded.rank,"
            " fingerprint = excluded.fingerprint",
            [self._params(**leaf._asdict()) for leaf in leaves],
        )

    def remove_leaves(self, entries: Iterable[int]) -> None:
        """Take leaves out of the tree."""
        sql = "delete from digest_leaf where space = :space and entry = :entry"
        self._db.run_many(sql, [self._params(entry=entry) for entry in entries])

    def trunk(self) -> StoredDigest | None:
        """Return the node above all others."""
        found = self._db.rows(f"{_NODE} and parent = 0", self._params())
        return StoredDigest(*found[0]) if found else None

    def nodes(self, numbers: Sequence[int]) -> dict[int, StoredDigest]:
        """Return the known ones among ``numbers``."""
        return {row[0]: StoredDigest(*row) for row in self._in(f"{_NODE} and number in", numbers)}

    def children(self, numbers: Sequence[int]) -> list[StoredDigest]:
        """Return the nodes right below nodes, by the rank of their first leaf."""
        found = (StoredDigest(*row) for row in self._in(f"{_NODE} and parent in", numbers))
        return sorted(found, key=lambda node: (node.first, node.number))

    def unlike(self, made: str, limit: int, after: tuple[int, int]) -> list[StoredDigest]:
        """Return nodes that something else made, the lowest first."""
        rows = self._db.rows(
            f"{_NODE} and made <> :made and (level, number) > (:level, :number) order by level, number limit :limit",
            self._params(made=made, level=after[0], number=after[1], limit=limit),
        )
        return [StoredDigest(*row) for row in rows]

    def put(self, nodes: Iterable[StoredDigest]) -> None:
        """Store nodes, new or changed."""
        for node in nodes:
            upsert(self._db, "digest", 2, self._params(**node._asdict()))

    def remove(self, numbers: Iterable[int]) -> None:
        """Remove nodes."""
        sql = "delete from digest where space = :space and number = :number"
        self._db.run_many(sql, [self._params(number=number) for number in numbers])

    def next_number(self) -> int:
        """Return a number for a node."""
        return next_number(self._db, self._space, "digest", 1)

    def count(self) -> tuple[int, int]:
        """Return how many nodes and leaves there are; the trunk knows the leaves, of which a large store has many."""
        trunk = self.trunk()
        return (self._count("digest"), trunk.leaves) if trunk else (0, 0)

    def astray(self) -> int:
        """Return how many nodes and leaves hang on nothing, are not counted, or are of what is gone and not due."""
        known = "from digest d where d.space = o.space and d.number ="
        parents = f"parent <> 0 and not exists (select 1 {known} o.parent)"
        above = f"not exists (select 1 {known} o.digest)"
        gone = " and ".join(
            f"not exists (select 1 from {table} t where t.space = o.space and t.{column} = o.{column})"
            for table, column in (("digest_due", "owner"), ("chunk", "entry"), ("memory", "entry"))
        )
        wrong = (("digest", parents), ("digest_leaf", above), ("digest_leaf", gone))
        statements = [f"select count(*) from {table} o where o.space = :space and {what}" for table, what in wrong]
        found = sum(int(self._db.rows(sql, self._params())[0][0]) for sql in statements)
        return found + abs(self._count("digest_leaf") - self.count()[1])

    def _count(self, table: str) -> int:
        """Return how many rows a table has."""
        return int(self._db.rows(f"select count(*) from {table} where space = :space", self._params())[0][0])

    def clear(self) -> None:
        """Remove all nodes and leaves, and what is due."""
        for table in ("digest", "digest_leaf", "digest_due"):
            self._db.run(f"delete from {table} where space = :space", self._params())
