"""How memories came about: claims, decisions, proposals and acts as values. Apart from what searches load.

Empty strings stand for what is not there, as in the tables.
"""

from __future__ import annotations

from typing import Literal

from treering.domain.claim import DecisionKind
from treering.domain.memory import MemoryKind
from treering.domain.named import NamedTuple
from treering.domain.source import Trust

Role = Literal["owner", "agent"]
ProposalState = Literal["waiting", "approved", "rejected", "closed"]


class StoredClaim(NamedTuple):
    """What somebody said.

    Attributes:
        id: the claim; the first claim of a memory has the memory's id.
        memory: the memory that says it now.
        slot: the topic; empty for none.
        kind: what it is about.
        title: a few words.
        content: the statement; empty once erased.
        summary: the same in one sentence.
        value: the short answer.
        trust: lowest of its evidence.
        actor: ``owner`` when the owner typed it.
        author: what the caller goes by.
        note: id of the note that keeps the text as it was said; empty when it quotes other sources alone.
        valid_from: since when it holds, as it was given.
        valid_to: until when it holds, as it was given.
        recorded_at: when it was recorded, ISO 8601 in UTC.
        erased_at: when it was erased; empty when it was not.
    """

    id: str
    memory: str
    slot: str
    kind: MemoryKind
    title: str
    content: str
    summary: str
    value: str
    trust: Trust
    actor: Role
    author: str
    note: str
    valid_from: str
    valid_to: str
    recorded_at: str
    erased_at: str = ""


class StoredDecision(NamedTuple):
    """What was decided on a claim; ``undone_at`` is when it was taken back. See ``domain.claim.Decision``."""

    number: int
    claim: str
    kind: DecisionKind
    at: str
    until: str
    actor: Role
    reason: str
    undone_at: str = ""


class StoredRevision(NamedTuple):
    """What a claim said before a revision of its memory; labels as JSON."""

    claim: str
    revision: int
    kind: MemoryKind
    title: str
    content: str
    summary: str
    value: str
    labels: str
    changed_at: str


class StoredStretch(NamedTuple):
    """A time in which one memory answers a slot; microseconds since 1970, as ``domain.dates.micros``."""

    start: int
    stop: int
    memory: str
    state: Literal["stated", "archived", "erased"]
    contested: int | None


class Near(NamedTuple):
    """What stands near an instant in a slot's history, and whether that alone decides what becomes of a claim of then.

    Attributes:
        is_plain: whether every claim of the slot is dated, all of them or none state a value, and none replaces another
            one, was decided on or erased.
        is_told: whether the memories of what ended last say so.
        is_alone: whether the slot has one claim.
        before: the stretches that begin before the instant, the latest first.
        behind: those that begin then or later, the earliest first.
    """

    is_plain: bool
    is_told: bool
    is_alone: bool
    before: tuple[StoredStretch, ...]
    behind: tuple[StoredStretch, ...]


class StoredProposal(NamedTuple):
    """What waits for the owner, or did.

    Attributes:
        id: the proposal.
        state: what became of it; ``closed`` when nothing was left to decide.
        claim: the claim that its slot's history does not let through; empty for an operation.
        operation: a whole operation as JSON; empty for a claim.
        why: why it waits.
        author: who made it.
        made_at: when.
        decided_at: when it was decided; empty while it waits.
        reason: the owner's.
    """

    id: str
    state: ProposalState
    claim: str
    operation: str
    why: str
    author: str
    made_at: str
    decided_at: str = ""
    reason: str = ""


class StoredEntity(NamedTuple):
    """Something in the world, with its own name first."""

    id: str
    kind: str
    name: str
    aliases: tuple[str, ...] = ()
    scope: str = ""


class StoredLink(NamedTuple):
    """How one claim's memory stands to another's."""

    from_id: str
    to_id: str
    type: str
    made_at: str
    author: str


class StoredBriefing(NamedTuple):
    """Memories that are pinned together for a while.

    Attributes:
        id: of one memory its own id; of several an id of their briefing.
        memories: which, in order.
        pinned_at: since when, ISO 8601 in UTC.
        until: when it ends.
        role: ``owner`` or ``agent``.
        author: what whoever pinned it goes by.
    """

    id: str
    memories: tuple[str, ...]
    pinned_at: str
    until: str
    role: Role
    author: str


class StoredAct(NamedTuple):
    """A line of the audit log; it holds ids and never what they say.

    Attributes:
        number: counts up from 1.
        at: when, ISO 8601 in UTC.
        role: ``owner`` or ``agent``.
        author: what the caller goes by.
        name: of the operation.
        target: the id that it was done to.
        outcome: what became of it.
        inverse: how it is taken back, as JSON; empty when it cannot be.
        undone: whether it was taken back.
        scope: of the store that keeps the log, where two are read as one.
    """

    number: int
    at: str
    role: Role
    author: str
    name: str
    target: str
    outcome: str
    inverse: str
    undone: bool = False
    scope: str = ""


class StoredErasure(NamedTuple):
    """An erasure on its way, or done.

    Attributes:
        id: the erasure.
        state: ``begun`` before anything is removed, ``erased`` once the rows are gone, ``done`` when nothing is left.
        begun_at: when it was asked for, ISO 8601.
        wanted: what was asked for, as JSON; ids and no words.
        todo: what is left to do outside of the transaction, as JSON.
        receipt: what went, as JSON; empty while it has only begun.
        marks: keyed digests of the erased sentences, eight bytes each.
    """

    id: str
    state: Literal["begun", "erased", "done"]
    begun_at: str
    wanted: str
    todo: str = "{}"
    receipt: str = ""
    marks: bytes = b""


class StoredCopy(NamedTuple):
    """A copy of the store that was made elsewhere.

    Attributes:
        path: where, as it was given, absolute.
        kind: which kind of copy.
        made_at: when, ISO 8601.
    """

    path: str
    kind: Literal["backup", "export"]
    made_at: str
