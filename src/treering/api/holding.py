"""Holding: which of two stores holds what an id names; what is done to it is done there.

What makes one thing of several, as a link, a merge, a briefing or an erasure with its receipt, takes those of one
store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.api import arguments
from treering.api.asking import Asking
from treering.api.browsing import NOT_SHOWN
from treering.api.changing import Changing
from treering.api.counting import Counting
from treering.api.doctoring import Doctoring
from treering.api.duplicating import Duplicating
from treering.api.erasing import Erasing
from treering.api.importing import Importing
from treering.api.knowing import Knowing
from treering.api.pausing import Pausing
from treering.api.pinning import Pinning
from treering.api.reviewing import Reviewing
from treering.api.upkeep import Upkeep
from treering.api.workbench import Workbench
from treering.domain.ids import listing
from treering.errors import InputError, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from treering.domain.likeness import Alike
    from treering.domain.operation import Forgotten, Outcome
    from treering.domain.report import ForgetReport, Remembered, Shown, Waiting
    from treering.journal import StoredAct

IN_OWN: Final = "in your own store"
"""Stands below what is erased there from within a project."""

_ID: Final = r'"((?:mem|src|ver|prp|clm)_[0-9a-z]{20,}(?:#\d+)?)"'


class Holding(
    Erasing,
    Workbench,
    Reviewing,
    Pinning,
    Knowing,
    Asking,
    Changing,
    Upkeep,
    Importing,
    Doctoring,
    Duplicating,
    Pausing,
    Counting,
):
    """Things of one or two stores, by their ids."""

    def show(
        self, id: str, *, start_line: int = 1, limit_lines: int | None = None, depth: str = ""
    ) -> Shown | Remembered | Waiting:
        """Return a memory with its quotes and history, or a source or chunk with its exact text and outline.

        A proposal is shown with both sides.

        Args:
            id: ``mem_…``, ``src_…``, ``ver_…#3`` for a chunk, ``prp_…``, a source's key, or a file's path.
            start_line: where to begin in a source, from 1.
            limit_lines: how many lines at the most; None for all.
            depth: ``L1`` for title and summary, ``L2`` and ``L3`` for the whole text; empty for the setting's.

        Raises:
            NotFound: if the memory has nothing of that name.
            InputError: if a source ends before ``start_line``.
        """
        asked: dict[str, Any] = {"start_line": start_line, "limit_lines": limit_lines, "depth": depth}
        holder = self if arguments.one_id("id", id)[:4] in NOT_SHOWN else self._holder([id])
        shown = super().show(id, **asked) if holder is self else holder.show(id, **asked)
        return shown if self._other() is None else shown._replace(scope=holder.place.scope)

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
        """Change what is given of a memory; see ``Memories.update``."""
        given: dict[str, Any] = {
            "text": text, "kind": kind, "title": title, "summary": summary, "tags": tags, "metadata": metadata,
            "value": value, "valid_from": valid_from, "valid_to": valid_to, "revision": revision,
        }  # fmt: skip
        holder = self._holder([id])
        return super().update(id, **given) if holder is self else holder.update(id, **given)

    def mark_outdated(self, old: str, new: str = "", *, at: str = "") -> Outcome:
        """Say that what a memory says holds no more; see ``Memories.mark_outdated``."""
        arguments.one_id("old", old)
        arguments.one_id("new", new)
        holder = self._holder([one for one in (old, new) if one.startswith("mem_")])
        return super().mark_outdated(old, new, at=at) if holder is self else holder.mark_outdated(old, new, at=at)

    def propose(self, operations: object) -> tuple[Outcome, ...]:
        """Carry out operations, all or none, in the store that holds what they name; see ``Memories.propose``."""
        holder = self if self.beside is None else self._holder(_named(operations))
        return super().propose(operations) if holder is self else holder.propose(operations)

    def confirm(self, id: str, *, revision: int | None = None) -> Outcome:
        """Vouch for a memory; see ``Memories.confirm``."""
        holder = self._holder([id])
        return super().confirm(id, revision=revision) if holder is self else holder.confirm(id, revision=revision)

    def archive(self, id: str, *, reason: str = "", revision: int | None = None) -> Outcome:
        """Hide a memory; see ``Memories.archive``."""
        holder = self._holder([id])
        if holder is self:
            return super().archive(id, reason=reason, revision=revision)
        return holder.archive(id, reason=reason, revision=revision)

    def restore_memory(self, id: str) -> Outcome:
        """Bring back a memory that was archived or rejected; see ``Memories.restore_memory``."""
        holder = self._holder([id])
        return super().restore_memory(id) if holder is self else holder.restore_memory(id)

    def forget(
        self,
        ids: Sequence[str] | str,
        *,
        cascade: bool = False,
        keep_memories: bool = False,
        this_version: bool = False,
        dry_run: bool = False,
        reason: str = "",
    ) -> Forgotten:
        """Erase memories or kept sources, all in one store; see ``Erasing.forget``."""
        given: dict[str, Any] = {
            "cascade": cascade, "keep_memories": keep_memories, "this_version": this_version, "dry_run": dry_run,
            "reason": reason,
        }  # fmt: skip
        holder = self._holder([str(one) for one in arguments.several(ids)])
        if holder is self:
            return super().forget(ids, **given)
        forgotten = holder.forget(ids, **given)
        return forgotten._replace(notices=(*forgotten.notices, IN_OWN))

    def pin(self, ids: Sequence[str] | str, *, ttl: str) -> Outcome:
        """Pin a memory for a while, in the store that holds it; see ``Pinning.pin``."""
        holder = self._holder([str(one) for one in arguments.several(ids)])
        return super().pin(ids, ttl=ttl) if holder is self else holder.pin(ids, ttl=ttl)

    def unpin(self, id: str) -> Outcome:
        """End a briefing; see ``Pinning.unpin``."""
        other = self._other()
        pinned = other.briefings() if other is not None else ()
        if other is not None and any(id == one.id or id in one.memories for one in pinned):
            return other.unpin(id)
        return super().unpin(id)

    def review_show(self, id: str) -> Waiting:
        """Return one proposal with both sides; see ``Reviewing.review_show``."""
        holder = self._holder([id])
        return super().review_show(id) if holder is self else holder.review_show(id)

    def approve(self, id: str) -> Outcome:
        """Let what waits take effect, confirmed; see ``Reviewing.approve``."""
        holder = self._holder([id])
        return super().approve(id) if holder is self else holder.approve(id)

    def reject(self, id: str, *, reason: str = "") -> Outcome:
        """Turn down what waits; see ``Reviewing.reject``."""
        holder = self._holder([id])
        return super().reject(id, reason=reason) if holder is self else holder.reject(id, reason=reason)

    def entity_alias(self, entity: str, alias: str) -> Outcome:
        """Give an entity one more name, in the store that knows it; see ``Knowing.entity_alias``."""
        holder = self._knower([entity])
        return super().entity_alias(entity, alias) if holder is self else holder.entity_alias(entity, alias)

    def entity_merge(self, kept: str, other: str) -> Outcome:
        """Make one entity of two, in the store that knows both; see ``Knowing.entity_merge``."""
        holder = self._knower([kept, other])
        return super().entity_merge(kept, other) if holder is self else holder.entity_merge(kept, other)

    def similar(self, id: str) -> tuple[Alike, ...]:
        """Return the memories of its store that say nearly what one says; see ``Duplicating.similar``."""
        holder = self._holder([id])
        return super().similar(id) if holder is self else holder.similar(id)

    def forget_directory(
        self,
        path: str | Path,
        *,
        cascade: bool = False,
        keep_memories: bool = False,
        dry_run: bool = False,
        reason: str = "",
    ) -> ForgetReport:
        """Drop a directory from the index of the store that has it; see ``Erasing.forget_directory``."""
        given: dict[str, Any] = {
            "cascade": cascade, "keep_memories": keep_memories, "dry_run": dry_run, "reason": reason,
        }  # fmt: skip
        other = self._other()
        try:
            return super().forget_directory(path, **given)
        except NotFound:
            if other is None:
                raise
            try:
                report = other.forget_directory(path, **given)
                return report._replace(notices=(*report.notices, IN_OWN))
            except NotFound:
                pass
            raise

    def undo(self) -> Outcome:
        """Take the last change back; see ``Memories.undo``.

        Raises:
            Refused: if the last change was made in the user's own store.
        """
        other = self._other()
        mine = self._last_act()
        theirs = None if other is None else other._last_act()  # noqa: SLF001 - of the same class
        if theirs is not None and (mine is None or theirs.at > mine.at):
            here = "; treering --scope project undo the last one here" if mine else ""
            raise Refused(
                f"the last change was made in your own store: {theirs.name} {theirs.target} at {theirs.at}",
                hint=f"treering --scope global undo takes it back{here}",
            )
        return super().undo()

    def _last_act(self) -> StoredAct | None:
        """Return the act of this store that ``undo`` would take back; None without one."""
        from treering.curate.undo import last

        try:
            with self._reading() as tx:
                return last(tx)
        except NotFound:
            return None

    def _meant_anywhere(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the memories that ids, or a few words each, mean; the project's before the others."""
        try:
            return self._meant(wanted)
        except NotFound:
            other = self._other()
            if other is None:
                raise
            return other._meant(wanted)  # noqa: SLF001 - of the same class

    def _knower(self, names: Sequence[str]) -> Self:
        """Return the store that knows entities by ids or names; this one where nobody does, or there is no other."""
        return self._of_one_store(names, Holding._knows, lambda name: f"entity {name}", "treering list entities")

    def _holder(self, ids: Sequence[str]) -> Self:
        """Return the store that holds what some ids name; this one where there is no other.

        Raises:
            NotFound: if neither store has one of them.
            InputError: if they stand in both stores.
        """
        return self._of_one_store(ids, Holding._holds, str)

    def _of_one_store(
        self, names: Sequence[str], holds: Callable[[Self, str], bool], called: Callable[[str], str], lists: str = ""
    ) -> Self:
        """Return the store in which all that is named stands; this one where there is no other.

        Args:
            names: ids, keys, paths or names.
            holds: tells whether a store has, or had, what one of them names.
            called: returns what one of them is called in an error.
            lists: the command that lists such things; empty for the one of the id's kind.

        Raises:
            NotFound: if neither store has one of them.
            InputError: if they stand in both stores.
        """
        names = [arguments.one_id("id", name) for name in names]
        other = self._other()
        if other is None or not names:
            return self
        mine = [name for name in names if holds(self, name)]
        if len(mine) == len(names):
            return self
        theirs = [name for name in names if name not in mine and holds(other, name)]
        if theirs and mine:
            raise InputError(
                f"{called(mine[0])} stands in the project's store and {called(theirs[0])} in your own:"
                " one store at a time",
                hint="name those of one store in one call",
            )
        unknown = [name for name in names if name not in mine and name not in theirs]
        if unknown:
            raise NotFound(
                f"there is no {called(unknown[0])}, neither in the project's store ({self.place.database})"
                f" nor in your own ({other.place.database})",
                hint=lists or listing(unknown[0]),
            )
        return other

    def _holds(self, name: str) -> bool:
        """Tell whether this store has, or had, what an id, a key or a path names."""
        from treering.recall import browse

        try:
            with self._reading() as tx:
                if name.startswith("mem_"):
                    there = tx.memories.memories([name]) or tx.claims.claims([name]) or tx.memories.forgotten_at(name)
                    return bool(there) or bool(tx.claims.of_memories([name]).get(name))
                if name.startswith("prp_"):
                    return bool(tx.journal.proposals([name]))
                browse.find_source(tx, name, self._keys(name))
        except NotFound:
            return False
        return True

    def _knows(self, name: str) -> bool:
        """Tell whether somebody or something goes by an id or a name in this store."""
        from treering.domain.entity import name_key

        try:
            with self._reading() as tx:
                key = name_key(name)
                return bool(tx.entities.entities([name]) or tx.entities.by_keys([key]).get(key))
        except NotFound:
            return False


def _named(operations: object) -> tuple[str, ...]:
    """Return the ids that operations name."""
    import json  # a cold search pays for none of it
    import re

    text = operations if isinstance(operations, str) else json.dumps(operations, default=str)
    return tuple(dict.fromkeys(re.findall(_ID, text)))
