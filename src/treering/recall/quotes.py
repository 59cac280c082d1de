"""Quotes of memories with the place where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.evidence import Quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.ports import Transaction
    from treering.records import Quote, StoredSource


def quotes_of(tx: Transaction, memories: Sequence[str]) -> dict[str, tuple[Quoted, ...]]:
    """Return what each memory rests on, in order."""
    quotes = tx.memories.quotes(memories)
    owners = _owners(tx, (quote.version for each in quotes.values() for quote in each))
    return {
        memory: tuple(_quoted(tx, quote, owners[quote.version]) for quote in each if quote.version in owners)
        for memory, each in quotes.items()
    }


def _owners(tx: Transaction, versions: Iterable[str]) -> dict[str, StoredSource]:
    """Return the source of each version that the store still has."""
    ids = {version: tx.sources.source_of(version) for version in set(versions)}
    sources = tx.sources.sources(list({id for id in ids.values() if id is not None}))
    return {version: sources[id] for version, id in ids.items() if id is not None}


def _quoted(tx: Transaction, quote: Quote, source: StoredSource) -> Quoted:
    """Return a quote with its lines."""
    above = tx.sources.text(quote.version, 0, quote.start).count("\n") if quote.start else 0
    lines = (above + 1, above + 1 + quote.text.count("\n"))
    return Quoted(quote.text, source.id, quote.version, lines, source.trust, source.version != quote.version)
