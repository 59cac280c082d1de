"""Settle: memories are made to agree with their claims and the decisions on them.

What follows from a slot's claims is ``domain.timeline``; here its result is carried into the rows: which claims share a
memory, what each memory says, its status and successor, and which proposals wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treering.curate.grouping import Group, grouped
from treering.domain.claim import WHY_DISPUTED, Claim, Decision
from treering.domain.dates import instant, micros, plain, span, written
from treering.domain.decided import UNDECIDED, decided
from treering.domain.memory import same_as
from treering.domain.operation import Change
from treering.domain.policy import LEVEL
from treering.domain.timeline import history
from treering.journal import StoredProposal, StoredStretch
from treering.records import FOREVER, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from treering.curate.curator import Curator
    from treering.domain.claim import History
    from treering.domain.decided import Decided
    from treering.domain.memory import MemoryStatus, Verification
    from treering.journal import StoredClaim, StoredDecision
    from treering.ports import Transaction


class Settled(NamedTuple):
    """What settling came to.

    Attributes:
        changes: memories whose status or successor moved.
        proposals: the proposal about each claim that waits.
    """

    changes: tuple[Change, ...] = ()
    proposals: dict[str, str] = {}  # noqa: RUF012 - never written to


def settle(tx: Transaction, curator: Curator, claims: Iterable[StoredClaim]) -> Settled:
    """Make the memories agree with what has become of some claims.

    Args:
        tx: a transaction that may write; the claims and decisions are in it.
        curator: who changed them, and when.
        claims: those that are new, or changed, or on which something was decided.
    """
    known = {claim.id: claim for claim in claims}
    replaced = tx.claims.replaced(list(known))
    known |= tx.claims.claims([old for olds in replaced.values() for old in olds if old not in known])
    changes: list[Change] = []
    proposals: dict[str, str] = {}
    for slot in sorted({claim.slot for claim in known.values()} - {""}):
        settled = _settle_slot(tx, curator, slot)
        changes += settled.changes
        proposals |= settled.proposals
    for memory in sorted({claim.memory for claim in known.values() if not claim.slot} - {""}):
        changes += _settle_memory(tx, curator, memory)
    return Settled(tuple(changes), proposals)


def claims_of(tx: Transaction, stored: Sequence[StoredClaim]) -> list[Claim]:
    """Return stored claims as the timeline takes them."""
    replaced = tx.claims.replaced([one.id for one in stored])
    return [
        Claim(
            id=one.id,
            content=one.content,
            trust=one.trust,
            actor=one.actor,
            recorded_at=one.recorded_at,
            value=one.value or None,
            valid_from=one.valid_from or None,
            valid_to=one.valid_to or None,
            replaces=replaced.get(one.id, ()),
            erased_at=one.erased_at or None,
        )
        for one in stored
    ]


def decisions_of(stored: Iterable[StoredDecision], known_at: str = "") -> list[Decision]:
    """Return stored decisions as the timeline takes them, less those taken back, at all or by an instant."""
    return [
        Decision(one.kind, one.claim, one.at, one.until or None)
        for one in stored
        if not one.undone_at or (known_at and one.undone_at > known_at)
    ]


def _settle_slot(tx: Transaction, curator: Curator, slot: str) -> Settled:
    """Make the memories of one slot agree with its history."""
    stored = tx.claims.of_slot(slot)
    made = tx.claims.decisions([one.id for one in stored])
    found = history(claims_of(tx, stored), decisions_of(made), true_at=curator.at, zone=curator.zone)
    groups = grouped(stored, found, curator.zone)
    before = tx.memories.memories(sorted({one.memory for one in stored} - {""}))
    leader_of = {claim.id: group.leader for group in groups for claim in group.claims}
    facts = _facts(tx, stored, made)
    after = {group.leader: _memory(tx, curator, group, found, leader_of, facts, before) for group in groups}
    _carry_labels(tx, curator, stored, leader_of, after, before)
    _write(tx, curator, before, after)
    for claim in stored:
        if claim.memory != leader_of.get(claim.id, ""):
            tx.claims.put(claim._replace(memory=leader_of.get(claim.id, "")))
    tx.claims.put_stretches(slot, _stretches(found, leader_of, curator))
    return Settled(_changes(before, after, leader_of, curator.zone), _proposals(tx, curator, stored, found))


class _Facts(NamedTuple):
    """What is known of the claims of a slot or memory besides their words."""

    confirmed: frozenset[str]
    sourced: frozenset[str]
    first_source: Mapping[str, str]


def _facts(tx: Transaction, stored: Sequence[StoredClaim], made: Iterable[StoredDecision]) -> _Facts:
    """Return which claims are confirmed, which rest on more than their own note, and what the others quote first."""
    evidence = tx.claims.evidence([one.id for one in stored if not one.erased_at])
    notes = {one.id: bool(one.note) for one in stored}
    sourced = frozenset(claim for claim, quotes in evidence.items() if len(quotes) > notes[claim])
    first = {claim: quotes[0].version for claim, quotes in evidence.items() if quotes and not notes[claim]}
    sources = {version: tx.sources.source_of(version) or "" for version in set(first.values())}
    confirmed = frozenset(one.claim for one in made if one.kind in {"confirm", "approve"} and not one.undone_at)
    return _Facts(confirmed, sourced, {claim: sources[version] for claim, version in first.items()})


def _memory(
    tx: Transaction,
    curator: Curator,
    group: Group,
    found: History,
    leader_of: Mapping[str, str],
    facts: _Facts,
    before: Mapping[str, StoredMemory],
) -> StoredMemory:
    """Return a memory as it follows from the claims of a slot."""
    place, stretch, says = group.place, group.stretch, group.wording
    successor = ""
    valid_from = next((one.valid_from for one in group.claims if one.valid_from), "")
    valid_to = next((one.valid_to for one in reversed(group.claims) if one.valid_to), "")
    if stretch is not None:
        following = found.stretches[place + 1] if place + 1 < len(found.stretches) else None
        if following and following.start == stretch.stop and following.state == "stated":
            successor = leader_of.get(following.ids[-1], "")
        valid_from = valid_from or stretch.start or ""
        if stretch.stop:
            given = [one.valid_to for one in reversed(group.claims) if one.valid_to]
            valid_to = next((end for end in given if _ends(end, curator) == stretch.stop), stretch.stop)
    return _row(
        tx,
        group,
        facts,
        before,
        slot=says.slot,
        status=group.status,
        why=_why(group, found, curator),
        valid_from=valid_from,
        valid_to=valid_to,
        starts=_at(stretch.start, curator, -FOREVER) if stretch else FOREVER,
        stops=_at(stretch.stop, curator, FOREVER) if stretch else FOREVER,
        superseded_by=successor,
    )


def _ends(valid_to: str, curator: Curator) -> str:
    """Return the instant at which something valid to a date holds no more, as stretches are written."""
    return written(span(valid_to, curator.zone).stop)


def _row(
    tx: Transaction, group: Group, facts: _Facts, before: Mapping[str, StoredMemory], **fields: object
) -> StoredMemory:
    """Return the row of a memory with the words of its claims."""
    says, ids = group.wording, [one.id for one in group.claims]
    known = before.get(group.leader)
    verification: Verification = "inferred"
    if facts.confirmed.intersection(ids):
        verification = "user_confirmed"
    elif facts.sourced.intersection(ids):
        verification = "source_backed"
    content = says.content
    row = StoredMemory(
        id=group.leader,
        entry=known.entry if known else tx.memories.next_entry(),
        kind=says.kind,
        title=says.title or next((one.title for one in group.claims if one.title), ""),
        content=content,
        summary=says.summary,
        source=says.note or facts.first_source.get(says.id, "") or next(filter(None, facts.first_source.values()), ""),
        status="active",
        verification=verification,
        trust=max((one.trust for one in group.claims), key=LEVEL.__getitem__),
        revision=known.revision if known else 1,
        fingerprint=same_as(content),
        recorded_at=min(one.recorded_at for one in group.claims),
        changed_at=known.changed_at if known else "",
        value=next((one.value for one in (says, *reversed(group.claims)) if one.value), ""),
    )
    return row._replace(**fields)  # type: ignore[arg-type]  # they are fields of the row


def _at(text: str | None, curator: Curator, missing: int) -> int:
    """Return an instant of a history in microseconds."""
    return micros(instant(text, curator.zone)) if text else missing


def _why(group: Group, found: History, curator: Curator) -> str:
    """Return why a memory is not simply in force; empty when it is."""
    first = group.claims[0].id
    if group.status == "disputed":
        return WHY_DISPUTED[found.why[first]]
    if first in found.rejected:
        return "rejected"
    if group.stretch and group.stretch.contested_since:
        return f"contested since {plain(group.stretch.contested_since, curator.zone)}"
    return ""


def _stretches(found: History, leader_of: Mapping[str, str], curator: Curator) -> list[StoredStretch]:
    """Return a history as it is stored."""
    return [
        StoredStretch(
            _at(one.start, curator, -FOREVER),
            _at(one.stop, curator, FOREVER),
            leader_of.get(one.ids[-1], ""),
            one.state,
            _at(one.contested_since, curator, 0) if one.contested_since else None,
        )
        for one in found.stretches
    ]


def _settle_memory(tx: Transaction, curator: Curator, memory: str) -> tuple[Change, ...]:
    """Make a memory without a slot agree with its claims, and with what was said to replace it."""
    stored = tx.claims.of_memories([memory])[memory]
    if not stored:
        return ()
    before = tx.memories.memories([memory])
    made = tx.claims.decisions([one.id for one in stored])
    verdicts = standing(made, curator.zone)
    shown = [one for one in stored if not _is_hidden(verdicts, one.id)]
    says = (shown or stored)[-1]
    status: MemoryStatus = "active" if shown else "archived"
    ends = next((one.valid_to for one in reversed(shown or stored) if one.valid_to), "")
    stops = micros(span(ends, curator.zone).stop) if ends else FOREVER
    valid_from = next((one.valid_from for one in stored if one.valid_from), "")
    successor = _successor(tx, [one.id for one in stored], curator.zone)
    if successor is not None and status == "active":
        since = successor.valid_from or successor.recorded_at
        begins = micros(instant(since, curator.zone))
        ends, stops = (since, begins) if begins < stops else (ends, stops)
    if status == "active" and stops <= curator.now:
        status = "superseded"
    group = Group(memory, status, tuple(shown or stored), says, None, -1)
    row = _row(
        tx,
        group,
        _facts(tx, stored, made),
        before,
        status=status,
        why="rejected" if status == "archived" and any(one.rejected for one in verdicts.values()) else "",
        valid_from=valid_from,
        valid_to=ends,
        starts=micros(instant(valid_from, curator.zone)) if valid_from else -FOREVER,
        stops=stops,
        superseded_by=successor.memory if successor else "",
    )
    _write(tx, curator, before, {memory: row})
    return _changes(before, {memory: row}, {}, curator.zone)


def standing(stored: Iterable[StoredDecision], zone: tzinfo) -> dict[str, Decided]:
    """Return what the decisions add up to now, for each claim they name."""
    return decided(decisions_of(stored), known_at=None, zone=zone)


def _is_hidden(verdicts: Mapping[str, Decided], claim: str) -> bool:
    """Say whether a claim was archived or rejected."""
    verdict = verdicts.get(claim, UNDECIDED)
    return verdict.rejected or verdict.state != "stated"


def _successor(tx: Transaction, claims: Sequence[str], zone: tzinfo) -> StoredClaim | None:
    """Return the last claim that was said to replace one of a memory's, unless it was rejected or is gone."""
    replacing = sorted({one for ones in tx.claims.replacing(claims).values() for one in ones})
    if not replacing:
        return None
    verdicts = standing(tx.claims.decisions(replacing), zone)
    known = tx.claims.claims([one for one in replacing if not verdicts.get(one, UNDECIDED).rejected])
    alive = [one for one in known.values() if not one.erased_at]
    return max(alive, key=lambda one: (one.recorded_at, one.id), default=None)


def _carry_labels(
    tx: Transaction,
    curator: Curator,
    stored: Sequence[StoredClaim],
    leader_of: Mapping[str, str],
    after: Mapping[str, StoredMemory],
    before: Mapping[str, StoredMemory],
) -> None:
    """Give memories that were joined the labels of all, and one that was parted those of the one that it left."""
    moves = {
        (claim.memory, leader_of[claim.id])
        for claim in stored
        if claim.memory in before and claim.id in leader_of and claim.memory != leader_of[claim.id]
    }
    if not moves:
        return
    labels = tx.memories.labels(sorted({id for move in moves for id in move} & before.keys()))
    for former, leader in sorted(moves):
        if leader in after:
            labels[leader] = joined(labels.get(leader, {}), labels[former])
            curator.touch(leader)
            if leader not in before:
                tx.memories.put(after[leader])
            tx.memories.put_labels(leader, labels[leader])


def joined(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return labels with what is new added; a value that is there stays once."""
    return {key: tuple(dict.fromkeys([*old.get(key, ()), *new.get(key, ())])) for key in {**old, **new}}


def _write(
    tx: Transaction, curator: Curator, before: Mapping[str, StoredMemory], after: Mapping[str, StoredMemory]
) -> None:
    """Write the rows that differ, and remove those of memories that were joined to others."""
    for id in before:
        if id not in after:
            curator.touch(id)
            tx.memories.remove(id)
    for id, row in after.items():
        known = before.get(id)
        if known is None or row != known:
            curator.touch(id)
            tx.memories.put(row._replace(changed_at=curator.at))


def _changes(
    before: Mapping[str, StoredMemory], after: Mapping[str, StoredMemory], leader_of: Mapping[str, str], zone: tzinfo
) -> tuple[Change, ...]:
    """Return the memories whose status or successor is another one than before."""
    found = []
    for id, old in before.items():
        new = after.get(id)
        if new is None:
            found.append(Change(id, old.status, "merged", f"it says the same as {leader_of.get(id, '')}".rstrip()))
        elif (old.status, old.superseded_by, old.stops) != (new.status, new.superseded_by, new.stops):
            found.append(Change(id, old.status, new.status, _reason(new, zone)))
    return tuple(found)


def _reason(new: StoredMemory, zone: tzinfo) -> str:
    """Return in words why a memory has its status."""
    if new.superseded_by:
        return f"{new.superseded_by} holds from {plain(new.valid_to, zone)}"
    if new.why:
        return new.why
    if new.valid_to:
        return f"it ends with {plain(new.valid_to, zone)}"
    return "nothing stands against it" if new.status == "active" else "its claims have changed"


def _proposals(tx: Transaction, curator: Curator, stored: Sequence[StoredClaim], found: History) -> dict[str, str]:
    """Make the proposals agree with the claims that wait; return the proposal about each of those."""
    known = tx.journal.about([one.id for one in stored])
    waiting: dict[str, str] = {}
    authors = {one.id: one.author for one in stored}
    for claim in found.proposals:
        old = known.get(claim)
        why = WHY_DISPUTED[found.why[claim]]
        if old is None or old.state != "waiting":
            new = StoredProposal(curator.make_id("prp"), "waiting", claim, "", why, authors[claim], curator.at)
            tx.journal.put_proposal(new)
            waiting[claim] = new.id
        else:
            waiting[claim] = old.id
            if old.why != why:
                tx.journal.put_proposal(old._replace(why=why))
    for claim, old in known.items():
        if old.state == "waiting" and claim not in waiting:
            tx.journal.put_proposal(old._replace(state="closed", decided_at=curator.at))
    return waiting
