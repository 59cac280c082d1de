"""What callers may pass, checked once at the door: paths, filters, labels, numbers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from treering.domain.query import EVERYTHING, PARTS, Tuning
from treering.errors import BadFilter, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Final

    from treering.domain.policy import Caller
    from treering.domain.query import Filter, Part
    from treering.places import Place
    from treering.settings import Settings


_LONGEST_NAME: Final = 100
_MOST_KEYS: Final = 100
_MOST_VALUES: Final = 500
"""Of all keys together: each is a parameter of one SQL statement, and SQLite's expressions have a depth."""


def absolute(path: str | Path) -> str:
    """Return a path relative to the working directory as an absolute one; links in folders are followed."""
    full = os.path.abspath(os.path.expanduser(path))
    return os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))


def conditions(where: Mapping[str, str | Sequence[str]] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a metadata filter as the pipeline takes it.

    Raises:
        BadFilter: if it is no mapping from keys to a string or strings, or more than a filter can hold.
    """
    return _bounded("where", _pairs(where))


def _pairs(where: Mapping[str, str | Sequence[str]] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a mapping from keys to a string or strings as pairs."""
    if where is None:
        return ()
    given: object = where  # callers without a type checker pass anything
    if not isinstance(given, Mapping):
        raise BadFilter(f"where is {type(where).__name__}; it takes a mapping such as {{'kind': ['event', 'note']}}")
    return tuple((text(key), texts(key, values)) for key, values in given.items())


def _bounded(name: str, conditions: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return conditions that one statement can hold.

    Raises:
        BadFilter: if there are too many.
    """
    values = sum(len(accepted) for _, accepted in conditions)
    for what, number, most in (("keys", len(conditions), _MOST_KEYS), ("values", values, _MOST_VALUES)):
        if number > most:
            raise BadFilter(f"{name}: {number:,} {what}; a filter holds at most {most}", hint="ask in several searches")
    return conditions


def texts(key: object, values: object) -> tuple[str, ...]:
    """Return the accepted values of one key of a filter."""
    if isinstance(values, str):
        return (text(values),)
    if not isinstance(values, Iterable):
        raise BadFilter(f"where: {key!r} = {values!r}; values are strings")
    return tuple(text(value) for value in values)


def text(value: object) -> str:
    """Return a key or value of a filter."""
    if not isinstance(value, str):
        raise BadFilter(f"where: {value!r} is {type(value).__name__}; keys and values are strings")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadFilter(f"where: {value[:80]!r} is no valid Unicode: half a character at {error.start}") from error
    return value


def tuning(settings: Settings) -> Tuning:
    """Return what each sign counts under the settings."""
    found = Tuning(neighbours=settings.search_neighbours, same_source=settings.search_same_source)
    weight = settings.search_meaning_weight
    return found if weight < 0 else found._replace(meaning=weight)


def within(name: str, value: int, least: int, most: int) -> int:
    """Return ``value``, refusing anything that is no whole number in the range."""
    given: object = value
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise InputError(f"{name} = {value!r}: it must be a whole number from {least} to {most}")
    return value


def share(name: str, value: float) -> float:
    """Return ``value``, refusing anything that is no number from 0 to 1."""
    given: object = value
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given <= 1:
        raise InputError(f"{name} = {value!r}: it must be a number from 0 to 1")
    return value


def labels(tags: Sequence[str], metadata: Mapping[str, str | Sequence[str]] | None) -> dict[str, tuple[str, ...]]:
    """Return tags and metadata as one mapping from keys to values; tags stand under ``tags``.

    Raises:
        BadFilter: if they are no strings.
        InputError: if one holds what no text holds.
    """
    if tags == () and not metadata:
        return {}
    from treering.domain.memory import checked

    found = dict(_pairs(metadata))
    given = tuple(dict.fromkeys(tag.strip() for tag in texts("tags", tags) if tag.strip()))
    for key, values in {**found, "tags": given}.items():
        for value in (key, *values):
            checked("label", value)
    return {**found, "tags": given} if given else found


def changes(id: str, given: Mapping[str, str | None], *, others: bool) -> dict[str, str]:
    """Return what is to be changed of a memory.

    Args:
        id: the memory.
        given: new values by name; None for what stays.
        others: whether something else changes, too.

    Raises:
        InputError: if nothing changes.
    """
    found = {name: value for name, value in given.items() if value is not None}
    if not found and not others:
        raise InputError(f"nothing to change in {id}", hint=f"treering update {id} 'new text'")
    return found


def tag_conditions(tags: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the conditions that every one of the tags is there.

    Raises:
        BadFilter: if they are no strings.
    """
    wanted = dict.fromkeys(tag.strip() for tag in texts("tags", tags) if tag.strip())
    return _bounded("tags", tuple(("tags", (tag,)) for tag in wanted))


def part(name: str) -> Part:
    """Return which part of a memory to look in.

    Raises:
        InputError: naming the parts that there are.
    """
    for known in PARTS:
        if known == name:
            return known
    raise InputError(f"there is no part {name!r}; there are {', '.join(PARTS)}")


def described(metadata: Mapping[str, str | Sequence[str]] | None, **given: str) -> dict[str, str | Sequence[str]]:
    """Return metadata together with those of the given keys that have a value."""
    return {**(metadata or {}), **{key: value for key, value in given.items() if value}}


def narrowing(filter: Filter, kind: Sequence[str] | str, status: Sequence[str] | str) -> Filter:
    """Return a filter that also asks for kinds and statuses.

    Raises:
        InputError: if there is no such kind or status, or searches never look at it.
    """
    kinds, statuses = texts("kind", kind), texts("status", status)
    if not (kinds or statuses):
        return filter
    from treering.domain.memory import IN_SEARCH, KINDS
    from treering.domain.source import SOURCE_KINDS

    for one in kinds:
        choice("kind", one, (*KINDS, *SOURCE_KINDS))
    for one in statuses:
        if one == "archived":
            raise InputError("what is archived is in no search", hint="treering list memories --status archived")
        choice("status", one, IN_SEARCH)
    return filter._replace(kinds=tuple(dict.fromkeys(kinds)), statuses=tuple(dict.fromkeys(statuses)))


def relabelling(
    former: Mapping[str, tuple[str, ...]],
    tags: Sequence[str] | None,
    metadata: Mapping[str, str | Sequence[str]] | None,
) -> dict[str, tuple[str, ...]]:
    """Return what new tags and metadata, each in place of all former ones, change; a key without values goes.

    Raises:
        BadFilter: if they are no strings.
    """
    given = labels(tags or (), metadata)
    gone = {key for key in former if (key == "tags" and tags is not None) or (key != "tags" and metadata is not None)}
    return {**dict.fromkeys(gone, ()), **given}


def one_id(name: str, id: str) -> str:
    """Return the id of one thing, refusing a list of them and anything else that is no text.

    Raises:
        InputError: naming the argument.
    """
    given: object = id  # callers without a type checker pass anything
    if not isinstance(given, str):
        raise InputError(f"{name} = {given!r}: it is {type(given).__name__}, and one id is wanted, a text")
    return id


def several(given: Sequence[str | Path] | str | Path) -> list[str | Path]:
    """Return one thing or several as a list; a string is one thing, not its letters."""
    return [given] if isinstance(given, (str, os.PathLike)) else list(given)


def question(text: str) -> str:
    """Return a question, refusing what is no text; half characters, as a broken paste has them, become ``?``."""
    given: object = text
    if not isinstance(given, str):
        raise InputError(f"a question is text, not {type(text).__name__}")
    return text.encode("utf-8", "replace").decode()


def marked(text: str, syntax: str) -> tuple[str, Filter]:
    """Return a question and what its marks narrow, where they mean anything.

    Raises:
        InputError: if there is no such syntax, or the question has too many marks.
    """
    if syntax == "plain":
        return text, EVERYTHING
    from treering.domain.marked import SYNTAXES
    from treering.domain.marked import marked as read

    choice("syntax", syntax, SYNTAXES)
    found = read(text)
    return found.text, EVERYTHING._replace(must=found.must, without=found.without)


def agent(name: str) -> Caller:
    """Return the agent of a name as the one who asks for changes.

    Raises:
        InputError: if it is empty, too long, or no text.
    """
    from treering.domain.memory import one_line
    from treering.domain.policy import Caller

    name = one_line("agent's name", name)
    if not name or len(name) > _LONGEST_NAME:
        what = f"has {len(name):,} characters; at most {_LONGEST_NAME}" if name else "is empty"
        raise InputError(f"the agent's name {what}", hint="--as-agent my-bot")
    return Caller("agent", name)


def choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a value that is none of the choices."""
    if value not in choices:
        raise InputError(f"{name} = {value!r}; possible are {', '.join(choices)}")


def source_keys(place: Place, name: str) -> tuple[str, ...]:
    """Return the keys that a source's name may stand for when it is no id: itself, an indexed or imported file.

    A link stands for the page that it leads to.
    """
    anchored = place.anchor(absolute(name))
    keys = (name, f"file:{name}", f"file:{anchored}", f"import:{anchored}")
    if "://" not in name:
        return keys
    from treering.ingest.origins import origin

    try:
        return (*keys, origin(name).key)
    except InputError:
        return keys
