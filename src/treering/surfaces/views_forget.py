"""What an erasure removed, as JSON and as compact text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.operation import Forgotten
from treering.surfaces.views import SCHEMA, JsonObject
from treering.surfaces.views_text import clean_line, counted, size_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.erasure import Proof, Receipt
    from treering.domain.report import ForgetReport

_SHOWN_IDS = 10
_SHOWN_COPIES = 8


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
    receipt = receipt_json(outcome.receipt) if outcome.receipt else None
    notices = list(outcome.notices)
    return {"outcome": "accepted", **more, "dry_run": outcome.dry_run, "notices": notices, "receipt": receipt}


def _named(removed: Sequence[str]) -> str:
    """Return what kinds of things went, and how many of each."""
    kinds = {"src_": "source", "ver_": "version"}
    found: dict[str, int] = {}
    for id in removed:
        kind = kinds.get(id[:4], "memory")
        found[kind] = found.get(kind, 0) + 1
    return ", ".join(counted(number, kind) for kind, number in found.items())


def receipt_json(receipt: Receipt) -> JsonObject:
    """Return a receipt."""
    return receipt.as_json()


def forgotten_text(outcome: Forgotten | ForgetReport) -> str:
    """Return one of the outcomes."""
    word = "Would forget" if outcome.dry_run else "Forgot"
    if isinstance(outcome, Forgotten):
        names = ", ".join(outcome.removed[:_SHOWN_IDS]) + (", …" if len(outcome.removed) > _SHOWN_IDS else "")
        text = f"{word} {_named(outcome.removed)}: {names}\n"
    else:
        rows = f"{counted(outcome.files, 'file')}, {counted(outcome.chunks, 'chunk')}"
        text = f"{word} {clean_line(outcome.directory)}: {rows} of the index; no file on disk is touched\n"
    if outcome.receipt is not None:
        text += receipt_text(outcome.receipt, dry_run=outcome.dry_run)
    waiting = outcome.receipt.waiting if outcome.receipt else ()
    return text + "".join(f"note: {clean_line(one)}\n" for one in outcome.notices if one not in waiting)


def receipt_text(receipt: Receipt, *, dry_run: bool = False) -> str:
    """Return a receipt as lines: what went, how that was proved, what waits, where else it may be."""
    rows = ", ".join(f"{number:,} {table}" for table, number in sorted(receipt.removed.items()))
    if dry_run:
        return f"  rows that have to do with it: {rows or 'none'}\n"
    text = f"  receipt {receipt.id} of {receipt.at}: {rows or 'no rows'}\n"
    if receipt.proof.how and receipt.done:
        text += f"  {_proof_text(receipt.proof)}\n"
    text += "".join(f"  WAITS: {clean_line(one)}\n" for one in receipt.waiting)
    text += "".join(f"  may still hold it: {clean_line(one)}\n" for one in receipt.copies[:_SHOWN_COPIES])
    text += "".join(f"  not touched: the file {clean_line(one)}\n" for one in receipt.files[:_SHOWN_COPIES])
    left = receipt.file_count - len(receipt.files[:_SHOWN_COPIES])
    text += f"  not touched: {counted(left, 'file')} on disk that it was read from\n" if left > 0 else ""
    if len(receipt.copies) > _SHOWN_COPIES:
        text += f"  and {len(receipt.copies) - _SHOWN_COPIES:,} more; all with --json\n"
    return text + "".join(f"  history may hold it: {clean_line(one)}\n" for one in receipt.history)


def _proof_text(proof: Proof) -> str:
    """Return how an erasure was proved."""
    if proof.found:
        return f"STILL THERE: erased words stand in {', '.join(map(clean_line, proof.found))}"
    if proof.how == "rows":
        return f"proved: no row of the server's tables has it; {counted(proof.words, 'word')} looked for in the index"
    if proof.how == "marks":
        return "proved: no text has an erased sentence (the words themselves were not known any more)"
    shared = f"; {counted(proof.shared, 'piece')} stand in other texts as well" if proof.shared else ""
    return (
        f"proved: none of {counted(proof.pieces, 'piece')} of it is in any byte of"
        f" {counted(proof.files, 'file')} ({size_text(proof.size_bytes)}){shared}"
    )
