"""B02, as far as folders are indexed in place: documents by --glob, each skipped one with its reason."""

from __future__ import annotations

import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from treering.ingest.readers import apart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

PAGE = (
    "<html><head><title>Birds</title><meta name=author content=Ana></head><h1>Birds</h1><h2>Avocet</h2><p>{}</p></html>"
)
WORDS = "The avocet sweeps its bill through shallow water."


def docx(path: Path, *texts: str) -> None:
    """Write a Word document with these paragraphs."""
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in texts)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>')


def test_documents_are_read_where_the_glob_names_them(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Without a glob they are passed over; with one they are found under their headings, by their properties too."""
    memory = remember_files({"note.md": "The godwit.\n", "birds.html": PAGE.format(WORDS)})
    docx(folder / "report.docx", "The knot flies in flocks.")
    assert memory.index(["."])[0].files == 1
    report = memory.index(["."], glob="**/*.{md,html,docx}")[0]
    assert (report.files, report.added) == (3, 2)
    [found] = memory.search("avocet bill water").results
    assert [heading.title for heading in found.path] == ["Birds", "Avocet"]
    assert found.title == "Birds"
    assert memory.search("knot flocks").found
    assert memory.search("avocet bill", where={"author": "Ana"}).found
    assert not memory.search("avocet bill", where={"author": "Ben"}).found


def test_an_unchanged_document_is_not_read_again(
    remember_files: Callable[..., MemoryStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D05: a second run starts no reader and rewrites nothing; a new time alone is a new time alone."""
    memory = remember_files({"birds.html": PAGE.format(WORDS)})
    memory.index(["."], glob="**/*.html")
    before = memory.show("birds.html")

    def refuse(*_: object) -> None:
        pytest.fail("a document was read again")

    monkeypatch.setattr(apart.Readings, "read", refuse)
    for _ in range(2):
        report = memory.index(["."], glob="**/*.html")[0]
        assert (report.added, report.changed, report.unchanged) == (0, 0, 1)
        os.utime(folder / "birds.html", (1, 1))
    assert memory.show("birds.html") == before


def test_what_cannot_be_read_is_named_and_stops_nothing(
    remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """Damaged, locked, empty and foreign documents are each listed with a reason; the others are found."""
    (folder / "locked.docx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "cut.docx").write_bytes(b"PK\x03\x04 cut")
    docx(folder / "empty.docx")
    memory = remember_files({"good.html": PAGE.format(WORDS)})
    memory.index(["."], glob="**/*")
    [root] = memory.status().roots
    reasons = {skip.path: skip.reason for skip in root.skipped}
    assert reasons.keys() == {"locked.docx", "old.doc", "cut.docx", "empty.docx"}
    assert "password" in reasons["locked.docx"]
    assert "save it as .docx" in reasons["old.doc"]
    assert "no text" in reasons["empty.docx"]
    assert memory.search("avocet").found


def test_a_changed_document_is_seen_by_the_next_search(
    remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """An edit is read when somebody asks, as that of a note is; one that broke it leaves what was known."""
    memory = remember_files({"birds.html": PAGE.format(WORDS)})
    memory.index(["."], glob="**/*.html")
    (folder / "birds.html").write_text(PAGE.format("The curlew calls over the marsh at dusk."), encoding="utf-8")
    assert memory.search("curlew marsh").found
    (folder / "birds.html").write_bytes(b"<html><script>")
    assert memory.search("curlew marsh").found


def test_everything_made_again_is_as_it_was(remember_files: Callable[..., MemoryStore]) -> None:
    """What is derived from a document's text is made again from the text, without the document."""
    memory = remember_files({"birds.html": PAGE.format(WORDS)})
    memory.index(["."], glob="**/*.html")
    before = memory.search("avocet bill").results
    memory.reindex()
    assert memory.search("avocet bill").results == before
