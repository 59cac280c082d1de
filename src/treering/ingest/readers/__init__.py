"""Documents to text: PDF, Word, HTML, XML, EPUB, PowerPoint, Excel and mail, each by a reader of its own.

In the room: ``read`` (bytes and a name to a ``Document``, in this process), ``apart`` (the same in a process that
is killed when a document takes too long or too much memory: what untrusted bytes belong to), ``formats`` (which
reader a document gets), one module for each format, and what several of them need: ``archive`` (ZIP with limits),
``markup`` (XML with limits), ``markdown`` (what they write). Text and Markdown are decoded by ``ingest.encoding``.
Not in the room: the file system, cutting text into chunks, and any store.

A module of a format is loaded when the first such document is read.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from treering.domain.source import Document, Extract
from treering.ingest import encoding, metadata
from treering.ingest.readers.formats import Unread, has_reader, load, reader_for, register

if TYPE_CHECKING:
    from treering.ports import Reader

__all__ = ["Unread", "document", "extract", "has_reader", "read", "reader_for", "register"]

MOST_CHARS: Final = 50_000_000
"""Characters that one document may give; what is longer was made to be."""

# Line ends as in text files; what no text has: NUL, byte order marks, halves of characters.
_LINE_END: Final = re.compile(r"\r\n?")
_NO_TEXT: Final = re.compile("[\x00\ufeff\ud800-\udfff]")
_TITLE_CHARS: Final = 300


def read(raw: bytes, name: str) -> Document:
    """Return the text of an original, by the reader for its kind, or decoded where it is text.

    Pure, and in this process: for bytes that nobody vouches for use ``apart.Readings``, which does the same.

    Args:
        raw: the whole original.
        name: its file name or path; the suffix and the first bytes decide what it is.

    Raises:
        Unread: if its text cannot be had; the message says why, for people.
        Undecodable: if it should be text and is none (``Unread`` is one of these).
    """
    target = reader_for(raw, name)
    return document(raw, extract(target, raw, name) if target else None)


def extract(target: str, raw: bytes, name: str) -> Extract:
    """Return what the reader at ``target`` makes of a document; whatever goes wrong in it is ``Unread``."""
    reader: Reader = load(target)
    try:
        found = reader(raw, name)
    except encoding.Undecodable:
        raise
    except MemoryError as error:
        raise Unread("it takes more memory than a document may have", code="too_large") from error
    except RecursionError as error:
        raise Unread("it is nested too deeply", code="damaged") from error
    except Exception as error:  # a reader meets whatever people and attackers write
        detail = " ".join(str(error).split())[:200]
        raise Unread(
            f"it is damaged: {type(error).__name__}{': ' if detail else ''}{detail}", code="damaged"
        ) from error
    if not found.text.strip():
        raise Unread("it holds no text", code="no_text")
    if len(found.text) > MOST_CHARS:
        raise Unread(f"it gives more than {MOST_CHARS:,} characters", code="too_large")
    return found


def document(raw: bytes, found: Extract | None) -> Document:
    """Return an original with what a reader found in it; None decodes it as text.

    Raises:
        Undecodable: if it is decoded and is no text.
    """
    digest = sha256(raw).hexdigest()
    if found is None:
        text, name, notice = encoding.decode(raw)
        return Document(text, digest, len(raw), name, notice, metadata.split(text))
    text = _NO_TEXT.sub("", _LINE_END.sub("\n", found.text)).strip("\n") + "\n"
    title = _NO_TEXT.sub("", " ".join(found.title.split()))[:_TITLE_CHARS]
    properties = tuple([(key, _NO_TEXT.sub("", value)) for key, value in found.properties])
    return Document(text, digest, len(raw), found.encoding, found.notice, metadata.split(text), title, properties)
