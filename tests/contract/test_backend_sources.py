"""What every store promises of files, versions and text, see ``treering.ports``: one suite over all adapters."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treering.domain.chunk import Chunk, Heading, Lead
from treering.domain.query import Filter, Term
from treering.domain.source import FileStamp, Metadata, Root, Skip
from treering.domain.text import fingerprint
from treering.errors import Damaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Backend, Transaction

PART = 65_536
"""Where a store may cut a long text; nobody may notice."""


@pytest.fixture
def tx(backend: Backend) -> Iterator[Transaction]:
    """Return a writing transaction of an empty store with one root."""
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        yield tx


def test_roots(tx: Transaction) -> None:
    """A root is made once; a second time it is found, with another glob if one is given."""
    assert tx.sources.put_root("docs", "") == Root(1, "docs", "", "", "")
    assert tx.sources.put_root("~/notes", "**/*.md") == Root(2, "~/notes", "**/*.md", "", "")
    assert tx.sources.put_root("docs", "*.md") == Root(1, "docs", "*.md", "", "")
    assert [root.path for root in tx.sources.roots()] == ["docs", "~/notes"]
    assert tx.sources.roots()[0].glob == "*.md"


def test_a_run_ends(tx: Transaction) -> None:
    """The end of a run is recorded on its root alone, and its list of skipped files replaces the one before."""
    tx.sources.put_root("notes", "")
    tx.sources.finish_root(2, "r", "2026-01-01", [Skip("z.md", "a pipe"), Skip("a.md", "a link")])
    tx.sources.finish_root(1, "one", "2026-01-02", [Skip("x.md", "gone")])
    tx.sources.finish_root(1, "two", "2026-01-03", [Skip("y.md", "seen first"), Skip("y.md", "seen last")])
    assert tx.sources.roots() == [Root(1, "docs", "", "two", "2026-01-03"), Root(2, "notes", "", "r", "2026-01-01")]
    assert tx.sources.skips() == [
        (1, Skip("y.md", "seen last")), (2, Skip("a.md", "a link")), (2, Skip("z.md", "a pipe")),
    ]  # fmt: skip


def test_a_dropped_root(tx: Transaction) -> None:
    """A dropped root takes its skips along, and its number is never given out again."""
    tx.sources.put_root("notes", "")
    tx.sources.finish_root(2, "", "2026-01-01", [Skip("x.md", "gone")])
    tx.sources.drop_root(2)
    assert [root.number for root in tx.sources.roots()] == [1]
    assert tx.sources.skips() == []
    assert tx.sources.put_root("notes", "").number == 3


def test_a_new_file(tx: Transaction, shelf: Any) -> None:
    """A file that is stored first makes its source under the id given, with all that is known about it."""
    new = shelf.new("file:docs/a.md", "One.\n\nTwo.\n", state="unparsed", metadata={"tags": ("b", "a")})
    entries = tx.sources.put_version(new, "src_1", "ver_1", "2026-01-01")
    source = tx.sources.source_by_key("file:docs/a.md")
    assert source is not None
    assert source == (
        "src_1", "file:docs/a.md", "a.md", "file", "owner", "tracked", "ver_1", new.document.sha256, "utf-8", 11, 3,
        "2026-01-01", "", "", "", "",
    )  # fmt: skip
    assert tx.sources.sources(["src_1"]) == {"src_1": source}
    assert tx.sources.source_of("ver_1") == "src_1"
    assert tx.sources.tracked() == [new.tracked._replace(source="src_1")]
    assert [chunk.entry for chunk in tx.sources.chunks_of("ver_1")] == entries
    assert [chunk.text for chunk in tx.sources.chunks_of("ver_1")] == ["One.\n\n", "Two.\n"]
    assert tx.sources.metadata(["src_1"]) == {"src_1": {"tags": ("b", "a")}}
    assert tuple(tx.sources.count(Filter())) == (1, 2, 11, 1)


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1), ("\n\n", 2)])
def test_lines_are_counted(tx: Transaction, shelf: Any, text: str, lines: int) -> None:
    """A text has as many lines as an editor numbers; an empty one has none and no chunk."""
    shelf.put(tx, "file:a.md", text)
    source = tx.sources.source_by_key("file:a.md")
    assert source is not None
    assert (source.lines, source.chars) == (lines, len(text))
    assert tx.sources.text(source.version, 0, source.chars) == text
    assert bool(tx.sources.chunks_of(source.version)) == bool(text)


def test_a_known_file(tx: Transaction, shelf: Any) -> None:
    """New content keeps the source's id and everybody else's rows; the former version leaves whole."""
    first = shelf.put(tx, "file:a.md", "Old one.\n\nOld two.\n", metadata={"kind": ("old",), "gone": ("x",)})
    other = shelf.put(tx, "file:b.md", "Neighbour.\n")
    old = [chunk.entry for chunk in tx.sources.chunks_of("ver_001")]
    entries = tx.sources.put_version(shelf.new("file:a.md", "New.\n", metadata={"kind": ("new",)}), "src_x", "v", "at")
    source = tx.sources.source_by_key("file:a.md")
    assert source is not None
    assert (source.id, source.version, source.recorded_at) == (first, "v", "at")
    assert tx.sources.source_of("ver_001") is None
    assert tx.sources.chunks_of("ver_001") == []
    assert tx.sources.chunks(old) == {}
    assert not set(entries) & set(old)
    assert tx.sources.metadata([first, other]) == {first: {"kind": ("new",)}, other: {}}
    assert [tracked.source for tracked in tx.sources.tracked()] == [first, other]
    assert tx.sources.text("ver_002", 0, 11) == "Neighbour.\n"
    with pytest.raises(Damaged, match="ver_001"):
        tx.sources.text("ver_001", 0, 3)


def test_a_touched_file(tx: Transaction, shelf: Any) -> None:
    """A new stamp, root or path is written over the old one, and nothing else moves."""
    source = shelf.put(tx, "file:docs/a.md", "Text.\n", path="a.md")
    tx.sources.put_root(".", "")
    before = tx.sources.tracked()[0]
    moved = before._replace(root=2, path="docs/a.md", stamp=FileStamp(2**40, 2**62, -1), rules_hash="x", state="parsed")
    tx.sources.put_tracked(moved)
    assert tx.sources.tracked() == [moved]
    assert (moved.source, moved.sha256) == (source, before.sha256)


def test_files_of_one_root(tx: Transaction, shelf: Any) -> None:
    """The files of a root come without those of another, by path."""
    tx.sources.put_root("notes", "")
    for root, path in ((2, "a.md"), (1, "b.md"), (1, "a/x.md"), (1, "B.md")):
        shelf.put(tx, f"file:{root}/{path}", "Text.\n", root=root, path=path)
    assert [tracked.path for tracked in tx.sources.tracked(1)] == ["B.md", "a/x.md", "b.md"]
    assert [tracked.path for tracked in tx.sources.tracked(2)] == ["a.md"]
    assert [tracked.root for tracked in tx.sources.tracked()] == [1, 1, 1, 2]
    assert tx.sources.tracked(3) == []


def test_metadata_is_replaced(tx: Transaction, shelf: Any) -> None:
    """Metadata is what was put last: values in their order, doubled ones too, and any text as key or value."""
    one, two = (shelf.put(tx, f"file:{name}.md", "Text.\n", metadata={"a": ("1",), "b": ("2",)}) for name in "xy")
    values = {"tags": ("z", "a", "z"), "título": ("", "a, b", "漢字 🎉"), "A": ("%_'",)}
    tx.sources.put_metadata(one, Metadata(values))
    assert tx.sources.metadata([one, two, "src_unknown"]) == {
        one: values,
        two: {"a": ("1",), "b": ("2",)},
        "src_unknown": {},
    }
    tx.sources.put_metadata(one, Metadata({}))
    assert tx.sources.metadata([one]) == {one: {}}


def test_a_removed_source(tx: Transaction, shelf: Any) -> None:
    """A removed source leaves with versions, text, chunks, metadata and file; unknown ids are ignored."""
    source = shelf.put(tx, "file:a.md", "One.\n\nTwo.\n", metadata={"kind": ("note",)})
    entries = [chunk.entry for chunk in tx.sources.chunks_of("ver_001")]
    for id in (source, source, "src_unknown", ""):
        tx.sources.remove_source(id)
    assert tx.sources.source_by_key("file:a.md") is None
    assert tx.sources.sources([source]) == {}
    assert tx.sources.source_of("ver_001") is None
    assert tx.sources.tracked() == []
    assert tx.sources.chunks(entries) == {}
    assert tx.sources.metadata([source]) == {source: {}}
    assert tuple(tx.sources.count(Filter())) == (0, 0, 0, 0)
    with pytest.raises(Damaged):
        tx.sources.text("ver_001", 0, 4)
    shelf.put(tx, "file:a.md", "Again.\n")
    assert not {chunk.entry for chunk in tx.sources.chunks_of("ver_002")} & set(entries)


def test_what_is_unknown(tx: Transaction, shelf: Any) -> None:
    """Ids of nothing are left out of an answer, never an error, however many are asked for."""
    known = [shelf.put(tx, f"file:{number}.md", f"Text {number}.\n") for number in range(3)]
    asked = [*(f"src_no{number}" for number in range(1200)), *known, "'; drop table source; --"]
    assert sorted(tx.sources.sources(asked)) == known
    assert tx.sources.source_by_key("file:9.md") is None
    assert tx.sources.source_by_key("FILE:1.md") is None
    assert tx.sources.source_of("ver_none") is None
    assert tx.sources.chunks_of("ver_none") == []
    assert len(tx.sources.chunks(range(-5, 2000))) == 3
    assert tx.sources.chunks([]) == {}
    assert tx.sources.sources([]) == {}
    assert tx.sources.metadata([]) == {}


def test_chunks_come_back_as_they_were(tx: Transaction, shelf: Any) -> None:
    """A chunk keeps its place, lines, kind, headings and leads, and comes with its exact text and fingerprint."""
    text = "# Ünï “code” 🎉\n\n- one\n  - two\n"
    path = (Heading(1, "Ünï “code” 🎉"), Heading(3, 'a "b" \\ c'))
    chunks = (
        Chunk(0, 0, 17, 1, 2, "heading", path[:1]),
        Chunk(1, 17, len(text), 3, 4, "list", path, 0, (Lead(0, 15, 1), Lead(17, 23, 3)), oversized=True),
    )
    entries = tx.sources.put_version(shelf.new("file:a.md", text, chunks=chunks), "src_1", "ver_1", "at")
    found = tx.sources.chunks_of("ver_1")
    for stored, chunk, entry in zip(found, chunks, entries, strict=True):
        piece = text[chunk.start : chunk.stop]
        assert stored == (
            entry, "src_1", "ver_1", chunk.ordinal, chunk.start, chunk.stop, chunk.first_line, chunk.last_line,
            chunk.kind, chunk.path, chunk.lead, fingerprint(piece), piece,
        )  # fmt: skip
    assert tx.sources.chunks(entries[::-1]) == dict(zip(entries, found, strict=True))


def test_long_paragraphs_are_told_apart(tx: Transaction, shelf: Any) -> None:
    """A paragraph that is flagged as oversized is known as one, and a search among those alone finds nothing else."""
    shelf.put(tx, "file:a.md", "A heron.\n")
    assert not tx.sources.has_long()
    table, long = (Chunk(0, 0, 9, 1, 1, kind, oversized=True) for kind in ("table", "prose"))
    entries = tx.sources.put_version(shelf.new("file:b.md", "A heron.\n", chunks=(table,)), "src_b", "ver_b", "at")
    assert not tx.sources.has_long()
    entries += tx.sources.put_version(shelf.new("file:c.md", "A heron.\n", chunks=(long,)), "src_c", "ver_c", "at")
    tx.keywords.add([(entry, "", "a heron") for entry in entries])
    assert tx.sources.has_long()
    heron = [Term(("heron",))]
    found = {hit.entry for hit in tx.keywords.rank(heron, tx.keywords.frequencies(heron), 9, Filter(long=True))}
    assert found == {entries[1]}


def test_chunks_are_made_again(tx: Transaction, shelf: Any) -> None:
    """Dropped chunks leave the text; new ones get numbers that were never used."""
    shelf.put(tx, "file:a.md", "One.\n\nTwo.\n")
    shelf.put(tx, "file:b.md", "Other.\n")
    used = {chunk.entry for version in ("ver_001", "ver_002") for chunk in tx.sources.chunks_of(version)}
    tx.sources.drop_chunks("ver_001")
    assert tx.sources.chunks_of("ver_001") == []
    assert len(tx.sources.chunks_of("ver_002")) == 1
    assert tx.sources.text("ver_001", 0, 11) == "One.\n\nTwo.\n"
    entries = tx.sources.put_chunks("ver_001", "One.\n\nTwo.\n", (Chunk(0, 0, 11, 1, 3, "prose"),))
    assert [chunk.text for chunk in tx.sources.chunks_of("ver_001")] == ["One.\n\nTwo.\n"]
    assert not set(entries) & used
    assert tx.sources.put_chunks("ver_002", "", ()) == []


def long_text() -> str:
    """Return a text of some parts with letters of one to four bytes, none of them like its neighbours."""
    unit = "".join(chr(97 + i % 26) + ("é", "漢", "🎉", "\n")[i % 4] + str(i) for i in range(9000))
    return (unit * 4)[: 3 * PART + 17]


def test_any_stretch_of_a_long_text(backend: Backend, shelf: Any) -> None:
    """A stretch of a long text is exactly that stretch in code points, wherever a store may have cut it."""
    text = long_text()
    edges = [0, 1, PART - 1, PART, PART + 1, 2 * PART - 1, 2 * PART, 3 * PART, len(text) - 1, len(text)]
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        shelf.put(tx, "file:long.md", text, chunks=())
    with backend.read() as tx:
        for start in edges:
            for stop in edges:
                if start <= stop:
                    assert tx.sources.text("ver_001", start, stop) == text[start:stop], (start, stop)

    @settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, len(text)), st.integers(0, 2 * PART))
    def check(start: int, length: int) -> None:
        stop = min(start + length, len(text))
        with backend.read() as tx:
            assert tx.sources.text("ver_001", start, stop) == text[start:stop]

    check()


def test_a_stretch_that_is_not_there(tx: Transaction, shelf: Any) -> None:
    """A stretch beyond the end, or of an unknown version, is damage: never silently shorter."""
    shelf.put(tx, "file:a.md", "Ten chars.")
    shelf.put(tx, "file:long.md", "x" * (PART + 5), chunks=())
    for version, start, stop in (
        ("ver_001", 0, 11), ("ver_001", 10, 11), ("ver_001", 50, 60), ("ver_001", 3 * PART, 3 * PART + 1),
        ("ver_002", PART, PART + 6), ("ver_002", 0, 2 * PART + 1), ("ver_none", 0, 1),
    ):  # fmt: skip
        with pytest.raises(Damaged, match=version):
            tx.sources.text(version, start, stop)
    assert tx.sources.text("ver_001", 10, 10) == ""


def test_chunks_across_parts(tx: Transaction, shelf: Any) -> None:
    """Chunks of a long text carry their exact text, also where they lie across or at the edge of a part."""
    text = long_text()
    cuts = [0, PART - 10, PART, PART + 10, 2 * PART - 5, 3 * PART + 2, len(text)]
    chunks = [Chunk(i, a, b, 1, 1, "prose") for i, (a, b) in enumerate(pairwise(cuts))]
    entries = tx.sources.put_version(shelf.new("file:l.md", text, chunks=tuple(chunks)), "src_1", "ver_1", "at")
    expected = [text[chunk.start : chunk.stop] for chunk in chunks]
    assert [chunk.text for chunk in tx.sources.chunks_of("ver_1")] == expected
    found = tx.sources.chunks(entries)
    assert [found[entry].text for entry in entries] == expected
    assert [found[entry].fingerprint for entry in entries] == [fingerprint(piece) for piece in expected]
