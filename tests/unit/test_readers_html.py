"""HTML: what a page shows, with its structure; markup of any quality."""

from __future__ import annotations

import pytest

from treering.ingest import readers
from treering.ingest.readers import html


def text_of(page: str) -> str:
    """Return what is read of a page."""
    return readers.read(page.encode(), "a.html").text


def test_structure_becomes_markdown() -> None:
    """Headings, paragraphs, lists in lists, quotes and code are what they are in Markdown."""
    text = text_of(
        "<title>T</title><h1>One <em>two</em></h1><p>Some\n  <b>bold</b> words<br>and more."
        "<ul><li>a<ol><li>first<li>second</ol><li>b<p>again</ul><blockquote><p>said</blockquote>"
        '<pre><code class="language-py">if x:\n    y()\n</code></pre>'
    )
    assert text == (
        "# One two\n\nSome bold words\nand more.\n\n- a\n    1. first\n    2. second\n- b\n\n  again\n\n"
        "> said\n\n```py\nif x:\n    y()\n```\n"
    )


def test_what_is_not_shown_is_not_read() -> None:
    """Scripts, styles, templates and hidden parts are left out; menus are not."""
    text = text_of(
        "<head><style>p{}</style><body><script>if (a<b) {}</script><nav>Menu</nav><template>no</template>"
        '<p hidden>no</p><div style="display: none">no <b>no</b></div><noscript>no</noscript><p>Yes</p>'
    )
    assert text == "Menu\n\nYes\n"


def test_tables_are_tables_unless_they_arrange_the_page() -> None:
    """Rows and cells become a table; a table with headings in its cells is only how the page was laid out."""
    table = "<table><tr><th>Name<th>Day<tr><td>Ana<td>Mon <b>1</b></table>"
    assert text_of(table) == "| Name | Day |\n| --- | --- |\n| Ana | Mon 1 |\n"
    assert text_of(f"<table><tr><td><h2>Left</h2>{table}<td>Right</table>").startswith("## Left\n\n| Name | Day |")


@pytest.mark.parametrize(
    "page",
    [
        "<p>a<p>b</p></p></div></table>c",
        "<b><i>a</b></i> b c",
        "a &amp; b &nbsp;c <!-- x --> <![CDATA[d]]> < 5 c",
        "<table><td>a b c",
        "<li>a<li>b<li>c",
        "<div " * 50 + ">a b c",
    ],
)
def test_bad_markup_loses_no_words(page: str) -> None:
    """Whatever is left open, closed twice or misplaced: the words are there."""
    text = text_of(page)
    assert text.find("a") <= text.find("c")
    assert "c" in text


def test_depth_ends_nowhere() -> None:
    """Ten thousand nested elements are read like one."""
    assert text_of("<div>" * 10_000 + "deep" + "</div>" * 10_000) == "deep\n"


@pytest.mark.parametrize(
    "declared,written", [("gb2312", "gbk"), ("iso-8859-1", "cp1252"), ("Shift_JIS", "cp932"), ("koi8-r", "koi8-r")]
)
def test_a_declared_encoding_is_used(declared: str, written: str) -> None:
    """A page in the encoding that it declares, as browsers take the name, is read without a guess."""
    words = {"gbk": "朱镕喆", "cp1252": "“naïve”", "cp932": "髙橋", "koi8-r": "перенос"}[written]
    page = f'<meta charset="{declared}"><p>{words}'.encode(written)
    document = readers.read(page, "a.htm")
    assert document.text == f"{words}\n"
    assert document.notice == ""


def test_a_wrong_declaration_is_overruled() -> None:
    """UTF-8 that declares another encoding is UTF-8; an encoding that does not exist is told by the bytes."""
    assert html.decoded('<meta charset="latin1">größer'.encode()).text.endswith("größer")
    assert html.decoded('<meta charset="nonsense">größer'.encode("cp1252")).encoding == "cp1252"


def test_a_page_says_what_it_is() -> None:
    """Title, author and date of a page are known, and its title is used where no heading says more."""
    document = readers.read(
        b"<title> The\n page </title><meta name=author content=Ana>"
        b'<meta property="article:published_time" content="2026-03-01T10:00:00Z"><p>x',
        "a.html",
    )
    assert document.title == "The page"
    assert dict(document.properties) == {"author": "Ana", "date": "2026-03-01"}
