"""Taking in: the bytes of one original as a text to keep, with what it says about itself."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from treering.domain.keeping import source_kind
from treering.domain.named import NamedTuple
from treering.domain.source import SOURCE_KINDS
from treering.ingest import metadata, readers
from treering.ingest.keys import dated
from treering.ingest.versions import without_secrets
from treering.intake import KeptText

if TYPE_CHECKING:
    from treering.domain.chunk import Chunked
    from treering.domain.keeping import Said, SourceKind
    from treering.domain.source import Document, Metadata
    from treering.ingest.origins import Origin
    from treering.ingest.versions import Documents
    from treering.settings import Settings

_WEB: Final = (".html", ".htm", ".xhtml")
_HTML: Final = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
# Names of members stand as they are in an archive.
_SIGNS: Final = {
    b"word/document.xml": ".docx", b"ppt/presentation.xml": ".pptx", b"xl/workbook.xml": ".xlsx",
    b"application/epub+zip": ".epub",
}  # fmt: skip
_NAMELESS: Final = "text"


class Taken(NamedTuple):
    """An original on its way into the store.

    Attributes:
        text: what is kept of it.
        raw: its bytes.
        notices: what the user should know about how it was read.
    """

    text: KeptText
    raw: bytes
    notices: tuple[str, ...]


def name_of(raw: bytes) -> str:
    """Return a file name for bytes that came without one; its suffix says how they are cut."""
    if raw.startswith(b"PK\x03\x04"):
        suffix = next((suffix for sign, suffix in _SIGNS.items() if sign in raw), ".zip")
    elif _HTML.match(raw):
        suffix = ".html"
    else:
        suffix = ".pdf" if raw.startswith(b"%PDF-") else ".md"
    return f"{_NAMELESS}{suffix}"


def take(
    raw: bytes, name: str, said: Said, page: Origin | None, key: str, documents: Documents, settings: Settings
) -> Taken:
    """Return an original as a text to keep.

    Args:
        raw: its bytes.
        name: its file name, which says what it is.
        said: what the caller says about it; the trust there is what is kept.
        page: the page that it is a copy of; None for none.
        key: key of its source.
        documents: what takes the text out.
        settings: sizes.

    Raises:
        Undecodable: if it has no text, or that cannot be had.
    """
    from treering.chunkers import chunk

    read = documents.read(raw, name)
    document = without_secrets(read)
    has_secrets = document.text != read.text  # then the bytes are not kept
    front = metadata.parse(document.text, document.front_matter_chars)
    chunked = chunk(
        document.text,
        name,
        front_matter_chars=document.front_matter_chars,
        target_chars=settings.chunk_target_chars,
        max_leaf_tokens=settings.leaf_max_tokens,
    )
    labels = _labels(document, front, said)
    text = KeptText(
        key=key,
        title=said.title or front.title or chunked.title or document.title or _stem(name),
        kind=said.kind or (page.kind if page else None) or _kind(name, front),
        trust=said.trust or "owner",
        document=document,
        chunks=chunked.chunks,
        url=said.url,
        source_time=said.source_time or dated(" ".join(labels.get("date", ())[:1])),
        original="masked" if has_secrets else "text" if _is_whole(document) else "bytes",
        metadata=front._replace(values=labels),
    )
    return Taken(text, raw, _notices(document, front, chunked))


def _is_whole(document: Document) -> bool:
    """Tell whether a document's text is the original, byte for byte."""
    return sha256(document.text.encode()).hexdigest() == document.sha256


def _labels(document: Document, front: Metadata, said: Said) -> dict[str, tuple[str, ...]]:
    """Return what an original is filtered by: what it says about itself, then what the caller says; tags join."""
    own = {**{key: (value,) for key, value in document.properties if value}, **front.values}
    tags = tuple(dict.fromkeys((*own.get("tags", ()), *said.labels.get("tags", ()))))
    found = {**own, **said.labels, "tags": tags}
    return {key: values for key, values in found.items() if values}


def _kind(name: str, front: Metadata) -> SourceKind:
    """Return what an original is, by its own word, else by its format."""
    own = " ".join(front.values.get("type", ())).strip().lower()
    if own in SOURCE_KINDS:
        return source_kind(own)
    if name.lower().endswith(_WEB):
        return "web"
    return "document" if readers.has_reader(name) else "file"


def _stem(name: str) -> str:
    """Return the name of a file without its suffix; nothing for a text that came without a name."""
    stem = os.path.splitext(name)[0]
    return "" if stem == _NAMELESS else stem


def _notices(document: Document, front: Metadata, chunked: Chunked) -> tuple[str, ...]:
    """Return what the user should know about how an original was read."""
    found = [document.notice] if document.notice else []
    if front.state == "unparsed":
        found.append(f"its front matter is not read: {front.error}")
    if not chunked.chunks:
        found.append("it is empty")
    return tuple(found)
