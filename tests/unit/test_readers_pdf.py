"""PDF: pages, paragraphs, letters and what a document without text says. Made by hand, so that each fault is known."""

from __future__ import annotations

import sys

import pytest

from treering.chunkers import chunk
from treering.ingest import readers
from treering.ingest.readers import Unread


def pdf(*pages: str, info: str = "") -> bytes:
    """Return a PDF whose pages have these lines, in Helvetica."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for page in pages:
        lines = page.replace("(", "\\(").replace(")", "\\)").split("\n")
        drawn = "BT /F1 10 Tf 30 780 Td 12 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {len(objects)} 0 R /Resources << /Font "
            "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< {info} >>")
    text = "%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    text += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(places) + 1} /Root 1 0 R "
    return (text + f"/Info {len(places)} 0 R >>\nstartxref\n{text.index('xref')}\n%%EOF").encode("latin-1")


LONG = "These words fill a line of the page from its left margin to its right"


def test_pages_are_marked_and_in_the_path_of_what_is_found() -> None:
    """Each page of several stands under its number; marks of Markdown on a page are words."""
    document = readers.read(pdf("First words.\n# no heading", "Second words."), "a.pdf")
    assert document.text == "## Page 1\n\nFirst words.\n# no heading\n\n## Page 2\n\nSecond words.\n"
    chunked = chunk(document.text, "a.pdf", front_matter_chars=0)
    assert [[heading.title for heading in one.path] for one in chunked.chunks] == [["Page 1"], ["Page 2"]]
    assert chunked.title is None
    assert "".join(document.text[one.start : one.stop] for one in chunked.chunks) == document.text


def test_one_page_needs_no_mark() -> None:
    """A document of one page is its text."""
    assert readers.read(pdf("Words."), "a.pdf").text == "Words.\n"


def test_paragraphs_end_where_lines_are_short() -> None:
    """A short line that ends a sentence ends a paragraph, and a numbered heading begins one."""
    text = readers.read(pdf(f"{LONG}\n{LONG}\nand end here.\n{LONG}\n2.1 Aims of it\n{LONG}\n{LONG}"), "a.pdf").text
    assert text.split("\n\n") == [f"{LONG}\n{LONG}\nand end here.", LONG, "2.1 Aims of it", f"{LONG}\n{LONG}\n"]


def test_pages_without_text_are_named() -> None:
    """A document of pictures says so; single pages of them are named."""
    with pytest.raises(Unread, match="OCR") as caught:
        readers.read(pdf("", ""), "a.pdf")
    assert caught.value.code == "no_text"
    document = readers.read(pdf("a", "", "", "b", ""), "a.pdf")
    assert document.notice == "no text on pages 2–3, 5 (pictures or empty)"


def test_what_a_document_says_of_itself() -> None:
    """Title, author and day are known; the title that a word processor leaves is none."""
    named = readers.read(pdf("x", info="/Title (Plan) /Author (Ana) /CreationDate (D:20260301120000Z)"), "a.pdf")
    assert (named.title, dict(named.properties)) == ("Plan", {"author": "Ana", "created": "2026-03-01"})
    assert readers.read(pdf("x", info="/Title (Microsoft Word - plan.doc)"), "a.pdf").title == ""


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing that reads PDF is installed, the reason says what to install."""
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    monkeypatch.setitem(sys.modules, "pypdf", None)
    with pytest.raises(Unread, match=r"pip install 'treering\[documents\]'") as caught:
        readers.read(pdf("x"), "a.pdf")
    assert caught.value.code == "extra_not_installed"


def test_either_reader_alone_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PDFium the second reader takes its place, divided words joined."""
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    assert "information" in readers.read(pdf("some infor-\nmation"), "a.pdf").text
