"""Knowing: what is true when, and of whom: slots, facts, entities, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering import zones
from treering.api import arguments
from treering.api.memories import Memories
from treering.api.stamping import now

if TYPE_CHECKING:
    from treering.domain.operation import Outcome
    from treering.domain.report import SlotHistory
    from treering.journal import StoredEntity


class Knowing(Memories):
    """What is known of topics and of the world."""

    def timeline(self, slot: str, *, at: str = "", known_at: str = "") -> SlotHistory:
        """Return what a slot says at an instant, and its whole history.

        Args:
            slot: its key, such as ``project-a/launch-date``.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.

        Raises:
            NotFound: if nothing was ever said of it.
            InputError: if a date is none.
        """
        from treering.domain.slot import slot_key
        from treering.recall.slots import slot_history

        with self._reading() as tx:
            zone = zones.of_store(tx, self.settings.time_zone)
            return slot_history(tx, slot_key(slot), at or now(), zone, known_at)

    def timelines(self, subject: str = "", *, at: str = "", known_at: str = "") -> tuple[SlotHistory, ...]:
        """Return the histories of all slots, or of those of one subject such as ``project-a``.

        Args:
            subject: the first part of the slots; empty for all.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.
        """
        from treering.domain.slot import slot_key
        from treering.recall.slots import all_slots, slot_history

        with self._reading() as tx:
            zone = zones.of_store(tx, self.settings.time_zone)
            under = slot_key(subject) if subject else ""
            when = at or now()
            return tuple(slot_history(tx, slot, when, zone, known_at) for slot in all_slots(tx, under))

    def timelines_about(self, name: str, *, at: str = "", known_at: str = "") -> tuple[SlotHistory, ...]:
        """Return the history of a slot, of all slots of a subject, or of those that speak of an entity.

        Args:
            name: the slot; else the subject, such as ``project-a``; else an entity's id, or a name that it alone has.
            at: a date or an instant; empty for now.
            known_at: only what was recorded and decided by then; empty for all.

        Raises:
            NotFound: if there is none of them.
            InputError: if a date is none.
        """
        from treering.recall.slots import slot_history, slots_about

        with self._reading() as tx:
            zone = zones.of_store(tx, self.settings.time_zone)
            when = at or now()
            return tuple(slot_history(tx, slot, when, zone, known_at) for slot in slots_about(tx, name))

    def facts(self, subject: str = "") -> tuple[SlotHistory, ...]:
        """Return what is in force now, of all slots or those of one subject."""
        return tuple(one for one in self.timelines(subject) if one.current)

    def conflicts(self, subject: str = "") -> tuple[SlotHistory, ...]:
        """Return the slots in which claims contradict one another, all or those of one subject, with both quotes."""
        from treering.recall.quotes import quotes_of

        contested = [
            one for one in self.timelines(subject) if one.disputed or (one.current and one.current.contested_since)
        ]
        if not contested:
            return ()
        with self._reading() as tx:
            sides = {slot.slot: dict.fromkeys(_sides(slot)) for slot in contested}
            quotes = quotes_of(tx, list({memory for each in sides.values() for memory in each}))
        return tuple(
            slot._replace(quotes=tuple((memory, quotes[memory]) for memory in sides[slot.slot])) for slot in contested
        )

    def record_fact(self, subject: str, attribute: str, value: str, at: str = "") -> Outcome:
        """Save that an attribute of a subject has a value.

        Args:
            subject: of whom, such as ``user``.
            attribute: what, such as ``location``.
            value: the short answer.
            at: since when: a date or an instant; empty for now.
        """
        return self.remember(
            f"{subject} {attribute}: {value}", slot=f"{subject}/{attribute}", value=value, valid_from=at
        )

    def state_at(self, slot: str, when: str) -> str | None:
        """Return the value of a slot at a date or an instant, else its statement; None when nothing is in force."""
        return _answer(self.timeline(slot, at=when))

    def active_state(self, slot: str) -> str | None:
        """Return the value of a slot now, else its statement; None when nothing is in force."""
        return _answer(self.timeline(slot))

    def entities(self, *, limit: int = 50, after: str = "") -> tuple[StoredEntity, ...]:
        """Return the entities that memories speak of, with all their names, the oldest first.

        Args:
            limit: how many at the most, 1..1000.
            after: the id of the last one that was seen.
        """
        limit = arguments.within("limit", limit, 1, 1000)
        with self._reading() as tx:
            return tuple(tx.entities.list_entities(limit, after))

    def entity_alias(self, entity: str, alias: str) -> Outcome:
        """Give an entity one more name.

        Args:
            entity: its id, or a name that it alone has.
            alias: the name.

        Raises:
            NotFound: if there is no such entity.
            Conflict: if another one has that name.
            InputError: if the name is none.
        """
        from treering.curate import naming

        with self._curating() as (tx, curator):
            return naming.add_alias(tx, curator, entity, alias)

    def entity_merge(self, kept: str, other: str) -> Outcome:
        """Make one entity of two; the first one stays, under the names of both.

        Args:
            kept: its id, or a name that it alone has.
            other: the same of the other one.

        Raises:
            NotFound: if one is not there.
            NotAllowed: if the caller is not the owner.
            InputError: if they are one already.
        """
        from treering.curate import naming

        with self._curating() as (tx, curator):
            return naming.merge(tx, curator, kept, other)

    def link(self, from_id: str, to_id: str, *, type: str = "related") -> Outcome:  # noqa: A002  as on the command line
        """Say how one memory stands to another.

        Args:
            from_id: the one.
            to_id: the other.
            type: contradicts, supports, causes, part_of, follows or related.

        Raises:
            NotFound: if one is not there.
            InputError: if there is no such type.
        """
        arguments.one_id("from_id", from_id)
        arguments.one_id("to_id", to_id)
        return self.propose([{"op": "link", "from_id": from_id, "to_id": to_id, "type": type}])[0]


def _sides(slot: SlotHistory) -> list[str]:
    """Return the memories that contradict one another: what is in force, and what is disputed."""
    current = [slot.current.memory] if slot.current and slot.current.memory else []
    return current + [memory for memory, *_ in slot.disputed]


def _answer(found: SlotHistory) -> str | None:
    """Return what a slot says."""
    return (found.current.value or found.current.content) if found.current else None
