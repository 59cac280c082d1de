"""What every database does with a file that has grown, with folders and with stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from treering.backends.chunks import PART_CHARS
from treering.domain.chunk import Chunk, Heading
from treering.domain.source import Document, FileStamp
from treering.intake import Base

if TYPE_CHECKING:
    from treering.intake import NewVersion
    from treering.ports import Backend

AT = "2026-01-02T00:00:00.000Z"


def grown(old: NewVersion, source: str, base: Base, text: str, chunks: tuple[Chunk, ...], size: int) -> NewVersion:
    """Return the end of a file that was ``old``."""
    tracked = old.tracked._replace(source=source, stamp=FileStamp(size, 3, 4), sha256="f" * 64)
    return old._replace(
        tracked=tracked, document=Document(text, "f" * 64, size, "utf-8"), chunks=chunks, base=base, title=old.title
    )


def test_the_beginning_stays_and_the_end_is_new(backend: Backend, shelf: Any) -> None:
    """Chunks before the base's end keep their entries, text and places; those after it are the given ones."""
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        source = shelf.put(tx, "file:docs/a.md", "One.\n\nTwo.\n\nThree.\n")
        old = shelf.new("file:docs/a.md", "One.\n\nTwo.\n\nThree.\n")
        known = tx.sources.source_by_key("file:docs/a.md")
        before = tx.sources.chunks_of(known.version)
        end = (Chunk(2, 12, 25, 5, 6, "prose"), Chunk(3, 25, 30, 7, 7, "list"))
        new = grown(old, source, Base(known.version, 2, 12, 5), "Three.\nMore.\nLast.", end, 30)
        entries = tx.sources.grow_version(new, "ver_new", AT)
        after = tx.sources.chunks_of("ver_new")
        assert [chunk.entry for chunk in after] == [*(chunk.entry for chunk in before[:2]), *entries]
        assert [chunk.text for chunk in after] == ["One.\n\n", "Two.\n\n", "Three.\nMore.\n", "Last."]
        assert tx.sources.chunks_of(known.version) == []
        assert tx.sources.text("ver_new", 0, 30) == "One.\n\nTwo.\n\nThree.\nMore.\nLast."
        found = tx.sources.source_by_key("file:docs/a.md")
        assert (found.version, found.chars, found.lines, found.recorded_at) == ("ver_new", 30, 7, AT)
        assert tx.sources.source_of(known.version) is None
        assert tx.sources.stamps(1) == [("docs/a.md", 30, 3, 4)]
        assert tx.sources.decoding("ver_new") == ("utf-8", "")


@pytest.mark.parametrize("old_chars", [PART_CHARS - 3, PART_CHARS, PART_CHARS + 3, 2 * PART_CHARS])
@pytest.mark.parametrize("back", [2, 10, PART_CHARS])
def test_text_in_parts_goes_on(backend: Backend, shelf: Any, old_chars: int, back: int) -> None:
    """Wherever the new end begins, before or behind the edge of a part, the text is whole at every place."""
    text = ("0123456789" * (old_chars // 10 + 1))[:old_chars]
    start = max(old_chars - back, 1)
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        chunks = (Chunk(0, 0, start, 1, 1, "prose"), Chunk(1, start, old_chars, 1, 1, "prose"))
        source = shelf.put(tx, "file:docs/a.md", text, chunks=chunks)
        old = shelf.new("file:docs/a.md", text)
        version = tx.sources.source_by_key("file:docs/a.md").version
        whole = text + "é" * (PART_CHARS + 7)
        end = (Chunk(1, start, len(whole), 1, 1, "prose"),)
        tx.sources.grow_version(grown(old, source, Base(version, 1, start, 1), whole[start:], end, 9), "ver_new", AT)
        assert tx.sources.text("ver_new", 0, len(whole)) == whole
        for at in (0, start, old_chars, PART_CHARS, len(whole) - 5):
            assert tx.sources.text("ver_new", at, min(at + 12, len(whole))) == whole[at : at + 12]
        assert "".join(chunk.text for chunk in tx.sources.chunks_of("ver_new")) == whole


def test_chunks_before_a_place(backend: Backend, shelf: Any) -> None:
    """The last ones before an ordinal come as they were put, all of them or those that begin with a heading."""
    path = (Heading(1, "A"), Heading(2, "B"))
    chunks = (
        Chunk(0, 0, 2, 1, 1, "heading", path[:1], None, (), opens=1),
        Chunk(1, 2, 4, 1, 1, "prose", path, 0, (), oversized=True, opens=1),
        Chunk(2, 4, 6, 1, 1, "prose", path, 0, ()),
    )
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        shelf.put(tx, "file:docs/a.md", "abcdef", chunks=chunks)
        version = tx.sources.source_by_key("file:docs/a.md").version
        assert tx.sources.chunks_before(version, 99, 99) == list(chunks)
        assert tx.sources.chunks_before(version, 2, 1) == [chunks[1]]
        assert tx.sources.chunks_before(version, 99, 99, opening=True) == list(chunks[:2])
        assert tx.sources.chunks_before(version, 0, 5) == []
        assert [chunk.ordinal for chunk in tx.sources.chunks_of(version, 1)] == [1, 2]


def test_folders_are_replaced(backend: Backend) -> None:
    """What is put is what is there, for each root by itself, and it leaves with the root."""
    with backend.write() as tx:
        tx.sources.put_root("a", "")
        tx.sources.put_root("b", "")
        tx.sources.put_folders(1, {"": 5, "x": 6, "y": 7})
        tx.sources.put_folders(2, {"": 8})
        tx.sources.put_folders(1, {"": 5, "x": 9, "z": 1})
        assert tx.sources.folders(1) == {"": 5, "x": 9, "z": 1}
        assert tx.sources.folders(2) == {"": 8}
        tx.sources.drop_root(1)
        assert tx.sources.folders(1) == {}
