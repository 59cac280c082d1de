"""X04, D09: what changed since a day, on every surface."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

import treering
from treering.domain.lately import beginning
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering.domain.tree_report import Changed


def told(found: Changed) -> list[tuple[str, str, str]]:
    """Return what changed, the last first."""
    return [(one.type, one.what, one.text) for one in found.items]


def test_memories_that_came_and_changed(folder: Path, clock: Any) -> None:
    """Added, updated, superseded by which, disputed, archived and forgotten, each when it was; what is older is not."""
    clock.at("2026-01-05T10:00:00")
    with treering.open(folder) as memory:
        old = memory.remember("The lead is Ana", slot="team/lead", value="Ana", valid_from="2026-01-01").id
        kept = memory.remember("The parrot is green").id
        memory.remember("The whale is blue")
        gone = memory.remember("The safe opens with xylophone").id
        clock.at("2026-02-05T10:00:00")
        new = memory.remember("The lead is Luis", slot="team/lead", value="Luis", valid_from="2026-02-01").id
        memory.update(kept, text="The parrot is red")
        memory.archive(kept)
        memory.forget([gone])
        found = memory.changes("2026-02-01")
        assert found.counts == {
            "memory added": 1, "memory archived": 1, "memory forgotten": 1, "memory superseded": 1,
        }  # fmt: skip
        [superseded] = [one for one in found.items if one.what == "superseded"]
        assert (superseded.id, superseded.successor, superseded.slot) == (old, new, "team/lead")
        [forgotten] = [one for one in found.items if one.what == "forgotten"]
        assert (forgotten.id, forgotten.text) == (gone, "")
        assert [one.at for one in found.items] == sorted((one.at for one in found.items), reverse=True)
        clock.at("2026-03-05T10:00:00")
        assert memory.changes("2026-03-01").items == ()
        assert memory.changes("2026-01-01").counts["memory added"] == 4


def test_files_and_sources(folder: Path, clock: Any) -> None:
    """Indexed, changed and gone files; imported sources and their new versions."""
    clock.at("2026-01-05T10:00:00")
    for name in ("a", "b", "c"):
        (folder / f"{name}.md").write_text(f"Page {name}\n")
    with treering.open(folder) as memory:
        memory.index([folder])
        memory.note("Minutes of Monday", key="minutes", title="Minutes")
        clock.at("2026-02-05T10:00:00")
        (folder / "a.md").write_text("Page a, once more\n")
        (folder / "b.md").unlink()
        (folder / "d.md").write_text("Page d\n")
        memory.index([folder])
        memory.note("Minutes of Tuesday", key="minutes", title="Minutes")
        found = memory.changes("2026-02-01")
        assert sorted(told(found)) == [
            ("file", "changed", "a.md"),
            ("file", "gone", "b.md"),
            ("file", "indexed", "d.md"),
            ("source", "changed", "Minutes"),
        ]
        memory.forget_directory(folder)
        assert not any("b.md" in one.text for one in memory.changes("2026-02-01").items), "erased with its folder"


def test_the_newest_come_first_up_to_a_limit(folder: Path, run: Callable[..., Any]) -> None:
    """What was cut is said, in words and in JSON."""
    for number in range(5):
        run("remember", f"The locker {number} is free")
    shown = json.loads(run("changes", "--since", "1h", "--limit", 2, "--json").out)
    assert [one["text"] for one in shown["items"]] == ["The locker 4 is free", "The locker 3 is free"]
    assert shown["cut"]
    out = run("changes", "--since", "1h").out
    assert out.count("memory added") == 5
    assert "5 memories added" in out


def test_dates_that_are_none(folder: Path, run: Callable[..., Any]) -> None:
    """What says no time, or one to come, or nothing at all, is refused with an example."""
    run("remember", "The parrot is green")
    for words in (
        ("--since", "2026-13-41"),
        ("--since", "9999-01-01"),
        ("--since", " "),
        ("--since", "7x"),
        ("--since", "the parrot"),
        ("--since", "2999-01-01"),
        (),
    ):
        refused = run("changes", *words)
        assert refused.status == 2
        assert "treering changes --since" in refused.err


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("2026-10-15", "2026-10-14T22:00"),
        ("2026-10", "2026-09-30T22:00"),
        ("2026-10-15T12:00:00Z", "2026-10-15T12:00"),
        ("7d", "2026-11-23T09:00"),
        ("36 hours", "2026-11-28T21:00"),
        ("2 weeks ago", "2026-11-16T09:00"),
        ("yesterday", "2026-11-28T23:00"),
        ("last week", "2026-11-22T23:00"),
        ("ayer", "2026-11-28T23:00"),
        ("昨天", "2026-11-28T23:00"),
    ],
)
def test_words_for_when(text: str, begins: str) -> None:
    """Dates, lengths of time and words mean an instant in the reader's zone."""
    now = datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert beginning(text, now, ZoneInfo("Europe/Madrid")).strftime("%Y-%m-%dT%H:%M") == begins


def test_no_time_in_words() -> None:
    """A sentence without a time is an error."""
    with pytest.raises(InputError):
        beginning("a while", datetime(2026, 11, 30, tzinfo=UTC), ZoneInfo("UTC"))
