"""Front matter of the mirror: one key on a line, values as JSON, which is YAML that everything reads alike.

What was written here is read back line by line; what a person or another tool wrote is read as YAML (``yaml``).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from treering.domain.named import NamedTuple
from treering.upkeep.mirror import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

FENCE: Final = "---"
# A word that no YAML reader takes for anything but a text.
_WORD: Final = re.compile(
    r"(?!(?:true|false|null|yes|no|on|off|y|n)\Z)[A-Za-z][A-Za-z_]*(?:_[0-9a-z]+)?", re.IGNORECASE
)
_LINE: Final = re.compile(r"[A-Za-z_][\w-]*:")
_scan: Final = json.JSONDecoder().raw_decode
_seen: Final = set[str]()
_MOST_SEEN: Final = 256
# YAML takes these for line ends, or for no text at all; in JSON they may be written as escapes.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_dumps: Final = json.JSONEncoder(ensure_ascii=False).encode


class Parts(NamedTuple):
    """A file in its two parts.

    Attributes:
        front: what the front matter says; None when the file has none.
        body: everything behind it.
        error: why the front matter cannot be read; empty when it can.
    """

    front: dict[str, Any] | None
    body: str
    error: str = ""


def flow(value: object) -> str:
    """Return a value on one line."""
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    text = _dumps(value)
    return text if text.isascii() and "\x7f" not in text else _UNSAFE.sub(_escaped, text)


def dump(values: Mapping[str, object]) -> str:
    """Return front matter with its fences; keys without a value are left out, lists of objects stand line by line."""
    lines = [FENCE]
    for key, value in values.items():
        if value in (None, "", [], {}, ()):
            continue
        if isinstance(value, list | tuple) and isinstance(value[0], dict):
            lines.append(f"{key}:")
            lines += [f"  - {flow(one)}" for one in value]
        else:
            lines.append(f"{key}: {flow(value)}")
    lines.append(f"{FENCE}\n")
    return "\n".join(lines)


def split(text: str) -> Parts:
    """Return the parts of a file; line ends inside the front matter may be any."""
    if not text.startswith(FENCE):
        return Parts(None, text)
    first, _, rest = text.partition("\n")
    if first.rstrip() != FENCE:
        return Parts(None, text)
    if rest.startswith(FENCE):
        stop = 0
    else:
        found = rest.find("\n---\n")
        if found < 0:
            closing = re.search(r"^---[ \t]*\r?$", rest, re.MULTILINE)
            if closing is None:
                return Parts(None, text, "the front matter is not closed by ---")
            stop = closing.start()
        else:
            stop = found + 1
    block, (_, _, body) = rest[:stop], rest[stop:].partition("\n")
    try:
        return Parts(read(block), body)
    except yaml.NotYaml as error:
        return Parts(None, body, str(error))


def _loads(text: str) -> Any:  # noqa: ANN401  what JSON holds
    """Return a JSON text with nothing around it; half as long as what looks for blanks first."""
    value, end = _scan(text)
    if end != len(text):
        raise ValueError(text)
    return value


def read(block: str) -> dict[str, Any]:
    """Return what the lines between the fences say.

    Raises:
        NotYaml: if they are no mapping that can be read.
    """
    found = _own(block)
    return yaml.mapping(block) if found is None else found


def _own(block: str) -> dict[str, Any] | None:
    """Return what ``dump`` wrote; None when something else is in it."""
    values: dict[str, Any] = {}
    items: list[Any] | None = None
    try:
        for line in block.split("\n"):
            if items is not None and line.startswith("  - {"):
                items.append(_loads(line[4:]))
                continue
            key, colon, value = line.partition(": ")
            if colon:
                items = None
                if (key not in _seen and not _is_key(line, key)) or key in values:
                    return None
                values[key] = _value(value)
            elif line:
                items = values[line[:-1]] = []
                if not _LINE.fullmatch(line):
                    return None
    except (ValueError, IndexError):
        return None
    return None if [] in values.values() else values


def _is_key(line: str, key: str) -> bool:
    """Tell whether a line begins with a key, which is then known: there are some forty in all files."""
    if not _LINE.match(line):
        return False
    if len(_seen) < _MOST_SEEN:
        _seen.add(key)
    return True


def _value(value: str) -> Any:  # noqa: ANN401  what JSON holds
    """Return what stands behind a key; raises ValueError for what ``dump`` does not write."""
    if value[0] == '"' and value[-1] == '"' and len(value) > 1 and "\\" not in value and '"' not in value[1:-1]:
        return value[1:-1]
    if value[0] not in '"[{' and not value[0].isdigit():
        if _WORD.fullmatch(value):
            return value
        if value not in {"true", "false"}:
            raise ValueError(value)
    return _loads(value)


def _escaped(found: re.Match[str]) -> str:
    """Return a character as an escape."""
    return f"\\u{ord(found[0]):04x}"
