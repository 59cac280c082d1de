"""Replacing: which memories are meant by those who correct them in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from treering.domain.replacing import Candidate, choose, is_like, unplain
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.query import Answer

    Search: TypeAlias = Callable[[str, float | None], Answer]


def meant(search: Search, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the id of the memory that each id, or few words, mean.

    Args:
        search: finds memories for words, with a gate; None for the calibrated one.
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
    choice = choose(words, _current(search(words, 0.0)))
    if choice.id:
        return choice.id
    if not any(is_like(words, one) for one in choice.listed):  # brought by meaning alone, in which anything is near
        choice = choice._replace(listed=tuple(_current(search(words, None)))[: len(choice.listed)])
    else:
        choice = choice._replace(listed=tuple(one for one in choice.listed if is_like(words, one)))
    if choice.listed:
        raise InputError(unplain(words, choice), hint="treering list memories")
    raise NotFound(unplain(words, choice), hint="treering list memories")


def _current(answer: Answer) -> list[Candidate]:
    """Return the memories of an answer that were not superseded, best first."""
    found = [one for one in answer.results if one.type == "memory" and one.status != "superseded"]
    return [Candidate(one.id, f"{one.title} {one.text}".strip()) for one in found]
