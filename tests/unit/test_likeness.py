"""Which statements may stand for one another."""

from __future__ import annotations

import pytest

from treering.backends.tokens import stems
from treering.domain.likeness import Shape, are_same, in_full, likeness, shape
from treering.domain.text import search_text

SAME = 0.92


def shaped(text: str) -> Shape:
    """Return a statement as it is compared."""
    return shape(in_full(text), stems(search_text(in_full(text))))


def same(one: str, other: str) -> bool:
    """Tell whether two statements say the same, from either side."""
    left, right = shaped(one), shaped(other)
    found = are_same(left, right, likeness(left, right), SAME)
    assert found == are_same(right, left, likeness(right, left), SAME)
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The team prefers tabs over spaces in Go code", "The team now prefers tabs over spaces, in the Go code!"),
        ("The rollback of the gateway takes two hours.", "Rollback of the gateway takes 2 hours"),
        ("We don't retry uploads.", "We do not retry uploads"),
        ("La guardia cambia los lunes.", "la guardia cambia lunes"),
        ("数据库迁移必须在低峰期进行。", "数据库迁移必须在低峰期进行"),
    ],
)
def test_the_same_in_other_letters(one: str, other: str) -> None:
    """Articles, marks, case, contractions and number words change nothing."""
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The timeout of the locker door is 30 seconds", "The timeout of the locker door is 40 seconds"),
        ("The volume has room for 8 GB of parcels", "The volume has room for 8 MB of parcels"),
        ("The release is on 3 May in the evening", "The release is on 3 June in the evening"),
        ("The standup of the team is on Monday morning", "The standup of the team is on Tuesday morning"),
        ("Staging and its replicas run PostgreSQL 17.1", "Staging and its replicas run PostgreSQL 17.2"),
        ("Uploads are retried by the worker", "Uploads are not retried by the worker"),
        ("Uploads are retried by the worker", "Uploads aren't retried by the worker"),
        ("The worker reads max_upload_attempts at its start", "The worker reads max_upload_retries at its start"),
        ("The config of the worker lies in /etc/kelp/a.toml", "The config of the worker lies in /etc/kelp/b.toml"),
        ("After the window Ines warms the locker cache again", "After the window Bjarne warms the locker cache again"),
        ("Merges are frozen before the release window opens", "Merges are frozen after the release window opens"),
        ("The queue feeds the ledger while the gateway sleeps", "The ledger feeds the queue while the gateway sleeps"),
        ("Our harbour team owns the billing service of shops", "Our harbour team owns the search service of shops"),
        ("Approval of Ines or the owner of the page is needed", "Approval of Ines and the owner of the page is needed"),
        ("网关迁移在周五进行", "网关迁移在周四进行"),
        ("用户喜欢深色模式", "用户不喜欢深色模式"),
        ("La copia se guarda treinta días y nunca se borra", "La copia se guarda treinta días y siempre se borra"),
    ],
)  # fmt: skip
def test_what_differs_in_a_particular_is_not_the_same(one: str, other: str) -> None:
    """A digit, unit, date, version, negation, identifier, path, name, side, role, or one word in place of another."""
    assert not same(one, other)
    assert likeness(shaped(one), shaped(other)) > 0.4


def test_likeness_is_a_share() -> None:
    """1 for the same words in the same order, 0 without a common word, and nothing at all is like nothing."""
    assert likeness(shaped("Lockers are orange"), shaped("Lockers are orange")) == 1
    assert likeness(shaped("Lockers are orange"), shaped("Ines leads")) == 0
    assert likeness(shaped(""), shaped("")) == 0
