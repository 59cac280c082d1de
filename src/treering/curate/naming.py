"""Naming: which entities a claim speaks of, and what they are called."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, cast

from treering.domain.entity import Entity, aliased, merged, name_key, resolve
from treering.domain.operation import Outcome
from treering.errors import NotFound
from treering.journal import StoredEntity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.curate.curator import Curator
    from treering.domain.operation import EntityKind, Mention
    from treering.ports import Transaction


def mention(tx: Transaction, curator: Curator, claim: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Say that a claim speaks of entities, making those that are new; return what the caller should know."""
    if not mentions:
        return ()
    known = named(tx, [one.name for one in mentions])
    found = resolve(mentions, known)
    made = [curator.make_id("ent") for _ in found.new]
    for id, new in zip(made, found.new, strict=True):
        _put(tx, curator, Entity(id, new.name, new.kind))
    for entity in known:
        if entity.id in found.sharpened:
            _put(tx, curator, entity._replace(kind=found.sharpened[entity.id]))
    meant = [one.id or (made[one.new] if one.new >= 0 else "") for one in found.found]
    tx.entities.mention(claim, [id for id in meant if id])
    notices = []
    for one in found.found:
        if one.candidates:
            notices.append(f"{one.mention.name} may be {' or '.join(one.candidates)}: nobody is named for it")
        if one.alike:
            notices.append(f"{one.mention.name} may also be {', '.join(one.alike)}: treering entity merge, if it is")
    return tuple(notices)


def named(tx: Transaction, names: Iterable[str]) -> list[Entity]:
    """Return the entities that go by any of the names, or by a part of one."""
    keys = {name_key(name) for name in names}
    words = {word for key in keys for word in key.split()}
    alike = [id for key, id in tx.entities.names() if key in keys or words.intersection(key.split())]
    return [as_entity(one) for one in tx.entities.entities(sorted(set(alike))).values()]


def as_entity(stored: StoredEntity) -> Entity:
    """Return a stored entity as names are compared with it."""
    return Entity(stored.id, stored.name, cast("EntityKind", stored.kind), stored.aliases)


def get(tx: Transaction, id: str) -> Entity:
    """Return an entity by its id, or by a name that it alone has.

    Raises:
        NotFound: if there is none, or several go by the name.
    """
    found = tx.entities.entities([id]).get(id)
    if found is not None:
        return as_entity(found)
    ids = tx.entities.by_keys([name_key(id)]).get(name_key(id), ())
    if len(ids) == 1:
        return as_entity(tx.entities.entities(ids)[ids[0]])
    what = f"{id} may be {' or '.join(ids)}" if ids else f"there is no entity {id}"
    raise NotFound(what, hint="treering entity list")


def add_alias(tx: Transaction, curator: Curator, id: str, alias: str) -> Outcome:
    """Give an entity one more name.

    Raises:
        NotFound: if there is no such entity.
        Conflict: if another one that may be the same has that name.
    """
    entity = get(tx, id)
    changed = aliased(entity, alias, named(tx, [alias]))
    if changed == entity:
        return Outcome("exists", entity.id)
    _put(tx, curator, changed)
    curator.record(tx, "alias", entity.id, "accepted", [["unalias", entity.id, _digest(alias)]])
    return Outcome("accepted", entity.id)


def drop_alias(tx: Transaction, curator: Curator, id: str, digest: str) -> None:
    """Take a name from an entity that has others."""
    known = tx.entities.entities([id]).get(id)
    entity = as_entity(known) if known else None
    gone = [name for name in entity.aliases if _digest(name) == digest] if entity else []
    if entity and gone:
        tx.entities.remove_names(id, [name_key(name) for name in gone])
        _put(tx, curator, entity._replace(aliases=tuple(name for name in entity.aliases if name not in gone)))


def _digest(name: str) -> str:
    """Return what tells a name in the audit log, which has no word of what is remembered."""
    return sha256(name_key(name).encode()).hexdigest()


def merge(tx: Transaction, curator: Curator, kept: str, other: str) -> Outcome:
    """Make one entity of two; the first one stays, under the names of both.

    Raises:
        NotFound: if one is not there.
        NotAllowed: if the caller is not the owner.
        InputError: if they are one already.
    """
    curator.require_owner("merges entities", "treering entity merge")
    first, second = get(tx, kept), get(tx, other)
    changed = merged(first, second)
    tx.entities.merge(second.id, first.id)
    _put(tx, curator, changed)
    curator.record(tx, "merge_entities", first.id, "merged")
    return Outcome("merged", first.id)


def _put(tx: Transaction, curator: Curator, entity: Entity) -> None:
    """Store an entity with its names."""
    keys = {name_key(name): name for name in (*reversed(entity.aliases), entity.name)}
    tx.entities.put(StoredEntity(entity.id, entity.kind, entity.name, entity.aliases), keys, curator.at)
