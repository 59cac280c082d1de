"""Excel: each sheet as a table of what its cells show; dates as dates, formulas by their last result."""

from __future__ import annotations

import posixpath
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from treering.domain.source import Extract
from treering.ingest.readers import markdown, markup
from treering.ingest.readers.archive import Archive
from treering.ingest.readers.formats import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_BOOK: Final = "xl/workbook.xml"
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_MOST_COLUMNS: Final = 300
_MOST_ROWS: Final = 100_000
# Numbers of the formats that come with the program and show dates or times.
_DATE_FORMATS: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
# Days are counted from here; the clock is whoever's wrote them, so the zone stands for none.
_FROM_1900: Final = datetime(1899, 12, 30, tzinfo=UTC)
_FROM_1904: Final = datetime(1904, 1, 1, tzinfo=UTC)
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DATE_SIGN: Final = re.compile(r"[ymdhs]", re.IGNORECASE)


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a workbook.

    Raises:
        Unread: if it is locked, damaged, or unpacks to more than it may.
    """
    archive = Archive(raw)
    if _BOOK not in archive:
        raise Unread("it is damaged: it has no main part, as a workbook has to")
    book = markup.parse(archive.part(_BOOK))
    rels = archive.part("xl/_rels/workbook.xml.rels")
    targets = {one.get("Id", ""): one.get("Target", "") for one in markup.parse(rels)} if rels else {}
    from_1904 = any(one.get("date1904") in {"1", "true"} for one in book.iter("workbookPr"))
    cells = _Cells(_shared(archive), _date_styles(archive), _FROM_1904 if from_1904 else _FROM_1900)
    blocks = []
    cut = []
    for sheet in book.iter("sheet"):
        target = targets.get(sheet.get("id", ""), "")
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
        if path in archive and (part := archive.part(path)):
            rows, whole = cells.rows(markup.parse(part))
            if rows:
                blocks += [markdown.heading(2, sheet.get("name", "")), markdown.table(rows)]
            if not whole:
                cut.append(sheet.get("name", ""))
    core = archive.part("docProps/core.xml")
    said = {one.tag: (one.text or "").strip() for one in markup.parse(core)} if core else {}
    properties = (("author", said.get("creator", "")), ("created", said.get("created", "")[:10]))
    return Extract(
        markdown.join(blocks),
        "xlsx",
        f"only the first {_MOST_ROWS:,} rows were read of {', '.join(cut)}" if cut else "",
        said.get("title", ""),
        tuple([pair for pair in properties if pair[1]]),
    )


class _Cells:
    """What is needed to tell what a cell shows."""

    def __init__(self, shared: list[str], dates: frozenset[int], began: datetime) -> None:
        """Keep the workbook's shared texts, which styles show dates, and the day that they count from."""
        self._shared = shared
        self._dates = dates
        self._began = began

    def rows(self, sheet: Element) -> tuple[list[list[str]], bool]:
        """Return a sheet's rows that hold something, without columns that are empty, and whether these are all."""
        found: list[dict[int, str]] = []
        for row in sheet.iter("row"):
            if len(found) == _MOST_ROWS:
                return self._aligned(found), False
            shown: dict[int, str] = {}
            for at, cell in enumerate(row.iter("c")):
                text = self._shown(cell)
                column = _column(cell.get("r", ""), at)
                if text and column < _MOST_COLUMNS:
                    shown[column] = text
            if shown:
                found.append(shown)
        return self._aligned(found), True

    def _aligned(self, rows: list[dict[int, str]]) -> list[list[str]]:
        """Return rows with a place for each column that any of them uses."""
        columns = sorted({column for row in rows for column in row})
        return [[row.get(column, "") for column in columns] for row in rows]

    def _shown(self, cell: Element) -> str:
        """Return what a cell shows."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _words(cell)
        found = cell.find("v")
        value = (found.text or "").strip() if found is not None else ""
        if kind == "s":
            return self._shared[int(value)] if value.isdigit() and int(value) < len(self._shared) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if kind == "n" and value and (cell.get("s") or "0").isdigit() and int(cell.get("s") or 0) in self._dates:
            return self._date(value)
        return _number(value) if kind == "n" else value

    def _date(self, value: str) -> str:
        """Return a count of days as a date, with the time where it has one."""
        try:
            at = self._began + timedelta(seconds=round(float(value) * 86_400))
        except (ValueError, OverflowError):
            return value
        if float(value) < 1:
            return at.strftime("%H:%M:%S")
        return at.strftime("%Y-%m-%d" if at.hour == at.minute == at.second == 0 else "%Y-%m-%d %H:%M:%S")


def _number(value: str) -> str:
    """Return a number without the digits that its binary form adds: 0.30000000000000004 is 0.3."""
    try:
        return f"{float(value):.15g}" if len(value) > 15 and "." in value else value
    except ValueError:
        return value


def _column(reference: str, otherwise: int) -> int:
    """Return the number of the column in a cell's reference, from 0."""
    found = _COLUMN.match(reference)
    if not found:
        return otherwise
    number = 0
    for letter in found[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _words(within: Element) -> str:
    """Return the text of a cell or a shared text; not how it is spoken."""
    found: list[str] = []
    for one in within:
        if one.tag == "t":
            found.append(one.text or "")
        elif one.tag != "rPh":
            found.append(_words(one))
    return "".join(found).strip()


def _shared(archive: Archive) -> list[str]:
    """Return the texts that cells refer to by number."""
    raw = archive.part("xl/sharedStrings.xml")
    return [_words(one) for one in markup.parse(raw).iter("si")] if raw else []


def _date_styles(archive: Archive) -> frozenset[int]:
    """Return the numbers of the styles that show dates or times."""
    raw = archive.part("xl/styles.xml")
    if not raw:
        return frozenset()
    root = markup.parse(raw)
    dates = set(_DATE_FORMATS)
    for one in root.iter("numFmt"):
        if _DATE_SIGN.search(_QUOTED.sub("", one.get("formatCode", ""))) and one.get("numFmtId", "").isdigit():
            dates.add(int(one.get("numFmtId", "0")))
    return frozenset(_dated(root, dates))


def _dated(root: Element, dates: set[int]) -> Iterator[int]:
    """Yield the places of the cell styles that have one of these formats."""
    styles = root.find("cellXfs")
    for place, one in enumerate(() if styles is None else styles):
        if one.get("numFmtId", "").isdigit() and int(one.get("numFmtId", "0")) in dates:
            yield place
