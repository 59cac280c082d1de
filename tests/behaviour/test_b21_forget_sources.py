"""B21: a kept source is erased with every version; what rests on it is named first, and goes or stays as is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import treering
from treering.domain.policy import Caller
from treering.errors import HasDependents, InputError, NotAllowed, NotFound, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore

SAID = "The zebrafish budget was cut to nineteen"
OTHER = "The wigeon has a nineteen page budget of its own"


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return an empty memory."""
    with treering.open() as opened:
        yield opened


def keep(memory: MemoryStore, folder: Path, name: str, text: str) -> str:
    """Import a file and return its source."""
    (folder / name).write_text(text, encoding="utf-8")
    (done,) = memory.import_([folder / name])
    return done.id


def bytes_of(folder: Path) -> bytes:
    """Return every byte of the project's store, in small letters."""
    return b"".join(p.read_bytes() for p in sorted((folder / ".treering").rglob("*")) if p.is_file()).lower()


def test_what_rests_on_it_is_named_first(memory: MemoryStore, folder: Path) -> None:
    """Without a word on the memories nothing is touched, and the error names them and both ways."""
    source = keep(memory, folder, "a.md", f"# A\n\n{SAID}.\n")
    id = memory.remember("The budget shrank", source=source, quote=SAID).id
    with pytest.raises(HasDependents, match=id) as raised:
        memory.forget([source])
    assert "--cascade" in raised.value.hint
    assert "--keep-memories" in raised.value.hint
    assert memory.show(id).quotes  # type: ignore[union-attr]  # it is a memory
    assert memory.search("zebrafish").found


@pytest.mark.sqlite
def test_cascade_takes_what_rests_on_it_alone(memory: MemoryStore, folder: Path) -> None:
    """A memory with another source stays with that; of the rest no byte is left, in no version."""
    source = keep(memory, folder, "a.md", f"# A\n\n{SAID}.\n")
    other = keep(memory, folder, "b.md", f"# B\n\n{OTHER}.\n")
    keep(memory, folder, "a.md", f"# A\n\n{SAID}.\n\nAnd a quokka was seen.\n")
    alone = memory.remember("It shrank", source=source, quote=SAID).id
    both = memory.propose(
        [
            {
                "op": "create",
                "memory": {
                    "content": "Two budgets",
                    "evidence": [{"source_id": source, "quote": SAID}, {"source_id": other, "quote": OTHER}],
                },
            }
        ]
    )[0].id
    planned = memory.forget([source], cascade=True, dry_run=True)
    assert set(planned.removed) == {source, alone}
    assert memory.search("zebrafish").found
    gone = memory.forget([source], cascade=True, reason="a mistake")
    assert set(gone.removed) == {source, alone}
    assert [quote.text for quote in memory.show(both).quotes] == [OTHER]  # type: ignore[union-attr]  # a memory
    for id in (source, alone):
        with pytest.raises(NotFound, match="forgotten"):
            memory.show(id) if id == alone else memory.forget([id])
    assert not memory.search("quokka zebrafish", mode="keyword").found
    assert memory.verify().problems == ()
    memory.close()
    left = bytes_of(folder)
    assert b"zebrafish" not in left
    assert b"quokka" not in left
    assert b"wigeon" in left


def test_memories_can_stay_without_it(memory: MemoryStore, folder: Path) -> None:
    """They lose the quote and the proof, and say so."""
    source = keep(memory, folder, "a.md", f"# A\n\n{SAID}.\n")
    id = memory.remember("The budget shrank", source=source, quote=SAID).id
    before = memory.show(id)
    assert before.verification == "source_backed"  # type: ignore[union-attr]  # it is a memory
    assert memory.forget([source], keep_memories=True).removed == (source,)
    after = memory.show(id)
    assert (after.verification, after.quotes) == ("inferred", ())  # type: ignore[union-attr]  # it is a memory
    assert memory.search("budget shrank").found
    assert not memory.search("zebrafish", mode="keyword").found
    assert memory.verify().problems == ()


def test_what_cannot_be_erased_so_is_said(memory: MemoryStore, folder: Path) -> None:
    """The note of a memory, an unknown id, both fates at once, an only version, an agent."""
    note = memory.show(memory.remember("A note of its own").id).quotes[0].source  # type: ignore[union-attr]
    source = keep(memory, folder, "b.md", f"# B\n\n{OTHER}.\n")
    with pytest.raises(Refused, match="only this version"):
        memory.forget([source], this_version=True)
    with pytest.raises(Refused, match="is the note of"):
        memory.forget([note])
    with pytest.raises(NotFound):
        memory.forget(["src_00000000000000000000zz"])
    with pytest.raises(InputError):
        memory.forget([source], cascade=True, keep_memories=True)
    memory._caller = Caller("agent", "bot")
    with pytest.raises(NotAllowed):
        memory.forget([source])


def test_the_command(folder: Path, run: Callable[..., Ran]) -> None:
    """It names what would go, refuses with status 4 where memories rest on it, and does what is said."""
    with treering.open() as memory:
        source = keep(memory, folder, "a.md", f"# A\n\n{SAID}.\n")
        memory.remember("The budget shrank", source=source, quote=SAID)
    assert run("forget", "--yes", source).status == 4
    assert run("forget", "--yes", source, "--cascade", "--keep-memories").status == 2
    ran = run("forget", "--yes", source, "--cascade")
    assert ran.status == 0
    assert source in ran.out
    assert run("search", "zebrafish").status == 1
