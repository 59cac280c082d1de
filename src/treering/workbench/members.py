"""Members of a class that is short enough to be one chunk: they are no symbols of their own, and yet asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.workbench.find import JOINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from treering.workbench.find import Question
    from treering.workbench.symbols import Symbol

_CLASS: Final = re.compile(
    r"(?m)^[^\n\"'#/(]*\b(?:class|struct|interface|trait|impl|enum|object|record|protocol|extension|module)\b"
)
_NO_DEFINITION: Final = r"(?!\s*(?:return|await|yield|throw|raise|new|else|case|assert|not|if|while|for)\b)"

_QUALIFIED: Final = 3
_BARE: Final = 2
"""How exactly a member is named with its class, and alone; as of members that are symbols."""


def inside(
    symbols: Iterable[Symbol],
    relevance: Mapping[tuple[str, int], float],
    question: Question,
    text_of: Callable[[Symbol], str],
) -> dict[tuple[str, int], int]:
    """Return the classes that define in their own chunk what a question names, and how exactly it names that.

    A text is read where the class is named, or the search brought it.

    Args:
        symbols: of the whole project, or the part that is looked in.
        relevance: by version and ordinal, what search thinks of a chunk.
        question: what is asked.
        text_of: returns the text of a symbol.
    """
    found: dict[tuple[str, int], int] = {}
    for one in symbols if question.names else ():
        if not one.opens:
            continue
        key = (one.version, one.ordinal)
        for name in question.names:
            exactness = _QUALIFIED if len(name) > 1 else _BARE
            wanted = _is_called(one, name[:-1]) if len(name) > 1 else key in relevance
            if wanted and JOINT.split(one.names[-1])[-1] != name[-1] and _defines(text_of(one), name[-1]):
                found[key] = max(found.get(key, 0), exactness)
    return found


def _is_called(symbol: Symbol, names: tuple[str, ...]) -> bool:
    """Tell whether a symbol's last names are these; nearly none is, which its last letters tell."""
    if not symbol.names[-1].endswith(names[-1]):
        return False
    own = tuple(part for name in symbol.names for part in JOINT.split(name))
    return own[-len(names) :] == names


def _defines(text: str, name: str) -> bool:
    """Tell whether a text is that of a class, and defines a function of a name in it."""
    if not _CLASS.search(text):
        return False
    words = rf"(?m)^{_NO_DEFINITION}[ \t]*(?:[\w<>\[\],*&:?@~ \t]+[ \t*&])?{re.escape(name)}[ \t]*(?:<[^\n(]*>)?\("
    return re.search(words, text) is not None
