"""D09: one more claim of a slot is settled by what stands near it, and comes to the same as settling all of them."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.curate import settle as settling
from treering.curate.among import Among, among
from treering.curate.settle import settle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore

SLOT = "harbour/depth"
MONTHS = ("2019", "2019-12-31T23:30:00-08:00", "2020-01", "2020-02-10", "2020-02", "2021", "2021-12", "2030-05", "2031")


@pytest.fixture
def memory(folder: Path, clock: Any) -> Iterator[MemoryStore]:
    """Return the memory of an empty project, with a clock of the test's own."""
    clock.at("2026-01-05T10:00:00")
    with treering.open() as opened:
        yield opened


def held(memory: MemoryStore) -> dict[str, object]:
    """Return every row that follows from the slot's claims."""
    with memory._viewing() as (tx, _):
        claims = tx.claims.of_slot(SLOT)
        rows = tx.memories.memories(sorted({one.memory for one in claims}))
        return {"claims": claims, "rows": rows, "stretches": tx.claims.stretches(SLOT)}


def say(memory: MemoryStore, number: int, date: str, chance: random.Random, *, valued: float = 0.9) -> None:
    """Claim something of a date: a value of a few, an end now and then, by a source that is trusted less or by none."""
    value = f"{chance.randrange(4)} m"
    fields: dict[str, Any] = {"slot": SLOT, "valid_from": date}
    if chance.random() < valued:
        fields["value"] = value
    if chance.random() < 0.2:
        fields["valid_to"] = "2033"
    if chance.random() < 0.4:
        trust = chance.choice(["agent", "external"])
        note = memory.note(f"Log {number}: the harbour is {value} deep.", trust=trust).id
        fields |= {"source": note, "quote": f"harbour is {value} deep"}
    memory.remember(f"The harbour is {value} deep.", **fields)


def require_whole(memory: MemoryStore) -> None:
    """Settle all claims of the slot again, which must change no row."""
    before = held(memory)
    with memory._curating() as (tx, curator):
        settle(tx, curator, tx.claims.of_slot(SLOT))
    assert held(memory) == before


@pytest.mark.parametrize("seed", range(8))
def test_what_comes_last_leaves_the_rows_that_all_claims_make(memory: MemoryStore, seed: int) -> None:
    """After each of several claims, mostly in the order of their dates, settling all of them again changes no row."""
    chance = random.Random(seed)  # noqa: S311 - no secret depends on it
    dates = sorted(chance.choices(MONTHS, k=7), key=lambda date: MONTHS.index(date) + 2 * chance.random())
    for number, date in enumerate(dates):
        say(memory, number, date, chance)
        require_whole(memory)


@pytest.mark.parametrize("seed", range(12))
def test_what_comes_between_leaves_the_rows_that_all_claims_make(
    memory: MemoryStore, clock: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same in any order, while time goes on; and most of these claims are settled by what stands near them."""
    chance = random.Random(seed)  # noqa: S311 - no secret depends on it
    by_neighbours: list[bool] = []
    monkeypatch.setattr(settling, "among", lambda *given: noted(among(*given), by_neighbours))
    for number in range(14):
        year, month = chance.randrange(2018, 2032), chance.randrange(1, 13)
        date = chance.choice(
            [f"{year}-{month:02}-{chance.randrange(1, 28):02}"] * 5 + [f"{year}-{month:02}", str(year)]
        )
        clock.at(f"{2020 + number // 2}-06-15T10:00:00")
        say(memory, number, date, chance, valued=1)
        require_whole(memory)
    assert any(by_neighbours)


def noted(part: Among | None, notes: list[bool]) -> Among | None:
    """Note whether neighbours sufficed."""
    notes.append(part is not None)
    return part


def test_one_more_claim_reads_few_of_many(memory: MemoryStore) -> None:
    """The latest of many supersedes the one before it, and the history goes on without a gap."""
    for year in range(1900, 1960):
        last = memory.remember(f"Depth in {year}", slot=SLOT, value=f"{year} cm", valid_from=str(year))
    again = memory.remember("Depth in 1960", slot=SLOT, value="1960 cm", valid_from="1960")
    assert (again.outcome, [change.id for change in again.changed]) == ("superseded", [last.id])
    stretches = memory.timeline(SLOT).stretches
    assert len(stretches) == 61
    assert all(old.stop == new.start for old, new in pairwise(stretches))
    assert memory.active_state(SLOT) == "1960 cm"


def test_a_claim_in_the_middle_of_many_parts_what_stands_there(memory: MemoryStore) -> None:
    """It takes its place: the one before ends there, the others stay, and the answer of today too."""
    for year in range(1900, 1960):
        last = memory.remember(f"Depth in {year}", slot=SLOT, value=f"{year} cm", valid_from=f"{year}-03")
    again = memory.remember("Depth in autumn", slot=SLOT, value="3 m", valid_from="1930-09")
    before = memory.timeline(SLOT).stretches[30]
    assert (again.outcome, [change.id for change in again.changed]) == ("backfilled", [before.memory])
    assert [(one.start[:7], (one.stop or "")[:7]) for one in memory.timeline(SLOT).stretches[30:33] if one.start] == [
        ("1930-03", "1930-09"), ("1930-09", "1931-03"), ("1931-03", "1932-03"),
    ]  # fmt: skip
    assert memory.show(again.id).superseded_by == memory.timeline(SLOT).stretches[32].memory
    assert memory.show(last.id).status == "active"
    require_whole(memory)
