"""What an erasure removed, as JSON and as compact text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.operation import Forgotten
from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.report import ForgetReport

_SHOWN_IDS = 10


def forgotten_json(outcomes: Sequence[Forgotten | ForgetReport]) -> JsonObject:
    """Return what was removed, one outcome for all memories together and one for each directory."""
    return {"schema": SCHEMA, "outcomes": [_outcome_json(outcome) for outcome in outcomes]}


def _outcome_json(outcome: Forgotten | ForgetReport) -> JsonObject:
    """Return one of the outcomes; ``removed`` names memories, or the directories that were indexed."""
    if isinstance(outcome, Forgotten):
        more: JsonObject = {"removed": list(outcome.removed)}
    else:
        more = {
            "directory": outcome.directory,
            "removed": list(outcome.roots),
            "files": outcome.files,
            "chunks": outcome.chunks,
        }
    return {"outcome": "accepted", **more, "dry_run": outcome.dry_run, "notices": list(outcome.notices)}


def forgotten_text(outcome: Forgotten | ForgetReport) -> str:
    """Return one of the outcomes."""
    word = "Would forget" if outcome.dry_run else "Forgot"
    if isinstance(outcome, Forgotten):
        names = ", ".join(outcome.removed[:_SHOWN_IDS]) + (", …" if len(outcome.removed) > _SHOWN_IDS else "")
        text = f"{word} {counted(len(outcome.removed), 'memory')}: {names}\n"
    else:
        rows = f"{counted(outcome.files, 'file')}, {counted(outcome.chunks, 'chunk')}"
        text = f"{word} {clean_line(outcome.directory)}: {rows} of the index; no file on disk is touched\n"
    return text + "".join(f"note: {clean_line(notice)}\n" for notice in outcome.notices)
