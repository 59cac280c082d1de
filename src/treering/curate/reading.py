"""Operations as JSON: what is given becomes values, or one error that says all that is wrong with all of them.

Whether the ids exist, the quotes stand in their sources, and the caller may do it, is not decided here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo
from typing import Final, NoReturn, TypeAlias, cast

from treering.curate import drafts, fields
from treering.curate.fields import Batch, Fields
from treering.domain import operation as op
from treering.domain.near import did_you_mean
from treering.domain.operation import LINK_TYPES, LinkType, Operation
from treering.errors import BadOperations, InputError

_HINT: Final = "treering help propose"
_MOST_SAID: Final = 50
"""Of what is wrong: a batch of thousands that all lack the same field must not fill a screen for each."""

_IN_MEMORY: Final = dict.fromkeys(drafts.MEMORY, "it belongs into 'memory'")
_IN_CHANGES: Final = dict.fromkeys(drafts.CHANGES, "it belongs into 'changes'")


def read_operations(given: object, zone: tzinfo | None = None) -> tuple[Operation, ...]:
    """Return the operations that JSON describes: a list of them, one, or ``{"operations": […]}``; or JSON as text.

    Args:
        given: the JSON, parsed or not.
        zone: where dates, and instants without an offset, are meant; None while that is not known.

    Raises:
        BadOperations: if anything is wrong; the message numbers the operations and says all of it.
    """
    batch = Batch([], zone)
    read = tuple(_operation(one, f"operation {number}", batch) for number, one in enumerate(_listed(given), 1))
    if batch.notes:
        rest = len(batch.notes) - _MOST_SAID
        more = [f"and {rest:,} more"] if rest > 0 else []
        raise BadOperations("; ".join(batch.notes[:_MOST_SAID] + more), hint=_HINT)
    return read


def depends_on_zone(operations: Iterable[Operation]) -> bool:
    """Say whether operations have a start and an end, whose order may depend on where they are meant."""
    for one in operations:
        if isinstance(one, op.Create | op.Supersede) and one.memory.valid_from and one.memory.valid_to:
            return True
        if isinstance(one, op.Update) and one.changes.get("valid_from") and one.changes.get("valid_to"):
            return True
    return False


def _listed(given: object) -> Sequence[object]:
    """Return the operations in what is given, none of them looked at yet."""
    value = _parsed(given) if isinstance(given, str) else given
    if isinstance(value, dict) and "operations" in value and "op" not in value:
        value = value["operations"]
        value = _parsed(value) if isinstance(value, str) else value
        if not isinstance(value, list | tuple):
            raise BadOperations(f"'operations' is {fields.called(value)}, not a list", hint=_HINT)
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, dict):
        return [value]
    raise BadOperations(f"operations are a list of objects; this is {fields.called(value)}", hint=_HINT)


def _parsed(text: str) -> object:
    """Return what a text says as JSON.

    Raises:
        BadOperations: if it is none, with the line and the column.
    """
    try:
        return json.loads(text.removeprefix("\ufeff"), parse_constant=_no_number, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadOperations(f"this is no JSON: {error.msg} in {where}", hint=_HINT) from error
    except RecursionError as error:
        raise BadOperations("this JSON is nested too deeply", hint=_HINT) from error
    except InputError as error:
        raise BadOperations(f"this is no JSON: {error}", hint=_HINT) from error
    except ValueError as error:  # a number of thousands of digits
        raise BadOperations(f"this JSON cannot be read: {error}", hint=_HINT) from error


def _no_number(name: str) -> NoReturn:
    """Refuse what Python reads and JSON has not."""
    raise InputError(f"{name} is no number")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object; of a field that stands twice nobody knows which one was meant."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(f"the field {fields.shown(name)} stands twice in one object")
        found[name] = value
    return found


def _operation(given: object, where: str, batch: Batch) -> Operation:
    """Return one operation; what stands in for a wrong one is never used."""
    name = given.get("op") if isinstance(given, dict) else None
    if isinstance(name, str) and name in _READERS:
        read, known, elsewhere = _READERS[name]
        return read(Fields(given, where, batch, ("op", *known), elsewhere))
    batch.notes.append(f"{where}: {_no_operation(given, name)}")
    return op.Merge(())


def _no_operation(given: object, name: object) -> str:
    """Return what to say of something that is no operation."""
    if not isinstance(given, dict):
        return f"it is {fields.called(given)}, not an object"
    there = f"there are {', '.join(_READERS)}"
    if isinstance(name, str):
        return f"there is no operation {fields.shown(name)}; {there}{did_you_mean(name, _READERS)}"
    return f"'op' is {fields.called(name)}; {there}" if "op" in given else f"it has no 'op'; {there}"


def _create(given: Fields) -> Operation:
    """Return the addition of a memory."""
    return op.Create(drafts.draft(given))


def _supersede(given: Fields) -> Operation:
    """Return the replacement of memories."""
    return op.Supersede(_ids(given, "old_ids", 1), drafts.draft(given))


def _update(given: Fields) -> Operation:
    """Return the change of a memory."""
    noted = len(given.batch.notes)
    changes, labels = drafts.changes(given)
    found = op.Update(
        id=given.need("id", fields.memory_id, ""),
        changes=changes,
        labels=labels,
        evidence=drafts.evidence(given),
        revision=given.take("revision", fields.revision, None),
    )
    if not (changes or labels or found.evidence) and len(given.batch.notes) == noted:
        given.note("it changes nothing: 'changes' and 'evidence' are empty")
    return found


def _link(given: Fields) -> Operation:
    """Return the link of one memory to another."""
    one, other = given.need("from_id", fields.memory_id, ""), given.need("to_id", fields.memory_id, "")
    if one and one == other:
        given.note("a memory is not linked to itself")
    return op.Link(one, other, given.need("type", _link_type, "related"))


def _archive(given: Fields) -> Operation:
    """Return the hiding of a memory."""
    return op.Archive(*_single(given), revision=given.take("revision", fields.revision, None))


def _restore(given: Fields) -> Operation:
    """Return the return of a memory."""
    return op.Restore(_single(given)[0], given.take("revision", fields.revision, None))


def _confirm(given: Fields) -> Operation:
    """Return the confirmation of a memory."""
    return op.Confirm(_single(given)[0], given.take("revision", fields.revision, None))


def _merge(given: Fields) -> Operation:
    """Return the merger of memories."""
    return op.Merge(_ids(given, "ids", 2))


_Reader: TypeAlias = Callable[[Fields], Operation]
_READERS: Final[dict[str, tuple[_Reader, tuple[str, ...], dict[str, str]]]] = {
    "create": (_create, ("memory",), _IN_MEMORY),
    "supersede": (_supersede, ("old_ids", "memory"), _IN_MEMORY),
    "update": (_update, ("id", "changes", "evidence", "revision"), _IN_CHANGES),
    "link": (_link, ("from_id", "to_id", "type"), {}),
    "archive": (_archive, ("id", "reason", "revision"), {}),
    "restore": (_restore, ("id", "revision"), {}),
    "confirm": (_confirm, ("id", "revision"), {}),
    "merge": (_merge, ("ids",), {}),
}


def _single(given: Fields) -> tuple[str, str]:
    """Return the memory that an operation is about, and the reason for it."""
    return given.need("id", fields.memory_id, ""), given.take("reason", fields.line("reason"), "")


def _ids(given: Fields, name: str, least: int) -> tuple[str, ...]:
    """Return at least so many different ids of memories."""
    noted = len(given.batch.notes)
    found: tuple[str, ...] = given.need(name, fields.several(fields.memory_id), ())
    if len(found) < least and len(given.batch.notes) == noted:
        given.note(f"{name!r} names {len(found)} of at least {least} memor{'ies' if least > 1 else 'y'}")
    return found


def _link_type(value: object) -> LinkType:
    """Return the type of a link that ``value`` is."""
    found = fields.text("type")(value)
    if found not in LINK_TYPES:
        raise InputError(f"there is no type of link {fields.shown(found)}; there are {', '.join(LINK_TYPES)}")
    return cast("LinkType", found)
