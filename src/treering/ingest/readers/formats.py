"""Which reader a document gets: by the suffix of its name, and by its first bytes where these say more."""

from __future__ import annotations

import importlib
import os
import re
from typing import TYPE_CHECKING, Final, Literal, cast

from treering.errors import InputError
from treering.ingest.encoding import Undecodable

if TYPE_CHECKING:
    from treering.ports import Reader

Code = Literal["damaged", "no_text", "password", "too_large", "too_long", "unsupported", "extra_not_installed"]
"""Why a document gives no text."""


class Unread(Undecodable):
    """A document whose text cannot be had; the message says why, for people.

    Attributes:
        code: the kind of reason, for programs.
    """

    def __init__(self, reason: str, *, code: Code = "damaged") -> None:
        super().__init__(reason)
        self.code: Code = code


_HERE: Final = "treering.ingest.readers"
_READERS: Final = {
    ".pdf": f"{_HERE}.pdf:read",
    ".docx": f"{_HERE}.docx:read",
    ".docm": f"{_HERE}.docx:read",
    ".dotx": f"{_HERE}.docx:read",
    ".html": f"{_HERE}.html:read",
    ".htm": f"{_HERE}.html:read",
    ".xhtml": f"{_HERE}.html:read",
    ".xml": f"{_HERE}.markup:read",
    ".epub": f"{_HERE}.epub:read",
    ".pptx": f"{_HERE}.pptx:read",
    ".pptm": f"{_HERE}.pptx:read",
    ".xlsx": f"{_HERE}.xlsx:read",
    ".xlsm": f"{_HERE}.xlsx:read",
    ".eml": f"{_HERE}.eml:read",
}
_registered: Final[dict[str, str]] = {}

# Kinds that people have and no reader takes, with what helps.
_OTHERS: Final = {
    ".doc": "an old Word document: save it as .docx",
    ".xls": "an old Excel workbook: save it as .xlsx",
    ".ppt": "an old PowerPoint presentation: save it as .pptx",
    ".odt": "an OpenDocument text: save it as .docx or PDF",
    ".ods": "an OpenDocument spreadsheet: save it as .xlsx",
    ".odp": "an OpenDocument presentation: save it as .pptx or PDF",
    ".pages": "a Pages document: export it as .docx or PDF",
    ".mobi": "a Kindle book: convert it to EPUB",
    ".azw3": "a Kindle book: convert it to EPUB",
    ".msg": "an Outlook message: save it as .eml",
    ".rtf": "a rich text document: save it as .docx or as plain text",
}
_PDF: Final = re.compile(rb"\s{0,64}%PDF-\d")
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = b"PK\x03\x04"
_RTF: Final = b"{\\rtf"
_TARGET: Final = re.compile(r"[\w.]+:[\w.]+")


def register(suffix: str, reader: Reader | str) -> None:
    """Give files of a suffix a reader, in place of the present one if there is one.

    Args:
        suffix: with its dot, e.g. ``.ipynb``.
        reader: a function, or where one stands: ``package.module:name``.

    Raises:
        InputError: if the suffix has no dot, or the reader cannot be found again by its name.
    """
    if not suffix.startswith(".") or len(suffix) < 2:
        raise InputError(f"{suffix!r} is no suffix: it begins with a dot, as .ipynb does")
    target = reader if isinstance(reader, str) else f"{reader.__module__}:{getattr(reader, '__qualname__', '')}"
    if not _TARGET.fullmatch(target) or target.startswith("__main__:"):
        raise InputError(f"the reader for {suffix} must be a function at the top of a module that can be imported")
    load(target)
    _registered[suffix.lower()] = target


def load(target: str) -> Reader:
    """Return the reader that stands at ``package.module:name``.

    Raises:
        InputError: if nothing that can be called stands there.
    """
    module, _, name = target.partition(":")
    try:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"there is no reader {target}: {error}") from error
    if not callable(found):
        raise InputError(f"{target} is no function")
    return cast("Reader", found)


def has_reader(name: str) -> bool:
    """Tell by its suffix whether a file is a document that a reader takes, rather than text."""
    suffix = os.path.splitext(name)[1].lower()
    return suffix in _registered or suffix in _READERS


def reader_for(raw: bytes, name: str) -> str:
    """Return where the reader for a document stands (``module:name``); empty for text.

    Raises:
        Unread: for a kind that is known and that nothing here reads, and for one that is locked.
    """
    suffix = os.path.splitext(name)[1].lower()
    if suffix in _registered:
        return _registered[suffix]
    if _PDF.match(raw):
        return _READERS[".pdf"]
    if raw.startswith(_OLE):
        if suffix in _READERS:  # an Office file of today is a ZIP archive, unless it is locked
            raise Unread("it is locked: a password is needed to open it", code="password")
        raise Unread(_is(suffix, "an old Office document: save it in today's format"), code="unsupported")
    if suffix in _OTHERS and (raw.startswith((_ZIP, _RTF)) or b"\0" in raw[:4096]):
        raise Unread(_is(suffix, ""), code="unsupported")
    if raw.startswith(_ZIP) and suffix not in _READERS:
        raise Unread("it is a ZIP archive: unpack it first", code="unsupported")
    return _READERS.get(suffix, "")


def _is(suffix: str, otherwise: str) -> str:
    """Return the sentence about a kind that is not read."""
    return f"it is {_OTHERS.get(suffix, otherwise)}"
