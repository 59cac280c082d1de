"""Memories as JSON: the object that an operation proposes, and the one that says what to change."""

from __future__ import annotations

from typing import Final

from treering.curate import fields
from treering.curate.fields import Batch, Fields
from treering.domain.entity import entity_kind, entity_name
from treering.domain.memory import KINDS, MemoryKind, memory_kind
from treering.domain.operation import Citation, Draft, EntityKind, Labels, Mention
from treering.domain.slot import slot_key
from treering.domain.validity import check_validity
from treering.errors import InputError

_CLEARABLE: Final = ("title", "summary", "value", "valid_from", "valid_to")
CHANGES: Final = ("content", "kind", *_CLEARABLE, "tags", "metadata")
"""What an update can change."""

MEMORY: Final = (*CHANGES, "slot", "entities", "evidence", "replaces")
"""What a proposed memory can have."""

_UNCHANGED: Final = {
    "slot": "a memory keeps its slot: supersede it",
    "entities": "a memory keeps its entities: supersede it",
    "replaces": "supersede the memory that is to be replaced",
    "evidence": "it belongs beside 'changes'",
    "revision": "it belongs beside 'changes'",
}


# Readers, made once: making them for each memory took a tenth of what reading it takes.
_LINES: Final = {name: fields.date(name) if name.startswith("valid") else fields.line(name) for name in _CLEARABLE}
_TAGS: Final = fields.several(fields.line("tag"))
_SOURCE: Final = fields.line("source_id", empty=False)
_VERSION: Final = fields.line("version")
_REPLACED: Final = fields.several(fields.line("description in 'replaces'", empty=False))


def draft(outer: Fields) -> Draft:
    """Return the memory that an operation proposes; what is wrong with it is noted."""
    if not outer.has("memory"):
        outer.note("it has no 'memory'")
        return Draft("")
    given = Fields(outer.within("memory"), outer.where, outer.batch, MEMORY)
    lines = _lines(given)
    _check_validity(given, lines)
    return Draft(
        content=given.need("content", fields.statement, ""),
        kind=given.take("kind", _kind, "semantic"),
        title=lines["title"],
        summary=lines["summary"],
        slot=given.take("slot", _slot, ""),
        value=lines["value"],
        valid_from=lines["valid_from"],
        valid_to=lines["valid_to"],
        labels={key: values for key, values in _labels(given).items() if values},
        entities=tuple(dict.fromkeys(_mention(place, item, given.batch) for place, item in given.inner("entities"))),
        evidence=evidence(given),
        replaces=given.take("replaces", _REPLACED, ()),
    )


def changes(outer: Fields) -> tuple[dict[str, str], Labels]:
    """Return what an update changes of a memory: its texts, and its tags and metadata."""
    if not outer.has("changes"):
        return {}, {}
    given = Fields(outer.within("changes"), outer.where, outer.batch, CHANGES, _UNCHANGED)
    found = {name: text for name, text in _lines(given).items() if given.has(name)}
    found |= {name: "" for name in _CLEARABLE if given.cleared(name)}
    _check_validity(given, found)
    if given.has("content"):
        found["content"] = given.take("content", fields.statement, "")
    if given.has("kind"):
        found["kind"] = given.take("kind", _kind, "semantic")
    return found, _labels(given)


def evidence(given: Fields) -> tuple[Citation, ...]:
    """Return what an operation quotes."""
    found = []
    for place, item in given.inner("evidence"):
        cited = Fields(item, place, given.batch, ("source_id", "quote", "version"))
        source = cited.need("source_id", _SOURCE, "")
        quote = cited.need("quote", fields.quote, "")
        found.append(Citation(source, quote, cited.take("version", _VERSION, "")))
    return tuple(dict.fromkeys(found))


def _lines(given: Fields) -> dict[str, str]:
    """Return the short texts of a memory, empty where they are absent."""
    return {name: given.take(name, read, "") for name, read in _LINES.items()}


def _check_validity(given: Fields, lines: dict[str, str]) -> None:
    """Note an end that does not lie behind its start."""
    try:
        check_validity(lines.get("valid_from", ""), lines.get("valid_to", ""), given.batch.zone)
    except InputError as error:
        given.note(f"{error} ({error.hint})")


def _kind(value: object) -> MemoryKind:
    """Return the kind of memory that ``value`` is."""
    found = fields.text("kind")(value)
    if found not in KINDS:
        raise InputError(f"there is no kind {fields.shown(found)}; there are {', '.join(KINDS)}")
    return memory_kind(found)


def _slot(value: object) -> str:
    """Return the slot that ``value`` names; empty for none."""
    found = fields.text("slot")(value)
    return slot_key(found) if found else ""


def _mention(place: str, given: object, batch: Batch) -> Mention:
    """Return something that a memory speaks of: a name alone, or with its kind."""
    named = Fields({"name": given} if isinstance(given, str) else given, place, batch, ("name", "kind"))
    return Mention(named.need("name", _name, ""), named.take("kind", _entity_kind, "thing"))


def _name(value: object) -> str:
    """Return the name of an entity that ``value`` is."""
    return entity_name(fields.text("name")(value))


def _entity_kind(value: object) -> EntityKind:
    """Return the kind of entity that ``value`` is."""
    return entity_kind(fields.text("kind")(value))


def _labels(given: Fields) -> Labels:
    """Return tags and metadata; a key that is there without a value is there to go."""
    found = _metadata(given)
    if given.has("tags"):
        tags: tuple[str, ...] = given.take("tags", _TAGS, ())
        found["tags"] = tuple(tag for tag in tags if tag)
    return found


def _metadata(given: Fields) -> Labels:
    """Return metadata: each key with a text, or a list of them."""
    found: Labels = {}
    metadata = given.within("metadata") or {}
    if not isinstance(metadata, dict):
        given.note(f"the metadata is {fields.called(metadata)}, not an object")
        return {}
    for key, values in metadata.items():
        try:
            found[_metadata_key(key)] = () if values is None else fields.several(fields.text("metadata"))(values)
        except InputError as error:
            given.note(str(error))
    return found


def _metadata_key(value: object) -> str:
    """Return the key of metadata that ``value`` is."""
    found = fields.line("key of the metadata", empty=False)(value)
    if found == "tags":
        raise InputError("the metadata has tags: they have a field of their own")
    return found
