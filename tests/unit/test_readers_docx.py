"""Word documents: what a reader of the document sees is in the text, in order and with its structure."""

from __future__ import annotations

import io
import zipfile
from typing import Final

import pytest

from treering.chunkers import chunk
from treering.ingest import readers
from treering.ingest.readers import Unread

TRANSITIONAL: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT: Final = "http://purl.oclc.org/ooxml/wordprocessingml/main"
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES: Final = """
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Eigene"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/>
  <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
"""
NUMBERING: Final = """
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>
"""


def docx(body: str, *, namespace: str = TRANSITIONAL, **parts: str) -> bytes:
    """Return a document with this body and, by name, the inside of other parts."""
    space = f'xmlns:w="{namespace}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    kinds = {"styles": STYLES, "numbering": NUMBERING, **parts}
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr(
            "_rels/.rels", f'<r><Relationship Type="{OFFICE}/officeDocument" Target="/word/document.xml"/></r>'
        )
        related = "".join(f'<R Type="{OFFICE}/{kind}" Target="{kind}.xml"/>' for kind in kinds)
        archive.writestr("word/_rels/document.xml.rels", f"<r>{related}</r>")
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
        for kind, inside in kinds.items():
            archive.writestr(f"word/{kind}.xml", f"<w:{kind} {space}>{inside}</w:{kind}>")
    return kept.getvalue()


def p(text: str, style: str = "", inside: str = "") -> str:
    """Return a paragraph."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/>{inside}</w:pPr>' if style or inside else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def item(text: str, depth: int = 0) -> str:
    """Return an item of the numbered list."""
    return p(text, inside=f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="3"/></w:numPr>')


def text_of(body: str, **parts: str) -> str:
    """Return what is read of a body."""
    return readers.read(docx(body, **parts), "a.docx").text


def test_headings_are_those_of_the_styles() -> None:
    """A title is above headings; what a style is called in its language, or based on, does not matter."""
    text = text_of(p("Plan", "Titel") + p("Aims", "berschrift1") + p("First", "Eigene") + p("Words."))
    assert text == "# Plan\n\n## Aims\n\n### First\n\nWords.\n"
    last = chunk(text, "a.docx", front_matter_chars=0).chunks[-1]
    assert [heading.title for heading in last.path] == ["Plan", "Aims", "First"]


def test_lists_keep_numbers_and_depth() -> None:
    """Items are numbered as the list is; deeper ones stand below theirs, and numbers go on behind them."""
    text = text_of(item("one") + item("inner", 1) + item("two") + p("after"))
    assert text == "1. one\n    - inner\n2. two\n\nafter\n"


def test_tables_row_by_row_and_nested() -> None:
    """A table is a table; one inside a cell gives its words to the cell; a deleted row is gone."""
    inner = f"<w:tbl><w:tr><w:tc>{p('in one')}</w:tc><w:tc>{p('in two')}</w:tc></w:tr></w:tbl>"
    text = text_of(
        f"<w:tbl><w:tr><w:tc>{p('Name')}</w:tc><w:tc>{p('Note')}</w:tc></w:tr>"
        f"<w:tr><w:tc>{p('A | B')}</w:tc><w:tc>{inner}{p('more')}</w:tc></w:tr>"
        f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{p('gone')}</w:tc></w:tr></w:tbl>"
    )
    assert text == "| Name | Note |\n| --- | --- |\n| A \\| B | in one, in two / more |\n"


def test_changes_are_taken_as_accepted() -> None:
    """What was inserted or moved here is there, what was deleted or moved away is not."""
    text = text_of(
        "<w:p><w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>new </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>old </w:delText></w:r></w:del><w:moveFrom><w:r><w:t>away </w:t></w:r></w:moveFrom>"
        "<w:moveTo><w:r><w:t>here</w:t></w:r></w:moveTo></w:p>"
    )
    assert text == "kept new here\n"


def test_boxes_controls_and_fields() -> None:
    """A text box is read once, in both of its forms; content controls are read, the code of fields is not."""
    box = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    text = text_of(
        f"<w:p><w:r><w:t>Anchor.</w:t><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        f"<w:sdt><w:sdtContent>{p('Controlled.')}</w:sdtContent></w:sdt>"
        "<w:p><w:sdt><w:sdtContent><w:r><w:t>Inline</w:t></w:r></w:sdtContent></w:sdt>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:noBreakHyphen/><w:t>ly</w:t><w:br/><w:t>next</w:t></w:r></w:p>"
    )
    assert text == "Anchor.\n\nIn the box.\n\nControlled.\n\nInline-ly\nnext\n"


def test_notes_margins_and_comments_stand_apart() -> None:
    """Footnotes stand under their marks, headers once, comments last with who made them."""
    text = text_of(
        '<w:p><w:r><w:t>Said</w:t><w:footnoteReference w:id="2"/></w:r></w:p>',
        footnotes=f'<w:footnote w:id="0" w:type="separator">{p("x")}</w:footnote>'
        f'<w:footnote w:id="2">{p("Why.")}</w:footnote>',
        header=p("Confidential"),
        footer=p("Confidential") + p("7"),
        comments=f'<w:comment w:author="Ana" w:date="2026-03-01T10:00:00Z">{p("Sure?")}</w:comment>',
    )
    said, _, rest = text.partition("\n\n")
    assert said == "Said[^2]"
    assert rest == "[^2]: Why.\n\n## Headers and footers\n\nConfidential\n\n## Comments\n\n- Ana, 2026-03-01: Sure?\n"


def test_strict_documents_are_the_same() -> None:
    """The namespace of strict OOXML makes no difference."""
    body = p("Plan", "Titel") + item("one")
    strict = readers.read(docx(body, namespace=STRICT), "a.docx")
    assert strict.text == readers.read(docx(body), "a.docx").text == "# Plan\n\n1. one\n"


def test_words_that_look_like_marks_stay_words() -> None:
    """A paragraph that begins like a heading, a fence or a block of HTML is none, and its words are all there."""
    text = text_of(p("# 1 of 3") + p("```") + p("&lt;!-- so --&gt;") + p("after"))
    assert text == "\\# 1 of 3\n\n\\```\n\n\\<!-- so -->\n\nafter\n"
    assert all(not one.path for one in chunk(text, "a.docx", front_matter_chars=0).chunks)


def test_a_document_without_words_says_so() -> None:
    """Nothing to read is an error, never an empty success."""
    with pytest.raises(Unread, match="no text"):
        text_of("<w:p/>")
