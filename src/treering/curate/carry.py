"""Carry: operations that apply, carried out: claims, evidence and decisions are written and their histories settled.

Whether an operation makes sense and may be done was decided before.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from treering.curate import naming, notes
from treering.curate.quoting import Quoted, lowest
from treering.curate.recorded import standing
from treering.curate.settle import joined, settle, settle_another, settle_new
from treering.domain.decided import UNDECIDED
from treering.domain.memory import memory_kind, one_line, same_as, tidy
from treering.domain.operation import Outcome, relabelled
from treering.domain.policy import LEVEL
from treering.journal import StoredClaim, StoredLink, StoredRevision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.curate.curator import Curator, Inverse
    from treering.curate.settle import Settled
    from treering.domain.decided import Decided
    from treering.domain.operation import Draft, Link, OutcomeName, Update
    from treering.domain.source import Trust
    from treering.ports import Transaction
    from treering.records import Quote, StoredMemory

_DONE: Final = {"archive": "archived", "restore": "restored", "confirm": "confirmed"}


def create(
    tx: Transaction,
    curator: Curator,
    draft: Draft,
    quoted: Quoted,
    olds: Sequence[StoredMemory],
    *,
    said: bool = False,
    act: str,
) -> Outcome:
    """Add a claim, to a memory that says the same or as a new one.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        draft: what is claimed.
        quoted: what it rests on.
        olds: memories that it replaces.
        said: whether its content is the caller's own word, to be kept as a note that it quotes.
        act: what it is called in the audit log.
    """
    if olds and not draft.slot:
        slots = {memory.slot for memory in olds}
        draft = draft._replace(slot=slots.pop() if len(slots) == 1 else "")
    trust: Trust = lowest([quoted.trust or curator.caller.role, *([curator.caller.role] if said else [])])
    fingerprint = same_as(draft.content)
    twins = _twins(tx, draft, fingerprint)
    twin = next(iter(twins), None)
    if twin is not None and not draft.slot:
        draft = draft._replace(slot=twin.slot)
    inverse: list[Inverse] = []
    for known in () if olds else twins:
        if _adds_nothing(tx, known, draft, quoted.quotes, trust, curator, said=said):
            return _exists(tx, curator, known, draft)
    id = curator.make_id("mem")
    note, quotes = "", quoted.quotes
    if said:
        note, quote = notes.keep(tx, curator, id, draft, trust, new=True)
        quotes = (quote, *quotes)
    joins = twin.id if twin is not None and not draft.slot else id
    if twin is not None and draft.slot and not twin.slot:
        inverse += _give_slot(tx, twin, draft.slot)
    claim = StoredClaim(
        id, joins, draft.slot, draft.kind, draft.title, draft.content, draft.summary, draft.value, trust,
        curator.caller.role, curator.caller.name, note, draft.valid_from, draft.valid_to, curator.at,
    )  # fmt: skip
    if joins != id:
        curator.touch(joins)
    tx.claims.put(claim)
    tx.claims.add_evidence(id, quotes, 1)
    tx.claims.put_replaced(id, _claims_of(tx, olds))
    notices = naming.mention(tx, curator, id, draft.entities)
    is_alone = not (draft.slot or olds or joins != id)  # nothing that is there has to do with it
    if is_alone:
        settled = settle_new(tx, curator, claim, quoted, fingerprint, draft.labels)
    else:
        settled = settle(tx, curator, [claim]) if olds or inverse else settle_another(tx, curator, claim)
    memory = settled.memories[id].id
    if draft.labels and not is_alone:
        curator.touch(memory)
        tx.memories.put_labels(memory, joined(tx.memories.labels([memory])[memory], draft.labels))
    outcome = _outcome(claim, settled)
    curator.record(tx, act, memory, outcome, [["reject", id], *inverse])
    changed = tuple(change for change in settled.changes if change.id != memory)
    return Outcome(outcome, memory, changed, notices, settled.proposals.get(id, ""))


def _twins(tx: Transaction, draft: Draft, fingerprint: int) -> list[StoredMemory]:
    """Return the memories with the same content that a claim may belong to: those of its slot, else without one."""
    alike = tx.memories.by_fingerprint(fingerprint)
    if not draft.slot:
        return [one for one in alike if one.status == "active"][:1]
    # Several of its slot may say so, of other times or in dispute.
    return [one for slot in (draft.slot, "") for one in alike if one.slot == slot]


def _adds_nothing(
    tx: Transaction,
    twin: StoredMemory,
    draft: Draft,
    quotes: Sequence[Quote],
    trust: Trust,
    curator: Curator,
    *,
    said: bool,
) -> bool:
    """Say whether a memory knows all that a draft claims."""
    known = tx.claims.of_memories([twin.id])[twin.id]
    if set(quotes) - set(tx.memories.quotes([twin.id])[twin.id]):
        return False
    if not draft.slot:
        dated = {(one.valid_from, one.valid_to) for one in known}
        return LEVEL[trust] <= LEVEL[twin.trust] and (draft.valid_from, draft.valid_to) in {("", ""), *dated}
    return any(
        (one.slot, one.value, one.valid_from, one.valid_to)
        == (draft.slot, draft.value, draft.valid_from, draft.valid_to)
        and LEVEL[one.trust] >= LEVEL[trust]
        and (one.actor == curator.caller.role or not said)
        for one in known
    )


def _exists(tx: Transaction, curator: Curator, twin: StoredMemory, draft: Draft) -> Outcome:
    """Give a memory that is there what is new of a draft's labels and entities."""
    former = tx.memories.labels([twin.id])[twin.id]
    labels = joined(former, draft.labels)
    if labels != former:
        _keep_revision(tx, curator, twin, former)
        tx.memories.put_labels(twin.id, labels)
        curator.record(tx, "update", twin.id, "accepted", [["revise", twin.id, twin.revision]])
    notices = naming.mention(tx, curator, twin.id, draft.entities)
    return Outcome("exists", twin.id, notices=(*notices, *_left_out(twin, draft)))


def _left_out(known: StoredMemory, draft: Draft) -> tuple[str, ...]:
    """Return, for a memory that is there already, what of a draft was not taken over."""
    pairs = (("title", draft.title, known.title), ("summary", draft.summary, known.summary))
    names = [name for name, new, old in pairs if new not in {old, ""}]
    if draft.kind not in {known.kind, "semantic"}:
        names.insert(0, "kind")
    return (f"its {' and '.join(names)} stayed as before: treering update {known.id}",) if names else ()


def _give_slot(tx: Transaction, memory: StoredMemory, slot: str) -> list[Inverse]:
    """Let a memory without a slot answer one, for somebody says the same of it."""
    inverse: list[Inverse] = []
    for claim in tx.claims.of_memories([memory.id])[memory.id]:
        tx.claims.put(claim._replace(slot=slot))
        inverse.append(["unslot", claim.id])
    return inverse


def _claims_of(tx: Transaction, memories: Sequence[StoredMemory]) -> list[str]:
    """Return the ids of the claims of memories."""
    if not memories:
        return []
    claims = tx.claims.of_memories([memory.id for memory in memories])
    return [claim.id for several in claims.values() for claim in several]


def _outcome(claim: StoredClaim, settled: Settled) -> OutcomeName:
    """Return what became of a new claim."""
    memory = settled.memories[claim.id]
    if claim.id in settled.proposals:
        return "disputed"
    if memory.id != claim.id:
        return "merged"
    if memory.superseded_by or memory.status == "superseded":
        return "backfilled"
    if not claim.slot:
        return "superseded" if any(change.after == "superseded" for change in settled.changes) else "accepted"
    return "superseded" if memory.id in settled.following else "accepted"


def update(tx: Transaction, curator: Curator, change: Update, memory: StoredMemory, quoted: Quoted) -> Outcome:
    """Change what a memory says; its former words are kept."""
    former = tx.memories.labels([memory.id])[memory.id]
    claims = tx.claims.of_memories([memory.id])[memory.id]
    lead = next((one for one in claims if one.id == memory.id), claims[0])
    revised = _revised(lead, change)
    labels = relabelled(former, change.labels)
    if revised == lead and labels == former and not quoted.quotes:
        return Outcome("exists", memory.id, notices=("nothing of it is new",))
    revision = _keep_revision(tx, curator, memory, former)
    tx.memories.put_labels(memory.id, labels)
    quotes = quoted.quotes
    if revised.content != lead.content and lead.note:
        tx.claims.end_evidence(lead.id, revision)
        _, quote = notes.keep(tx, curator, lead.id, revised, lead.trust)
        quotes = (quote, *quotes)
    said = [curator.caller.role] if revised != lead or quoted.quotes else []  # a tag says nothing of the statement
    trust = lowest([lead.trust, *([quoted.trust] if quoted.trust else []), *said])
    for claim in claims:
        words = revised._replace(**{name: getattr(claim, name) for name in _OWN}) if claim.id != lead.id else revised
        tx.claims.put(words._replace(trust=trust if claim.id == lead.id else claim.trust))
    tx.claims.add_evidence(lead.id, quotes, revision)
    settled = settle(tx, curator, tx.claims.of_memories([memory.id])[memory.id])
    inverse: list[Inverse] = [["revise", lead.id, memory.revision]]
    if (revised.valid_from, revised.valid_to) != (lead.valid_from, lead.valid_to):
        inverse.append(["redate", lead.id, lead.valid_from, lead.valid_to])
    curator.record(tx, "update", memory.id, "accepted", inverse)
    return Outcome("accepted", memory.id, tuple(one for one in settled.changes if one.id != memory.id))


# What each claim of a memory keeps when the memory is reworded.
_OWN: Final = (
    "id", "memory", "slot", "trust", "actor", "author", "note", "valid_from", "valid_to", "recorded_at", "erased_at",
)  # fmt: skip


def _revised(claim: StoredClaim, change: Update) -> StoredClaim:
    """Return a claim as an update words it."""
    given = change.changes
    return claim._replace(
        kind=memory_kind(given.get("kind", claim.kind)),
        title=one_line("title", given.get("title", claim.title)),
        content=tidy(given.get("content", claim.content)),
        summary=one_line("summary", given.get("summary", claim.summary)),
        value=given.get("value", claim.value),
        valid_from=given.get("valid_from", claim.valid_from),
        valid_to=given.get("valid_to", claim.valid_to),
    )


def _keep_revision(tx: Transaction, curator: Curator, memory: StoredMemory, labels: dict[str, tuple[str, ...]]) -> int:
    """Keep what a memory says before it changes, and return the number of its next revision."""
    curator.touch(memory.id)
    former = {name: getattr(memory, name) for name in ("revision", "kind", "title", "content", "summary", "value")}
    written = json.dumps(labels, ensure_ascii=False)
    tx.claims.put_revision(StoredRevision(claim=memory.id, labels=written, changed_at=curator.at, **former))
    tx.memories.put(memory._replace(revision=memory.revision + 1, changed_at=curator.at))
    return memory.revision + 1


def link(tx: Transaction, curator: Curator, given: Link) -> Outcome:
    """Say how one memory stands to another."""
    stored = StoredLink(given.from_id, given.to_id, given.type, curator.at, curator.caller.name)
    if not tx.entities.put_link(stored):
        return Outcome("exists", given.from_id)
    curator.record(tx, "link", given.from_id, "accepted", [["unlink", given.from_id, given.to_id, given.type]])
    return Outcome("accepted", given.from_id)


def decide(tx: Transaction, curator: Curator, memory: StoredMemory, kind: str, reason: str = "") -> Outcome:
    """Archive, restore or confirm a memory: the same decision on each of its claims."""
    claims = tx.claims.of_memories([memory.id])[memory.id]
    verdicts = standing(tx.claims.decisions([claim.id for claim in claims]), curator.zone)
    if kind != "confirm" and all(_is_so(verdicts.get(claim.id, UNDECIDED), kind) for claim in claims):
        return Outcome("exists", memory.id, notices=(f"it is {memory.status} already",))
    until = ""
    if kind == "confirm" and memory.status == "superseded" and memory.valid_to:
        until = memory.valid_to
    inverse = [curator.decide(tx, claim.id, kind, until=until, reason=reason) for claim in claims]  # type: ignore[arg-type]
    settled = settle(tx, curator, claims)
    curator.record(tx, kind, memory.id, _DONE[kind], inverse)
    return Outcome("accepted", memory.id, tuple(one for one in settled.changes if one.id != memory.id))


def _is_so(verdict: Decided, kind: str) -> bool:
    """Tell whether a claim is archived, or neither archived nor rejected, as is asked for."""
    return verdict.state == "archived" if kind == "archive" else verdict.state == "stated" and not verdict.rejected


def merge(tx: Transaction, curator: Curator, memories: Sequence[StoredMemory]) -> Outcome:
    """Let the first of several memories stand for all of them, with the evidence, labels and entities of all."""
    first, *others = memories
    lead = next(iter(tx.claims.of_memories([first.id])[first.id])).id
    quotes = tx.memories.quotes([memory.id for memory in memories])
    labels = tx.memories.labels([memory.id for memory in memories])
    mentions = tx.entities.mentions([memory.id for memory in others])
    revision = _keep_revision(tx, curator, first, labels[first.id])
    known = set(quotes[first.id])
    more = dict.fromkeys(quote for memory in others for quote in quotes[memory.id] if quote not in known)
    tx.claims.add_evidence(lead, list(more), revision)
    for memory in others:
        labels[first.id] = joined(labels[first.id], labels[memory.id])
        tx.entities.mention(lead, mentions.get(memory.id, ()))
    tx.memories.put_labels(first.id, labels[first.id])
    tx.claims.put_replaced(lead, [id for id in _claims_of(tx, others) if id != lead])
    settled = settle(tx, curator, tx.claims.of_memories([first.id])[first.id])
    olds: list[str | int] = ["unreplace", lead, *_claims_of(tx, others)]
    curator.record(tx, "merge", first.id, "merged", [["revise", lead, first.revision], olds])
    return Outcome("merged", first.id, tuple(one for one in settled.changes if one.id != first.id))
