"""Which claims share a memory."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from treering.curate.grouping import grouped
from treering.domain.claim import Claim
from treering.domain.timeline import history
from treering.journal import StoredClaim

if TYPE_CHECKING:
    from treering.journal import Role


def _said(id: str, content: str, value: str = "", actor: Role = "agent") -> StoredClaim:
    at = "2026-01-01T00:00:00.000Z"
    return StoredClaim(id, id, "db/port", "fact", "", content, "", value, actor, actor, "", "", "", "", at)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        (("It is 1.", "port  1"), ("It is one.", "port 1"), True),
        (("It is 1.", "port 1"), ("It is 1!", "Port 1"), False),
        (("It  is 1.", ""), ("it is 1.", ""), True),
        (("It is 1.", ""), ("It is 2.", ""), False),
        (("Caf\u00e9.", ""), ("Cafe\u0301.", ""), True),
    ],
)
def test_objections_share_a_memory_when_the_timeline_takes_them_as_the_same(
    first: tuple[str, str], second: tuple[str, str], *, together: bool
) -> None:
    """White space, letters composed or not, and the case of contents, not of values, make no difference."""
    stored = [_said("o", "It is 9.", "port 9", actor="owner"), _said("a", *first), _said("b", *second)]
    claims = [
        Claim(
            id=one.id,
            content=one.content,
            trust=one.trust,
            actor=one.actor,
            recorded_at=one.recorded_at,
            value=one.value or None,
        )
        for one in stored
    ]
    found = history(claims, [], true_at="2026-02-01T00:00:00Z")
    groups = [{one.id for one in group.claims} for group in grouped(stored, found, UTC)]
    assert ({"a", "b"} in groups) is together
    assert {"o"} in groups
