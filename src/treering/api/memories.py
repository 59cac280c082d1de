"""Memories: saving, changing and erasing them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.handle import Handle, make_id, now

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treering.domain.operation import Forgotten, Outcome
    from treering.ports import Transaction


class Memories(Handle):
    """What is done with memories."""

    def remember(
        self,
        text: str,
        *,
        kind: str = "semantic",
        title: str = "",
        summary: str = "",
        tags: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Outcome:
        """Save one memory; it can be found at once.

        The text is kept as a note, and the memory quotes it. What is there already, but for case, white space and
        a final stop, is not saved twice: the outcome is then ``exists`` with the id of the old one, which gets the
        new tags.

        Args:
            text: the statement.
            kind: episodic, semantic, project, person, decision, procedure, preference or question.
            title: a few words.
            summary: the same in one sentence.
            tags: words to filter by.
            metadata: keys with their values.

        Raises:
            InputError: if the text is empty or no text, or there is no such kind.
            BadFilter: if tags or metadata are no strings.
        """
        from treering.curate import remember  # a cold search pays for none of the following
        from treering.derived import rows
        from treering.domain.memory import memory_kind, tidy
        from treering.domain.operation import Outcome

        saying = remember.Saying(text, memory_kind(kind), title, summary, arguments.labels(tags, metadata))
        names = remember.Names(make_id("mem"), make_id("src"), make_id("ver"), now())
        tidy(text)  # refuses before a store is made
        with self.lock, self._opened(create=True).write() as tx:
            self._bring_up_to_date(tx)
            known = remember.twin(tx, text)
            with rows.memory_rows(tx, known.id if known else names.memory):
                if known is None:
                    remember.create(tx, saying, names)
                else:
                    remember.add_labels(tx, known.id, saying.labels)
        if known is None:
            return Outcome("accepted", names.memory)
        return Outcome("exists", known.id, notices=remember.left_out(known, saying))

    def update(
        self,
        id: str,
        *,
        text: str | None = None,
        kind: str | None = None,
        title: str | None = None,
        summary: str | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, str | Sequence[str]] | None = None,
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

        Raises:
            NotFound: if there is no such memory.
            Conflict: if another memory says the same already.
            InputError: if nothing is given, the text is empty or no text, or there is no such kind.
        """
        from treering.curate import remember

        given = {"text": text, "kind": kind, "title": title, "summary": summary}
        changes = arguments.changes(id, given, others=tags is not None or metadata is not None)
        with self._changing(id) as tx:
            former = tx.memories.labels([id])[id]
            kept = {key: values for key, values in former.items() if key != "tags"} if metadata is None else metadata
            labels = arguments.labels(former.get("tags", ()) if tags is None else tags, kept)
            remember.update(tx, id, changes, labels, remember.Names(id, make_id("src"), make_id("ver"), now()))
        return _done(id)

    def archive(self, id: str) -> Outcome:
        """Hide a memory; ``restore_memory`` brings it back.

        Raises:
            NotFound: if there is no such memory.
        """
        from treering.curate import remember

        with self._changing(id) as tx:
            remember.set_status(tx, id, active=False, at=now())
        return _done(id)

    def restore_memory(self, id: str) -> Outcome:
        """Bring back a memory that was archived.

        Raises:
            NotFound: if there is no such memory.
            Conflict: if another active memory says the same.
        """
        from treering.curate import remember

        with self._changing(id) as tx:
            remember.set_status(tx, id, active=True, at=now())
        return _done(id)

    def forget(self, ids: Sequence[str] | str, *, dry_run: bool = False) -> Forgotten:
        """Erase memories with the notes that were kept for them; a tombstone without content remains.

        Args:
            ids: a memory, or several; all of them go, or none.
            dry_run: whether only to say what would go.

        Raises:
            NotFound: if one is not there.
        """
        from treering.curate import remember
        from treering.domain.operation import Forgotten

        wanted = tuple(dict.fromkeys(map(str, arguments.several(ids))))
        if dry_run:
            with self._reading() as tx:
                return Forgotten(tuple(remember.get(tx, id).id for id in wanted), dry_run=True)
        with self._changing(*wanted, erase=True) as tx:
            for id in wanted:
                remember.forget(tx, id, now())
        return Forgotten(wanted, notices=self._purged())

    def _purged(self) -> tuple[str, ...]:
        """Empty the store's log after something was erased; return what the user should know when that must wait."""
        with self.lock:
            if self._opened(create=False).purge():
                return ()
        return ("another process still reads an earlier state: the erased words leave the store's log when it ends",)

    @contextmanager
    def _changing(self, *ids: str, erase: bool = False) -> Iterator[Transaction]:
        """Open a transaction that changes memories which are there; with ``erase`` no word of them stays behind."""
        from treering.curate import remember
        from treering.derived import rows

        with self.lock, self._opened(create=False).write() as tx:
            self._bring_up_to_date(tx)
            for id in ids:
                remember.get(tx, id)
            with rows.memory_rows(tx, *ids):
                yield tx
            if erase:
                tx.keywords.erase()


def _done(id: str) -> Outcome:
    """Return that a change took effect."""
    from treering.domain.operation import Outcome

    return Outcome("accepted", id)
