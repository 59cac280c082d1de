"""Entities: the people, projects and other things that memories speak of, each under all of its names.

A name leads to an entity when it is one of its names, never because it resembles one: of two people with one first
name, nobody is taken for the other by guess.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

from treering.domain.fold import folded
from treering.domain.memory import one_line
from treering.domain.near import did_you_mean
from treering.domain.operation import ENTITY_KINDS, EntityKind, Mention
from treering.errors import Conflict, InputError

LONGEST_NAME: Final = 200
"""Most characters of a name."""

_MOST_ALIKE: Final = 5
_UNSAID: Final[EntityKind] = "thing"
"""The kind of what somebody named without saying what it is: it fits every other."""

_SPELLINGS: Final = {"organization": "organisation", "company": "organisation", "team": "organisation"}


class Entity(NamedTuple):
    """Something in the world.

    Attributes:
        id: ``ent_…``.
        name: what it is called.
        kind: what it is.
        aliases: its other names.
    """

    id: str
    name: str
    kind: EntityKind = _UNSAID
    aliases: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """What its names are compared by, the main one first."""
        return tuple(dict.fromkeys(map(name_key, (self.name, *self.aliases))))


class Resolved(NamedTuple):
    """Whom a mention means.

    Attributes:
        mention: the name, as it was given.
        id: the one known entity that it means; empty when there is none, or several.
        new: its place among ``Resolution.new``; -1 unless the entity is to be made.
        candidates: ids of the known entities that it may mean, when there are several.
        alike: ids of known people of whom it may be a shorter or a longer name; it does not mean them.
    """

    mention: Mention
    id: str = ""
    new: int = -1
    candidates: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


class Resolution(NamedTuple):
    """Whom several mentions mean.

    Attributes:
        found: one for each mention, in order.
        new: entities to be made.
        sharpened: kinds that became known of entities which were only a ``thing``.
    """

    found: tuple[Resolved, ...]
    new: tuple[Mention, ...]
    sharpened: dict[str, EntityKind]


def entity_kind(text: str) -> EntityKind:
    """Return the kind of entity that a text names.

    Raises:
        InputError: naming the kinds that there are.
    """
    found = _SPELLINGS.get(text.casefold(), text.casefold())
    if found not in ENTITY_KINDS:
        raise InputError(
            f"there is no kind of entity {text[:60]!r}; there are {', '.join(ENTITY_KINDS)}"
            f"{did_you_mean(text, ENTITY_KINDS)}"
        )
    return cast("EntityKind", found)


def entity_name(text: str) -> str:
    """Return a name as it is kept: on one line, without the ``@`` of a mention.

    Raises:
        InputError: if nothing is left, it is too long, or it holds what no text holds.
    """
    name = one_line("name", text)
    name = name.lstrip("@").strip() or name
    if not name_key(name):
        raise InputError("the name is empty")
    if len(name) > LONGEST_NAME:
        raise InputError(f"the name {name[:60]!r}… has {len(name):,} characters; at most {LONGEST_NAME}")
    return name


def name_key(text: str) -> str:
    """Return what names are compared by: without case, width, the kind of apostrophe, and white space of any length."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return " ".join(folded(text).split()).lstrip("@").strip()


def resolve(mentions: Sequence[Mention], known: Iterable[Entity]) -> Resolution:
    """Return whom mentions mean.

    A mention means the known entity that has its name and fits its kind. Several that fit are candidates, of whom
    none is taken; with none, an entity is to be made, one for all mentions of one name and kind. ``thing`` fits every
    kind.

    Args:
        mentions: the names, as they were given.
        known: entities that there are; those that share no word with a mention may be left out.
    """
    entities = tuple(known)
    named: dict[str, list[Entity]] = {}
    for entity in entities:
        for key in entity.keys:
            named.setdefault(key, []).append(entity)
    made = _Made(mentions, named)
    found = []
    for mention in mentions:
        fitting = _fitting(mention, named)
        if len(fitting) == 1:
            found.append(Resolved(mention, fitting[0].id))
        elif fitting:
            found.append(Resolved(mention, candidates=tuple(entity.id for entity in fitting)))
        else:
            found.append(Resolved(mention, new=made.place(mention), alike=_alike(mention, entities)))
    return Resolution(tuple(found), tuple(made.new), _sharpened(found, entities))


def merged(kept: Entity, other: Entity) -> Entity:
    """Return two entities as the first of them, under the names of both.

    Raises:
        InputError: if they are one already.
    """
    if kept.id == other.id:
        raise InputError(f"{kept.id} is one entity already", hint="treering list entities")
    kind = other.kind if kept.kind == _UNSAID else kept.kind
    return kept._replace(kind=kind, aliases=_without(kept.name, (*kept.aliases, other.name, *other.aliases)))


def aliased(entity: Entity, alias: str, known: Iterable[Entity]) -> Entity:
    """Return an entity with one more name.

    Args:
        entity: who gets it.
        alias: the name.
        known: entities that there are; those without that name may be left out.

    Raises:
        Conflict: if another entity that may be the same has that name.
    """
    name = entity_name(alias)
    for other in known:
        if other.id != entity.id and name_key(name) in other.keys and _fits(entity.kind, other.kind):
            raise Conflict(f"{other.id} is called {name} already", hint=f"treering entity merge {entity.id} {other.id}")
    return entity._replace(aliases=_without(entity.name, (*entity.aliases, name)))


class _Made:
    """Entities that mentions ask for, each once.

    Args:
        mentions: all of them: a kind that one of them says holds for those that say none.
        named: known entities by their names.
    """

    def __init__(self, mentions: Sequence[Mention], named: dict[str, list[Entity]]) -> None:
        self.new: list[Mention] = []
        self._places: dict[tuple[str, EntityKind], int] = {}
        self._kinds: dict[str, set[EntityKind]] = {}
        for mention in mentions:
            if mention.kind != _UNSAID and not _fitting(mention, named):
                self._kinds.setdefault(name_key(mention.name), set()).add(mention.kind)

    def place(self, mention: Mention) -> int:
        """Return the place of the entity that a mention asks for; it is added when it is not there."""
        key = name_key(mention.name)
        kinds = self._kinds.get(key, set())
        kind = next(iter(kinds)) if mention.kind == _UNSAID and len(kinds) == 1 else mention.kind
        if (key, kind) not in self._places:
            self._places[key, kind] = len(self.new)
            self.new.append(Mention(entity_name(mention.name), kind))
        return self._places[key, kind]


def _fits(one: EntityKind, other: EntityKind) -> bool:
    """Tell whether two kinds can be those of one entity."""
    return one == other or _UNSAID in (one, other)


def _fitting(mention: Mention, named: dict[str, list[Entity]]) -> list[Entity]:
    """Return the entities that a mention can mean; those of its very kind go before those of none."""
    called = [entity for entity in named.get(name_key(mention.name), ()) if _fits(mention.kind, entity.kind)]
    exact = [entity for entity in called if entity.kind == mention.kind]
    return exact if mention.kind != _UNSAID and exact else called


def _alike(mention: Mention, known: Iterable[Entity]) -> tuple[str, ...]:
    """Return the people of whom a name may be a shorter or a longer form."""
    if not _fits(mention.kind, "person"):
        return ()
    words = set(name_key(mention.name).split())
    people = (entity for entity in known if entity.kind == "person")
    close = (entity.id for entity in people if any(_is_part(words, set(key.split())) for key in entity.keys))
    return tuple(close)[:_MOST_ALIKE]


def _is_part(one: set[str], other: set[str]) -> bool:
    """Tell whether one of two names has all words of the other."""
    return one <= other or other <= one


def _sharpened(found: Iterable[Resolved], known: Iterable[Entity]) -> dict[str, EntityKind]:
    """Return what mentions say of entities whose kind nobody said; where they disagree, nothing."""
    kinds: dict[str, set[EntityKind]] = {}
    unsaid = {entity.id for entity in known if entity.kind == _UNSAID}
    for one in found:
        if one.id in unsaid and one.mention.kind != _UNSAID:
            kinds.setdefault(one.id, set()).add(one.mention.kind)
    return {id: next(iter(said)) for id, said in kinds.items() if len(said) == 1}


def _without(name: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """Return aliases, each once, but for the name itself."""
    once: dict[str, str] = {}
    for alias in aliases:
        once.setdefault(name_key(alias), alias)
    return tuple(alias for key, alias in once.items() if key != name_key(name))
