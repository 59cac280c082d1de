"""Settle: memories are made to agree with their claims and the decisions on them.

What follows from a slot's claims is ``domain.timeline``; here its result is carried into the rows: which claims share a
memory, what each memory says, its status and successor, and which proposals wait. Of a slot with many claims nearly all
rows stay as they are: those are neither made again nor written.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from treering.curate import alone, stating
from treering.curate.among import among
from treering.curate.grouping import grouped
from treering.curate.recorded import claims_of, decisions_of
from treering.curate.stating import Held, InTime
from treering.curate.waiting import settle_proposals
from treering.domain.claim import WHY_DISPUTED
from treering.domain.dates import instant, micros, plain, span, written
from treering.domain.timeline import history
from treering.journal import StoredStretch
from treering.records import FOREVER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from treering.curate.curator import Curator
    from treering.curate.grouping import Group
    from treering.curate.quoting import Quoted
    from treering.domain.claim import History
    from treering.domain.operation import Change, Labels
    from treering.journal import StoredClaim, StoredDecision
    from treering.ports import Transaction
    from treering.records import StoredMemory


class Settled(NamedTuple):
    """What settling came to.

    Attributes:
        changes: memories whose status or successor moved.
        proposals: the proposal about each claim that waits.
        memories: the memory that says each claim of what was settled.
        following: those memories that take over from another statement.
    """

    changes: tuple[Change, ...] = ()
    proposals: Mapping[str, str] = {}
    memories: Mapping[str, StoredMemory] = {}
    following: frozenset[str] = frozenset()


def settle_another(tx: Transaction, curator: Curator, claim: StoredClaim) -> Settled:
    """Make the memories of a slot agree with one more claim, which is new and replaces nothing.

    Args:
        tx: a transaction that may write; the claim is in it.
        curator: who made it, and when.
        claim: the claim.
    """
    return _settle_among(tx, curator, claim) or settle(tx, curator, [claim])


def settle(tx: Transaction, curator: Curator, claims: Iterable[StoredClaim]) -> Settled:
    """Make the memories agree with what has become of some claims.

    Args:
        tx: a transaction that may write; the claims and decisions are in it.
        curator: who changed them, and when.
        claims: all those that are new, or changed, or on which something was decided.
    """
    known = {claim.id: claim for claim in claims}
    replaced = tx.claims.replaced(list(known))
    known |= tx.claims.claims([old for olds in replaced.values() for old in olds if old not in known])
    changes: list[Change] = []
    proposals: dict[str, str] = {}
    memories: dict[str, StoredMemory] = {}
    following: set[str] = set()
    for slot in sorted({claim.slot for claim in known.values()} - {""}):
        settled = _settle_slot(tx, curator, slot, known.keys())
        changes += settled.changes
        proposals |= settled.proposals
        memories |= settled.memories
        following |= settled.following
    said: dict[str, list[str]] = {}
    for claim in known.values():
        if claim.memory and not claim.slot:
            said.setdefault(claim.memory, []).append(claim.id)
    for memory in sorted(said):
        if found := alone.settle_memory(tx, curator, memory):
            changes += found[1]
            memories |= dict.fromkeys(said[memory], found[0])
    return Settled(tuple(changes), proposals, memories, frozenset(following))


def settle_new(
    tx: Transaction, curator: Curator, claim: StoredClaim, quoted: Quoted, fingerprint: int, labels: Labels
) -> Settled:
    """Make the memory of a claim that is new, answers no slot, and has nothing to do with what is there.

    Args:
        tx: a transaction that may write; the claim is in it.
        curator: who changed it, and when.
        claim: the claim.
        quoted: what it rests on besides its own note.
        fingerprint: of what it says.
        labels: tags and metadata of the memory.
    """
    row = alone.settle_new(tx, curator, claim, quoted.source, fingerprint, labels)
    return Settled(memories={claim.id: row})


def _settle_slot(tx: Transaction, curator: Curator, slot: str, changed: Collection[str]) -> Settled:
    """Make the memories of one slot agree with its history."""
    stored = tx.claims.of_slot(slot)
    made = tx.claims.decisions([one.id for one in stored])
    found = history(claims_of(tx, stored), decisions_of(made), true_at=curator.at, zone=curator.zone)
    stretches, settled = _carried(tx, curator, stored, made, found, changed)
    tx.claims.put_stretches(slot, stretches)
    return settled


def _settle_among(tx: Transaction, curator: Curator, claim: StoredClaim) -> Settled | None:
    """Do the same for a new claim of a plain slot from what stands near it alone; None where that does not suffice."""
    if not (claim.slot and claim.valid_from and claim.memory == claim.id):
        return None
    part = among(tx, curator, claim)
    if part is None:
        return None
    stretches, settled = _carried(tx, curator, part.claims, [], part.found, {claim.id}, part.following)
    tx.claims.move_stretches(claim.slot, part.known, stretches)
    return settled


def _carried(
    tx: Transaction,
    curator: Curator,
    stored: Sequence[StoredClaim],
    made: Sequence[StoredDecision],
    found: History,
    changed: Collection[str],
    following: StoredStretch | None = None,
) -> tuple[list[StoredStretch], Settled]:
    """Carry a history, or its part up to a stretch that stays, into the rows of memories.

    Returns:
        its stretches as they are to be stored, and what it came to.
    """
    groups = grouped(stored, found, curator.zone)
    before = tx.memories.memories(sorted({one.memory for one in stored} - {""}))
    leader_of = {claim.id: group.leader for group in groups for claim in group.claims}
    stretches = _stretches(found, leader_of, curator)
    decided = {one.claim for one in made if curator.at in {one.at, one.undone_at}}
    shown = [*stretches, following] if following else stretches
    after = _Rows(tx, curator, found, shown, stored, made).stated(groups, before, {*changed, *decided})
    _carry_labels(tx, curator, stored, leader_of, after, before)
    stating.put(tx, curator, before, after)
    for claim in stored:
        if claim.memory != leader_of.get(claim.id, ""):
            tx.claims.put(claim._replace(memory=leader_of.get(claim.id, "")))
    return stretches, Settled(
        stating.changes(before, after, leader_of, curator.zone),
        settle_proposals(tx, curator, stored, found, before, {*changed, *decided}),
        {claim: after[leader] for claim, leader in leader_of.items()},
        _following(shown),
    )


class _Rows:
    """Makes the rows of a slot's memories.

    Args:
        tx: a transaction that may write.
        curator: who changed the slot.
        found: its history.
        stretches: the same as it is stored.
        stored: its claims.
        made: the decisions on them.
    """

    def __init__(
        self,
        tx: Transaction,
        curator: Curator,
        found: History,
        stretches: Sequence[StoredStretch],
        stored: Sequence[StoredClaim],
        made: Sequence[StoredDecision],
    ) -> None:
        self._tx = tx
        self._curator = curator
        self._found = found
        self._stretches = stretches
        self._made = made
        self._rejected = frozenset(found.rejected)
        self._held = Counter(one.memory for one in stored)

    def stated(
        self, groups: Sequence[Group], before: Mapping[str, StoredMemory], changed: Collection[str]
    ) -> dict[str, StoredMemory]:
        """Return the row of each group.

        Args:
            groups: of claims that share a memory.
            before: the rows as they are.
            changed: claims that are new, or were changed or decided on.
        """
        after: dict[str, StoredMemory] = {}
        moved: list[tuple[Group, InTime]] = []
        for group in groups:
            in_time, known = self._in_time(group), before.get(group.leader)
            if known is not None and self._is_as_before(group, in_time, known, changed):
                after[group.leader] = known
            else:
                moved.append((group, in_time))
        facts = stating.facts_of(self._tx, [claim for group, _ in moved for claim in group.claims], self._made)
        for group, in_time in moved:
            held = Held(group.leader, group.claims, group.wording)
            after[group.leader] = stating.stated(
                self._tx, held, before.get(group.leader), facts, self._dated(group, in_time)
            )
        return after

    def _is_as_before(self, group: Group, in_time: InTime, known: StoredMemory, changed: Collection[str]) -> bool:
        """Tell whether a memory has the one claim that it had, which is as it was and stands in time as it did."""
        return (
            len(group.claims) == 1 == self._held[group.leader]
            and group.claims[0].memory == group.leader
            and group.claims[0].id not in changed
            and known.status == in_time.status
            and known.starts == in_time.starts
            and known.stops == in_time.stops
            and known.superseded_by == in_time.superseded_by
            and known.why == in_time.why
        )

    def _in_time(self, group: Group) -> InTime:
        """Return how a memory stands in time, but for the dates in words."""
        why = self._why(group)
        if group.stretch is None:
            return InTime(group.status, FOREVER, FOREVER, why=why)
        stretch, successor = self._stretches[group.place], ""
        if group.place + 1 < len(self._stretches):
            following = self._stretches[group.place + 1]
            if following.start == stretch.stop and following.state == "stated":
                successor = following.memory
        return InTime(group.status, stretch.start, stretch.stop, successor, why)

    def _dated(self, group: Group, in_time: InTime) -> InTime:
        """Return how a memory stands in time, with the dates in the words in which they were given."""
        stretch = group.stretch
        valid_from = next((one.valid_from for one in group.claims if one.valid_from), "")
        ends = [one.valid_to for one in reversed(group.claims) if one.valid_to]
        valid_to = ends[0] if ends else ""
        if stretch is not None:
            valid_from = valid_from or stretch.start or ""
            if stretch.stop:
                zone = self._curator.zone
                valid_to = next((end for end in ends if written(span(end, zone).stop) == stretch.stop), stretch.stop)
        return in_time._replace(valid_from=valid_from, valid_to=valid_to)

    def _why(self, group: Group) -> str:
        """Return why a memory is not simply in force; empty when it is."""
        first = group.claims[0].id
        if group.status == "disputed":
            return WHY_DISPUTED[self._found.why[first]]
        if first in self._rejected:
            return "rejected"
        if group.stretch and group.stretch.contested_since:
            return f"contested since {plain(group.stretch.contested_since, self._curator.zone)}"
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


def _at(text: str | None, curator: Curator, missing: int) -> int:
    """Return an instant of a history in microseconds."""
    return micros(instant(text, curator.zone)) if text else missing


def _following(stretches: Sequence[StoredStretch]) -> frozenset[str]:
    """Return the memories that take over where another statement stops."""
    return frozenset(new.memory for old, new in pairwise(stretches) if old.stop == new.start and old.state == "stated")


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
