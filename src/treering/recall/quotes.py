"""Quotes of memories with the place where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.evidence import Quoted
from treering.domain.quotes import locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.ports import Transaction
    from treering.records import Quote, StoredSource

_SHOWN = 80


def quotes_of(
    tx: Transaction, memories: Sequence[str], known: Iterable[StoredSource] = ()
) -> dict[str, tuple[Quoted, ...]]:
    """Return what each memory rests on, in order.

    Args:
        tx: the store.
        memories: their ids.
        known: sources that were read already, as most memories' own notes.
    """
    quotes = tx.memories.quotes(memories)
    read = {source.version: source for source in known}
    owners = _owners(tx, {quote.version for each in quotes.values() for quote in each}, read)
    return {
        memory: tuple(_quoted(tx, quote, owners[quote.version]) for quote in each if quote.version in owners)
        for memory, each in quotes.items()
    }


def vanished(tx: Transaction, keys: Iterable[str]) -> list[str]:
    """Return, for each memory whose quote no longer stands in its source's current version, a line that says so.

    Args:
        tx: the store.
        keys: sources that have a new version.
    """
    found = []
    for key in keys:
        source = tx.sources.source_by_key(key)
        former = [one for one in tx.sources.versions(source.id) if one != source.version] if source else []
        citing = tx.claims.citing(former) if former else []
        if source is None or not citing:
            continue
        text = tx.sources.text(source.version, 0, source.chars)
        claims = tx.claims.claims(citing)
        for id, quotes in tx.claims.evidence(citing).items():
            for quote in quotes:
                if quote.version in former and locate(text, quote.text) is None:
                    words = " ".join(quote.text.split())[:_SHOWN]
                    found.append(f"{claims[id].memory} quotes “{words}”, which no longer stands in {key}")
    return found


def _owners(tx: Transaction, versions: set[str], read: Mapping[str, StoredSource]) -> dict[str, StoredSource]:
    """Return the source of each version that the store still has; those that were read are known by their version."""
    owners = {version: read[version] for version in versions & read.keys()}
    ids = {version: tx.sources.source_of(version) for version in versions - owners.keys()}
    sources = tx.sources.sources(list({id for id in ids.values() if id is not None})) if ids else {}
    return owners | {version: sources[id] for version, id in ids.items() if id is not None}


def _quoted(tx: Transaction, quote: Quote, source: StoredSource) -> Quoted:
    """Return a quote with its lines: in the source's current version where it still stands there."""
    version, start, changed = quote.version, quote.start, False
    if source.version != version:
        moved = locate(tx.sources.text(source.version, 0, source.chars), quote.text)
        changed = moved is None
        if moved is not None:
            version, start = source.version, moved.start
    above = tx.sources.text(version, 0, start).count("\n") if start else 0
    lines = (above + 1, above + 1 + quote.text.count("\n"))
    return Quoted(quote.text, source.id, version, lines, source.trust, changed, source.key)
