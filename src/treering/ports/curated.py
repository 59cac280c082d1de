"""Memories, entities, proposals, the audit log, what raises memories: what is curated, but for ``ports.claims``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from treering.domain.query import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.query import Filter
    from treering.domain.stats import Handed
    from treering.journal import (
        ProposalState,
        StoredAct,
        StoredBriefing,
        StoredEntity,
        StoredLink,
        StoredProposal,
    )
    from treering.records import Attended, Quote, StoredMemory


class Memories(Protocol):
    """Memories as they stand, with their labels. All but the labels follows from claims and decisions."""

    def put(self, memory: StoredMemory) -> None:
        """Store a memory, new or changed. The entry is a number from ``next_entry``."""
        ...

    def next_entry(self) -> int:
        """Return a number for a keyword row, never given out before."""
        ...

    def put_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Replace a memory's tags (key ``tags``) and metadata."""
        ...

    def add_labels(self, memory: str, labels: Mapping[str, Sequence[str]]) -> None:
        """Store the tags and metadata of a memory that has none; quicker than ``put_labels``."""
        ...

    def labels(self, memories: Sequence[str]) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return tags and metadata of each given memory; empty for one without any."""
        ...

    def quotes(self, memories: Sequence[str]) -> dict[str, list[Quote]]:
        """Return what each given memory rests on now: the evidence of all its claims."""
        ...

    def memories(self, ids: Sequence[str]) -> dict[str, StoredMemory]:
        """Return the known ones among ``ids``."""
        ...

    def by_entries(self, entries: Sequence[int]) -> dict[int, StoredMemory]:
        """Return the memories that the keyword rows stand for."""
        ...

    def by_sources(
        self, sources: Sequence[str], known: Mapping[str, StoredMemory] | None = None
    ) -> dict[str, StoredMemory]:
        """Return the memories whose own notes the sources are, by source; ``known`` ones by id as given."""
        ...

    def by_fingerprint(self, fingerprint: int) -> list[StoredMemory]:
        """Return the memories with this content that are not archived, the oldest first."""
        ...

    def list_memories(
        self, statuses: Sequence[str], limit: int, after: str, filter: Filter = EVERYTHING
    ) -> list[StoredMemory]:
        """Return memories of some statuses (none: all) that pass a filter, newest first, from behind id ``after``."""
        ...

    def tally(self) -> list[tuple[str, str, str, int]]:
        """Return how many memories there are of each kind, status and verification that occurs."""
        ...

    def categories(self) -> list[tuple[str, int]]:
        """Return the values of the metadata ``category`` with the active memories that have it, by value."""
        ...

    def count(self, statuses: Sequence[str] = (), filter: Filter = EVERYTHING) -> int:
        """Return how many memories have one of some statuses (none for all) and pass a filter."""
        ...

    def remove(self, memory: str) -> None:
        """Remove a memory's row with its labels and vectors; its claims are left."""
        ...

    def bury(self, id: str, at: str, reason: str = "") -> None:
        """Leave a tombstone without content in place of something that was erased."""
        ...

    def kept_out(self) -> frozenset[str]:
        """Return the names of files that the owner forgot and that stay out of the index: ``out_`` and a digest."""
        ...

    def readmit(self, names: Iterable[str]) -> None:
        """Let such files come back."""
        ...

    def forgotten_at(self, id: str) -> str | None:
        """Return when something of this id was forgotten; None when it was not."""
        ...


class Entities(Protocol):
    """People, projects and things that memories speak of, and links between memories."""

    def put(self, entity: StoredEntity, keys: Mapping[str, str], at: str) -> None:
        """Store an entity with its names.

        Args:
            entity: new or changed.
            keys: each of its names by the form in which names are compared.
            at: now, ISO 8601.
        """
        ...

    def remove_names(self, entity: str, keys: Sequence[str]) -> None:
        """Take names, as they are compared, from an entity."""
        ...

    def entities(self, ids: Sequence[str]) -> dict[str, StoredEntity]:
        """Return the known ones among ``ids``."""
        ...

    def by_keys(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the ids that go by each of the names; a name that nobody has is left out."""
        ...

    def names(self) -> list[tuple[str, str]]:
        """Return every name as it is compared, with the entity's id."""
        ...

    def list_entities(self, limit: int, after: str = "") -> list[StoredEntity]:
        """Return entities by id, from behind ``after``."""
        ...

    def count(self) -> int:
        """Return the number of entities."""
        ...

    def mention(self, claim: str, entities: Iterable[str]) -> None:
        """Say that a claim speaks of entities."""
        ...

    def mentions(self, memories: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the entities that each memory's claims speak of; one without any is left out."""
        ...

    def remove_unmentioned(self, entities: Sequence[str]) -> None:
        """Remove those of some entities of which no claim speaks, with their names."""
        ...

    def memories_of(self, entity: str) -> list[str]:
        """Return the memories that speak of an entity, newest first."""
        ...

    def merge(self, entity: str, into: str) -> None:
        """Give an entity's names and mentions to another one and remove it."""
        ...

    def put_link(self, link: StoredLink) -> bool:
        """Add a link; tell whether it is new."""
        ...

    def unlink(self, from_id: str, to_id: str, kind: str) -> None:
        """Remove a link."""
        ...

    def links(self, claims: Sequence[str]) -> list[StoredLink]:
        """Return the links from or to any of the claims."""
        ...


class Journal(Protocol):
    """What waits for the owner, and the audit log."""

    def put_proposal(self, proposal: StoredProposal) -> None:
        """Store a proposal, new or changed."""
        ...

    def proposals(self, ids: Sequence[str]) -> dict[str, StoredProposal]:
        """Return the known ones among ``ids``."""
        ...

    def list_proposals(self, state: ProposalState | None, limit: int, after: str = "") -> list[StoredProposal]:
        """Return proposals of a state (None for all) by id, from behind ``after``."""
        ...

    def waiting(self, operation: str) -> str:
        """Return the proposal that waits with exactly this operation; empty when there is none."""
        ...

    def count_proposals(self, state: ProposalState | None) -> int:
        """Return how many proposals have a state (None for any)."""
        ...

    def about(self, claims: Sequence[str]) -> dict[str, StoredProposal]:
        """Return the newest proposal about each of the claims that has one."""
        ...

    def naming(self, id: str, words: Iterable[str] = ()) -> list[StoredProposal]:
        """Return the proposals about a claim, or whose operation names its id or has one of the texts as a field."""
        ...

    def remove_proposal(self, id: str) -> None:
        """Remove a proposal without a trace."""
        ...

    def record(self, act: StoredAct) -> int:
        """Add a line to the audit log and return its number; the one given is not looked at."""
        ...

    def acts(self, limit: int, before: int = 0, target: str = "") -> list[StoredAct]:
        """Return lines of the audit log, newest first.

        Args:
            limit: how many at the most.
            before: only lines with a lower number; 0 for all.
            target: only lines about this id; empty for all.
        """
        ...

    def hand_out(self, given: Handed) -> None:
        """Add answers and their tokens to those that a client was given on a day."""
        ...

    def handed_out(self) -> list[Handed]:
        """Return what clients were given, the last day first, then by client."""
        ...

    def count_acts(self, target: str = "") -> int:
        """Return how many lines the audit log has, all or those about an id."""
        ...

    def mark_undone(self, number: int) -> None:
        """Note that an act was taken back."""
        ...


class Attention(Protocol):
    """What raises memories in answers: briefings, and how often each was recalled."""

    def pin(self, briefing: StoredBriefing) -> None:
        """Store a briefing, new or in place of the one with its id."""
        ...

    def unpin(self, id: str) -> None:
        """Remove a briefing; nothing happens when there is none."""
        ...

    def remove_ended(self, at: str) -> None:
        """Remove the briefings that had ended at an instant, ISO 8601."""
        ...

    def briefings(self, at: str) -> list[StoredBriefing]:
        """Return those that have not ended at an instant, the oldest first, without memories that are archived."""
        ...

    def of(self, memories: Sequence[str], at: str) -> dict[str, Attended]:
        """Return what raises each of some memories at an instant; one that nothing raises is left out."""
        ...

    def recall(self, times: Mapping[str, int], at: str) -> None:
        """Add how often memories were recalled, until an instant; those that are gone by now are passed over."""
        ...
