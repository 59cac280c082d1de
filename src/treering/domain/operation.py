"""Operation: a change to memories, who asks for it, and what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from treering.domain.memory import MemoryKind
from treering.domain.named import NamedTuple

if TYPE_CHECKING:
    from treering.domain.erasure import Receipt
    from treering.domain.likeness import Alike

EntityKind = Literal["person", "project", "organisation", "place", "thing"]
LinkType = Literal["contradicts", "supports", "causes", "part_of", "follows", "related"]
OutcomeName = Literal["accepted", "merged", "superseded", "backfilled", "disputed", "queued", "exists"]

ENTITY_KINDS: Final = get_args(EntityKind)
LINK_TYPES: Final = get_args(LinkType)

Labels: TypeAlias = dict[str, tuple[str, ...]]
"""Tags (key ``tags``) and metadata: keys with their values, in order."""


class Mention(NamedTuple):
    """Something in the world that a memory speaks of, by one of its names."""

    name: str
    kind: EntityKind = "thing"


class Citation(NamedTuple):
    """Words that are said to stand in a source.

    Attributes:
        source: id or key of the source.
        quote: the words.
        version: the version that they stand in; empty for the source's current one.
    """

    source: str
    quote: str
    version: str = ""


class Draft(NamedTuple):
    """A memory as it is proposed.

    Attributes:
        content: the statement.
        kind: what it is about.
        title: a few words; may be empty.
        summary: the same in one sentence; may be empty.
        slot: the topic that it answers; empty for none.
        value: the short answer, by which claims of a slot are compared; empty for none.
        valid_from: since when it holds: an instant, a date or a partial one; empty when unknown.
        valid_to: until when it holds: partial dates inclusive; empty without an end.
        labels: tags and metadata.
        entities: what it speaks of.
        evidence: what it rests on.
        replaces: memories that it corrects: their ids, or a few words each that tell which one is meant.
    """

    content: str
    kind: MemoryKind = "semantic"
    title: str = ""
    summary: str = ""
    slot: str = ""
    value: str = ""
    valid_from: str = ""
    valid_to: str = ""
    labels: Labels = {}  # noqa: RUF012 - never written to
    entities: tuple[Mention, ...] = ()
    evidence: tuple[Citation, ...] = ()
    replaces: tuple[str, ...] = ()


class Create(NamedTuple):
    """Add a memory."""

    memory: Draft


class Supersede(NamedTuple):
    """Add a memory in place of others.

    Attributes:
        old_ids: the memories that it replaces; at least one.
        memory: what holds instead. Without a slot it takes the one that all of the old ones have.
    """

    old_ids: tuple[str, ...]
    memory: Draft


class Update(NamedTuple):
    """Change what a memory says; its former words are kept.

    Attributes:
        id: the memory.
        changes: new values for some of ``content``, ``kind``, ``title``, ``summary``, ``value``, ``valid_from`` and
            ``valid_to``.
        labels: new values of some tags and metadata; without a value a key goes, and what is not named stays.
        evidence: what it rests on besides.
        revision: the revision that the caller has seen; None for any.
    """

    id: str
    changes: dict[str, str]
    labels: Labels = {}  # noqa: RUF012 - never written to
    evidence: tuple[Citation, ...] = ()
    revision: int | None = None


class Link(NamedTuple):
    """Say how one memory stands to another."""

    from_id: str
    to_id: str
    type: LinkType


class Archive(NamedTuple):
    """Hide a memory."""

    id: str
    reason: str = ""
    revision: int | None = None


class Restore(NamedTuple):
    """Bring back a memory that was archived or rejected."""

    id: str
    revision: int | None = None


class Confirm(NamedTuple):
    """Vouch for a memory: nothing that is weaker changes it any more."""

    id: str
    revision: int | None = None


class Merge(NamedTuple):
    """Make one memory of several that mean the same.

    Attributes:
        ids: the memories; at least two. The first one stays, with the evidence of all.
    """

    ids: tuple[str, ...]


def relabelled(former: Labels, labels: Labels) -> Labels:
    """Return a memory's tags and metadata after an update's ``labels``."""
    return {key: values for key, values in {**former, **labels}.items() if values}


Operation: TypeAlias = Create | Supersede | Update | Link | Archive | Restore | Confirm | Merge


class Change(NamedTuple):
    """Another memory whose state a change moved, and why."""

    id: str
    before: str
    after: str
    why: str


class Outcome(NamedTuple):
    """What became of one operation.

    Attributes:
        outcome: ``accepted``; ``merged`` into a memory that says the same; ``superseded`` the one before it;
            ``backfilled`` behind a later one; ``disputed``, so that the owner decides; ``queued`` as a proposal;
            ``exists`` when there is nothing to add.
        id: the memory; of what is queued the proposal.
        changed: other memories whose state it moved.
        notices: what the caller should know.
        proposal: what waits for the owner; empty when nothing does.
        similar: memories that say nearly the same, where they were looked for.
    """

    outcome: OutcomeName
    id: str
    changed: tuple[Change, ...] = ()
    notices: tuple[str, ...] = ()
    proposal: str = ""
    similar: tuple[Alike, ...] = ()


class Forgotten(NamedTuple):
    """What an erasure removed.

    Attributes:
        removed: ids or paths that are gone, or would be with ``dry_run``.
        dry_run: whether nothing was touched.
        notices: what the caller should know.
        receipt: what went and how that was proved; with ``dry_run`` what rows have to do with it.
    """

    removed: tuple[str, ...]
    dry_run: bool = False
    notices: tuple[str, ...] = ()
    receipt: Receipt | None = None
