"""What the rules make of claims without a date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slot_entries import EVER, Entry, Run, Walk


def opens(entry: Entry, here: Sequence[Entry]) -> bool:
    """Say whether an undated claim is in force since ever: nothing differs but what an edge puts in its place."""
    return entry.start is None and not any(_hinders(other, entry) for other in here if other is not entry)


def _hinders(other: Entry, entry: Entry) -> bool:
    """Say whether another claim keeps an undated one from being in force since ever."""
    if other.key == entry.key:  # a dated one makes it evidence; but what was put away stays where it was
        return other.start is not None and not (entry.dead and not other.dead)
    follows = entry.id in other.before
    goes_before = other.start is None and other.id in entry.before
    return not (follows or goes_before)


def since_ever(entry: Entry) -> Entry:
    """Return an undated claim as one that holds since ever."""
    return replace(entry, start=EVER, start_to=EVER)


def place_undated(done: Walk, undated: Sequence[Entry]) -> None:
    """Give the claims that are left without a date a stretch that they are evidence for, or dispute them."""
    for entry in undated:
        done.status[entry.id] = "superseded"
        saying = [run for run in done.runs if _is_evidence(entry, run)]
        if saying:
            saying[-1].members.append(entry)
        elif any(entry.id in y.before and not entry.shields(y, None) for run in done.runs for y in run.members):
            continue
        elif any(_archived(run, entry) for run in done.runs) and entry.claim.actor == "agent":
            done.dispute(entry, "repeats_archived")
        else:
            done.dispute(entry, "undated")


def _is_evidence(entry: Entry, run: Run) -> bool:
    """Say whether a claim says what a stretch says, its end included."""
    same = run.key == entry.key and run.state == entry.dead
    return same and run.start != run.stop and entry.end in (None, run.stop)


def _archived(run: Run, entry: Entry) -> bool:
    """Say whether a stretch is the place of what a claim says and the owner archived."""
    return run.key == entry.key and run.state == "archived"
