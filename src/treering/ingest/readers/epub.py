"""EPUB: the chapters of a book in reading order, each as its page shows it."""

from __future__ import annotations

import posixpath
from typing import Final
from urllib.parse import unquote

from treering.domain.source import Extract
from treering.ingest.readers import html, markup
from treering.ingest.readers.archive import Archive
from treering.ingest.readers.formats import Unread

_CONTAINER: Final = "META-INF/container.xml"
_LOCKS: Final = "META-INF/encryption.xml"
# Fonts are scrambled in books that anybody may read.
_FONT_LOCKS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a book.

    Raises:
        Unread: if it is locked, damaged, or unpacks to more than it may.
    """
    archive = Archive(raw)
    _refuse_locked(archive)
    found = next(markup.parse(archive.part(_CONTAINER) or b"<none/>").iter("rootfile"), None)
    path = "" if found is None else found.get("full-path", "")
    if path not in archive:
        raise Unread("it is damaged: it has no list of its chapters, as a book has to")
    package = markup.parse(archive.part(path))
    items = {one.get("id", ""): unquote(one.get("href", "")) for one in package.iter("item")}
    folder = posixpath.dirname(path)
    chapters = []
    missing = 0
    for one in package.iter("itemref"):
        href = posixpath.normpath(posixpath.join(folder, items.get(one.get("idref", ""), ""))).lstrip("/")
        page = archive.part(href)
        missing += not page
        if page:
            text, _, _ = html.decoded(page)
            chapters.append(html.extract(text, "epub").text)
    facts = {
        tag: next((e.text.strip() for e in package.iter(tag) if e.text), "") for tag in ("title", "creator", "date")
    }
    properties = (("author", facts["creator"]), ("date", facts["date"][:10]))
    return Extract(
        "\n\n".join(filter(None, chapters)),
        "epub",
        f"{missing} of its chapters are missing" if missing else "",
        facts["title"],
        tuple([pair for pair in properties if pair[1]]),
    )


def _refuse_locked(archive: Archive) -> None:
    """Refuse a book whose chapters are scrambled."""
    raw = archive.part(_LOCKS)
    ways = [one.get("Algorithm", "") for one in markup.parse(raw).iter("EncryptionMethod")] if raw else []
    if any(way not in _FONT_LOCKS for way in ways):
        raise Unread("it is locked by its seller (DRM)", code="password")
