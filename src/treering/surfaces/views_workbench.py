"""The workbench's answers as JSON and as text: places first, then what stands there, then what else might."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean, clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.workbench.answers import CodeAnswer, Condensed, Handed, Place, Recollection
    from treering.workbench.codemap import Map

_SHOWN_MEMBERS: Final = 15


def map_json(drawn: Map) -> JsonObject:
    """Return the map of a project."""
    return {
        "schema": SCHEMA,
        "path": drawn.path,
        "detail": drawn.detail,
        "files": [
            {
                "file": sheet.file,
                "lines": sheet.lines,
                "tokens": sheet.tokens,
                "symbols": [{"name": one.name, "lines": [one.first, one.last]} for one in sheet.symbols],
            }
            for sheet in drawn.sheets
        ],
        "total": len(drawn.sheets),
        "text": drawn.text,
        "left_out": drawn.left_out,
        "tokens": drawn.tokens,
        "whole_tokens": drawn.whole_tokens,
        "notices": list(drawn.notices),
    }


def map_text(drawn: Map) -> str:
    """Return the map of a project."""
    return f"{clean(drawn.text)}\n{_notes(drawn.notices)}"


def code_json(answer: CodeAnswer) -> JsonObject:
    """Return what was found for a question about code, the one that answers first and with its text."""
    results = [_place_json(one) for one in answer.others]
    if answer.best is not None:
        results.insert(0, {**_place_json(answer.best), "text": answer.code, "cut": answer.is_cut})
    return {
        "schema": SCHEMA,
        "query": answer.query,
        "found": answer.found,
        "results": results,
        "members": [_place_json(one) for one in answer.members],
        "ambiguous": {"candidates": results} if answer.is_ambiguous else None,
        "tokens": answer.tokens,
        "notices": list(answer.notices),
    }


def code_text(answer: CodeAnswer, clue: str, read: str) -> str:
    """Return what was found for a question about code.

    Args:
        answer: what was found.
        clue: how a clue is given.
        read: how a file is read on, with ``{}`` for it and for a line.
    """
    if not answer.found:
        return f"NOT FOUND: no symbol answers {clean_line(answer.query)!r}\n{_notes(answer.notices)}"
    others = [clean_line(one.cited) for one in answer.others]
    if answer.best is None:
        head = f"AMBIGUOUS: {len(others)} symbols are called so; say which with {clue}\n"
        return head + "".join(f"  {one}\n" for one in others) + _notes(answer.notices)
    text = f"{clean_line(answer.best.cited)}\n{clean(answer.code)}\n"
    if answer.is_cut:
        text += f"[…] cut at line {answer.best.lines[1]}; {read.format(answer.best.file, answer.best.lines[1] + 1)}\n"
    if answer.members:
        shown = answer.members[:_SHOWN_MEMBERS]
        more = f", {len(answer.members) - len(shown)} more" if len(answer.members) > len(shown) else ""
        text += f"members: {', '.join(f'{clean_line(one.name)} {_span(one.lines)}' for one in shown)}{more}\n"
    if others:
        text += f"others: {'; '.join(others)}\n"
    return text + _notes(answer.notices)


def handed_json(handed: Handed) -> JsonObject:
    """Return a file, or what is new about it."""
    reading = handed.reading
    return {
        "schema": SCHEMA,
        "file": handed.file,
        "state": reading.state,
        "text": reading.text,
        "lines": list(reading.lines),
        "total": reading.total,
        "tokens": reading.tokens,
        "whole_tokens": reading.whole_tokens,
    }


def handed_text(handed: Handed, force: str, further: str) -> str:
    """Return a file, or what is new about it.

    Args:
        handed: what is handed out.
        force: how it is read again.
        further: how it is read on, with ``{}`` for a line.
    """
    reading = handed.reading
    file = clean_line(handed.file)
    span = f"lines {_span(reading.lines)} of {reading.total}"
    if reading.state == "unchanged":
        return f"UNCHANGED since it was read in this session: {file}, {span}; {force} reads it again\n"
    if reading.state == "changed":
        return f"CHANGED since it was read in this session: {file}\n{clean(reading.text)}"
    text = f"{file}  {span}\n{clean(reading.text)}"
    text += "" if text.endswith("\n") else "\n"
    if reading.lines[1] < reading.total and reading.tokens < reading.whole_tokens:
        text += f"[…] cut; {further.format(reading.lines[1] + 1)}\n"
    return text


def recalled_json(recollection: Recollection) -> JsonObject:
    """Return what was recalled from a session."""
    return {
        "schema": SCHEMA,
        "query": recollection.query,
        "items": [
            {
                "label": one.label,
                "lines": list(one.lines) if one.lines else None,
                "text": one.text,
                "score": one.score,
                "tokens": one.tokens,
            }
            for one in recollection.found
        ],
        "total": len(recollection.found),
        "next": None,
        "notes": recollection.notes,
        "outputs": recollection.outputs,
    }


def recalled_text(recollection: Recollection) -> str:
    """Return what was recalled from a session."""
    if not recollection.found:
        held = f"{recollection.notes} notes, {recollection.outputs} outputs in this session"
        return f"NOT FOUND among {held}\n"
    parts = []
    for one in recollection.found:
        where = clean_line(one.label)
        if one.lines is not None:
            where = f"{where or 'output'} L{_span(one.lines)}"
        parts.append(f"{where}:\n{clean(one.text)}\n" if where else f"- {clean(one.text)}\n")
    return "".join(parts)


def condensed_json(condensed: Condensed, tokens: int) -> JsonObject:
    """Return condensed output; ``tokens`` is what its text costs."""
    digest = condensed.digest
    return {
        "schema": SCHEMA,
        "label": condensed.label,
        "text": digest.text,
        "lines": digest.lines,
        "failures": list(digest.failures),
        "shown": digest.shown,
        "totals": list(digest.totals),
        "errors": digest.errors,
        "tokens": tokens,
        "whole_tokens": digest.tokens,
    }


def condensed_text(condensed: Condensed, recall: str) -> str:
    """Return condensed output, and how the whole is recalled."""
    return f"{clean(condensed.digest.text)}\n[{clean_line(condensed.label)}: the whole is kept; {recall}]\n"


def _place_json(place: Place) -> JsonObject:
    """Return where a symbol stands."""
    return {"file": place.file, "lines": list(place.lines), "symbol": place.name, "text": None, "cut": False}


def _span(lines: tuple[int, int]) -> str:
    """Return lines as they are cited."""
    return f"{lines[0]}-{lines[1]}" if lines[1] > lines[0] else str(lines[0])


def _notes(notices: Sequence[str]) -> str:
    """Return notices, a line each."""
    return "".join(f"note: {clean_line(one)}\n" for one in notices)
