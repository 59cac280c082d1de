"""Entities, their names, who speaks of them, and links: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import by_index, in_list, slices, upsert
from treering.backends.space import InSpace
from treering.journal import StoredEntity, StoredLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_LINK: Final = f"select {', '.join(StoredLink._fields)} from link where space = :space"


class SqlEntities(InSpace):
    """``ports.curated.Entities`` in the common SQL of SQLite and PostgreSQL."""

    def put(self, entity: StoredEntity, keys: Mapping[str, str], at: str) -> None:
        """Store an entity with its names."""
        self._db.run(
            "insert into entity (space, id, kind, name, created_at) values (:space, :id, :kind, :name, :at)"
            " on conflict (space, id) do update set kind = excluded.kind, name = excluded.name",
            self._params(id=entity.id, kind=entity.kind, name=entity.name, at=at),
        )
        for key, name in keys.items():
            upsert(self._db, "alias", 3, self._params(key=key, entity=entity.id, name=name))

    def remove_names(self, entity: str, keys: Sequence[str]) -> None:
        """Take names from an entity."""
        self._db.run_many(
            "delete from alias where space = :space and entity = :entity and key = :key",
            [self._params(entity=entity, key=key) for key in keys],
        )

    def entities(self, ids: Sequence[str]) -> dict[str, StoredEntity]:
        """Return the known ones among ``ids``."""
        rows = list(self._in("select id, kind, name from entity where space = :space and id in", ids))
        others: dict[str, tuple[str, ...]] = {}
        for part in slices(ids):
            names, params = in_list("i", part)
            of_entities = by_index("alias", "key", f"entity in {names}")
            sql = f"select entity, name from alias where space = :space and {of_entities}"
            for entity, name in sorted(self._db.rows(sql, self._params(**params))):
                others[entity] = (*others.get(entity, ()), name)
        return {
            id: StoredEntity(id, kind, name, tuple(other for other in others.get(id, ()) if other != name))
            for id, kind, name in rows
        }

    def by_keys(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the ids that go by each of the names."""
        found: dict[str, tuple[str, ...]] = {}
        for key, id in sorted(self._in("select key, entity from alias where space = :space and key in", keys)):
            found[key] = (*found.get(key, ()), id)
        return found

    def names(self) -> list[tuple[str, str]]:
        """Return every name as it is compared, with the entity's id."""
        rows = self._db.rows("select key, entity from alias where space = :space order by key, entity", self._params())
        return [(row[0], row[1]) for row in rows]

    def list_entities(self, limit: int, after: str = "") -> list[StoredEntity]:
        """Return entities by id."""
        sql = "select id from entity where space = :space and id > :after order by id limit :limit"
        ids = [row[0] for row in self._db.rows(sql, self._params(after=after, limit=limit))]
        known = self.entities(ids)
        return [known[id] for id in ids]

    def count(self) -> int:
        """Return the number of entities."""
        return int(self._db.rows("select count(*) from entity where space = :space", self._params())[0][0])

    def mention(self, claim: str, entities: Iterable[str]) -> None:
        """Say that a claim speaks of entities."""
        self._db.run_many(
            "insert into mention (space, claim, entity) values (:space, :claim, :entity) on conflict do nothing",
            [self._params(claim=claim, entity=entity) for entity in entities],
        )

    def mentions(self, memories: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the entities that each memory's claims speak of."""
        sql = (
            "select distinct c.memory, e.entity from mention e join claim c on c.space = e.space and c.id = e.claim"
            " where e.space = :space and c.memory in"
        )
        found: dict[str, tuple[str, ...]] = {}
        for memory, entity in sorted(self._in(sql, memories)):
            found[memory] = (*found.get(memory, ()), entity)
        return found

    def remove_unmentioned(self, entities: Sequence[str]) -> None:
        """Remove those of some entities of which no claim speaks."""
        for part in slices(entities):
            names, params = in_list("i", part)
            self._db.run(
                f"delete from entity where space = :space and id in {names} and not exists"
                " (select 1 from mention m where m.space = entity.space and m.entity = entity.id)",
                self._params(**params),
            )

    def memories_of(self, entity: str) -> list[str]:
        """Return the memories that speak of an entity, newest first."""
        rows = self._db.rows(
            "select distinct c.memory from mention e join claim c on c.space = e.space and c.id = e.claim"
            " where e.space = :space and e.entity = :entity and c.memory <> '' order by c.memory desc",
            self._params(entity=entity),
        )
        return [row[0] for row in rows]

    def merge(self, entity: str, into: str) -> None:
        """Give an entity's names and mentions to another one and remove it."""
        which = self._params(entity=entity, into=into)
        self._db.run(
            "insert into alias (space, key, entity, name) select space, key, :into, name from alias"
            " where space = :space and entity = :entity on conflict do nothing",
            which,
        )
        self._db.run(
            "insert into mention (space, claim, entity) select space, claim, :into from mention"
            " where space = :space and entity = :entity on conflict do nothing",
            which,
        )
        self._db.run("delete from entity where space = :space and id = :entity", which)

    def put_link(self, link: StoredLink) -> bool:
        """Add a link; tell whether it is new."""
        added = self._db.rows(
            "insert into link (space, from_id, to_id, type, made_at, author)"
            " values (:space, :from_id, :to_id, :type, :made_at, :author) on conflict do nothing returning type",
            self._params(**link._asdict()),
        )
        return bool(added)

    def unlink(self, from_id: str, to_id: str, kind: str) -> None:
        """Remove a link."""
        self._db.run(
            "delete from link where space = :space and from_id = :from_id and to_id = :to_id and type = :type",
            self._params(from_id=from_id, to_id=to_id, type=kind),
        )

    def links(self, claims: Sequence[str]) -> list[StoredLink]:
        """Return the links from or to any of the claims."""
        rows = {*self._in(f"{_LINK} and from_id in", claims), *self._in(f"{_LINK} and to_id in", claims)}
        return [StoredLink(*row) for row in sorted(rows)]
