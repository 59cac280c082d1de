"""Unkeeping: an import is taken back, unless something rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from treering.curate.recorded import standing
from treering.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.curate.curator import Curator
    from treering.ports import Transaction
    from treering.records import StoredSource

_NAMED = 5


class Shelves(NamedTuple):
    """What changes what is kept, and what is derived from it.

    Attributes:
        take_out: removes a source, but for what memories quote of it.
        turn_back: makes a former version of a source the current one again.
    """

    take_out: Callable[[StoredSource], None]
    turn_back: Callable[[StoredSource, str], None]


def unkeep(tx: Transaction, curator: Curator, shelves: Shelves, id: str, version: str, former: str) -> None:
    """Take an import back: the version leaves, and the source with it when it is its first.

    What was taken out of it must have been taken back before.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        shelves: what changes what is kept.
        id: the source.
        version: what came with the import.
        former: the version before; empty for none.

    Raises:
        Refused: if memories rest on the version, or it is not the current one.
    """
    source = tx.sources.sources([id]).get(id)
    if source is None or source.version != version:
        raise Refused(f"the import of {id} cannot be taken back: the store has another version of it, or none")
    if resting := _resting(tx, curator, version):
        more = f" and {len(resting) - _NAMED} more" if len(resting) > _NAMED else ""
        raise Refused(
            f"the import of {id} ({source.key}) cannot be taken back: {', '.join(resting[:_NAMED])}{more} rest on it",
            hint=f"treering archive {resting[0]}, then treering undo twice; or treering forget {id}",
        )
    if former:
        shelves.turn_back(source, former)
    else:
        shelves.take_out(source)


def _resting(tx: Transaction, curator: Curator, version: str) -> list[str]:
    """Return the memories that rest on a version, by claims that nobody took back or hid."""
    claims = tx.claims.claims(tx.claims.citing([version]))
    verdicts = standing(tx.claims.decisions(list(claims)), curator.zone)
    hidden = {id for id, one in verdicts.items() if one.rejected or one.state != "stated"}
    return sorted({claim.memory for id, claim in claims.items() if id not in hidden} - {""})
