"""What a slot's history is by the rules alone: slow, plain, and without a line in common with the product.

``oracle`` takes the rules one after the other, on lists of at most a handful of claims. Where a rule speaks of what
would be without a claim, it walks again without it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from slot_dates import instant, span, written
from slot_entries import EVER, Entry, Key, Run, Walk
from slot_undated import opens, place_undated, since_ever

from treering.domain.claim import Claim, Decision, History, SlotStatus, Stretch, WhyEmpty

TAKES_AWAY: Final = ("restore", "confirm", "approve", "reject", "archive", "erase")


def oracle(
    claims: Iterable[Claim], decisions: Iterable[Decision], *, true_at: str, known_at: str | None = None
) -> History:
    """Return what the rules make of a slot, in UTC."""
    known = [c for c in claims if known_at is None or instant(c.recorded_at) <= instant(known_at)]
    made = [d for d in decisions if known_at is None or d.kind == "erase" or instant(d.at) <= instant(known_at)]
    made += [Decision("erase", c.id, c.erased_at) for c in known if c.erased_at]
    made.sort(key=lambda d: (instant(d.at), TAKES_AWAY.index(d.kind)))
    entries = [_entry(c, known, made) for c in sorted(known, key=lambda c: c.id)]
    for entry in entries:
        entry.before = _replaced(entry.id, known)
    gone = {e.id: e.dead for e in entries if e.dead}
    rejected = {e.id for e in entries if _rejected(e.id, made)}
    gone |= {name: gone.get(name, "archived") for name in rejected}
    here = [e for e in entries if e.id not in rejected and not _never_was(e)]
    while True:  # what was put away and is not in force leaves the walk, which may put others into or out of force
        opening = [since_ever(e) for e in here if opens(e, here)]
        done = walk([e for e in here if e.start] + opening)
        place_undated(done, [e for e in here if e.start is None and not opens(e, here)])
        out = [e for e in here if e.dead and not done.held(e)]
        if not out:
            return _history(done, entries, gone, rejected, instant(true_at))
        here = [e for e in here if e not in out]


# ── claims and decisions ────────────────────────────────────────────────────────────────────────


def _never_was(entry: Entry) -> bool:
    """Say whether a claim ended or was put away before its date came, so that it never is in force."""
    if entry.start is None:
        return False
    return (entry.act is not None and entry.start > entry.act) or (entry.end is not None and entry.start >= entry.end)


def _since_restored(target: str, made: Sequence[Decision]) -> list[Decision]:
    """Return what was decided on a claim since it was last restored, and its erasure in any case."""
    mine = [d for d in made if d.target == target]
    erased = min((at for at, d in enumerate(mine) if d.kind == "erase"), default=len(mine))
    mine = [d for at, d in enumerate(mine) if d.kind != "restore" or at < erased]
    last = max((at for at, d in enumerate(mine) if d.kind == "restore"), default=-1)
    return [d for at, d in enumerate(mine) if at > last or d.kind == "erase"]


def _rejected(target: str, made: Sequence[Decision]) -> bool:
    """Say whether a claim was rejected, and neither restored nor approved after all."""
    kinds = [d.kind for d in _since_restored(target, made) if d.kind in {"reject", "confirm", "approve"}]
    return bool(kinds) and kinds[-1] == "reject"


def _entry(claim: Claim, known: Sequence[Claim], made: Sequence[Decision]) -> Entry:
    """Return a claim with its dates, what it says, and what was decided."""
    away = [d for d in _since_restored(claim.id, made) if d.kind in {"archive", "erase"}]
    erased = any(d.kind == "erase" for d in away)
    decided = [
        (instant(d.at), instant(d.until) if d.until else None)
        for d in made
        if d.target == claim.id and d.kind in {"confirm", "approve"}
    ]
    start, start_to = span(claim.valid_from) if claim.valid_from else (None, None)
    if start is None and decided:
        start = start_to = decided[0][0]
    blank = {d.target for d in made if d.kind == "erase"} | {c.id for c in known if _rejected(c.id, made)}
    return Entry(
        claim=claim,
        key=("erased",) if erased else _says(claim, [c for c in known if c.id not in blank]),
        start=start,
        start_to=start_to,
        end=span(claim.valid_to)[1] if claim.valid_to else None,
        dead="erased" if erased else "archived" if away else None,
        act=instant(away[0].at) if away else None,
        decided=decided,
    )


def _folded(content: str) -> str:
    """Return a content without what does not distinguish it."""
    return _neat(unicodedata.normalize("NFC", content).casefold())


def _neat(value: str) -> str:
    """Return a value without what the eye cannot tell apart; case is told apart."""
    return " ".join(unicodedata.normalize("NFC", value).split())


def _says(claim: Claim, readable: Sequence[Claim]) -> Key:
    """Return what claims are compared by."""
    if claim.value:
        return ("value", _neat(claim.value))
    values = {_neat(c.value) for c in readable if c.value and _folded(c.content) == _folded(claim.content)}
    return ("value", *values) if len(values) == 1 else ("content", _folded(claim.content))


def _replaced(of: str, known: Sequence[Claim]) -> set[str]:
    """Return the claims that come before one by what was said to replace what; a circle orders nothing."""
    edges = {c.id: set(c.replaces) for c in known}

    def reach(start: str) -> set[str]:
        """Return all that follows from the edges of one claim."""
        seen: set[str] = set()
        left = set(edges.get(start, ()))
        while left:
            seen |= left
            left = {target for one in left for target in edges.get(one, ())} - seen
        return seen

    return {target for target in reach(of) if target in edges and of not in reach(target)}


# ── clashes ─────────────────────────────────────────────────────────────────────────────────────


def clashes(x: Entry, y: Entry) -> bool:
    """Say whether nothing but a clash can tell which of two claims comes first."""
    if not (x.start and y.start and x.start_to and y.start_to):
        return False
    overlap = x.start == y.start or (x.start < y.start_to and y.start < x.start_to)
    ordered = x.id in y.before or y.id in x.before
    return overlap and x.key != y.key and not ordered and not x.free_of(y) and not y.free_of(x)


def outcome(x: Entry, y: Entry) -> str:
    """Return what a clash means for the first of two."""
    mine, other = [max((at for at, _ in e.decided), default=None) for e in (x, y)]
    if mine != other:
        if other is None or (mine is not None and mine > other):
            return "won"
        return "lost" if mine is None else "settled"
    return "tied" if x.rank == y.rank else "won" if x.rank > y.rank else "lost"


# ── the walk ────────────────────────────────────────────────────────────────────────────────────


def walk(entries: Sequence[Entry]) -> Walk:
    """Return what dated claims make of a slot."""
    done = Walk()
    for e in entries:
        done.status[e.id] = "superseded"
    stopped: list[Entry] = []
    fate = {x.id: {outcome(x, y) for y in entries if y is not x and clashes(x, y)} - {"won"} for x in entries}
    for entry in sorted(entries, key=lambda e: _turn(e, entries, lost=bool(fate[e.id]))):
        last = done.runs[-1] if done.runs else None
        assert entry.start
        run = last if last and (last.end is None or entry.start < last.end) else None
        if fate[entry.id]:
            _lose(done, run, entry, fate[entry.id])
        elif not _says_again(run, entry) and not _empties(run, entry) and _passed_over(done, entry, entries):
            stopped.append(entry)
        else:
            _meet(done, run, entry, [x for x in entries if _holds_out(x, entry, fate)], stopped)
    for number, run in enumerate(done.runs, 1):
        stops = [run.end, done.runs[number].start if number < len(done.runs) else None]
        run.stop = min((at for at in stops if at), default=None)
    return done


def _turn(entry: Entry, entries: Sequence[Entry], *, lost: bool) -> tuple[object, ...]:
    """Return the place of a claim in the walk; at one instant no two that differ meet, but by an edge or an act."""
    later = [e for e in entries if entry.id in e.before]
    strength = (not entry.unstoppable, not entry.decided, -entry.rank)
    return (entry.start, lost, entry.dead is None, len(later), *strength, entry.id)


def _lose(done: Walk, run: Run | None, entry: Entry, fate: set[str]) -> None:
    """Settle a claim that won not every clash: evidence when it says what is in force at its date."""
    same = run is not None and run.key == entry.key and (run.state is None or entry.dead is not None)
    if run and same and entry.end in (None, run.end):
        _join(done, run, entry)
    elif "settled" not in fate:
        done.dispute(entry, "clash")
        if run and run.state is None and fate == {"tied"} and not entry.dead and not run.protected(entry):
            run.contested = min(at for at in (run.contested, entry.start) if at)


def _says_again(run: Run | None, entry: Entry) -> bool:
    """Say whether a claim says just what is in force, its end included."""
    return run is not None and run.key == entry.key and run.state == entry.dead and entry.end in (None, run.end)


def _empties(run: Run | None, entry: Entry) -> bool:
    """Say whether a claim that was put away says what is in force."""
    return run is not None and run.key == entry.key and run.state is None and entry.dead is not None


def _meet(done: Walk, run: Run | None, entry: Entry, holding_out: Sequence[Entry], stopped: list[Entry]) -> None:
    """Let a claim meet the one in force; when it takes effect, those stopped at its date may say the same."""
    if run and run.key == entry.key and (run.state is None or entry.dead):
        if entry.end not in (None, run.end) and (run.protected(entry) or holding_out):
            done.dispute(entry, "protected")
        else:
            _join(done, run, entry)
    elif run and run.key == entry.key and not entry.unstoppable:
        done.dispute(entry, "repeats_archived")
    elif (run and run.protected(entry)) or holding_out:
        done.dispute(entry, "protected")
        stopped.append(entry)
    else:
        shield: list[tuple[Entry, datetime | None]] = [(entry, entry.act)]
        ender = entry if entry.end else None
        begun = Run(entry.key, entry.start, entry.end, ender, entry.dead, [entry], shield)
        done.runs.append(begun)
        for other in [e for e in stopped if e.start == entry.start and _says_again(begun, e)]:
            stopped.remove(other)
            done.status[other.id] = "superseded"
            done.why.pop(other.id, None)
            _join(done, begun, other)


def _join(done: Walk, run: Run, entry: Entry) -> None:
    """Take a claim into the stretch in force; one that was put away empties the rest of it."""
    if entry.dead and run.state is None:
        shield = [(member, act or entry.act) for member, act in run.shield]
        run = Run(run.key, entry.start, run.end, run.ender, entry.dead, [], shield)
        done.runs.append(run)
    run.join(entry)


def _holds_out(x: Entry, y: Entry, fate: dict[str, set[str]]) -> bool:
    """Say whether ``x``, dated no earlier than ``y`` that replaces it, stops it."""
    replaced = x.id in y.before and x.start is not None and y.start is not None and x.start >= y.start
    return replaced and not fate[x.id] and x.shields(y, x.act)


def _passed_over(done: Walk, x: Entry, entries: Sequence[Entry]) -> bool:
    """Say whether a claim in force, dated no later than ``x``, replaces it."""
    return any(
        x.id in y.before
        and y.start is not None
        and x.start is not None
        and y.start <= x.start
        and done.holder(y) is not None
        and not x.free_of(y)
        and not x.shields(y, x.act)
        for y in entries
    )


# ── what is shown ───────────────────────────────────────────────────────────────────────────────


def _history(
    done: Walk, entries: Sequence[Entry], gone: dict[str, SlotStatus], rejected: set[str], at: datetime
) -> History:
    """Return a walk as it is shown at an instant."""
    by_id = {e.id: e for e in entries}

    def place(entry: Entry) -> tuple[object, ...]:
        """Return the order of validity: the undated last, and by words and name where nothing tells."""
        said = entry.claim
        return (entry.undated, entry.start or EVER, len(entry.before), said.content, said.value or "", entry.id)

    shown = [run for run in done.runs if run.start is None or run.start != run.stop]
    stretches = {id(run): _stretch(run, sorted(run.members, key=place)) for run in shown}
    status: dict[str, SlotStatus] = {e.id: "superseded" for e in entries} | done.status
    for run in shown:
        lasts = run.stop is None or run.stop > at
        status |= {e.id: "active" if lasts else "superseded" for e in run.members}
    status |= gone
    why = {i: reason for i, reason in done.why.items() if status[i] == "disputed"}
    now = [run for run in shown if (run.start is None or run.start <= at) and (run.stop is None or at < run.stop)]
    current = stretches[id(now[0])] if now and now[0].state is None else None
    return History(
        stretches=tuple(stretches.values()),
        status=status,
        why=why,
        current=current,
        empty=None if current else _empty(now, shown, [by_id[i] for i in why], at),
        proposals=tuple(e.id for e in sorted(entries, key=place) if e.id in why),
        rejected=tuple(e.id for e in sorted(entries, key=place) if e.id in rejected and status[e.id] == "archived"),
    )


def _stretch(run: Run, members: Sequence[Entry]) -> Stretch:
    """Return a stretch; its words are those of its latest dated claim."""
    words = [e for e in members if not e.undated] or members
    value = words[-1].claim.value or (run.key[1] if run.key[0] == "value" else None)
    return Stretch(
        start=None if run.start == EVER else written(run.start),
        stop=written(run.stop),
        ids=tuple(e.id for e in members),
        value=value if run.state is None else None,
        content=words[-1].claim.content if run.state is None else None,
        state=run.state or "stated",  # type: ignore[arg-type]
        contested_since=written(run.contested),
    )


def _empty(now: Sequence[Run], shown: Sequence[Run], waiting: Sequence[Entry], at: datetime) -> WhyEmpty:
    """Return why nothing is in force at an instant: the latest reason there is."""
    if now:
        return now[0].state  # type: ignore[return-value]
    ended = [run.stop for run in shown if run.stop and run.stop <= at]
    if ended:
        return "disputed" if any(e.start and max(ended) <= e.start <= at for e in waiting) else "ended"
    if any(e.start is None or e.start <= at for e in waiting):
        return "disputed"
    if waiting or any(run.state is None for run in shown):
        return "future"
    return shown[0].state or "unknown" if shown else "unknown"  # type: ignore[return-value]
