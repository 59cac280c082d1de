"""What every store promises of vectors, see ``treering.ports.Vectors``: one suite over all adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from treering.domain.chunk import Chunk, Heading
from treering.domain.query import Filter
from treering.domain.source import Document
from treering.intake import KeptText
from treering.records import StoredMemory, Unembedded

if TYPE_CHECKING:
    from treering.ports import Backend, Transaction

MODEL = "static/a@1"
OTHER = "static/b@1"
AT = "2026-01-01T00:00:00.000Z"


@pytest.fixture
def filled(backend: Backend, shelf: Any) -> Backend:
    """Return a store with three chunks of two files, entries 1 to 3, and nothing embedded."""
    with backend.write() as tx:
        root = tx.sources.put_root("docs", "")
        shelf.put(tx, "file:docs/a.md", "The gateway.\n\nThe retry.\n", root=root.number, metadata={"kind": ("note",)})
        shelf.put(tx, "file:docs/b.md", "The billing.\n", root=root.number)
    return backend


def row(number: int) -> bytes:
    """Return a row that is unlike those of other numbers."""
    return bytes([number, 0, 0, 127])


def put_memory(tx: Transaction, **changes: Any) -> StoredMemory:
    """Store the one memory, or another revision of it, and return it."""
    if tx.sources.source_by_key("note:mem_1") is None:
        note = KeptText("note:mem_1", "", "note", "owner", Document("x", "0", 1, "utf-8"))
        tx.sources.put_kept(note, "src_m", "ver_m", AT)
    known = tx.memories.memories(["mem_1"]).get("mem_1")
    entry = known.entry if known else tx.memories.next_entry()
    memory = StoredMemory(
        "mem_1", entry, "semantic", "Title", "It rains.", "", "src_m", "active", "inferred", "owner", 1, 7, AT, AT
    )
    changed = memory._replace(**changes)
    tx.memories.put(changed)
    return changed


def entries(tx: Transaction, model: str = MODEL) -> list[int]:
    """Return the entries that lack a vector."""
    return [one.entry for one in tx.vectors.lacking(model, 100)]


def test_what_lacks_a_vector_comes_newest_first(filled: Backend) -> None:
    """Entries without a vector of a model are paged from the newest, with what is embedded of them."""
    with filled.write() as tx:
        assert tx.vectors.lacking(MODEL, 2) == [
            Unembedded(3, 0, "b.md", (), "The billing.\n"),
            Unembedded(2, 0, "a.md", (), "The retry.\n"),
        ]
        assert [one.entry for one in tx.vectors.lacking(MODEL, 2, before=2)] == [1]
        assert tx.vectors.lacking(MODEL, 2, before=1) == []
        tx.vectors.put(MODEL, [(2, 0, row(2))])
        assert entries(tx) == [3, 1]
        assert entries(tx, OTHER) == [3, 2, 1]


def test_headings_and_the_beginning_are_embedded(backend: Backend, shelf: Any) -> None:
    """Of a chunk its headings come along, and the beginning of its text, also far into a long file."""
    text = "x" * 200_000
    chunks = tuple(
        Chunk(n, n * 50_000, (n + 1) * 50_000, 1, 1, "prose", path=(Heading(1, "Top"), Heading(2, f"Part {n}")))
        for n in range(4)
    )
    with backend.write() as tx:
        root = tx.sources.put_root("docs", "")
        shelf.put(tx, "file:docs/a.md", text, root=root.number, chunks=chunks)
        found = tx.vectors.lacking(MODEL, 10)
    assert [one.headings for one in found] == [("Top", f"Part {n}") for n in (3, 2, 1, 0)]
    assert {len(one.text) for one in found} == {600}


def test_a_vector_is_stored_once(filled: Backend) -> None:
    """Only entries that are there and lack one get a vector; the number of those is returned."""
    with filled.write() as tx:
        assert tx.vectors.put(MODEL, [(1, 0, row(1)), (99, 0, row(9))]) == 1
        assert tx.vectors.put(MODEL, [(1, 0, row(5)), (2, 0, row(2))]) == 1
        assert tx.vectors.put(MODEL, [(3, 1, row(3))]) == 0, "a chunk has no revision"
        assert tx.vectors.put(MODEL, []) == 0
        assert tx.vectors.of(MODEL, [1, 2, 3]) == {1: row(1), 2: row(2)}


def test_models_are_kept_apart(filled: Backend) -> None:
    """Rows of one model are never among those of another; dropping one leaves the other."""
    with filled.write() as tx:
        tx.vectors.put(MODEL, [(1, 0, row(1))])
        tx.vectors.put(OTHER, [(1, 0, row(9)), (2, 0, row(8))])
        assert sorted(tx.vectors.models()) == [MODEL, OTHER]
        assert tx.vectors.of(MODEL, [1, 2]) == {1: row(1)}
        assert sorted(tx.vectors.rows(OTHER)) == [(1, row(9)), (2, row(8))]
        tx.vectors.drop(MODEL)
        tx.vectors.drop("never heard of")
        assert tx.vectors.models() == [OTHER]
        assert tx.vectors.rows(MODEL) == []
        assert tx.vectors.mark(MODEL) == (0, 0)
        assert sorted(tx.vectors.entries(OTHER)) == [1, 2]


def test_the_mark_tells_every_change(filled: Backend) -> None:
    """After each addition and removal count or change differ from all marks before, and what is new can be read."""
    marks = []
    with filled.write() as tx:
        tx.vectors.put(MODEL, [(1, 0, row(1))])
        marks.append(tx.vectors.mark(MODEL))
        tx.vectors.put(MODEL, [(2, 0, row(2)), (3, 0, row(3))])
        marks.append(tx.vectors.mark(MODEL))
        assert sorted(tx.vectors.rows(MODEL, after=marks[0][1])) == [(2, row(2)), (3, row(3))]
        assert tx.vectors.rows(MODEL, after=marks[1][1]) == []
        source = tx.sources.source_by_key("file:docs/b.md")
        assert source is not None
        tx.sources.remove_source(source.id)
        marks.append(tx.vectors.mark(MODEL))
    assert [count for count, _ in marks] == [1, 3, 2]
    assert len(set(marks)) == 3


def test_a_vector_leaves_with_its_chunk(filled: Backend, shelf: Any) -> None:
    """Whether a source is removed, changed or cut anew: no vector is left of chunks that are gone."""
    with filled.write() as tx:
        tx.vectors.put(MODEL, [(1, 0, row(1)), (2, 0, row(2)), (3, 0, row(3))])
        shelf.put(tx, "file:docs/a.md", "The gateway.\n\nThe new retry.\n", root=1)
        assert tx.vectors.entries(MODEL) == [3]
        source = tx.sources.source_by_key("file:docs/b.md")
        assert source is not None
        tx.sources.drop_chunks(source.version)
        assert tx.vectors.entries(MODEL) == []


def test_a_vector_leaves_with_what_a_memory_said(backend: Backend) -> None:
    """A memory's vector is gone once its words or status change, and stays when only its labels do."""
    with backend.write() as tx:
        memory = put_memory(tx)
        assert tx.vectors.lacking(MODEL, 9) == [Unembedded(memory.entry, 1, "Title", (), "It rains.")]
        tx.vectors.put(MODEL, [(memory.entry, 1, row(1))])
        put_memory(tx, revision=2)
        tx.memories.put_labels("mem_1", {"tags": ("weather",)})
        assert tx.vectors.entries(MODEL) == [memory.entry]
        put_memory(tx, revision=3, content="It snows.")
        assert tx.vectors.entries(MODEL) == []
        assert tx.vectors.put(MODEL, [(memory.entry, 2, row(1))]) == 0, "made of what it said before"
        assert tx.vectors.put(MODEL, [(memory.entry, 3, row(3))]) == 1
        put_memory(tx, revision=3, content="It snows.", status="archived")
        assert (tx.vectors.entries(MODEL), entries(tx)) == ([], [])
        put_memory(tx, revision=3, content="It snows.")
        assert entries(tx) == [memory.entry]
        tx.vectors.put(MODEL, [(memory.entry, 3, row(3))])
        tx.memories.remove("mem_1")
        assert tx.vectors.entries(MODEL) == []


def test_a_filter_gives_the_entries_that_pass(filled: Backend) -> None:
    """Metadata, paths, and memories or sources alone narrow entries as they narrow keyword hits."""
    with filled.write() as tx:
        memory = put_memory(tx)
        assert sorted(tx.vectors.passing(Filter(where=(("kind", ("note",)),)))) == [1, 2]
        assert sorted(tx.vectors.passing(Filter(path="docs/b.md"))) == [3]
        assert sorted(tx.vectors.passing(Filter(part="memories"))) == [memory.entry]
        assert sorted(tx.vectors.passing(Filter(part="sources"))) == [1, 2, 3]
        assert tx.vectors.passing(Filter(source="src_absent")) == []


def test_the_state_tells_every_change(open_store: Any, shelf: Any) -> None:
    """A state is equal while nobody writes, and another one after a write through any door."""
    one, other = open_store(), open_store()

    def state() -> object:
        with one.read() as tx:
            return tx.state()

    seen = [state(), state()]
    assert seen[0] == seen[1]
    for store in (one, other, one):
        with store.write() as tx:
            tx.put_setting("test", str(len(seen)))
        seen.append(state())
    assert len(set(seen)) == 4
    assert state() == seen[-1]


def test_conversations_are_whole_and_in_order(backend: Backend) -> None:
    """A turn leads to all turns of its conversation in order; other sources have none."""
    turns = tuple(Chunk(n, n * 2, n * 2 + 2, n + 1, n + 1, "prose") for n in range(4))
    with backend.write() as tx:
        for number, kind in enumerate(("chat", "page", "chat")):
            text = KeptText(f"talk:{number}", "", kind, "owner", Document("a\nb\nc\nd\n", "0", 8, "utf-8"), turns)
            tx.sources.put_kept(text, f"src_{number}", f"ver_{number}", AT)
        assert tx.sources.conversations([2, 3, 6]) == [[1, 2, 3, 4]]
        assert sorted(tx.sources.conversations([1, 7, 12])) == [[1, 2, 3, 4], [9, 10, 11, 12]]
        assert tx.sources.conversations([5, 99]) == []
