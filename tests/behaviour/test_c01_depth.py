"""C01: three depths. A reader gets what was asked for, and no more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore

PARAGRAPH = "The harbour has nine lamps, and each of them is lit by hand at dusk by whoever keeps the watch. "


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    """Yield a memory of one long file, one memory with a summary and one without."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    parts = [f"## Part {number}\n\n{PARAGRAPH * 4}Lamp {number} is the last.\n" for number in range(12)]
    (tmp_path / "docs" / "lamps.md").write_text("# Lamps\n\n" + "\n".join(parts))
    with treering.open(tmp_path) as memory:
        memory.index([tmp_path / "docs"])
        memory.remember(f"{PARAGRAPH * 5}And so it stays.", summary="How the harbour lamps are lit", title="Lamps")
        yield memory


def test_each_depth_shows_what_it_says(memory: MemoryStore) -> None:
    """L1 summary or beginning without quotes, L2 passages and contents with quotes, L3 the whole text."""
    brief = memory.search("harbour lamps lit by hand", depth="L1", max_tokens=2000).results
    assert all(len(one.text) <= 200 and not one.quotes for one in brief)
    assert "How the harbour lamps are lit" in [one.text for one in brief]
    usual = memory.search("harbour lamps lit by hand", max_tokens=4000).results
    said = next(one for one in usual if one.type == "memory")
    assert said.text.endswith("And so it stays.")
    assert said.quotes
    whole = memory.search("harbour lamps lit by hand", depth="L3", max_tokens=20_000, in_="sources").results
    text = next(one.text for one in whole if one.key.endswith("docs/lamps.md"))
    assert all(f"Lamp {number} is the last." in text for number in range(12))


def test_the_budget_holds_at_every_depth(memory: MemoryStore) -> None:
    """A whole text that does not fit is paged, with the command for the next page."""
    for depth in ("L1", "L2", "L3"):
        for most in (100, 300, 900):
            assert memory.search("harbour lamps lit by hand", depth=depth, max_tokens=most).tokens <= most
    paged = memory.search("harbour lamps lit by hand", depth="L3", max_tokens=600, in_="sources").results[0]
    assert any("treering show" in notice for notice in paged.notices)


def test_a_context_has_a_depth(memory: MemoryStore) -> None:
    """Sections and passages follow it."""
    told = memory.context("how are the harbour lamps lit", depth="L1")
    assert told.current[0].text == "How the harbour lamps are lit"
    assert all(len(one.text) <= 200 and not one.quotes for one in (*told.current, *told.passages))
    assert told.tokens < memory.context("how are the harbour lamps lit", max_tokens=4000).tokens


def test_what_is_looked_at_has_a_depth(memory: MemoryStore, tmp_path: Path) -> None:
    """Shown and listed at L1 a memory is its summary, a source its headings and beginning."""
    listed = memory.list("memories", depth="L1").items[0]
    assert getattr(listed, "content", "") == "How the harbour lamps are lit"
    shown = memory.show(str(tmp_path / "docs" / "lamps.md"), depth="L1")
    assert len(getattr(shown, "text", "")) <= 200
    assert len(getattr(shown, "outline", ())) == 13


def test_the_setting_says_what_is_usual(
    memory: MemoryStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``search.depth`` holds where no depth is asked for."""
    monkeypatch.setenv("TREERING_SEARCH_DEPTH", "L1")
    words = ["--store", memory.place.database] if memory.place.address is None else []
    if words:
        assert main([*words, "search", "harbour lamps lit by hand", "--json"]) == 0
        assert all(len(one["text"]) <= 200 for one in json.loads(capsys.readouterr().out)["results"])


def test_an_unknown_depth_is_refused(memory: MemoryStore) -> None:
    """In words that name the depths there are."""
    with pytest.raises(InputError, match="L1, L2, L3"):
        memory.search("lamps", depth="L4")
