"""What upkeep found and did, as JSON objects and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line, counted, size_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.upkeep.archive import Archived
    from treering.upkeep.machine import Finding
    from treering.upkeep.verify import Checked

_MOST_SHOWN: Final = 50


def checked_json(checked: Checked) -> JsonObject:
    """Return what was checked and what is wrong."""
    return {
        "schema": SCHEMA,
        "sound": checked.sound,
        "checked": checked.counts,
        "problems": [one._asdict() for one in checked.problems],
    }


def checked_text(checked: Checked, *, fix: bool) -> str:
    """Return what was checked and what is wrong, the next command last."""
    looked = ", ".join(f"{number:,} {name}" for name, number in checked.counts.items())
    text = f"Checked {looked}.\n"
    for one in checked.problems[:_MOST_SHOWN]:
        mark = "mended" if one.mended else "note" if one.is_note else "WRONG"
        text += f"{mark}  {one.kind}  {clean_line(one.id)}: {clean_line(one.text)}\n"
    if len(checked.problems) > _MOST_SHOWN:
        text += f"and {len(checked.problems) - _MOST_SHOWN:,} more; all with --json\n"
    if checked.sound and not all(one.mended for one in checked.problems):
        return f"{text}Nothing is wrong.\nnext: treering verify --fix\n"
    if checked.sound:
        return text + ("Everything is as it should be.\n" if not checked.problems else "All of it was mended.\n")
    mendable = any(
        one.kind in {"derived", "history", "unfinished", "orphan_file"} and not one.mended for one in checked.problems
    )
    return text + f"next: {'treering verify --fix' if mendable and not fix else 'treering restore ARCHIVE --to DIR'}\n"


def findings_json(found: Sequence[Finding], *, redacted: bool) -> JsonObject:
    """Return what ``doctor`` found; with ``redacted`` without the user's paths and words."""
    lines = []
    for one in found:
        text, hint = one.redacted() if redacted else one.shown()
        lines.append({"topic": one.topic, "state": one.state, "text": text, "hint": hint})
    return {"schema": SCHEMA, "sound": all(one.state != "wrong" for one in found), "findings": lines}


def findings_text(found: Sequence[Finding], *, redacted: bool) -> str:
    """Return what ``doctor`` found, a line each; with ``redacted`` without the user's paths and words."""
    width = max(len(one.topic) for one in found)
    text = ""
    for one in found:
        said, hint = one.redacted() if redacted else one.shown()
        mark = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}[one.state]
        text += f"{mark}  {one.topic:<{width}}  {clean_line(said)}\n"
        text += f"       {'':<{width}}  hint: {clean_line(hint)}\n" if hint else ""
    wrong = sum(one.state == "wrong" for one in found)
    return text + (f"{counted(wrong, 'thing')} to mend\n" if wrong else "Nothing is wrong.\nnext: treering verify\n")


def archived_json(made: Archived) -> JsonObject:
    """Return an archive that was made or taken in."""
    return {"schema": SCHEMA, **made._asdict()}


def archived_text(made: Archived, word: str, following: str) -> str:
    """Return an archive that was made or taken in.

    Args:
        made: the archive.
        word: what was done.
        following: the next command.
    """
    size = f"{counted(made.files, 'file')}, {size_text(made.size_bytes)}, as of {made.made_at}"
    return f"{word}: {clean_line(made.path)} ({size})\nnext: {clean_line(following)}\n"
