"""Names of the mirror's files: a few words and the id, good on every file system and unlike each other in any case."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LETTERS: Final = re.compile(r"[^\W_]+")
_LONGEST_BYTES: Final = 60
INDEX: Final = "index.md"
LOG: Final = "log.md"
ERASED: Final = "erased.md"
STORE: Final = "store.md"
CUT: Final = ".cut.jsonl"
"""Ending of the file beside a source's text that says how it was cut."""

RESERVED: Final = frozenset({INDEX, LOG})
"""Names that the Open Knowledge Format keeps for itself, in every folder."""

OWN: Final = frozenset({ERASED, STORE})
"""Files at the top that are of no single object."""


def slug(*texts: str) -> str:
    """Return the first few words of the first text that has any, lower case and without signs."""
    for text in texts:
        head = unicodedata.normalize("NFC", text[:200]).lower()
        words = _LETTERS.findall(head)
        if words:
            while len("-".join(words).encode()) > _LONGEST_BYTES and len(words) > 1:
                words.pop()
            # One long word, as in scripts without blanks, is cut between characters.
            return "-".join(words).encode()[:_LONGEST_BYTES].decode(errors="ignore")
    return ""


def name(id: str, *texts: str) -> str:
    """Return the name of an object's file; the id's last part makes it unlike every other one."""
    _, _, tail = id.partition("_")
    words = slug(*texts)
    return f"{words}--{tail}.md" if words else f"{tail}.md"


def memory_path(id: str, recorded_at: str, *texts: str) -> str:
    """Return where a memory's file goes: by month, so that no folder grows without end."""
    return f"memories/{recorded_at[:7]}/{name(id, *texts)}"


def log_path(day: str) -> str:
    """Return where the log of a day (``2026-11-30``) is."""
    return f"log/{day[:4]}/{day[5:]}/{LOG}"
