"""A25: a memory that stays open answers from what the store holds now, whatever it has kept of earlier searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def other(folder: Path) -> Iterator[MemoryStore]:
    """Return a second door to the same store."""
    with treering.open(folder) as opened:
        yield opened


def found(memory: MemoryStore, question: str, in_: str = "all") -> list[str]:
    """Return the texts that answer a question by its words."""
    return [result.text for result in memory.search(question, mode="keyword", empty_gate=0, in_=in_).results]


def test_what_another_commits_is_found(folder: Path, other: MemoryStore) -> None:
    """A word that no entry held at the last search is found as soon as somebody else has saved it."""
    with treering.open(folder) as memory:
        memory.remember("The gannet nests on the northern cliff.")
        assert found(memory, "zygodactyl") == found(memory, "zygodactyl") == []
        other.remember("A zygodactyl foot has two toes in front.")
        assert len(found(memory, "zygodactyl")) == 1


def test_erased_text_is_gone_from_every_open_memory(folder: Path, other: MemoryStore) -> None:
    """Who has just found a memory does not find it, nor a word of it, after another has erased it."""
    with treering.open(folder) as memory:
        memory.remember("The gannet nests on the northern cliff.")
        secret = memory.remember("The zygodactyl password is plover.")
        assert len(found(memory, "zygodactyl plover")) == len(found(other, "zygodactyl plover")) == 1
        other.forget([secret.id])
        for one in (memory, other):
            assert found(one, "zygodactyl plover") == []
            assert found(one, "gannet") != []


def test_a_changed_file_answers_with_its_new_text(
    remember_files: Callable[..., MemoryStore], folder: Path, other: MemoryStore
) -> None:
    """A file that another indexes anew is answered from its new text, and its old words lead nowhere."""
    memory = remember_files({"birds.md": "# Birds\n\nThe zygodactyl parrot climbs.\n", "seas.md": "# Seas\n\nCold.\n"})
    assert len(found(memory, "zygodactyl parrot")) == 1
    (folder / "birds.md").write_text("# Birds\n\nThe gannet dives from thirty metres.\n", encoding="utf-8")
    other.index([folder])
    assert found(memory, "zygodactyl parrot") == []
    assert "thirty metres" in found(memory, "gannet dives")[0]


def test_a_filter_and_no_filter_in_turn(folder: Path) -> None:
    """What is kept of a search of everything does not leak into a narrowed one, nor the other way round."""
    with treering.open(folder) as memory:
        memory.remember("The gannet nests on the northern cliff.", tags=["birds"])
        memory.remember("The gannet class of boats was built in the north.", tags=["boats"])
        for _ in range(2):
            assert len(memory.search("gannet", mode="keyword", empty_gate=0).results) == 2
            [one] = memory.search("gannet", mode="keyword", empty_gate=0, tags=["boats"]).results
            assert "boats" in one.text
            assert found(memory, "gannet", in_="sources") == []
