"""C06: search by words, by meaning, or by both can be chosen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

PAGES = {
    "cars.md": "# Cars\n\nAn automobile needs petrol, oil and now and then new tyres.\n",
    "words.md": "# Xylograph\n\nThe xylograph is a vehicle of art. Nobody drives one.\n",
}


@pytest.fixture
def pages(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory of a page that says what is meant, and one that has the word."""
    return remember_files(PAGES)


def test_each_mode_does_what_it_says(pages: MemoryStore) -> None:
    """Words find the page with the word, meaning the page that is meant, both find both."""
    found = {}
    for mode in ("keyword", "semantic", "hybrid"):
        answer = pages.search("fuel for a vehicle", mode=mode, empty_gate=0)  # type: ignore[arg-type]
        found[mode] = [result.file for result in answer.results]
        assert answer.mode == mode
    assert found["keyword"] == ["words.md"]
    assert found["semantic"][0] == "cars.md"
    assert set(found["hybrid"]) == {"cars.md", "words.md"}


def test_both_is_the_default(pages: MemoryStore) -> None:
    """Without a word about the mode, both are used where there are vectors."""
    assert pages.search("a vehicle of art").mode == "hybrid"


def test_without_vectors_words_are_the_default(
    remember_files: Callable[..., MemoryStore], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no embedder, nothing is said unless meaning was asked for."""
    remember_files(PAGES)
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    with treering.open(folder) as memory:
        answer = memory.search("a vehicle of art")
        assert (answer.mode, answer.notices) == ("keyword", ())
        for mode in ("semantic", "hybrid"):
            answer = memory.search("a vehicle of art", mode=mode)  # type: ignore[arg-type]
            assert answer.mode == "keyword"
            assert "embedding.provider is none" in answer.notices[0]


def test_the_command_line_and_the_function_take_a_mode(pages: MemoryStore, run: Callable[..., Any]) -> None:
    """``--mode`` and ``mode=`` mean the same; the JSON says which one took part."""
    for mode in ("keyword", "semantic", "hybrid"):
        printed = json.loads(run("search", "--json", "--mode", mode, "--empty-gate", "0", "fuel for a vehicle").out)
        assert printed["mode"] == mode
    assert json.loads(run("search", "--json", "a vehicle of art").out)["mode"] == "hybrid"


def test_a_filter_holds_in_every_mode(pages: MemoryStore, folder: Path) -> None:
    """What does not pass the filter is in no answer, however near it is."""
    for _ in range(2):
        for mode in ("keyword", "semantic", "hybrid"):
            answer = pages.search(
                "fuel for a vehicle",
                path=folder / "words.md",
                mode=mode,  # type: ignore[arg-type]
                empty_gate=0,
            )
            assert [result.file for result in answer.results] == ["words.md"]
