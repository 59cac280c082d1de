"""Word documents: paragraphs, headings, lists, tables, text boxes, insertions, notes and headers; comments apart.

Read from the XML itself, transitional or strict, with the standard library: libraries that read Word leave out
text boxes, tracked insertions or content controls (``docs/decisions/0030-documents.md``).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.source import Extract
from treering.ingest.readers import markdown, markup
from treering.ingest.readers.archive import Archive
from treering.ingest.readers.formats import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_MAIN: Final = "/officeDocument"
_STANDARD_MAIN: Final = "word/document.xml"
_HEADING: Final = re.compile(r"heading (\d)$")
# Deleted and moved text, formulas of fields, and what another way of writing the same stands in.
_LEFT_OUT: Final = frozenset(
    {"del", "moveFrom", "instrText", "delText", "delInstrText", "rt", "rPr", "pPr", "Fallback"}
)
_BLOCKS: Final = frozenset({"p", "tbl"})
_SIGNS: Final = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_NOTES: Final = {"footnoteReference": "", "endnoteReference": "e"}
_RULES: Final = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Style(NamedTuple):
    """What a paragraph's style says: level of a heading (1 and more, 0 for none), list and its depth."""

    level: int = 0
    list: str = ""
    depth: int = 0
    title: bool = False


class Word:
    """An opened document."""

    def __init__(self, raw: bytes) -> None:
        """Open a document.

        Raises:
            Unread: if it is none, locked or damaged.
        """
        self._archive = Archive(raw)
        package = self._related("", "")
        self._main = next((path for kind, path in package if kind.endswith(_MAIN)), _STANDARD_MAIN)
        if self._main not in self._archive:
            raise Unread("it is damaged: it has no main part, as a Word document has to")
        self._parts = self._related(*posixpath.split(self._main))
        self._styles = _styles(self._part("styles"))
        self._formats = _number_formats(self._part("numbering"))
        self._counts: Counter[tuple[str, int]] = Counter()
        self._shift = 0
        self._facts = self._properties(package)

    def extract(self) -> Extract:
        """Return its text."""
        root = markup.parse(self._archive.part(self._main))
        body = root.find("body")
        body = root if body is None else body
        self._shift = int(any(self._style_of(one).title for one in body.iter("p")))
        blocks = [*self._blocks(body), *self._notes(), *self._margins(), *self._comments()]
        return Extract(
            markdown.join(blocks),
            "docx",
            "",
            self._facts.pop("title", ""),
            tuple(self._facts.items()),
        )

    def _related(self, folder: str, name: str) -> list[tuple[str, str]]:
        """Return kind and path of the parts that a part refers to."""
        raw = self._archive.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        if not raw:
            return []
        found = []
        for one in markup.parse(raw):
            if one.get("TargetMode") != "External":
                target = one.get("Target", "")
                path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
                found.append((one.get("Type", ""), path.lstrip("/")))
        return found

    def _all(self, kind: str) -> Iterator[Element]:
        """Yield the roots of the parts of a kind."""
        for one, path in self._parts:
            if one.endswith(f"/{kind}") and (raw := self._archive.part(path)):
                yield markup.parse(raw)

    def _part(self, kind: str) -> Element | None:
        """Return the root of the first part of a kind."""
        return next(self._all(kind), None)

    def _properties(self, package: list[tuple[str, str]]) -> dict[str, str]:
        """Return title, author and day of its making, as far as the document says them."""
        path = next((path for kind, path in package if kind.endswith("/core-properties")), "")
        raw = self._archive.part(path) if path else b""
        if not raw:
            return {}
        said = {one.tag: (one.text or "").strip() for one in markup.parse(raw)}
        facts = {"title": said.get("title"), "author": said.get("creator"), "created": said.get("created", "")[:10]}
        return {key: value for key, value in facts.items() if value}

    def _style_of(self, paragraph: Element) -> Style:
        """Return what a paragraph is, by itself and by its style."""
        properties = paragraph.find("pPr")
        if properties is None:
            return self._styles.get("", Style())
        named = properties.find("pStyle")
        style = self._styles.get("" if named is None else named.get("val", ""), Style())
        return _told(properties, style)

    def _blocks(self, within: Element) -> Iterator[str]:
        """Yield what stands in a body, a cell, a note or a text box, in order."""
        for one in within:
            if one.tag == "p":
                yield self._paragraph(one)
                for box in _boxes(one):
                    yield from self._blocks(box)
            elif one.tag == "tbl":
                yield markdown.table(self._row(row) for row in _rows(one))
            elif one.tag not in _LEFT_OUT:
                yield from self._blocks(one)

    def _paragraph(self, paragraph: Element) -> str:
        """Return a paragraph as what it is: heading, item of a list, or plain."""
        text = _text(paragraph).strip()
        if not text:
            return ""
        style = self._style_of(paragraph)
        if style.title:
            return markdown.heading(1, text)
        if style.level:
            return markdown.heading(style.level + self._shift, text)
        if style.list:
            return markdown.item(text, style.depth, self._number(style))
        return markdown.paragraph(text)

    def _number(self, style: Style) -> int | None:
        """Return the number of an item; None for one with a bullet."""
        if self._formats.get((style.list, style.depth), "bullet") in {"bullet", "none"}:
            return None
        self._counts[style.list, style.depth] += 1
        for one, depth in list(self._counts):
            if one == style.list and depth > style.depth:
                del self._counts[one, depth]
        return self._counts[style.list, style.depth]

    def _row(self, row: Element) -> list[str]:
        """Return the cells of a row; what stands in a cell, tables too, is one text."""
        return [" / ".join(filter(None, self._in_cell(cell))) for cell in _cells(row)]

    def _in_cell(self, within: Element) -> Iterator[str]:
        """Yield the texts in a cell: its paragraphs, and the rows of tables in it."""
        for one in within:
            if one.tag == "p":
                yield _text(one).strip()
                for box in _boxes(one):
                    yield from self._in_cell(box)
            elif one.tag == "tbl":
                for row in _rows(one):
                    yield ", ".join(filter(None, self._row(row)))
            elif one.tag not in _LEFT_OUT:
                yield from self._in_cell(one)

    def _notes(self) -> Iterator[str]:
        """Yield footnotes and endnotes, each under the mark that refers to it."""
        for kind, mark in (("footnote", ""), ("endnote", "e")):
            for part in self._all(f"{kind}s"):
                for note in part.iter(kind):
                    text = " ".join(filter(None, self._in_cell(note)))
                    if text and note.get("type") not in _RULES:
                        yield f"[^{mark}{note.get('id')}]: {text}"

    def _margins(self) -> Iterator[str]:
        """Yield what stands at the top and the bottom of pages, each text once."""
        seen: dict[str, None] = {}
        for kind in ("header", "footer"):
            for part in self._all(kind):
                for text in self._in_cell(part):
                    seen[text] = None
        texts = [text for text in seen if text and not text.isdigit()]
        if texts:
            yield markdown.heading(2, "Headers and footers")
            yield from map(markdown.paragraph, texts)

    def _comments(self) -> Iterator[str]:
        """Yield what people remarked, with their names."""
        told = [
            (one.get("author", ""), one.get("date", "")[:10], " ".join(filter(None, self._in_cell(one))))
            for part in self._all("comments")
            for one in part.iter("comment")
        ]
        if any(text for _, _, text in told):
            yield markdown.heading(2, "Comments")
        for author, date, text in told:
            if text:
                yield markdown.item(f"{', '.join(filter(None, (author, date)))}: {text}".lstrip(": "))


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a Word document.

    Raises:
        Unread: if it is locked, damaged, or unpacks to more than it may.
    """
    return Word(raw).extract()


def _text(paragraph: Element) -> str:
    """Return the words of a paragraph as it is now: with what was inserted, without what was deleted."""
    parts: list[str] = []
    waiting = list(reversed(paragraph))
    while waiting:
        one = waiting.pop()
        if one.tag in {"t", "delimText"}:
            parts.append(one.text or "")
        elif one.tag in _SIGNS:
            parts.append(_SIGNS[one.tag])
        elif one.tag in _NOTES:
            parts.append(f"[^{_NOTES[one.tag]}{one.get('id')}]")
        elif one.tag not in _LEFT_OUT and one.tag != "txbxContent":
            waiting += reversed(one)
    return "".join(parts)


def _boxes(paragraph: Element) -> Iterator[Element]:
    """Yield the text boxes that are anchored in a paragraph, each once."""
    waiting = list(reversed(paragraph))
    while waiting:
        one = waiting.pop()
        if one.tag == "txbxContent":
            yield one
        elif one.tag not in _LEFT_OUT:
            waiting += reversed(one)


def _rows(table: Element) -> Iterator[Element]:
    """Yield the rows of a table, also those in content controls; not those that were deleted."""
    for one in table:
        if one.tag == "tr":
            if one.find("trPr/del") is None:
                yield one
        elif one.tag not in _LEFT_OUT and one.tag != "tblPr":
            yield from _rows(one)


def _cells(row: Element) -> Iterator[Element]:
    """Yield the cells of a row, also those in content controls."""
    for one in row:
        if one.tag == "tc":
            yield one
        elif one.tag not in _LEFT_OUT and one.tag != "trPr":
            yield from _cells(one)


def _told(properties: Element, style: Style) -> Style:
    """Return a style with what properties of a paragraph say beyond it."""
    outline = properties.find("outlineLvl")
    if outline is not None and (level := outline.get("val", "")).isdigit():
        style = style._replace(level=int(level) + 1 if int(level) < 9 else 0)
    numbered = properties.find("numPr")
    if numbered is None:
        return style
    values = {one.tag: one.get("val", "") for one in numbered}
    depth = int(values["ilvl"]) if values.get("ilvl", "").isdigit() else style.depth
    name = values.get("numId", style.list)
    return style._replace(list="" if name == "0" else name, depth=min(depth, 8))


def _styles(root: Element | None) -> dict[str, Style]:
    """Return what each style of a paragraph says, what it is based on included; "" is the usual one."""
    if root is None:
        return {}
    written = {one.get("styleId", ""): one for one in root.iter("style") if one.get("type", "paragraph") == "paragraph"}
    found: dict[str, Style] = {}

    def resolve(name: str, seen: tuple[str, ...]) -> Style:
        if name in found or name not in written or name in seen or len(seen) > 20:
            return found.get(name, Style())
        one = written[name]
        based, called, properties = one.find("basedOn"), one.find("name"), one.find("pPr")
        style = resolve(based.get("val", ""), (*seen, name)) if based is not None else Style()
        words = "" if called is None else called.get("val", "").lower()
        if level := _HEADING.match(words):
            style = style._replace(level=int(level[1]))
        found[name] = (_told(properties, style) if properties is not None else style)._replace(title=words == "title")
        return found[name]

    for name, one in written.items():
        style = resolve(name, ())
        if one.get("default") in {"1", "true"}:
            found[""] = style
    return found


def _number_formats(root: Element | None) -> dict[tuple[str, int], str]:
    """Return how the items of each list are numbered, by list and depth."""
    if root is None:
        return {}
    kinds: dict[str, dict[int, str]] = {}
    for one in root.iter("abstractNum"):
        levels = kinds.setdefault(one.get("abstractNumId", ""), {})
        for level in one.iter("lvl"):
            form = level.find("numFmt")
            if level.get("ilvl", "").isdigit() and form is not None:
                levels[int(level.get("ilvl", "0"))] = form.get("val", "")
    formats: dict[tuple[str, int], str] = {}
    for number in root.iter("num"):
        of = number.find("abstractNumId")
        for depth, written in kinds.get("" if of is None else of.get("val", ""), {}).items():
            formats[number.get("numId", ""), depth] = written
    return formats
