"""What a sync and a rebuild came to, as JSON objects and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line, counted

if TYPE_CHECKING:
    from treering.domain.syncing import RebuildReport, SyncReport

_MOST_SHOWN: Final = 50


def synced_json(report: SyncReport) -> JsonObject:
    """Return what became of each file."""
    return {
        "schema": SCHEMA,
        "folder": report.folder,
        "items": [one._asdict() for one in report.files],
        "total": len(report.files),
        "next": None,
        "written": report.written,
        "notices": list(report.notices),
    }


def synced_text(report: SyncReport) -> str:
    """Return what became of each file, the next command last."""
    text = "".join(f"note: {clean_line(notice)}\n" for notice in report.notices)
    if report.written:
        text += f"Wrote {counted(report.written, 'file')} that the memory had changed.\n"
    if not report.files:
        return f"{text}No file of {clean_line(report.folder)} was changed by hand.\nnext: treering status\n"
    for one in report.files[:_MOST_SHOWN]:
        text += f"{one.outcome}  {clean_line(one.path)}{f'  {one.id}' if one.id else ''}\n"
        text += "".join(f"    {clean_line(notice)}\n" for notice in one.notices)
    if len(report.files) > _MOST_SHOWN:
        text += f"and {len(report.files) - _MOST_SHOWN:,} more; all with --json\n"
    waiting = any(one.outcome in {"queued", "disputed"} for one in report.files)
    following = "treering review list" if waiting else "treering list recent"
    return f"{text}next: {following if report.clean or waiting else 'mend the refused files, then treering sync'}\n"


def rebuilt_json(report: RebuildReport) -> JsonObject:
    """Return what a rebuild made."""
    left_out = [{"path": path, "reason": reason} for path, reason in report.left_out]
    return {"schema": SCHEMA, **report._asdict(), "left_out": left_out, "roots": list(report.roots)}


def rebuilt_text(report: RebuildReport) -> str:
    """Return what a rebuild made, the next command last."""
    made = f"{counted(report.memories, 'memory')} and {counted(report.sources, 'source')}"
    text = f"Rebuilt {made} from {clean_line(report.folder)}.\n"
    if report.forgotten:
        kept = counted(report.forgotten, "tombstone")
        text += f"note: {kept} taken over, so nothing erased comes back; marks of erased sentences are in no file\n"
    for path, reason in report.left_out[:_MOST_SHOWN]:
        text += f"left out  {clean_line(path)}: {clean_line(reason)}\n"
    if len(report.left_out) > _MOST_SHOWN:
        text += f"and {len(report.left_out) - _MOST_SHOWN:,} more; all with --json\n"
    folders = " ".join(clean_line(root) for root in report.roots)
    return text + f"next: {f'treering index {folders}' if folders else 'treering verify'}\n"
