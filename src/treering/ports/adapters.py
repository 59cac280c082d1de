"""What can be exchanged beside the database: embedders, readers of documents, extractors of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.operation import Create
    from treering.domain.source import Extract


class Embedder(Protocol):
    """Turns text into vectors whose cosine says how near two meanings are.

    May be called from several threads at once and never inside a transaction. It adds any prefix
    that its model wants by itself. A failure raises ``EmbedderFailed`` and leaves nothing behind;
    a row that cannot be embedded (no word in it) is all zeros and matches nothing.
    """

    @property
    def id(self) -> str:
        """Name of the model and how it is run, e.g. ``static/potion-base-8M``."""
        ...

    @property
    def revision(self) -> str:
        """Changes whenever the same text may get another vector."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def english_only(self) -> bool:
        """Whether vectors of other scripts than Latin mean nothing."""
        ...

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return stored texts as ``len(texts) × dimension`` little-endian float32, rows of unit length."""
        ...

    def embed_query(self, text: str) -> bytes:
        """Return a question as ``dimension`` little-endian float32 of unit length."""
        ...


class Reader(Protocol):
    """What takes the text out of one kind of document; see ``treering.ingest.readers.register``.

    It is called in a process of its own that is killed when it takes too long or too much memory. It sees one
    document at a time, keeps nothing, and opens no file and no connection. It must be reachable as a name of its
    module, because that other process imports it.
    """

    def __call__(self, raw: bytes, name: str) -> Extract:
        """Return the text of the document ``raw``, whose file is called ``name``.

        Raises:
            Unread: when there is no text, or it cannot be had, with the reason for people.
                Anything else that is raised counts as a damaged document.
        """
        ...


class Extractor(Protocol):
    """What takes memories out of a document without a model; one is passed to ``treering.open``."""

    def operations(
        self, text: str, source_id: str, document_date: str, metadata: Mapping[str, tuple[str, ...]]
    ) -> Sequence[Create]:
        """Return the memories that a document states, as operations; none for a document that states none.

        Each is an agent's claim with the document's trust, whatever it says of itself.

        Args:
            text: the whole decoded text, front matter included.
            source_id: what the quotes cite.
            document_date: the document's own date as dates are stored; empty for none.
            metadata: its front matter.
        """
        ...
