"""Pinning: what matters now, for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.handle import Handle
from treering.api.stamping import now
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.briefing import Briefing
    from treering.domain.operation import Outcome


class Pinning(Handle):
    """What is pinned."""

    def pin(self, ids: Sequence[str] | str, *, ttl: str) -> Outcome:
        """Pin a memory for a while: it stands higher in every answer, and at the start of every session.

        It ends by itself. Several memories become one briefing, which is told as a sentence of each with its id. What
        is pinned already is pinned from now on for the time that is given.

        Args:
            ids: the memory, or several.
            ttl: for how long: ``90m``, ``12h``, ``3d``, ``2w``; five years at the most.

        Raises:
            NotFound: if a memory is not there.
            InputError: if the time is none.
            Refused: if a memory is archived.
            BriefingsFull: if as many briefings are active as ``briefings.max_active``; they are named.
            NotAllowed: if an agent would change what the owner pinned.
        """
        from treering.curate import briefings
        from treering.domain.briefing import ttl as lasting

        wanted, lasts = _some(ids), lasting(ttl)
        with self._curating() as (tx, curator):
            return briefings.pin(tx, curator, wanted, lasts, self.settings.briefings_max_active)

    def unpin(self, id: str) -> Outcome:
        """End a briefing; its memories stay as they are.

        Args:
            id: of the memory, or of the briefing of several.

        Raises:
            NotFound: if nothing of this id is pinned.
            NotAllowed: if an agent would end what the owner pinned.
        """
        from treering.curate import briefings

        with self._curating() as (tx, curator):
            return briefings.unpin(tx, curator, arguments.one_id("id", id))

    def briefings(self) -> tuple[Briefing, ...]:
        """Return what is pinned now, the oldest first; nothing where there is no store yet."""
        from treering.recall.briefings import briefings

        try:
            with self._reading() as tx:
                return briefings(tx, now())
        except NotFound:
            return ()


def _some(ids: Sequence[str] | str) -> list[str]:
    """Return the memories that were named, refusing none at all."""
    wanted = [str(one) for one in arguments.several(ids)]
    if not wanted:
        raise InputError("no memory was named", hint="treering list memories")
    return wanted
