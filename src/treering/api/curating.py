"""Curating: what every change of memories begins with. Apart from the handle, because a search loads none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from treering.api.stamping import make_id
from treering.curate.curator import Curator
from treering.derived.rows import ANALYSIS, Following, is_of_now
from treering.domain.policy import Caller
from treering.zones import NAME, noted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.domain.policy import Mode
    from treering.ports import Transaction
    from treering.settings import Settings

_OWNER = Caller()


def begin(
    tx: Transaction,
    settings: Settings,
    caller: Caller | None,
    at: str,
    handed: Sequence[str],
    bring_up_to_date: Callable[[Transaction], None],
) -> tuple[Curator, Following]:
    """Return who changes memories in a transaction, and what makes that which is derived follow.

    Args:
        tx: a transaction that may write.
        settings: those of the store.
        caller: on whose behalf; None for the owner.
        at: now, ISO 8601 in UTC.
        handed: texts that the caller was shown lately.
        bring_up_to_date: called first where another program's analysis made the keyword index.
    """
    analysis, zone = tx.settings(ANALYSIS, NAME)
    if not is_of_now(analysis):
        bring_up_to_date(tx)
    following = Following(tx)
    curator = Curator(
        caller or _OWNER,
        at,
        noted(tx, zone, settings.time_zone),
        make_id,
        following.touch,
        cast("Mode", settings.policy_inferred_create),
        added=following.add,
        handed=handed,
    )
    return curator, following
