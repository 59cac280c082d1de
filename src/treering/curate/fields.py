"""Fields of a JSON object, taken one by one; what is wrong with them is noted, so that all of it is said at once.

Here are the object and the readers of single values. A reader takes anything, and raises ``InputError`` in words that
need no more context than the object's place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from treering.domain.dates import span
from treering.domain.ids import is_id
from treering.domain.memory import bounded, checked, one_line, tidy
from treering.domain.near import did_you_mean
from treering.domain.quotes import SHORTEST
from treering.errors import InputError

T = TypeVar("T")

_SHOWN: Final = 60
_CALLED: Final = ((str, "a text"), (bool, "true or false"), (int, "a number"), (float, "a number"), (dict, "an object"),
                  (list, "a list"), (tuple, "a list"))  # fmt: skip


class Batch(NamedTuple):
    """What operations that are read together have in common.

    Attributes:
        notes: all that is wrong with them.
        zone: where dates, and instants without an offset, are meant; None while that is not known.
    """

    notes: list[str]
    zone: tzinfo | None


class Fields:
    """One JSON object on its way to a value.

    Args:
        given: what should be an object.
        where: its place, e.g. ``operation 2``.
        batch: what it is a part of.
        known: its fields.
        elsewhere: fields that are often put here by mistake, with what to do.
    """

    def __init__(
        self,
        given: object,
        where: str,
        batch: Batch,
        known: Sequence[str],
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.where = where
        self.batch = batch
        self._given: Mapping[object, object] = given if isinstance(given, dict) else {}
        if not isinstance(given, dict):
            self.note(f"it is {called(given)}, not an object")
        for name in self._given:
            if name not in known:
                self.note(_unknown(name, known, elsewhere))

    def note(self, words: str) -> None:
        """Add something that is wrong."""
        self.batch.notes.append(f"{self.where}: {words}")

    def has(self, name: str) -> bool:
        """Tell whether a field is there; null is as good as nothing."""
        return self._given.get(name) is not None

    def cleared(self, name: str) -> bool:
        """Tell whether a field is there as null."""
        return name in self._given and self._given[name] is None

    def take(self, name: str, read: Callable[[object], T], default: T) -> T:
        """Return a field's value, or ``default`` where it is absent or wrong."""
        if not self.has(name):
            return default
        try:
            return read(self._given[name])
        except InputError as error:
            self.note(f"{error} ({error.hint})" if error.hint else str(error))
            return default

    def need(self, name: str, read: Callable[[object], T], default: T) -> T:
        """Return the value of a field that must be there."""
        if not self.has(name):
            self.note(f"it has no {name!r}")
        return self.take(name, read, default)

    def inner(self, name: str) -> list[tuple[str, object]]:
        """Return the items of a field that holds several objects, or one, each with its place."""
        given = self._given.get(name)
        items = given if isinstance(given, list | tuple) else [] if given is None else [given]
        return [(f"{self.where}, {name} {number}", item) for number, item in enumerate(items, 1)]

    def within(self, name: str) -> object:
        """Return a field as it was given."""
        return self._given.get(name)


def _unknown(name: object, known: Sequence[str], elsewhere: Mapping[str, str]) -> str:
    """Return what to say of a field that an object has not."""
    if not isinstance(name, str):
        return f"a field is named by {called(name)}, not a text"
    if name in elsewhere:
        return f"unknown field {shown(name)}; {elsewhere[name]}"
    return f"unknown field {shown(name)}{did_you_mean(name, known) or '; there are ' + ', '.join(known)}"


def called(value: object) -> str:
    """Return what JSON calls a value."""
    if value is None:
        return "null"
    return next((words for kind, words in _CALLED if isinstance(value, kind)), type(value).__name__)


def shown(text: str) -> str:
    """Return the beginning of a text for an error."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def text(name: str) -> Callable[[object], str]:
    """Return a reader of texts that can be kept; ``name`` says of what."""

    def read(value: object) -> str:
        """Return the text that ``value`` is."""
        if not isinstance(value, str):
            raise InputError(f"the {name} is {called(value)}, not a text")
        return checked(name, bounded(name, value))

    return read


def line(name: str, *, empty: bool = True) -> Callable[[object], str]:
    """Return a reader of texts of one line; ``empty`` says whether nothing will do."""

    def read(value: object) -> str:
        """Return the line that ``value`` is."""
        found = one_line(name, text(name)(value))
        if not (found or empty):
            raise InputError(f"the {name} is empty")
        return found

    return read


def statement(value: object) -> str:
    """Return the statement that ``value`` is."""
    found = text("content")(value)
    if not found.strip():
        raise InputError("the content is empty")
    return tidy(found)


def quote(value: object) -> str:
    """Return the quote that ``value`` is."""
    found = text("quote")(value)
    if len(" ".join(found.split())) < SHORTEST:
        raise InputError(f"the quote {found!r} is too short: at least {SHORTEST} characters")
    return found


def date(name: str) -> Callable[[object], str]:
    """Return a reader of dates."""

    def read(value: object) -> str:
        """Return the date that ``value`` is; empty for none."""
        found = text(name)(value).strip()
        try:
            if found:
                span(found[:_SHOWN])
        except InputError as error:
            raise InputError(f"{name} {error}", hint=error.hint) from error
        return found

    return read


def several(read: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    """Return a reader of lists, or of one value as a list; what stands twice counts once."""

    def read_all(value: object) -> tuple[T, ...]:
        """Return the values that ``value`` lists."""
        found: dict[T, None] = {}
        wrong: dict[str, None] = {}
        for one in value if isinstance(value, list | tuple) else [value]:
            try:
                found[read(one)] = None
            except InputError as error:
                wrong[str(error)] = None
        if wrong:
            raise InputError("; ".join(wrong))
        return tuple(found)

    return read_all


def memory_id(value: object) -> str:
    """Return the memory's id that ``value`` is."""
    found = text("id")(value).strip()
    if not is_id(found, "mem"):
        raise InputError(f"{shown(found)} is no memory's id: ids look like mem_… with 22 letters and digits behind it")
    return found


def revision(value: object) -> int:
    """Return the number of a revision that ``value`` is."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError("the revision is a whole number from 1")
    return value
