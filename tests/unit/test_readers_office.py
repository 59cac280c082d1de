"""Presentations, workbooks, books, mail and XML: their words in reading order, and what is wrong said plainly."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pytest

from treering.ingest import readers
from treering.ingest.readers import Unread

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def archive(**parts: str) -> bytes:
    """Return a ZIP archive; in a name ``__`` stands for ``/`` and a single ``_`` for a dot."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in parts.items():
            opened.writestr(name.replace("__", "/").replace("_", ".").replace("/.rels", "/_rels"), text)
    return kept.getvalue()


def relations(**targets: str) -> str:
    """Return a part that relates ids to targets of a kind: ``id="kind target"``."""
    lines = (
        f'<R Id="{id}" Type="{RELATIONS}/{to.split()[0]}" Target="{to.split()[1]}"/>' for id, to in targets.items()
    )
    return f"<r>{''.join(lines)}</r>"


def test_slides_in_the_order_of_the_show() -> None:
    """Each slide has its number and title; tables and notes are read, slide numbers are not."""

    def shape(role: str, *lines: str) -> str:
        words = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        return f'<p:sp><p:nvPr><p:ph type="{role}"/></p:nvPr><p:txBody>{words}</p:txBody></p:sp>'

    def slide(*shapes: str) -> str:
        return f'<p:sld xmlns:p="p" xmlns:a="a">{"".join(shapes)}</p:sld>'

    row = "<a:tr><a:tc><a:p><a:t>{}</a:t></a:p></a:tc><a:tc><a:p><a:t>{}</a:t></a:p></a:tc></a:tr>"
    raw = archive(
        ppt__presentation_xml=f'<p:p xmlns:p="p" xmlns:r="{RELATIONS}"><p:sldId id="256" r:id="b"/>'
        '<p:sldId id="257" r:id="a"/></p:p>',
        ppt___rels__presentation_xml_rels=relations(a="slide slides/slide1.xml", b="slide slides/slide2.xml"),
        ppt__slides__slide1_xml=slide(f"<a:tbl>{row.format('k', 'v')}{row.format('1', '2')}</a:tbl>"),
        ppt__slides__slide2_xml=slide(shape("title", "Aims"), shape("body", "First", "Second"), shape("sldNum", "2")),
        ppt__slides___rels__slide2_xml_rels=relations(n="notesSlide ../notesSlides/notesSlide1.xml"),
        ppt__notesSlides__notesSlide1_xml=slide(shape("body", "Say hello.")),
    )
    assert readers.read(raw, "a.pptx").text == (
        "## Slide 1: Aims\n\nFirst\n\nSecond\n\nNotes: Say hello.\n\n## Slide 2\n\n"
        "| k | v |\n| --- | --- |\n| 1 | 2 |\n"
    )


def test_sheets_show_what_excel_shows() -> None:
    """Shared and inline texts, numbers, dates and truth values are what the cells show; empty columns are left out."""
    raw = archive(
        xl__workbook_xml=f'<w xmlns:r="{RELATIONS}"><sheets><sheet name="Costs" r:id="a"/></sheets></w>',
        xl___rels__workbook_xml_rels=relations(a="worksheet worksheets/sheet1.xml"),
        xl__sharedStrings_xml="<s><si><t>Day</t></si><si><r><t>Pr</t></r><r><t>ice</t></r><rPh><t>no</t></rPh></si></s>",
        xl__styles_xml='<s><numFmts><numFmt numFmtId="164" formatCode="&quot;day&quot;0"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></s>',
        xl__worksheets__sheet1_xml='<w><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
        '<row><c r="A2" s="1"><v>46082</v></c><c r="C2"><v>0.30000000000000004</v></c></row>'
        '<row><c r="A3" s="1"><v>46082.5</v></c><c r="C3" s="2"><v>7</v></c></row>'
        '<row><c r="A4" t="inlineStr"><is><t>sum</t></is></c><c r="C4" t="b"><f>x</f><v>1</v></c></row>'
        "</sheetData></w>",
    )
    assert readers.read(raw, "a.xlsx").text == (
        "## Costs\n\n| Day | Price |\n| --- | --- |\n"
        "| 2026-03-01 | 0.3 |\n| 2026-03-01 12:00:00 | 7 |\n| sum | TRUE |\n"
    )


def test_a_long_sheet_is_several_tables_with_one_header() -> None:
    """No table is longer than an answer: each part begins with the header row, and no row is lost."""
    rows = "".join(f'<row><c t="inlineStr"><is><t>row {n} {"x" * 50}</t></is></c></row>' for n in range(100))
    raw = archive(
        xl__workbook_xml=f'<w xmlns:r="{RELATIONS}"><sheets><sheet name="S" r:id="a"/></sheets></w>',
        xl___rels__workbook_xml_rels=relations(a="worksheet worksheets/sheet1.xml"),
        xl__worksheets__sheet1_xml=f"<w>{rows}</w>",
    )
    tables = readers.read(raw, "a.xlsx").text.split("\n\n")[1:]
    assert len(tables) > 3
    assert all(table.startswith("| row 0 ") and len(table) < 2000 for table in tables)
    assert all(any(f"| row {n} " in table for table in tables) for n in range(100))


def test_books_chapter_by_chapter() -> None:
    """The chapters come in the order of the spine, not of the archive; a locked book says so."""
    parts = {
        "META-INF__container_xml": '<c><rootfile full-path="OPS/b.opf"/></c>',
        "OPS__b_opf": '<p><title>Book</title><creator>Ana</creator><item id="1" href="one%20x.xhtml"/>'
        '<item id="2" href="two.xhtml"/><spine><itemref idref="2"/><itemref idref="1"/></spine></p>',
        "OPS__one x_xhtml": "<html><h1>One</h1></html>",
        "OPS__two_xhtml": "<html><h1>Two</h1><p>words</p></html>",
    }
    document = readers.read(archive(**parts), "a.epub")
    assert (document.text, document.title) == ("# Two\n\nwords\n\n# One\n", "Book")
    parts["META-INF__encryption_xml"] = (
        '<e><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>'
    )
    with pytest.raises(Unread, match="locked") as caught:
        readers.read(archive(**parts), "a.epub")
    assert caught.value.code == "password"


def test_mail_with_all_its_parts() -> None:
    """Heading lines and text are read, the other form of the same text is not, attachments are named."""
    message = EmailMessage()
    message["Subject"] = "Über uns"
    message["From"] = "Ana <ana@example.org>"
    message["Date"] = "Sun, 01 Mar 2026 10:00:00 +0100"
    message.set_content("Grüße,\nAna\n\nPS: now", charset="latin-1")
    message.add_alternative("<p>Grüße</p>", subtype="html")
    message.add_attachment(b"x", maintype="application", subtype="pdf", filename="plan.pdf")
    document = readers.read(message.as_bytes(), "a.eml")
    assert document.text == (
        "# Über uns\n\nFrom: Ana <ana@example.org>\nDate: Sun, 01 Mar 2026 10:00:00 +0100\n\nGrüße,\nAna\n\nPS: now\n\n"
        "Attached: plan.pdf\n"
    )
    assert dict(document.properties)["date"] == "2026-03-01"


def test_mail_made_badly_is_read_all_the_same() -> None:
    """Broken heading lines, an unknown charset and no text at all end in text or in a reason."""
    raw = b"From: \xff\xfe <\nDate: never\nSubject: =?utf-8?b?!!!?=\nContent-Type: text/plain; charset=x-1\n\nna\xefve"
    assert "naïve" in readers.read(raw, "a.eml").text


def test_xml_is_its_words() -> None:
    """Each element that has text is a line; those of one record stand together."""
    raw = "<?xml version='1.0' encoding='utf-16'?><f><c><n>A &amp; B</n><m>x <b>y</b></m></c><c><n>D</n></c></f>"
    assert readers.read(raw.encode("utf-16"), "a.xml").text == "A & B\nx y\n\nD\n"
