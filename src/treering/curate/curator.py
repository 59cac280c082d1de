"""Curator: who changes memories, when, and by which settings. Every step of a change is given it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from treering.domain.dates import instant, micros
from treering.errors import NotAllowed
from treering.journal import StoredAct, StoredDecision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from treering.domain.claim import DecisionKind
    from treering.domain.ids import Kind
    from treering.domain.operation import Labels
    from treering.domain.policy import Caller, Mode
    from treering.ports import Transaction
    from treering.records import StoredMemory

Inverse = list[str | int]
"""A step that takes something back: its name, then ids, numbers and dates, never what a memory says."""


class Curator(NamedTuple):
    """Who changes memories, when, and by which settings.

    Attributes:
        caller: on whose behalf.
        at: now, ISO 8601 in UTC.
        zone: where dates without an offset are meant.
        make_id: returns a new identifier of the named kind.
        touch: called with a memory's id before its row is changed, made or removed, so that what is derived follows.
        inferred: what happens to an agent's claim without evidence.
        handed: texts that the caller was shown lately, so that it does not save them as its own.
        quiet: whether nothing goes into the audit log, because whoever asked writes the line.
        unsaid: where a quiet curator leaves how its changes are taken back; None for nowhere.
        added: called in place of ``touch`` with the row of a memory that is new, and its labels; None when ``touch``
            will do.
    """

    caller: Caller
    at: str
    zone: tzinfo
    make_id: Callable[[Kind], str]
    touch: Callable[[str], None]
    inferred: Mode = "review"
    handed: Sequence[str] = ()
    quiet: bool = False
    unsaid: list[Inverse] | None = None
    added: Callable[[StoredMemory, Labels], None] | None = None

    @property
    def now(self) -> int:
        """The time in microseconds since 1970."""
        return micros(instant(self.at, self.zone))

    def add(self, memory: StoredMemory, labels: Labels) -> None:
        """Say that the row of a new memory is about to be made, and its labels with it."""
        if self.added is None:
            self.touch(memory.id)
        else:
            self.added(memory, labels)

    def require_owner(self, refused: str, command: str) -> None:
        """Refuse what the owner alone does.

        Args:
            refused: what, in words.
            command: the command that the owner would give.

        Raises:
            NotAllowed: if the caller is not the owner.
        """
        if self.caller.role != "owner":
            raise NotAllowed(f"only the owner {refused}", hint=f"{command}, at the command line")

    def decide(self, tx: Transaction, claim: str, kind: DecisionKind, *, until: str = "", reason: str = "") -> Inverse:
        """Record a decision on a claim and return how it is taken back."""
        number = tx.claims.decide(StoredDecision(0, claim, kind, self.at, until, self.caller.role, reason))
        return ["withdraw", number]

    def record(self, tx: Transaction, name: str, target: str, outcome: str, inverse: Sequence[Inverse] = ()) -> None:
        """Write a line of the audit log."""
        if self.quiet:
            if self.unsaid is not None:
                self.unsaid.extend(inverse)
            return
        steps = json.dumps(inverse) if inverse else ""
        tx.journal.record(StoredAct(0, self.at, self.caller.role, self.caller.name, name, target, outcome, steps))
