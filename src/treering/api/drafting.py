"""Drafting: what a caller says of a memory, as a draft that was checked."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from treering.domain.dates import span
from treering.domain.entity import entity_name
from treering.domain.memory import bounded, checked, memory_kind, one_line, tidy
from treering.domain.operation import Citation, Draft, Mention
from treering.domain.slot import slot_key
from treering.domain.validity import check_validity
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.operation import Labels


def draft(  # noqa: PLR0913  see ``MemoryStore.remember``
    text: str,
    *,
    kind: str,
    title: str,
    summary: str,
    slot: str,
    value: str,
    entities: Sequence[str],
    labels: Labels,
    valid_from: str,
    valid_to: str,
    source: str,
    quote: str,
) -> Draft:
    """Return what was said as a draft; see ``MemoryStore.remember``."""
    if bool(source) != bool(quote):
        given, missing = ("source", "quote") if source else ("quote", "source")
        raise InputError(f"a {given} without a {missing}: a memory quotes the words of a source", hint="give both")
    return Draft(
        content=tidy(bounded("text", text)),
        kind=memory_kind(kind),
        title=one_line("title", bounded("title", title)),
        summary=one_line("summary", bounded("summary", summary)),
        slot=slot_key(slot) if slot else "",
        value=one_line("value", bounded("value", value)),
        valid_from=_date("valid_from", valid_from),
        valid_to=_date("valid_to", valid_to),
        labels=labels,
        entities=tuple(Mention(entity_name(name)) for name in entities),
        evidence=(Citation(source, checked("quote", quote)),) if source else (),
    )


def in_zone(given: Draft, zone: tzinfo) -> Draft:
    """Return a draft whose dates are in order.

    Raises:
        InputError: if it would end before it begins.
    """
    check_validity(given.valid_from, given.valid_to, zone)
    return given


def check_changes(changes: Mapping[str, str]) -> None:
    """Refuse new values that are none.

    Raises:
        InputError: naming what is wrong.
    """
    for name, text in changes.items():
        bounded(name, text)
    if "content" in changes:
        tidy(changes["content"])
    if "kind" in changes:
        memory_kind(changes["kind"])
    for name in ("valid_from", "valid_to"):
        _date(name, changes.get(name, ""))


def _date(name: str, text: str) -> str:
    """Return a date that is one."""
    text = checked(name, text).strip()
    if text:
        span(text, UTC)
    return text
