"""Path rules: what a root's layout says about its files, in ``.treering.json`` at its top.

``{"rules": [{"glob": "events/**/*.md", "metadata": {"kind": "event"}}, …]}``. The first rule whose
glob matches a file gives its metadata; values are strings or lists of strings. Numbers, ``true`` and
``false`` are taken as the text that stands in the file.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from treering.ingest import encoding, globs, reading

if TYPE_CHECKING:
    from pathlib import Path

NAMES: Final = (".treering.json", ".poma-metadata.json")
"""File names in order of preference; only the first that is there is read."""

UNREADABLE: Final = "unreadable"
"""The ``hash`` of rules that cannot be read: what is resolved with them is behind once they can."""

_MAX_BYTES: Final = 1_000_000
_Values = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Rules:
    """The path rules of a root.

    Attributes:
        rules: globs with their metadata, in order.
        hash: digest of what the rules say, whatever their layout; empty without a file.
        error: why they cannot be read, naming the file; empty when they can.
    """

    rules: tuple[tuple[str, _Values], ...] = ()
    hash: str = ""
    error: str = ""

    def metadata(self, path: str) -> _Values:
        """Return what the first rule that matches ``path`` says; nothing when none does."""
        return next((dict(values) for glob, values in self.rules if globs.matches(glob, path)), {})


class _BadRules(Exception):
    """Rules that say nothing usable; the message says why."""


def load_rules(root: Path) -> Rules:
    """Return the path rules of the folder ``root``; an unusable file gives ``Rules.error``."""
    real = os.path.realpath(root)
    name = next((name for name in NAMES if os.path.lexists(os.path.join(real, name))), None)
    if name is None:
        return Rules()
    try:
        text = encoding.decode(reading.read(real, name, _MAX_BYTES).raw).text
        found = json.loads(
            text,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
            object_pairs_hook=_without_duplicates,
        )
        rules = _rules(found)
    except (reading.Unreadable, encoding.Undecodable, _BadRules) as error:
        return Rules(hash=UNREADABLE, error=f"{name}: {error}")
    except RecursionError:
        return Rules(hash=UNREADABLE, error=f"{name}: it is nested too deeply")
    except json.JSONDecodeError as error:
        return Rules(hash=UNREADABLE, error=f"{name} is not valid JSON: {error}")
    canonical = json.dumps(rules, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Rules(rules, sha256(canonical.encode()).hexdigest())


def _refuse_constant(word: str) -> object:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise _BadRules(f"{word} is no value")


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object whose keys each stand once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _BadRules(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return found


def _rules(found: object) -> tuple[tuple[str, _Values], ...]:
    """Return the checked rules of a whole file."""
    if not isinstance(found, dict) or not isinstance(found.get("rules"), list):
        raise _BadRules('it has no list "rules"')
    unknown = found.keys() - {"rules", "$schema"}
    if unknown:
        raise _BadRules(f'beside "rules" there is {min(unknown)!r}')
    return tuple(_rule(number, rule) for number, rule in enumerate(found["rules"], start=1))


def _rule(number: int, rule: object) -> tuple[str, _Values]:
    """Return one checked rule."""
    if not isinstance(rule, dict) or rule.keys() != {"glob", "metadata"}:
        raise _BadRules(f'rule {number} needs "glob" and "metadata", and nothing else')
    glob, metadata = rule["glob"], rule["metadata"]
    why = globs.fault(glob) if isinstance(glob, str) else "it is no text"
    if why:
        raise _BadRules(f"rule {number}: the glob {glob!r} cannot be used: {why}")
    if not isinstance(metadata, dict) or "" in metadata:
        raise _BadRules(f'rule {number}: "metadata" must be an object with names for keys')
    return glob, {key: _values(number, key, value) for key, value in metadata.items()}


def _values(number: int, key: str, value: object) -> tuple[str, ...]:
    """Return the values of one key as strings."""
    values = value if isinstance(value, list) else [value]
    texts = {True: "true", False: "false"}
    if not all(isinstance(one, str | bool) for one in values):
        raise _BadRules(f"rule {number}: {key!r} must be a string or a list of strings")
    found = tuple(texts[one] if isinstance(one, bool) else str(one) for one in values)
    if any("\ud800" <= sign <= "\udfff" for one in (key, *found) for sign in one):
        raise _BadRules(f"rule {number}: {key!r} holds half a letter")
    return found
