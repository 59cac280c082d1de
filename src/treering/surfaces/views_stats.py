"""Numbers of a memory, as JSON and as compact text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.stats import Handed, Stats

_SHOWN_DAYS: Final = 7


def stats_json(stats: Stats) -> JsonObject:
    """Return the numbers of a memory."""
    shown = stats._asdict()
    shown["handed"] = [one._asdict() for one in stats.handed]
    shown["model"] = stats.model or None
    shown["paused"] = stats.paused or None
    shown["scope"] = stats.scope or None
    shown["beside"] = None if stats.beside is None else stats_json(stats.beside)
    return {"schema": SCHEMA, **shown, "tokens": sum(one.tokens for one in stats.handed)}


def stats_text(stats: Stats) -> str:
    """Return the numbers of a memory: what it holds, of what, and what clients were given in the last days.

    Where the user's own store is read with it, its numbers stand below.
    """
    if stats.beside is not None:
        own = _store_text(stats.beside)
        return f"The project's store\n{_store_text(stats)}\nYour own store, read with it\n{own}"
    return _store_text(stats)


def _store_text(stats: Stats) -> str:
    """Return the numbers of one store."""
    text = f"Memories     {stats.memories:,}{_listed(stats.by_status, ': ')}\n"
    for name, numbers in (
        ("kinds", stats.by_kind),
        ("categories", stats.by_category),
        ("verified", stats.by_verification),
    ):
        if numbers:
            text += f"  {name:<10} {_listed(numbers)}\n"
    text += f"Sources      {stats.sources:,} with {stats.chunks:,} chunks\n"
    if stats.entries:
        share = f"{stats.embedded:,} of {stats.entries:,} entries by {clean_line(stats.model)}"
        text += f"Vectors      {share if stats.model else 'none: everything is found by its words'}\n"
    if stats.waiting:
        text += f"Waiting      {stats.waiting:,} for the owner: treering review list\n"
    if stats.paused:
        text += f"Paused       since {stats.paused}: treering resume\n"
    return text + _handed_text(stats.handed)


def _listed(numbers: Mapping[str, int], before: str = "") -> str:
    """Return names with their numbers on a line; empty for none."""
    said = ", ".join(f"{clean_line(name)} {number:,}" for name, number in numbers.items())
    return f"{before}{said}" if said else ""


def _handed_text(handed: Sequence[Handed]) -> str:
    """Return what clients were given: in all, and line by line for the last days."""
    if not handed:
        return "Handed out   nothing yet\n"
    tokens, answers = sum(one.tokens for one in handed), sum(one.answers for one in handed)
    text = f"Handed out   ~{tokens:,} tokens in {answers:,} answers\n"
    days = sorted({one.day for one in handed}, reverse=True)[:_SHOWN_DAYS]
    for one in handed:
        if one.day in days:
            text += f"  {one.day} {clean_line(one.client)}: ~{one.tokens:,} tokens in {one.answers:,}\n"
    return text
