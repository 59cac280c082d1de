"""Parts of a ZIP archive, with limits on what they may unpack to."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Final

from treering.ingest.readers.formats import Unread

MOST_PART_BYTES: Final = 64_000_000
"""Bytes that one part may unpack to; text of ten thousand pages is a third of it."""

MOST_BYTES: Final = 256_000_000
"""Bytes that all parts that are read may unpack to together."""

_MOST_PARTS: Final = 20_000
_LOCKED: Final = 0x1


class Archive:
    """An opened archive; only the parts that are asked for are unpacked."""

    def __init__(self, raw: bytes) -> None:
        """Open an archive.

        Raises:
            Unread: if it is none, or has too many parts.
        """
        try:
            self._file = zipfile.ZipFile(io.BytesIO(raw))
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise Unread("it is damaged: it is no ZIP archive, as such a document has to be") from error
        self._parts = {info.filename.lstrip("/"): info for info in self._file.infolist()}
        self._left = MOST_BYTES
        if len(self._parts) > _MOST_PARTS:
            raise Unread(f"it has more than {_MOST_PARTS:,} parts", code="too_large")

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a part of this name."""
        return name in self._parts

    def names(self) -> list[str]:
        """Return the names of all parts, in the order of the archive."""
        return list(self._parts)

    def part(self, name: str) -> bytes:
        """Return a part; empty when there is none.

        Raises:
            Unread: if it is locked or damaged, or unpacks to more than it may.
        """
        info = self._parts.get(name)
        if info is None:
            return b""
        if info.flag_bits & _LOCKED:
            raise Unread("it is locked: a password is needed to open it", code="password")
        most = min(MOST_PART_BYTES, self._left)
        try:
            with self._file.open(info) as part:
                unpacked = part.read(most + 1)  # what the archive says of its own sizes is not believed
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError) as error:
            raise Unread(f"it is damaged: {name} cannot be unpacked") from error
        if len(unpacked) > most:
            raise Unread(f"it unpacks to more than {most / 1e6:.0f} MB, as a bomb would", code="too_large")
        self._left -= len(unpacked)
        return unpacked
