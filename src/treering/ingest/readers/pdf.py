"""PDF: the words of each page in reading order, under page marks.

PDFium reads; it puts words together from glyphs, turns ligatures into letters, joins divided words and orders
right-to-left text. What it refuses to open is tried by pypdf, which opens files with an empty owner password and
mends some damage (``docs/decisions/0030-documents.md``).
"""

from __future__ import annotations

import io
import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

from treering.domain.source import Extract
from treering.ingest.readers.formats import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_PAGES: Final = 20_000
_EXTRA: Final = "pip install 'treering[documents]'"
_LOCKED: Final = "it is locked: a password is needed to open it"
_NO_TEXT: Final = "it holds no text, only pictures or empty pages: run text recognition (OCR) over it first"
# Ligatures and the shapes that Arabic letters take in a word, which fonts have and keyboards have not.
_SHAPES: Final = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb50-\ufdf9\ufdfb-\ufdff\ufe70-\ufefc]")
_DIVIDED: Final = re.compile(r"(?<=[^\W\d_]{2})-\n(?=[a-zß-ÿ]{2})")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_TOO_MANY_ODD: Final = 0.3
# Of the width of a page's long lines: a shorter line ends a paragraph where it also ends a sentence.
_SHORT: Final = 0.8
_ENDED: Final = re.compile(r"[.!?:。！？：…][\"'”’)\]]*$")
_NUMBERED: Final = re.compile(r"\d{1,2}(\.\d{1,2}){0,3}\.?\s+[^\W\d_]\S*( \S+){0,8}$")
_PRODUCERS_TITLE: Final = re.compile(
    r"^(Microsoft \w+ - |untitled|.*\.(docx?|tex|dvi|indd|pages|qxd|p65|pptx?|xlsx?)$)", re.IGNORECASE
)
_DATE: Final = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a PDF.

    Raises:
        Unread: if it is locked, damaged, holds no text or hides it, or when nothing that reads PDF is installed.
    """
    pages, facts, notice = _opened(raw)
    cleaned = [_cleaned(page) for page in pages]
    whole = "".join(cleaned)
    if not whole.strip():
        raise Unread(_NO_TEXT, code="no_text")
    if _odd_share(whole) > _TOO_MANY_ODD:
        raise Unread("its fonts do not say which letters they draw: run text recognition (OCR) over it", code="no_text")
    empty = [number for number, page in enumerate(cleaned, 1) if not page.strip()]
    notices = [notice, f"no text on {_listed(empty)} (pictures or empty)" if empty else ""]
    title = facts.get("Title", "").strip()
    date = _DATE.match(facts.get("CreationDate", ""))
    properties = [
        ("author", facts.get("Author", "").strip()),
        ("created", "-".join(part for part in date.groups() if part) if date else ""),
    ]
    return Extract(
        "\n\n".join(_marked(cleaned)),
        "pdf",
        "; ".join(filter(None, notices)),
        "" if _PRODUCERS_TITLE.match(title) else title,
        tuple([pair for pair in properties if pair[1]]),
    )


def _opened(raw: bytes) -> tuple[list[str], dict[str, str], str]:
    """Return the text of each page, what the document says of itself, and what is to be known about the reading."""
    refused: Unread | None = None
    for reader, notice in ((_by_pdfium, ""), (_by_pypdf, "read by the second reader: the first one could not open it")):
        try:
            pages, facts = reader(raw)
        except ImportError:
            continue
        except Unread as error:
            if error.code == "too_large":
                raise
            refused = error if refused is None or error.code == "password" else refused
        else:
            return pages, facts, notice
    raise refused or Unread(f"reading PDF needs an extra: {_EXTRA}", code="extra_not_installed")


def _by_pdfium(raw: bytes) -> tuple[list[str], dict[str, str]]:
    """Return what PDFium reads."""
    import pypdfium2
    from pypdfium2 import raw as pdfium

    try:
        opened = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        # The code may be that of an earlier document.
        if error.err_code == pdfium.FPDF_ERR_PASSWORD and b"/Encrypt" in raw:
            raise Unread(_LOCKED, code="password") from error
        raise Unread("it is damaged: it cannot be opened as a PDF") from error
    with opened:
        if len(opened) > _MOST_PAGES:
            raise Unread(f"it has more than {_MOST_PAGES:,} pages", code="too_large")
        pages = []
        for number in range(len(opened)):
            try:
                page = opened[number]
                words = page.get_textpage()
            except pypdfium2.PdfiumError:
                pages.append("")
                continue
            pages.append(words.get_text_bounded())
            words.close()
            page.close()
        return pages, cast("dict[str, str]", opened.get_metadata_dict(skip_empty=True))


def _by_pypdf(raw: bytes) -> tuple[list[str], dict[str, str]]:
    """Return what pypdf reads."""
    import logging
    import warnings

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = pypdf.PdfReader(io.BytesIO(raw))
            is_locked = opened.is_encrypted and not opened.decrypt("")
            pages = [] if is_locked else [_DIVIDED.sub("", page.extract_text()) for page in opened.pages]
            facts = {} if is_locked else {str(k).lstrip("/"): str(v) for k, v in (opened.metadata or {}).items()}
    except Exception as error:  # it meets whatever is in the file, and raises what it meets
        raise Unread(f"it is damaged: {' '.join(str(error).split())[:200]}") from error
    if is_locked:
        raise Unread(_LOCKED, code="password")
    return pages, facts


def _cleaned(page: str) -> str:
    """Return a page's text with one kind of line end and blank, letters for ligatures, and no control characters."""
    text = page.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "").replace("\x02", "")
    text = _SHAPES.sub(_letters, text)
    lines = (_BLANKS.sub(" ", "".join(c for c in line if c >= " " or c == "\t")).strip() for line in text.split("\n"))
    return "\n".join(lines)


def _letters(shape: re.Match[str]) -> str:
    """Return the letters that a shape stands for."""
    return unicodedata.normalize("NFKC", shape[0])


def _odd_share(text: str) -> float:
    """Return how many of the characters no text has: private, unassigned, replaced."""
    signs = [c for c in text[:200_000] if not c.isspace()]
    odd = sum(c == "\ufffd" or unicodedata.category(c) in {"Co", "Cn", "Cc"} for c in signs)
    return odd / max(len(signs), 1)


def _listed(pages: Sequence[int]) -> str:
    """Return page numbers in words: ``pages 3–5, 9``."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and ranges[-1][1] == page - 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    shown = ", ".join(f"{first}–{last}" if last > first else f"{first}" for first, last in ranges[:10])
    return f"page{'s' if len(pages) > 1 else ''} {shown}{' …' if len(ranges) > 10 else ''}"


def _marked(pages: Sequence[str]) -> Iterator[str]:
    """Yield the text of each page that has some, under its number when there are several."""
    for number, page in enumerate(pages, 1):
        if page.strip():
            body = _with_paragraphs(page.strip("\n"))
            yield f"## Page {number}\n\n{body}" if len(pages) > 1 else body


def _with_paragraphs(page: str) -> str:
    """Return a page with an empty line where a paragraph seems to end: PDF has lines alone."""
    lines = page.split("\n")
    if "" in lines:  # whatever wrote it has marked them
        return re.sub(r"\n{3,}", "\n\n", page)
    widths = sorted(map(len, lines))
    long = _SHORT * widths[len(widths) * 9 // 10]
    parts = [lines[0]]
    for above, line in pairwise(lines):
        ends = len(above) < long and (_ENDED.search(above) or len(line) >= long)
        parts.append("\n\n" if ends or (len(line) < long and _NUMBERED.match(line)) else "\n")
        parts.append(line)
    return "".join(parts)
