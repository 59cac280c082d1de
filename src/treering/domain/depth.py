"""Depth: how much of a text is shown, as a dial for tokens and as a boundary.

L1 says that something is known: title, path and summary, else the beginning; no quotes. L2 says what: the content, or
the cheatsheet of passages, with quotes. L3 is the text itself, in pages. What is not named here is not shown at L1.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    from treering.domain.query import Result

    Depth = Literal["L1", "L2", "L3"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    Depth = str

DEPTHS: Final[tuple[Depth, ...]] = ("L1", "L2", "L3")

ABOUT_CHARS: Final = 200
"""What stands for a text that has no summary, at the most."""

_LEAST_SENTENCES: Final = 60
"""Fewer characters of whole sentences say too little: then the text is cut at a word."""

_END: Final = r"[.!?…]+[\"'”’»)\]}*_]*(?=\s|$)|[。！？；]+[”’」』）】]*"
_HEADINGS: Final = r"(?:[ \t]*#{1,6}[ \t][^\n]*(?:\n+|\Z))+"
_FRONT_MATTER: Final = r"(?s)\A\ufeff?\s*(---|\+\+\+)[ \t]*\r?\n.*?(?:\n\1[ \t]*(?:\r?\n|\Z)|\Z)"


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


def beginning(text: str) -> str:
    """Return the beginning of a text at L1, without front matter, which is metadata, and the headings above it."""
    text = re.sub(_FRONT_MATTER, "", text, count=1)
    own = re.match(_HEADINGS, text)
    return in_short(text[own.end() :] if own and text[own.end() :].strip() else text)


def brief(summary: str, text: str) -> str:
    """Return what stands for a text at L1: its summary, else its beginning."""
    return in_short("", summary) if summary.strip() else beginning(text)


def standing(status: str | None, superseded_by: str) -> tuple[str, ...]:
    """Return what L1 says of a memory that is not simply in force, in no words of anybody's."""
    if superseded_by:
        return (f"superseded by {superseded_by}",)
    return ("disputed",) if status == "disputed" else ()


def shallow(result: Result) -> Result:
    """Return a result at L1; one that is stays as it is."""
    return result._replace(
        text=brief(result.summary, result.text),
        summary="",
        quotes=(),
        metadata={},
        value="",
        entities=(),
        notices=standing(result.status, result.superseded_by),
    )
