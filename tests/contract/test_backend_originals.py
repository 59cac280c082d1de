"""Originals, on each database: bytes by their digest, for good once they are put, and gone once they are removed."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from treering.domain.source import Document, Metadata
from treering.errors import Damaged
from treering.intake import KeptText

if TYPE_CHECKING:
    from treering.ports import Backend

AT = "2026-01-01T00:00:00.000Z"
RAW = bytes(range(256)) * 300


def digest(raw: bytes) -> str:
    """Return the digest of some bytes."""
    return sha256(raw).hexdigest()


def test_bytes_come_back_as_they_were(backend: Backend) -> None:
    """Any bytes are returned exactly; the same again is no second copy."""
    for raw in (RAW, b"\0", b""):
        with backend.write() as tx:
            tx.originals.put(digest(raw), raw)
            tx.originals.put(digest(raw), raw)
        with backend.read() as tx:
            assert tx.originals.get(digest(raw)) == raw
    with backend.read() as tx:
        assert tx.originals.kept() == sorted(map(digest, (RAW, b"\0", b"")))


def test_what_was_removed_is_gone(backend: Backend) -> None:
    """Removed bytes are an error to ask for; removing them again is none."""
    with backend.write() as tx:
        tx.originals.put(digest(RAW), RAW)
        tx.originals.remove(digest(RAW))
        tx.originals.remove(digest(RAW))
        assert tx.originals.kept() == []
        with pytest.raises(Damaged):
            tx.originals.get(digest(RAW))


def test_a_source_tells_its_url_date_and_original(backend: Backend) -> None:
    """What is kept with a version comes back with it, each version its own; a link may be corrected."""
    document = Document("One\n", digest(RAW), 4, "gb18030")
    first = KeptText(
        "import:a.md", "A", "meeting", "external", document, (), "https://example.org/a", "2026-10-01", "bytes",
        Metadata({"tags": ("x",)}),
    )  # fmt: skip
    second = first._replace(document=Document("Two\n", digest(b"Two\n"), 4, "utf-8"), source_time="", original="text")
    with backend.write() as tx:
        tx.sources.put_kept(first, "src_a", "ver_a", AT)
        tx.sources.put_kept(second._replace(url="https://example.org/b", metadata=None), "src_x", "ver_b", AT)
    with backend.read() as tx:
        source = tx.sources.sources(["src_a"])["src_a"]
        assert (source.version, source.url, source.source_time, source.original) == (
            "ver_b", "https://example.org/b", "", "text",
        )  # fmt: skip
        versions = tx.sources.stored_versions("src_a")
        assert [(one.id, one.source_time, one.original, one.encoding) for one in versions] == [
            ("ver_a", "2026-10-01", "bytes", "gb18030"), ("ver_b", "", "text", "utf-8"),
        ]  # fmt: skip
        assert tx.sources.digests() == [digest(RAW)]
        assert [one.id for one in tx.sources.with_content(digest(b"Two\n"))] == ["src_a"]
        assert tx.sources.with_content(digest(RAW)) == []
        assert tx.sources.metadata(["src_a"]) == {"src_a": {"tags": ("x",)}}
