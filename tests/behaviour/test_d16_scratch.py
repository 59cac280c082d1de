"""D16: scratch notes live as long as their session and survive its compaction; they are never memories."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> MemoryStore:
    """Return the memory of an empty project."""
    return treering.open(folder)


def bytes_of(folder: str) -> bytes:
    """Return everything that the store keeps on disk."""
    return b"".join(Path(place, name).read_bytes() for place, _, names in os.walk(folder) for name in names)


def test_a_note_is_recalled_and_is_no_memory(memory: MemoryStore) -> None:
    """It is found in its session, and neither search nor list knows of it."""
    with memory:
        assert memory.scratch_note("The flaky test is test_heron; it needs a fixed clock.", label="flaky") == 1
        assert memory.scratch_note("Deploy after the migration.") == 2
        found = memory.scratch_recall("which test is flaky")
        assert [one.label for one in found.found] == ["flaky"]
        assert memory.scratch_recall().notes == 2
        assert not memory.scratch_recall("walrus").found
        memory.remember("Anything else.")
        assert not memory.search("flaky heron clock").found
        assert memory.list("memories").total == 1


def test_a_session_ends_with_its_object(memory: MemoryStore, folder: Path) -> None:
    """Another object, as after the end of a server, has no notes; not a byte of them was written."""
    with memory:
        memory.scratch_note("The capercaillie nests in the attic.")
        assert b"capercaillie" not in bytes_of(memory.place.folder)
    with treering.open(folder) as later:
        assert not later.scratch_recall("capercaillie").found


def test_commands_of_a_terminal_share_their_notes(
    memory: MemoryStore, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one command noted the next recalls; another session does not, and the end takes it away."""
    with memory:
        assert run("scratch", "note", "the", "grouse", "is", "late")[0] == 0
        assert "grouse" in run("scratch", "recall", "grouse")[1]
        assert json.loads(run("scratch", "recall", "--json")[1])["items"][0]["text"] == "the grouse is late"
        monkeypatch.setenv("TREERING_SESSION", "other")
        assert run("scratch", "recall", "grouse")[0] == 1
        monkeypatch.delenv("TREERING_SESSION")
        assert run("scratch", "end")[0] == 0
        assert run("scratch", "recall", "grouse")[0] == 1
        assert b"grouse" not in bytes_of(memory.place.folder)
        for words in (("scratch",), ("scratch", "note"), ("scratch", "jot", "x"), ("scratch", "note", "x" * 200_000)):
            assert run(*words)[0] == 2


def test_an_erasure_takes_the_notes_along(memory: MemoryStore, folder: Path) -> None:
    """After forgetting a memory or a directory no session keeps what may repeat it, in this object or in a file."""
    with memory:
        for erase in ("memory", "directory"):
            memory.scratch_note("The capercaillie nests in the attic.")
            memory.scratch_note("The capercaillie again.", session="review")
            memory.digest_output("capercaillie\n" * 3000, session="review")
            if erase == "memory":
                memory.forget([memory.remember("The capercaillie nests in the attic.").id])
            else:
                (folder / "a.md").write_text("# A\n\nThe capercaillie.\n", encoding="utf-8")
                memory.index([folder])
                memory.forget_directory(folder)
            assert not memory.scratch_recall("capercaillie").found
            assert not memory.scratch_recall("capercaillie", session="review").found
    assert b"capercaillie" not in bytes_of(memory.place.folder)


def test_an_empty_note_is_refused(memory: MemoryStore) -> None:
    """Nothing to note is said so."""
    with memory, pytest.raises(InputError):
        memory.scratch_note("  \n")
