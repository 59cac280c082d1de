"""HTML: what a reader of the page sees, as Markdown: headings, paragraphs, lists, tables and code.

Everything that is shown is kept, menus included: what is a page's main text is guessed wrong often enough to lose
what was asked for. Left out are scripts, styles and what is marked as hidden.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from treering.domain.source import Extract
from treering.ingest import encoding
from treering.ingest.readers import markdown

_SKIPPED: Final = frozenset({"script", "style", "template", "noscript", "iframe", "object", "svg", "head"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = frozenset(
    "address article aside blockquote body button center dd details dialog div dl dt fieldset figcaption figure footer "
    "form header hr html legend li main menu nav ol optgroup option p pre section select summary table tbody tfoot "
    "thead ul td th tr caption h1 h2 h3 h4 h5 h6".split()
)
_EMPTY: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_CELLS: Final = frozenset({"td", "th"})
# An element that is opened ends an open one of these, when nothing of the second kind lies between.
_ENDS: Final = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tr": ({"tr", "td", "th"}, {"table"}),
    "option": ({"option"}, {"select"}),
    "p": ({"p"}, {"td", "th", "li", "div", "table", "blockquote"}),
}
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LANGUAGE: Final = re.compile(r"\b(?:language|lang|highlight)-([\w+#-]{1,20})")
_DECLARED: Final = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE)
_XML_DECLARED: Final = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_HEAD_BYTES: Final = 4096
_LAYOUT_CHARS: Final = 1000
"""A cell with more text is a column of a page rather than an entry of a table."""

_MOST_DEPTH: Final = 2000
_DATES: Final = frozenset({"article:published_time", "date", "dc.date", "dcterms.date", "pubdate"})
# What browsers take these names for.
_TAKEN_FOR: Final = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "x-sjis": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "big5": "big5hkscs",
}  # fmt: skip


class _Cell:
    """A list of blocks under way: the page, or one cell of a table."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.blocks: list[str] = []
        self.has_structure = False


class _Table:
    """A table under way."""

    def __init__(self) -> None:
        """Begin without rows."""
        self.rows: list[list[_Cell]] = []


class _Page(HTMLParser):
    """Takes the events of a page and keeps its blocks."""

    def __init__(self) -> None:
        """Begin an empty page."""
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.facts: dict[str, str] = {}
        self._open: list[str] = []
        self._hidden = 0
        self._words: list[str] = []
        self._cells = [_Cell()]
        self._tables: list[_Table] = []
        self._lists: list[int | None] = []
        self._pre = ""
        self._is_pre = False
        self._item: int | None = None
        self._in_title = False

    def blocks(self) -> list[str]:
        """Return what was found; the end of the page ends whatever is open."""
        while self._open:
            self._close(self._open[-1])
        self._flush()
        return self._cells[0].blocks

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        given = dict(attrs)
        if tag == "meta":
            self._meta(given)
        if tag == "title" and not self.title:
            self._in_title = True
        if self._hidden or tag in _SKIPPED or self._is_hidden(given):
            if tag == "body":  # it ends a head that was left open
                self._hidden = 0
                self._open.clear()
            elif tag not in _EMPTY:
                self._hidden += 1
                self._open.append(tag)
            return
        if tag in _ENDS:
            self._end_open(*_ENDS[tag])
        if tag in _BLOCKS:
            self._flush()
        if tag == "br":
            self._words.append("\n")
        if tag in _EMPTY or len(self._open) >= _MOST_DEPTH:
            return
        self._open.append(tag)
        self._begin(tag, given)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element that is written as empty; in HTML only some are."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End an element, and whatever was left open in it."""
        if tag == "title":
            self._in_title = False
        if tag in self._open:
            while self._close(self._open[-1]) != tag:
                pass
        elif tag == "p":
            self._flush()

    def handle_data(self, data: str) -> None:
        """Take words."""
        if self._in_title:
            self.title += data
        elif not self._hidden:
            self._words.append(data if self._is_pre else _BLANKS.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """Take the text of a CDATA section as such."""
        if data.startswith("CDATA["):
            self.handle_data(data[6:])

    def _is_hidden(self, given: dict[str, str | None]) -> bool:
        """Tell whether an element is marked as not shown."""
        return "hidden" in given or bool(given.get("style") and _HIDDEN_STYLE.search(given["style"] or ""))

    def _meta(self, given: dict[str, str | None]) -> None:
        """Take what a page says about itself."""
        name, content = (given.get("name") or given.get("property") or "").lower(), (given.get("content") or "").strip()
        if name in {"author", "description"} and content:
            self.facts.setdefault(name, content)
        elif name in _DATES and content[:4].isdigit():
            self.facts.setdefault("date", content[:10])

    def _end_open(self, ended: set[str], within: set[str]) -> None:
        """Close open elements of some names, unless one of the others lies between."""
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at] in within:
                return
            if self._open[at] in ended:
                while len(self._open) > at:
                    self._close(self._open[-1])

    def _begin(self, tag: str, given: dict[str, str | None]) -> None:
        """Prepare for what an element holds."""
        if tag in {"ul", "ol", "menu"}:
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._item = self._next_number()
        elif tag == "pre":
            found = _LANGUAGE.search(given.get("class") or "")
            self._is_pre, self._pre = True, found[1] if found else ""
        elif tag == "code" and self._is_pre and not self._pre:
            found = _LANGUAGE.search(given.get("class") or "")
            self._pre = found[1] if found else ""
        elif tag == "table":
            self._tables.append(_Table())
        elif tag == "tr" and self._tables:
            self._tables[-1].rows.append([])
        elif tag in _CELLS and self._tables:
            if not self._tables[-1].rows:
                self._tables[-1].rows.append([])
            self._cells.append(_Cell())

    def _next_number(self) -> int:
        """Return the number of the next item of the innermost list; 0 for a bullet."""
        if not self._lists or self._lists[-1] is None:
            return 0
        self._lists[-1] += 1
        return self._lists[-1]

    def _close(self, tag: str) -> str:
        """End the innermost open element and return its name."""
        self._open.pop()
        if self._hidden:
            self._hidden -= 1
            return tag
        if tag == "pre":
            self._add(markdown.code("".join(self._words), self._pre), structure=True)
            self._words.clear()
            self._is_pre = False
        elif tag in _HEADINGS:
            self._add(markdown.heading(_HEADINGS[tag], "".join(self._words)), structure=True)
            self._words.clear()
        elif tag in _BLOCKS:
            self._flush()
        if tag in {"ul", "ol", "menu"} and self._lists:
            self._lists.pop()
        elif tag in _CELLS and self._tables and len(self._cells) > 1:
            self._tables[-1].rows[-1].append(self._cells.pop())
        elif tag == "table" and self._tables:
            self._end_table(self._tables.pop())
        elif tag == "li":
            self._item = None
        return tag

    def _end_table(self, table: _Table) -> None:
        """Put a table where it stands; one that arranges a page becomes what its cells hold."""
        cells = [cell for row in table.rows for cell in row]
        arranges = (
            any(cell.has_structure or sum(map(len, cell.blocks)) > _LAYOUT_CHARS for cell in cells)
            or max(map(len, table.rows), default=0) < 2
        )
        if arranges:
            for cell in cells:
                for block in cell.blocks:
                    self._add(block, structure=cell.has_structure)
        else:
            rows = [[" / ".join(block.strip() for block in cell.blocks) for cell in row] for row in table.rows]
            self._add(markdown.table(rows), structure=True)

    def _flush(self) -> None:
        """Make a block of the words that have come."""
        text = "".join(self._words)
        if not self._is_pre:
            self._words.clear()
        else:
            return
        if not text.strip():
            return
        if self._item is not None and "li" in self._open:
            self._add(markdown.item(text, max(len(self._lists) - 1, 0), self._item or None))
            self._item = None
        elif "li" in self._open and self._lists:
            indent = "    " * max(len(self._lists) - 1, 0)
            self._add("\n".join(f"{indent}  {line}" for line in markdown.paragraph(text).split("\n")))
        elif "blockquote" in self._open:
            self._add("\n".join(f"> {line}" for line in markdown.paragraph(text).split("\n")))
        else:
            self._add(markdown.paragraph(text))

    def _add(self, block: str, *, structure: bool = False) -> None:
        """Put a block at the end of the page or of the cell under way."""
        if block:
            self._cells[-1].blocks.append(block)
            self._cells[-1].has_structure |= structure


_BLANKS: Final = re.compile(r"\s+")


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a page.

    Raises:
        Undecodable: if it is no text.
    """
    text, coded, notice = decoded(raw)
    return extract(text, f"html ({coded})", notice)


def extract(text: str, coded: str, notice: str = "") -> Extract:
    """Return what a decoded page shows.

    Args:
        text: the page.
        coded: name of the format and the encoding.
        notice: what is uncertain about the encoding.
    """
    page = _Page()
    page.feed(text)
    page.close()
    return Extract(markdown.join(page.blocks()), coded, notice, page.title, tuple(page.facts.items()))


def decoded(raw: bytes) -> encoding.Decoded:
    """Return a page as text: by its mark, as UTF-8, in the encoding that it declares, or in one that can be told.

    Raises:
        Undecodable: if it is no text.
    """
    head = raw[:_HEAD_BYTES]
    if b"\0" not in head and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        found = _XML_DECLARED.match(head) or _DECLARED.search(head)
        declared = found[1].decode("ascii").lower() if found else ""
        for name in dict.fromkeys(("utf-8", _TAKEN_FOR.get(declared, declared))):
            try:
                return encoding.Decoded(raw.decode(name or "utf-8"), name)
            except (LookupError, UnicodeDecodeError, ValueError):
                continue  # it declares what it is not
    return encoding.decode(raw)
