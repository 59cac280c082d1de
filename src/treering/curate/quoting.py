"""Quoting: the words that a memory rests on, found where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from treering.domain.policy import LEVEL
from treering.domain.quotes import locate, nearest
from treering.errors import NotFound, QuoteNotFound
from treering.records import Quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.domain.operation import Citation
    from treering.domain.quotes import Span
    from treering.domain.source import Trust
    from treering.ports import Transaction
    from treering.records import StoredSource

_SHOWN = 80


class Quoted(NamedTuple):
    """Evidence that was found.

    Attributes:
        quotes: the words with their places.
        trust: the lowest of their sources; None without any.
        external: the words that stand in external sources.
        source: id of the first one; empty without any.
    """

    quotes: tuple[Quote, ...] = ()
    trust: Trust | None = None
    external: tuple[str, ...] = ()
    source: str = ""


class Shelf:
    """Where quotes are looked up: while many are, a source and its text are read once.

    Args:
        tx: the store; what the quotes are of is not changed meanwhile.
    """

    def __init__(self, tx: Transaction) -> None:
        self.tx = tx
        self._sources: dict[str, StoredSource] = {}
        self._open = ("", "")

    def source(self, name: str) -> StoredSource:
        """Return a source by its id or key.

        Raises:
            NotFound: if there is none.
        """
        if name not in self._sources:
            self._sources[name] = _source(self.tx, name)
        return self._sources[name]

    def text(self, version: str, chars: int) -> str:
        """Return the text of a version; one text at a time stays open, for they may be large."""
        if self._open[0] != version:
            self._open = version, self.tx.sources.text(version, 0, chars)
        return self._open[1]


def find_quotes(shelf: Shelf, citations: Sequence[Citation]) -> Quoted:
    """Return where the cited words stand.

    Raises:
        NotFound: if a source or version is not there.
        QuoteNotFound: if the words do not stand in it; the message shows the nearest text.
        InputError: if a quote is too short.
    """
    if not citations:
        return Quoted()
    found: list[Quote] = []
    sources: list[StoredSource] = []
    for citation in citations:
        source, version, chars = _version_of(shelf, citation)
        text = shelf.text(version, chars)
        span = _place(citation, source, text)
        quote = Quote(version, span.start, span.stop, text[span.start : span.stop])
        if quote not in found:
            found.append(quote)
        sources.append(source)
    external = tuple(
        citation.quote for citation, source in zip(citations, sources, strict=True) if source.trust == "external"
    )
    return Quoted(tuple(found), lowest(source.trust for source in sources), external, sources[0].id)


def lowest(trusts: Iterable[str]) -> Trust:
    """Return the lowest of some levels of trust; there must be one."""
    return cast("Trust", min(trusts, key=LEVEL.__getitem__))


def _version_of(shelf: Shelf, citation: Citation) -> tuple[StoredSource, str, int]:
    """Return the source that is cited, the version, and its length."""
    source, tx = shelf.source(citation.source), shelf.tx
    if not citation.version or citation.version == source.version:
        return source, source.version, source.chars
    if tx.sources.source_of(citation.version) != source.id:
        raise NotFound(f"{citation.version} is no version of {source.id}", hint=f"treering show {source.id}")
    return source, citation.version, tx.sources.length(citation.version)


def _source(tx: Transaction, name: str) -> StoredSource:
    """Return a source by its id or key."""
    found = tx.sources.sources([name]).get(name) or tx.sources.source_by_key(name)
    if found is not None:
        return found
    gone = tx.memories.forgotten_at(name)
    what = f"the source {name} was forgotten on {gone[:10]}" if gone else f"there is no source {name}"
    raise NotFound(what, hint="treering list sources")


def _place(citation: Citation, source: StoredSource, text: str) -> Span:
    """Return where a quote stands in the text of its source; the error shows what stands there instead."""
    if (found := locate(text, citation.quote)) is not None:
        return found
    words = " ".join(citation.quote.split())
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
    near = nearest(text, citation.quote)
    instead = f"; the nearest text is “{near}”" if near else "; no word of it does"
    raise QuoteNotFound(
        f"the quote “{shown}” does not stand in {source.id} ({source.key}){instead}",
        hint=f"treering show {source.id}",
    )
