"""Replacing: which memories are meant by those who correct them in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from treering.domain.replacing import Candidate, choose, unplain
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Answer

    Search: TypeAlias = Callable[[str], Answer]


def meant(search: Search, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the id of the memory that each id, or few words, mean.

    Args:
        search: finds memories.
        wanted: ids, or a few words each.

    Raises:
        InputError: if several memories may be meant; the message lists them.
        NotFound: if none is.
    """
    return tuple(dict.fromkeys(_one(search, words) for words in wanted))


def _one(search: Search, words: str) -> str:
    """Return the id of the one memory that a few words mean."""
    if words.startswith("mem_"):
        return words
    answer = search(words)
    current = [one for one in answer.results if one.type == "memory" and one.status != "superseded"]
    choice = choose(words, [Candidate(one.id, f"{one.title} {one.text}".strip()) for one in current])
    if choice.id:
        return choice.id
    if choice.listed:
        raise InputError(unplain(words, choice), hint="treering list memories")
    raise NotFound(unplain(words, choice), hint="treering list memories")
