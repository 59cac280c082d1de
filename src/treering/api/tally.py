"""Tally: tokens that were handed out, one line for each answer in a file beside the store, until they are summed up.

An answer is no reason to write to the database: others would have to look at it anew. A line is added to the file at
once, so that nothing is lost when a process ends. A sum that fails halfway loses a few lines, and counts none twice.
"""

from __future__ import annotations

import os
from contextlib import suppress

from treering.domain.stats import Handed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from treering.places import Place

_FIELDS: Final = 3
_LONGEST_NAME: Final = 100


def path_of(place: Place) -> str:
    """Return the file of a store's lines."""
    if place.address is None:
        return f"{place.database}-handed"
    from zlib import crc32

    return os.path.join(place.folder, f"shared-{crc32(place.database.encode()):08x}.db-handed")


def note(path: str, day: str, client: str, tokens: int) -> None:
    """Add a line; where that is not possible nothing is counted."""
    name = " ".join(client.split())[:_LONGEST_NAME]
    line = f"{day}\t{name}\t{tokens}\n".encode("utf-8", "replace")
    with suppress(OSError):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)


def read(path: str) -> list[Handed]:
    """Return the lines of a file, summed up; none where there is no such file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            return summed(lines)
    except OSError:
        return []


def take(path: str) -> list[Handed]:
    """Return the lines of a file, summed up, and remove them: they are nobody else's from now on."""
    mine = f"{path}-{os.getpid()}"
    try:
        os.replace(path, mine)
    except OSError:
        return []
    found = read(mine)
    with suppress(OSError):
        os.remove(mine)
    return found


def summed(lines: Iterable[str]) -> list[Handed]:
    """Return lines as one value for each day and client; what is no whole line is passed over."""
    found: dict[tuple[str, str], Handed] = {}
    for line in lines:
        day, client, tokens = (line.rstrip("\n").split("\t") + [""] * _FIELDS)[:_FIELDS]
        if tokens.isdecimal():
            before = found.get((day, client), Handed(day, client, 0, 0))
            found[day, client] = before._replace(answers=before.answers + 1, tokens=before.tokens + int(tokens))
    return list(found.values())
