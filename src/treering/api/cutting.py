"""Cutting a stored text again, for a keyword index that is made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.derived import rows
from treering.domain.chunk import Chunked
from treering.ingest import metadata
from treering.ingest.versions import domain_of

if TYPE_CHECKING:
    from treering.ports import Transaction
    from treering.records import StoredSource
    from treering.settings import Settings


def rechunk(tx: Transaction, source: StoredSource, text: str, settings: Settings) -> Chunked:
    """Cut a stored text again, as it was cut when it was read or said."""
    if rows.is_of_memory(source):
        from treering.curate.notes import pieces

        return Chunked(None, pieces(text))
    from treering.chunkers import chunk

    return chunk(
        text,
        source.key.rpartition("/")[2].removeprefix("file:"),
        front_matter_chars=metadata.split(text),
        target_chars=settings.chunk_target_chars,
        max_leaf_tokens=settings.leaf_max_tokens,
        domain=domain_of(tx.sources.metadata([source.id])[source.id]),
    )
