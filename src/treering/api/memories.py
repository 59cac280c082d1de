"""Memories: saving, changing and hiding them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.api import arguments
from treering.api.searching import Searching
from treering.api.stamping import now
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from treering.domain.operation import Draft, Operation, Outcome
    from treering.domain.query import Answer
    from treering.ports import Transaction

_LOOKED_AT: Final = 20
"""Memories among which a few words choose the one to replace."""
_WHOLE: Final = 100_000


class Memories(Searching):
    """What is done with memories."""

    def remember(  # noqa: PLR0913  each says something of its own about the statement
        self,
        text: str,
        *,
        kind: str = "semantic",
        title: str = "",
        summary: str = "",
        slot: str = "",
        value: str = "",
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
        valid_from: str = "",
        valid_to: str = "",
        replaces: str | Sequence[str] = (),
        source: str = "",
        quote: str = "",
    ) -> Outcome:
        """Save one memory; it can be found at once.

        The text is kept as a note, and the memory quotes it, unless a source with a quote is given. What is there
        already, but for case, white space and a final stop, is not saved twice: the outcome is then ``exists`` with
        the id of the old one, which gets the new tags.

        Args:
            text: the statement.
            kind: episodic, semantic, project, person, decision, procedure, preference or question.
            title: a few words.
            summary: the same in one sentence.
            slot: the topic that it answers, such as ``project-a/launch-date``; a later answer supersedes it.
            value: the short answer, by which the statements of a slot are compared.
            tags: words to filter by.
            entities: names of what it speaks of.
            metadata: keys with their values.
            valid_from: since when it holds: ``2026-03-10``, ``2026-03``, ``2026`` or an instant. Of a slot's statement,
                also where it takes the slot of what it replaces, the moment of saying, when nothing is given.
            valid_to: until when it holds.
            replaces: memories that it corrects: an id, or a few words that only one memory matches.
            source: id, key or path of a source that it rests on, with ``quote``.
            quote: the words of that source, verbatim.

        Raises:
            InputError: if the text is empty or no text, or a value is none; if ``replaces`` fits several memories.
            NotFound: if the source, or a memory that it replaces, is not there.
            QuoteNotFound: if the quote does not stand in the source.
            BadFilter: if tags or metadata are no strings.
            SecretFound: if it holds a secret.
            NothingSaid: if an agent says nothing: thanks, a greeting.
            Echo: if an agent gives back what it was shown.
            Paused: if an agent saves while capture is paused.
        """
        from treering.api.drafting import draft as drafted  # a cold search pays for none of the following
        from treering.curate.gate import admitted, require_worth
        from treering.domain.operation import Create

        draft = drafted(
            text, kind=kind, title=title, summary=summary, slot=slot, value=value, entities=entities,
            labels=arguments.labels(tags, metadata), valid_from=valid_from, valid_to=valid_to,
            source=source, quote=quote,
        )  # fmt: skip
        if self._store is None:
            admitted(Create(draft))  # refuses before a store is made
        if self._is_agent:
            require_worth(Create(draft), ())
        wanted = [replaces] if isinstance(replaces, str) else list(replaces)
        if olds := self._meant_anywhere([one for one in wanted if one]):
            draft = draft._replace(replaces=olds)
        holder = self._holder((*olds, source) if source else olds)
        outcome = holder._saved(draft, source)  # noqa: SLF001 - a store of the same class
        if holder is self:
            return outcome
        return outcome._replace(notices=(*outcome.notices, "in your own store, where what it rests on stands"))

    def _saved(self, draft: Draft, source: str) -> Outcome:
        """Save a draft in this store, and return what came of it."""
        from treering.api.drafting import in_zone
        from treering.curate.propose import save
        from treering.domain.operation import Create

        with self._curating(create=True) as (tx, curator):
            if draft.evidence:
                named = draft.evidence[0]._replace(source=self._source(tx, source))
                draft = draft._replace(evidence=(named,))
            if not draft.valid_from and _takes_a_slot(tx, draft):
                draft = draft._replace(valid_from=curator.at)
            if draft.valid_to:
                draft = in_zone(draft, curator.zone)
            return save(tx, curator, Create(draft), said=not draft.evidence)

    def mark_outdated(self, old: str, new: str = "", *, at: str = "") -> Outcome:
        """Say that a memory holds no longer; it stays readable.

        Args:
            old: the memory: its id, or a few words that only it fits.
            new: what holds instead, as a sentence, or the id of a memory that says it; empty when nothing does, and
                the memory then ends.
            at: since when: a date or an instant; empty for now.

        Raises:
            InputError: if several memories fit the words, it would replace itself, or the date is none.
            NotFound: if no memory does.
        """
        [id] = self._meant_anywhere([arguments.one_id("old", old)])
        arguments.one_id("new", new)
        _require_another(id, new)
        if not new:
            return self.update(id, valid_to=at or now())
        if not new.startswith("mem_"):
            return self.remember(new, valid_from=at, replaces=id)
        from treering.curate import targets

        with self._reading() as tx:
            known = targets.get(tx, new)
        since = at or known.valid_from
        return self.remember(
            known.content, kind=known.kind, slot=known.slot, value=known.value, valid_from=since, replaces=id
        )

    def _holder(self, ids: Sequence[str]) -> Self:  # noqa: ARG002 - for where there are two
        """Return the store that holds what some ids name: this one."""
        return self

    def _meant_anywhere(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the memories that are meant, in whichever store they stand: in this one."""
        return self._meant(wanted)

    def _meant(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the memories that ids, or a few words each, mean."""
        if not wanted:
            return ()
        from treering.api import replacing

        def search(words: str, gate: float | None) -> Answer:
            """Return memories with any of the words, and their whole text."""
            with self._alone():  # what is replaced stands in the store that is written
                return self.search(
                    words, in_="memories", limit=_LOOKED_AT, max_tokens=_WHOLE, empty_gate=gate, depth="L2"
                )

        return replacing.meant(search, wanted)

    def propose(self, operations: object) -> tuple[Outcome, ...]:
        """Carry out operations, all of them or none; see ``docs/howto/write-memories.md`` for their JSON.

        Args:
            operations: a list of operations as JSON has them, one of them, or JSON as text.

        Returns:
            What became of each, in order.

        Raises:
            BadOperations: if anything is wrong with them; the message says all of it.
            NotFound: if a memory or source is not there.
            QuoteNotFound: if a quote does not stand in its source; the message shows the nearest text.
            NotAllowed: if an agent asks for what only the owner does.
            StaleRevision: if a memory has changed since the caller saw it.
        """
        from treering.curate import propose
        from treering.curate.reading import depends_on_zone, read_operations

        read = read_operations(operations)  # refuses before a store is made
        with self._curating(create=True) as (tx, curator):
            if depends_on_zone(read):
                read = read_operations(operations, curator.zone)
            return propose.propose(tx, curator, [self._named(one) for one in read])

    def _named(self, operation: Operation) -> Operation:
        """Return an operation in which the memories that it replaces stand by their ids."""
        from treering.domain.operation import Create, Supersede

        if isinstance(operation, Create | Supersede) and operation.memory.replaces:
            draft = operation.memory._replace(replaces=self._meant(operation.memory.replaces))
            return operation._replace(memory=draft)
        return operation

    def update(  # noqa: PLR0913  each is one thing that may change
        self,
        id: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, str | Sequence[str]] | None = None,
        value: str | None = None,
        valid_from: str | None = None,
        valid_to: str | None = None,
        revision: int | None = None,
    ) -> Outcome:
        """Change what is given of a memory; what it said before is kept in its history.

        Args:
            id: the memory.
            text: a new statement.
            kind: a new kind.
            title: a new title.
            summary: a new summary.
            tags: all its tags from now on.
            metadata: all its metadata from now on.
            value: a new short answer.
            valid_from: since when it holds.
            valid_to: until when it holds.
            revision: the revision that the caller has seen; None for any.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if another memory says the same already.
            StaleRevision: if it has another revision by now.
            InputError: if nothing is given, the text is empty or no text, or there is no such kind.
        """
        from treering.api import drafting
        from treering.domain.operation import Update

        arguments.one_id("id", id)
        given = {
            "content": text, "kind": kind, "title": title, "summary": summary,
            "value": value, "valid_from": valid_from, "valid_to": valid_to,
        }  # fmt: skip
        changes = arguments.changes(id, given, others=tags is not None or metadata is not None)
        drafting.check_changes(changes)

        def operation(tx: Transaction) -> Operation:
            from treering.curate import targets

            memory = targets.get(tx, id)
            labels = arguments.relabelling(tx.memories.labels([memory.id])[memory.id], tags, metadata)
            return Update(memory.id, changes, labels, revision=revision)

        return self._one(operation)

    def confirm(self, id: str, *, revision: int | None = None) -> Outcome:
        """Vouch for a memory: from now on nothing weaker changes it.

        Args:
            id: the memory.
            revision: the revision that the caller has seen; None for any.

        Raises:
            NotFound: if there is no such memory.
            NotAllowed: if the caller is not the owner.
            StaleRevision: if it has another revision by now.
        """
        from treering.domain.operation import Confirm

        arguments.one_id("id", id)
        return self._one(lambda _: Confirm(id, revision))

    def archive(self, id: str, *, reason: str = "", revision: int | None = None) -> Outcome:
        """Hide a memory; ``restore_memory`` brings it back.

        Args:
            id: the memory.
            reason: why, for the record.
            revision: the revision that the caller has seen; None for any.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if it is archived already.
        """
        from treering.domain.memory import one_line
        from treering.domain.operation import Archive

        arguments.one_id("id", id)
        return self._one(lambda _: Archive(id, one_line("reason", reason), revision))

    def restore_memory(self, id: str) -> Outcome:
        """Bring back a memory that was archived or rejected.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if it is not archived, or another active memory says the same.
        """
        from treering.domain.operation import Restore

        arguments.one_id("id", id)
        return self._one(lambda _: Restore(id))

    def undo(self) -> Outcome:
        """Take the last change back: a saved memory, an update, a decision, a name, an import.

        An import goes with all that was imported in one step and what was taken out of it; a former version comes back.
        An erasure is for good, entities that were made one stay one, and what an index run read leaves with
        ``forget_directory``.

        Raises:
            NotFound: if nothing was changed.
            Refused: if the last change cannot be taken back, as an import on which memories rest.
        """
        from treering.api import undoing
        from treering.curate.undo import undo

        with self.lock:
            with self._curating() as (tx, curator):
                before = set(tx.sources.digests())
                outcome = undo(tx, curator, undoing.shelves(tx, self.settings))
                gone = before.difference(tx.sources.digests())
            undoing.remove_bytes(self._opened(create=False), gone)
        return outcome

    def _one(self, operation: Callable[[Transaction], Operation]) -> Outcome:
        """Carry out one operation on a store that is there."""
        from treering.curate import propose

        with self._curating() as (tx, curator):
            return propose.propose(tx, curator, [operation(tx)])[0]


def _takes_a_slot(tx: Transaction, draft: Draft) -> bool:
    """Tell whether a draft answers a slot, its own or that of what it replaces."""
    if draft.slot or not draft.replaces:
        return bool(draft.slot)
    from treering.curate.targets import common_slot, memories_of
    from treering.domain.operation import Create

    create = Create(draft)
    return bool(common_slot(create, memories_of(tx, create)))


def _require_another(old: str, new: str) -> None:
    """Refuse a memory that would replace itself."""
    if new == old:
        raise InputError(f"{old} does not replace itself", hint=f"treering show {old}")
