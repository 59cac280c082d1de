"""Depth: how much of a text is shown. L1 says that something is known, L2 what, L3 is the text itself."""

from __future__ import annotations

import re
from typing import Final

ABOUT_CHARS: Final = 200
"""What stands for a text that has no summary, at the most."""

_LEAST_SENTENCES: Final = 60
"""Fewer characters of whole sentences say too little: then the text is cut at a word."""

_END: Final = r"[.!?…]+[\"'”’»)\]}*_]*(?=\s|$)|[。！？；]+[”’」』）】]*"


def in_short(content: str, summary: str = "", most: int = ABOUT_CHARS) -> str:
    """Return a text at depth L1, on one line: its summary, else its beginning, cut behind a sentence where one ends.

    Args:
        content: the whole text.
        summary: the same in one sentence; empty for none.
        most: characters at the most of what has no summary.
    """
    if summary.strip():
        return " ".join(summary.split())
    said = " ".join(content[: 4 * most].split())
    if len(said) <= most and len(content) <= 4 * most:
        return said
    kept = said[:most]
    ends = [end.end() for end in re.finditer(_END, kept)]
    if ends and ends[-1] >= _LEAST_SENTENCES:
        return kept[: ends[-1]]
    word = kept.rfind(" ")
    return f"{kept[: word if word >= _LEAST_SENTENCES else most - 1].rstrip()}…"
