"""Globs over paths with ``/``: one translation for path rules, ``--glob`` and ignore files.

``*`` and ``?`` stay inside a folder, ``**`` as a whole part crosses folders, ``[a-z]`` is a class;
``{md,txt}`` in a user's glob means either. A glob without a folder reaches the top only:
``*.md`` is not ``**/*.md``. Upper and lower case differ; composed and decomposed accents do not.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_DRIVE: Final = re.compile(r"[A-Za-z]:")
_BRACES: Final = re.compile(r"\{([^{}]*,[^{}]*)\}")
# Posix classes that people write in ignore files.
_POSIX: Final = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r"\ \t", "digit": "0-9", "lower": "a-z",
    "space": r"\s", "upper": "A-Z", "xdigit": "0-9A-Fa-f", "punct": r"!-/:-@\[-`{-~",
}  # fmt: skip
_MAX_ALTERNATIVES: Final = 64
_NEVER: Final = r"(?!)"


def fault(glob: str) -> str:
    """Return why ``glob`` cannot stand for paths below a folder; empty when it can."""
    if not glob or "\0" in glob:
        return "it is empty" if not glob else "it holds a NUL"
    if "\\" in glob:
        return "it holds a backslash; write paths with /"
    if glob.startswith("/") or _DRIVE.match(glob):
        return "it is absolute; write it relative to the folder"
    if ".." in glob.split("/"):
        return "it leads out of the folder by .."
    return "" if len(_alternatives(glob)) <= _MAX_ALTERNATIVES else "it has too many {…,…} alternatives"


@lru_cache(maxsize=16_384)  # more than a rules file may hold
def compiled(glob: str) -> re.Pattern[str]:
    """Return the pattern that a path's ``comparable`` form must match as a whole."""
    sources = (path_source(one.removeprefix("./").split("/")) for one in _alternatives(glob))
    return re.compile("|".join(sources), re.DOTALL)


def matches(glob: str, path: str) -> bool:
    """Tell whether ``glob`` reaches the file at ``path``."""
    return compiled(glob).fullmatch(comparable(path)) is not None


def comparable(path: str) -> str:
    """Return a path in the form that patterns are compared with: composed accents."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def path_source(parts: list[str]) -> str:
    """Return the regular expression for a path of these parts, ``**`` among them."""
    source = ""
    parts = ["**" if len(part) > 1 and not part.strip("*") else part for part in parts]
    last = len(parts) - 1
    for place, part in enumerate(parts):
        if part == "**":
            source += ".+" if place == last else "(?:[^/]++/)*" if parts[place + 1] != "**" else ""
        else:
            source += part_source(part) + ("/" if place < last else "")
    return source


def part_source(part: str) -> str:
    """Return the regular expression for one part of a path; a backslash takes the next sign as it is.

    Each stretch between two stars is matched at its first occurrence only, which is all that a
    star needs and keeps ``*a*a*a*a*b`` from taking forever.
    """
    pieces: list[str] = [""]
    at = 0
    while at < len(part):
        sign = part[at]
        at += 1
        if sign == "*":
            pieces.append("")
        elif sign == "?":
            pieces[-1] += "[^/]"
        elif sign == "[":
            source, at = _class_source(part, at)
            pieces[-1] += source
        else:
            if sign == "\\":
                sign = part[at : at + 1]
                at += 1
            pieces[-1] += re.escape(comparable(sign)) if sign else _NEVER
    first, *rest = pieces
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1] if piece)
    return f"{first}{middle}[^/]*{rest[-1]}"


def _class_source(part: str, at: int) -> tuple[str, int]:
    """Return the expression for the class whose ``[`` stands before ``at``, and where it ends."""
    start = at
    negated = part[at : at + 1] in ("!", "^")
    at += negated
    members = ""
    while at < len(part) and (part[at] != "]" or at == start + negated):
        named = re.compile(r"\[:(\w+):\]").match(part, at)
        if named:
            members += _POSIX.get(named[1], "")
            at = named.end()
            continue
        if part[at] == "\\":
            at += 1
        low = part[at : at + 1]
        at += 1
        if part[at : at + 1] == "-" and part[at + 1 : at + 2] not in ("", "]"):
            at += 2 if part[at + 1] != "\\" else 3
            high = part[at - 1 : at]
            members += f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
        else:
            members += re.escape(low)
    if at >= len(part):
        return _NEVER, at
    if not members:
        return ("[^/]" if negated else _NEVER), at + 1
    return (f"[^/{members}]" if negated else f"(?!/)[{members}]"), at + 1


@lru_cache(maxsize=256)
def _alternatives(glob: str) -> tuple[str, ...]:
    """Return the globs that ``{a,b}`` stands for; stops once there are too many."""
    done: list[str] = []
    waiting = [unicodedata.normalize("NFC", glob)]
    while waiting and len(done) + len(waiting) <= _MAX_ALTERNATIVES:
        one = waiting.pop()
        braces = _BRACES.search(one)
        if braces is None:
            done.append(one)
        else:
            waiting += [one[: braces.start()] + choice + one[braces.end() :] for choice in braces[1].split(",")]
    return tuple(done + waiting)
