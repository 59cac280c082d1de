"""What an agent passed, read with good will: lists as text, numbers as text, singular for plural; nothing is ignored.

Clients differ in how they hand on what a model wrote. Whatever can only mean one thing is taken as that;
everything else is refused with the argument's name and what it takes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from treering.surfaces.mcp.tools import Parameter, Tool

# What agents write out of habit, and what it is called here.
_ALIASES: Final = {
    "top_k": "limit", "k": "limit", "question": "query", "content": "text", "cursor": "after",
    "ops": "operations", "file": "path",
}  # fmt: skip
_TRUE: Final = ("true", "yes", "1")
_FALSE: Final = ("false", "no", "0", "")


def read(tool: Tool, given: Mapping[str, object]) -> dict[str, Any]:
    """Return a call's arguments by name, each of the type that its parameter has; null counts as not given.

    Raises:
        InputError: naming the argument, what is wrong with it and what it takes.
    """
    known = {parameter.name: parameter for parameter in tool.parameters}
    found: dict[str, Any] = {}
    for written, value in given.items():
        name = _known_as(written, known)
        if name is None:
            near = _did_you_mean(written, known)
            raise InputError(f"{tool.name} has no argument {written[:80]!r}{near}; it takes {', '.join(known)}")
        if name in found:
            raise InputError(f"{tool.name}: {name} is given twice, as {written!r} too")
        if value is not None:
            found[name] = _value(known[name], value)
    for parameter in tool.parameters:
        if parameter.is_needed and found.get(parameter.name) in (None, []):
            raise InputError(f"{tool.name}: {parameter.name} is missing: {parameter.meaning or what(parameter)}")
    return found


def _known_as(written: str, known: Mapping[str, Parameter]) -> str | None:
    """Return the parameter that a name stands for: itself, its plural, or what agents call it elsewhere."""
    for name in (written, f"{written}s", _ALIASES.get(written, "")):
        if name in known:
            return name
    return None


def what(parameter: Parameter) -> str:
    """Return in words what a parameter takes."""
    if parameter.choices:
        return f"one of {', '.join(parameter.choices)}"
    if parameter.shape == "whole":
        most = f" to {parameter.most}" if parameter.most < 1_000_000_000 else " on"
        return f"a whole number from {parameter.least}{most}"
    return {
        "text": "a text",
        "texts": "a list of texts",
        "share": "a number from 0 to 1",
        "flag": "true or false",
        "operations": 'a list of objects such as {"op": "create", "memory": {"content": "…"}}',
        "labels": 'an object such as {"kind": ["event", "note"]}',
    }[parameter.shape]


def _value(parameter: Parameter, value: object) -> Any:  # noqa: ANN401 - its type is the parameter's
    """Return an argument as its parameter's type.

    Raises:
        InputError: if it cannot be that.
    """
    readers = {
        "text": _text, "texts": _texts, "whole": _whole, "share": _share, "flag": _flag, "labels": _labels,
        "operations": _operations,
    }  # fmt: skip
    read_as = readers[parameter.shape](value)
    if read_as is None or not _is_allowed(parameter, read_as):
        shown = json.dumps(value, ensure_ascii=False)[:80]
        raise InputError(f"{parameter.name} = {shown} is not {what(parameter)}")
    return read_as


def _is_allowed(parameter: Parameter, value: object) -> bool:
    """Tell whether a value of the right type is one of the choices or in the range."""
    if parameter.choices:
        return value in parameter.choices
    if isinstance(value, int) and not isinstance(value, bool) and parameter.shape == "whole":
        return parameter.least <= value <= parameter.most
    return not isinstance(value, float) or 0 <= value <= 1


def _text(value: object) -> str | None:
    """Return a text; a number is written out."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def _texts(value: object) -> list[str] | None:
    """Return texts: of a list, of a list written as JSON, of ``a, b``, or of one word."""
    if isinstance(value, str):
        parsed = _parsed(value, "[")
        if parsed is None:
            return [part.strip() for part in value.split(",") if part.strip()]
        value = parsed
    if not isinstance(value, list):
        return None
    texts = [_text(one) for one in value]
    return None if None in texts else [text for text in texts if text]


def _whole(value: object) -> int | None:
    """Return a whole number, also of text and of ``5.0``."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError):
        return None
    return int(number) if number is not None and number.is_integer() else None


def _share(value: object) -> float | None:
    """Return a number, also of text."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _flag(value: object) -> bool | None:
    """Return yes or no, also of text."""
    word = str(value).strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def _labels(value: object) -> dict[str, list[str]] | None:
    """Return keys with values: of an object, of one written as JSON, of ``key=value`` texts; values are made texts."""
    if isinstance(value, str):
        parsed = _parsed(value, "{[")
        value = [value] if parsed is None else parsed
    if isinstance(value, list):
        return _pairs(value)
    if not isinstance(value, dict):
        return None
    found: dict[str, list[str]] = {}
    for key, values in value.items():
        texts = [_text(one) for one in (values if isinstance(values, list) else [values])]
        if None in texts:
            return None
        found[key] = [text for text in texts if text is not None]
    return found


def _operations(value: object) -> object:
    """Return operations as they were given, in a list, alone or written as JSON; what they say is not read here."""
    return value if isinstance(value, (list, dict, str)) and value else None


def _pairs(values: Iterable[object]) -> dict[str, list[str]] | None:
    """Return ``key=value`` texts as keys with their values."""
    found: dict[str, list[str]] = {}
    for one in values:
        key, equals, text = str(one).partition("=")
        if not (equals and key.strip()):
            return None
        found.setdefault(key.strip(), []).append(text)
    return found


def _parsed(text: str, opening: str) -> object:
    """Return what a text says as JSON if it looks like it; None where it is none."""
    if text.lstrip()[:1] not in tuple(opening):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the name that resembles ``word``, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word[:80], list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
