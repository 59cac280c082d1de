"""What every store promises of memories and kept texts, see ``treering.ports``: one suite over all adapters."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from treering.domain.chunk import Chunk
from treering.domain.query import EVERYTHING, Filter, Term
from treering.domain.source import Document
from treering.intake import KeptText
from treering.journal import StoredAct, StoredClaim, StoredEntity, StoredProposal
from treering.records import FOREVER, Quote, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treering.ports import Backend, Transaction

FIRST = "2026-01-01T00:00:00.000Z"
THEN = "2026-02-01T00:00:00.000Z"
LAST = "2026-03-01T00:00:00.000Z"


def kept(key: str, text: str, *, title: str = "", chunks: Sequence[Chunk] = ()) -> KeptText:
    """Return a note."""
    raw = text.encode()
    return KeptText(key, title, "note", "agent", Document(text, sha256(raw).hexdigest(), len(raw), "utf-8"), chunks)


def make(tx: Transaction, number: int, text: str, labels: dict[str, tuple[str, ...]] | None = None) -> StoredMemory:
    """Store a memory with its claim, note, quote, labels and keyword row."""
    source, version = f"src_{number}", f"ver_{number}"
    tx.sources.put_kept(kept(f"note:mem_{number}", text), source, version, FIRST)
    entry = tx.memories.next_entry()
    memory = StoredMemory(
        f"mem_{number}", entry, "decision", "A title", text, "", source, "active", "inferred", "agent", 1, hash(text),
        FIRST, FIRST,
    )  # fmt: skip
    tx.memories.put(memory)
    tx.claims.put(
        StoredClaim(
            memory.id, memory.id, "", "decision", "A title", text, "", "", "agent", "agent", "", source, "", "", FIRST
        )
    )
    tx.claims.add_evidence(memory.id, [Quote(version, 0, len(text), text)], 1)
    tx.memories.put_labels(memory.id, labels or {})
    tx.keywords.add([(memory.entry, "", text)])
    return memory


@pytest.fixture
def tx(backend: Backend) -> Iterator[Transaction]:
    """Return a writing transaction of an empty store."""
    with backend.write() as tx:
        yield tx


def test_a_memory_comes_back_as_it_was_put(tx: Transaction) -> None:
    """By id, by its row, by its note and by its content; whatever is not there is left out."""
    one = make(tx, 1, "One 🎉\nline two 漢字")._replace(
        trust="external", verification="source_backed", kind="person", slot="a/b", value="v", why="w",
        valid_from="2026-01", valid_to="2026", starts=-FOREVER, stops=FOREVER, superseded_by="mem_x", revision=3,
        summary="S", status="disputed", changed_at=LAST,
    )  # fmt: skip
    tx.memories.put(one)
    other = make(tx, 2, "Two")
    assert tx.memories.memories([one.id, "mem_none", other.id]) == {one.id: one, other.id: other}
    assert tx.memories.by_entries([one.entry, 999]) == {one.entry: one}
    assert tx.memories.by_sources([one.source, "src_none"]) == {one.source: one}
    assert tx.memories.by_sources([one.source], {one.id: one}) == {one.source: one}
    assert tx.memories.by_fingerprint(one.fingerprint) == [one]
    assert tx.memories.by_fingerprint(12345) == []
    assert tx.memories.memories([]) == {}
    assert tx.memories.quotes([one.id, other.id])[other.id] == [Quote("ver_2", 0, 3, "Two")]


def test_rows_are_numbered_once(tx: Transaction) -> None:
    """A number for a keyword row is never given out again, to a memory or to a chunk."""
    one = make(tx, 1, "One")
    tx.memories.remove(one.id)
    chunk = Chunk(0, 0, 3, 1, 1, "prose")
    (entry,) = tx.sources.put_kept(kept("note:x", "abc", chunks=(chunk,)), "src_x", "ver_x", FIRST)
    assert one.entry < entry < tx.memories.next_entry()


def test_labels_are_replaced_in_their_order(tx: Transaction) -> None:
    """Labels come back in the order of their values, those of another memory untouched; none is an empty mapping."""
    make(tx, 1, "One", {"tags": ("b", "a", "ünï 🎉"), "when": ("",)})
    make(tx, 2, "Two", {"tags": ("b",)})
    tx.memories.put_labels("mem_1", {"tags": ("z", "b"), "100%": ("_",)})
    assert tx.memories.labels(["mem_1", "mem_2", "mem_none"]) == {
        "mem_1": {"tags": ("z", "b"), "100%": ("_",)}, "mem_2": {"tags": ("b",)}, "mem_none": {},
    }  # fmt: skip
    tx.memories.put_labels("mem_1", {})
    assert tx.memories.labels(["mem_1"]) == {"mem_1": {}}


def test_lists_and_counts(tx: Transaction) -> None:
    """A list goes by id, newest first, in pages; status narrows both, a filter the count."""
    made = [make(tx, number, f"Text {number}", {"tags": (f"t{number % 2}",)}) for number in range(1, 8)]
    tx.memories.put(made[2]._replace(status="archived"))
    tx.memories.put(made[3]._replace(status="disputed"))

    def listed(statuses: Sequence[str], limit: int, after: str = "", filter: Filter = EVERYTHING) -> list[str]:
        return [one.id for one in tx.memories.list_memories(statuses, limit, after, filter)]

    assert listed(["active"], 3) == ["mem_7", "mem_6", "mem_5"]
    assert listed(["active"], 3, "mem_5") == ["mem_2", "mem_1"]
    assert listed(["active"], 3, "mem_1") == []
    assert listed([], 100, "mem_4") == ["mem_3", "mem_2", "mem_1"]
    assert listed(["archived"], 100) == ["mem_3"]
    assert listed(["archived", "disputed"], 100) == ["mem_4", "mem_3"]
    counts = [tx.memories.count(statuses) for statuses in ([], ["active"], ["archived"], ["archived", "disputed"])]
    assert counts == [7, 5, 1, 2]
    odd = Filter(where=(("tags", ("t1",)),))
    assert listed([], 2, filter=odd) == ["mem_7", "mem_5"]
    assert (tx.memories.count([], odd), tx.memories.count(["active"], odd)) == (4, 3)
    assert tx.memories.count([], Filter(part="sources")) == 0


def test_many_at_once(tx: Transaction) -> None:
    """Any number of memories can be asked for in one call."""
    made = [make(tx, number, f"Text {number}", {"tags": (f"t{number}",)}) for number in range(1200)]
    ids = [one.id for one in made]
    assert len(tx.memories.memories(ids)) == 1200
    assert len(tx.memories.by_entries([one.entry for one in made])) == 1200
    assert len(tx.memories.by_sources([one.source for one in made])) == 1200
    assert tx.memories.labels(ids)["mem_1199"] == {"tags": ("t1199",)}
    assert tx.memories.quotes(ids)["mem_1199"] == [Quote("ver_1199", 0, 9, "Text 1199")]


def test_archived_content_is_looked_up_no_more(tx: Transaction) -> None:
    """By their content memories of any status but archived are found, the oldest first."""
    one, two, three = (make(tx, number, "One") for number in (1, 2, 3))
    tx.memories.put(two._replace(status="disputed"))
    assert [found.id for found in tx.memories.by_fingerprint(one.fingerprint)] == ["mem_1", "mem_2", "mem_3"]
    tx.memories.put(one._replace(status="archived"))
    assert [found.id for found in tx.memories.by_fingerprint(three.fingerprint)] == ["mem_2", "mem_3"]


def test_what_is_removed_takes_its_labels(backend: Backend) -> None:
    """A removed memory leaves its claims and their evidence, which it followed from."""
    with backend.write() as tx:
        one = make(tx, 1, "One", {"tags": ("a",)})
        other = make(tx, 2, "Two", {"tags": ("a",)})
        tx.memories.remove(one.id)
        tx.memories.remove("mem_unknown")
    with backend.read() as tx:
        assert tx.memories.memories([one.id, other.id]) == {other.id: other}
        assert tx.memories.labels([one.id, other.id]) == {one.id: {}, other.id: {"tags": ("a",)}}
        assert tx.memories.by_fingerprint(one.fingerprint) == []
        assert tx.memories.by_sources([one.source]) == {}
        assert list(tx.claims.claims([one.id])) == [one.id]
        assert tx.memories.quotes([one.id])[one.id] == [Quote("ver_1", 0, 3, "One")]


def test_a_tombstone_tells_when(tx: Transaction) -> None:
    """That something was there stays known; the first time counts, and what was never there has none."""
    tx.memories.bury("mem_1", THEN, "it was wrong")
    tx.memories.bury("mem_1", LAST)
    assert tx.memories.forgotten_at("mem_1") == THEN
    assert tx.memories.forgotten_at("mem_2") is None


def test_a_failure_leaves_nothing(backend: Backend) -> None:
    """A memory of a transaction that fails was never there."""

    def fail() -> None:
        with backend.write() as tx:
            make(tx, 1, "One")
            raise RuntimeError("now")

    with pytest.raises(RuntimeError, match="now"):
        fail()
    with backend.read() as tx:
        assert tx.memories.count() == 0
        assert tx.memories.by_fingerprint(hash("One")) == []
        assert tx.keywords.size() == 0


def test_a_kept_text_keeps_its_former_versions(tx: Transaction) -> None:
    """The newest version is the source's own; the text of those before can still be read, their chunks are gone."""
    chunk = Chunk(0, 0, 3, 1, 1, "prose")
    assert tx.sources.put_kept(kept("note:n", "One", title="A", chunks=(chunk,)), "src_a", "ver_a", FIRST) == [1]
    assert tx.sources.put_kept(kept("note:n", "Two\n", title="B", chunks=(chunk,)), "src_b", "ver_b", THEN) == [2]
    source = tx.sources.source_by_key("note:n")
    assert source is not None
    assert (source.id, source.version, source.title, source.kind, source.trust, source.custody, source.recorded_at) == (
        "src_a", "ver_b", "B", "note", "agent", "kept", THEN,
    )  # fmt: skip
    assert tx.sources.text("ver_a", 0, 3) == "One"
    assert tx.sources.source_of("ver_a") == "src_a"
    assert tx.sources.chunks_of("ver_a") == []
    assert [piece.text for piece in tx.sources.chunks_of("ver_b")] == ["Two"]
    assert tuple(tx.sources.count(Filter())) == (1, 1, 4, 0)
    tx.sources.remove_source("src_a")
    assert tx.sources.source_of("ver_a") is None
    assert tx.sources.source_of("ver_b") is None


def filed(tx: Transaction, shelf: Any) -> None:
    """Put one file and three memories, all with the word "text"."""
    tx.sources.put_root("docs", "")
    shelf.put(tx, "file:docs/a.md", "A text.\n", metadata={"tags": ("red",)}, path="a.md")
    source = tx.sources.source_by_key("file:docs/a.md")
    assert source is not None
    tx.keywords.add([(chunk.entry, "", chunk.text) for chunk in tx.sources.chunks_of(source.version)])
    make(tx, 101, "text one", {"tags": ("red", "blue"), "kind": ("note",)})
    make(tx, 102, "text two", {"tags": ("blue",)})
    make(tx, 103, "text three")


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (Filter(), {"file", "mem_101", "mem_102", "mem_103"}),
        (Filter(part="memories"), {"mem_101", "mem_102", "mem_103"}),
        (Filter(part="sources"), {"file"}),
        (Filter(where=(("tags", ("red",)),)), {"file", "mem_101"}),
        (Filter(where=(("tags", ("red",)), ("tags", ("blue",)))), {"mem_101"}),
        (Filter(where=(("tags", ("red", "blue")),)), {"file", "mem_101", "mem_102"}),
        (Filter(where=(("tags", ("red",)),), part="sources"), {"file"}),
        (Filter(where=(("tags", ("red",)),), part="memories"), {"mem_101"}),
        (Filter(where=(("tags", ("RED",)),)), set()),
        (Filter(where=(("kind", ("note",)), ("tags", ("blue",)))), {"mem_101"}),
        (Filter(path="docs"), {"file"}),
        (Filter(path="docs", part="memories"), set()),
        (Filter(root=1), {"file"}),
        (Filter(source="src_102"), {"mem_102"}),
        (Filter(source="src_102", part="sources"), set()),
        (Filter(source="src_102", where=(("tags", ("red",)),)), set()),
    ],
)
def test_filters_narrow_memories(tx: Transaction, shelf: Any, filter: Filter, expected: set[str]) -> None:
    """Labels, source and part narrow memories as they narrow files; a memory lies in no directory."""
    filed(tx, shelf)
    terms = [Term(("text",))]
    hits = [hit.entry for hit in tx.keywords.rank(terms, tx.keywords.frequencies(terms), 100, filter)]
    memories, chunks = tx.memories.by_entries(hits), tx.sources.chunks(hits)
    assert {*(one.id for one in memories.values()), *("file" for _ in chunks)} == expected
    assert tx.memories.count(["active"], filter) == len(memories)


def test_kinds_and_slots_narrow_memories_alone(tx: Transaction) -> None:
    """A kind is one of several, a slot is itself or lies under the parts that are given; no source passes."""
    for number, (kind, slot) in enumerate(
        (("decision", "a/b"), ("person", "a/b/c"), ("decision", "a-z/b"), ("decision", ""), ("person", "a0/b"))
    ):
        memory = make(tx, number, f"Text {number}")
        tx.memories.put(memory._replace(kind=kind, slot=slot))  # type: ignore[arg-type]  # they are kinds

    def passing(filter: Filter) -> set[str]:
        """Return the memories that pass."""
        listed = tx.memories.list_memories((), 9, "", filter)
        assert tx.memories.count((), filter) == len(listed)
        assert tx.sources.count(filter).sources == 0
        return {one.id for one in listed}

    assert passing(Filter(kinds=("person",))) == {"mem_1", "mem_4"}
    assert passing(Filter(kinds=("person", "decision"))) == {f"mem_{number}" for number in range(5)}
    assert passing(Filter(slot="a")) == {"mem_0", "mem_1"}
    assert passing(Filter(slot="a/b", kinds=("decision",))) == {"mem_0"}
    assert passing(Filter(slot="b")) == set()


def test_everything_that_is_listed_is_counted(tx: Transaction) -> None:
    """Slots once each, entities, proposals of a state or of any, lines of the audit log about an id or all."""
    assert (tx.claims.count_slots(), tx.entities.count(), tx.journal.count_proposals(None)) == (0, 0, 0)
    assert tx.journal.count_acts() == 0
    for number, slot in enumerate(("a/b", "a/b", "", "c")):
        make(tx, number, f"Text {number}")
        [claim] = tx.claims.of_memories([f"mem_{number}"])[f"mem_{number}"]
        tx.claims.put(claim._replace(slot=slot))
        tx.journal.record(StoredAct(0, FIRST, "owner", "owner", "create", f"mem_{number % 2}", "accepted", ""))
    tx.entities.put(StoredEntity("ent_1", "thing", "One"), {"one": "One"}, FIRST)
    tx.journal.put_proposal(StoredProposal("prp_1", "waiting", "mem_1", "", "why", "bot", FIRST))
    tx.journal.put_proposal(StoredProposal("prp_2", "closed", "mem_2", "", "why", "bot", FIRST))
    assert (tx.claims.count_slots(), tx.entities.count()) == (2, 1)
    assert (tx.journal.count_proposals("waiting"), tx.journal.count_proposals(None)) == (1, 2)
    assert (tx.journal.count_acts("mem_1"), tx.journal.count_acts()) == (2, 4)


def test_sources_without_notes(tx: Transaction, shelf: Any) -> None:
    """Of the parts, ``memories`` lists no source, ``sources`` those that are no memory's note."""
    filed(tx, shelf)
    tx.sources.put_kept(kept("note:free", "A note of its own"), "src_free", "ver_free", FIRST)

    def listed(filter: Filter) -> list[str]:
        return [source.key for source in tx.sources.list_sources(filter, 100, "")]

    assert len(listed(Filter())) == 5
    assert listed(Filter(part="memories")) == []
    assert listed(Filter(part="sources")) == ["file:docs/a.md", "note:free"]
    assert tx.sources.count(Filter(part="sources")).sources == 2


def test_nothing_is_left_beside_the_data(backend: Backend) -> None:
    """Purging says that nothing is left, changes nothing that is there, and may be done again."""
    with backend.write() as tx:
        one = make(tx, 1, "One")
        other = make(tx, 2, "Two")
    with backend.write() as tx:
        tx.keywords.remove([(one.entry, "", "One")])
        tx.memories.remove(one.id)
    assert backend.purge()
    assert backend.purge()
    with backend.read() as tx:
        assert tx.memories.memories([one.id, other.id]) == {other.id: other}


def test_a_reader_of_an_earlier_state_is_not_disturbed(open_store: Callable[..., Backend]) -> None:
    """Purging beside a reader says that something is left, and the reader keeps its state; afterwards it works."""
    writer, reader = open_store(busy_timeout_s=0.05), open_store()
    with writer.write() as tx:
        one = make(tx, 1, "One")
    with reader.read() as seen:
        with writer.write() as tx:
            tx.memories.remove(one.id)
        assert not writer.purge()
        assert seen.memories.memories([one.id]) == {one.id: one}
    assert writer.purge()
