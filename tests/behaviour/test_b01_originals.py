"""B01, B02: originals are kept whole; a folder is gone through, and what is left out is listed with its reason."""

from __future__ import annotations

import io
import os
import stat
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from importing import outcomes

import treering
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore

CHINESE = "项目甲将于十一月上线。推送平台由鲍勃的团队维护，所有的变更都要经过评审。\n" * 3


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def docx(text: str) -> bytes:
    """Return a Word document of one paragraph."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxml'
            'formats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd'
            '.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument"'
            ' Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>',
        )
    return held.getvalue()


def original(memory: MemoryStore, id: str) -> bytes:
    """Return the bytes that are kept of a source's current version."""
    with memory._reading() as tx:
        source = tx.sources.sources([id])[id]
        return tx.originals.get(source.sha256)


def test_a_folder_is_imported_with_everything_that_can_be_read(folder: Path, memory: MemoryStore) -> None:
    """Markdown, text, Word and GBK files are kept; hidden, unknown and broken ones are listed and stop nothing."""
    prds = folder / "prds"
    (prds / "deep" / "deeper").mkdir(parents=True)
    (prds / ".git").mkdir()
    (prds / "a.md").write_text("# Alpha\n\nThe harbour is frozen.\n")
    (prds / "deep" / "deeper" / "b.txt").write_text("The locker is open.\n")
    (prds / "c.docx").write_bytes(docx("The courier left at noon."))
    (prds / "d.txt").write_bytes(CHINESE.encode("gbk"))
    (prds / ".hidden.md").write_text("hidden")
    (prds / "photo.jpeg").write_bytes(b"\xff\xd8\xff")
    (prds / "broken.docx").write_bytes(b"PK\x03\x04broken")
    (prds / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    (prds / "binary.md").write_bytes(bytes(range(256)))
    (prds / "link.md").symlink_to(prds / "a.md")
    imported = memory.import_(prds)
    assert outcomes(imported) == {
        "a.md": "accepted", "b.txt": "accepted", "c.docx": "accepted", "d.txt": "accepted",
        "binary.md": "skipped", "broken.docx": "skipped", "broken.pdf": "skipped", "photo.jpeg": "skipped",
        ".git": "skipped", ".hidden.md": "skipped", "link.md": "skipped",
    }  # fmt: skip
    reasons = {one.path.rpartition("/")[2]: one.reason for one in imported if one.outcome == "skipped"}
    assert reasons[".hidden.md"] == reasons[".git"] == "it is hidden"
    assert "no reader for .jpeg" in reasons["photo.jpeg"]
    assert all(reasons.values())
    for words in ("harbour frozen", "locker open", "courier noon", "推送平台"):
        assert memory.search(words, mode="keyword").found, words


def test_bytes_that_the_text_does_not_give_back_are_kept_beside_it(folder: Path, memory: MemoryStore) -> None:
    """Documents and texts in other encodings keep their bytes; plain UTF-8 needs no second copy."""
    files = {
        "a.md": b"# A\r\n\r\nPlain.\r\n",
        "b.md": b"\xef\xbb\xbfWith a mark.\n",
        "c.txt": CHINESE.encode("gbk"),
        "d.docx": docx("Word."),
    }
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    ids = {one.path.rpartition("/")[2]: one.id for one in memory.import_([folder / name for name in files])}
    assert memory.show(ids["a.md"]).text.encode() == files["a.md"]
    for name in ("b.md", "c.txt", "d.docx"):
        assert original(memory, ids[name]) == files[name]
    with memory._reading() as tx:
        assert len(tx.originals.kept()) == len(tx.sources.digests()) == 3


@pytest.mark.sqlite
def test_files_of_originals_are_the_users_alone(folder: Path, memory: MemoryStore) -> None:
    """Beside a SQLite store, originals lie in files that nobody else can read, named by their content."""
    (folder / "d.docx").write_bytes(docx("Word."))
    memory.import_(folder / "d.docx")
    files = [path for path in (folder / ".treering" / "originals").rglob("*") if path.is_file()]
    assert len(files) == 1
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert all(stat.S_IMODE(above.stat().st_mode) == 0o700 for above in (files[0].parent, files[0].parent.parent))
    assert "originals/" in (folder / ".treering" / ".gitignore").read_text()


def test_a_named_file_is_taken_whatever_it_is_called(folder: Path, memory: MemoryStore) -> None:
    """Who names a hidden file, one without a suffix, or source code, gets it; one that cannot be read says why."""
    for name in (".env.example", "LICENSE", "main.py"):
        (folder / name).write_text(f"words of {name}\n")
    assert set(outcomes(memory.import_([folder / n for n in (".env.example", "LICENSE", "main.py")])).values()) == {
        "accepted"
    }
    (folder / "nul.md").write_bytes(b"\0\0\0 binary \0")
    (skipped,) = memory.import_(folder / "nul.md")
    assert (skipped.outcome, skipped.reason) == ("skipped", "it is binary, no text")


def test_nothing_is_imported_when_a_path_is_not_there(folder: Path, memory: MemoryStore) -> None:
    """A typing mistake among several paths leaves everything as it was, and makes no store."""
    (folder / "a.md").write_text("words\n")
    with pytest.raises(NotFound, match=r"there is no .*b\.md"):
        memory.import_(["a.md", "b.md"])
    assert not memory.status().exists
    with pytest.raises(InputError, match="no file or folder"):
        memory.import_([])


def test_a_name_that_is_no_utf8_is_skipped_in_words(folder: Path, memory: MemoryStore) -> None:
    """A file whose name cannot be stored is listed, and the others are kept."""
    inner = folder / "in"
    inner.mkdir()
    try:
        Path(os.fsdecode(os.fsencode(inner) + b"/caf\xe9.md")).write_text("lost\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    (inner / "b.md").write_text("kept\n")
    imported = memory.import_(inner)
    assert sorted(one.outcome for one in imported) == ["accepted", "skipped"]
    assert next(one.reason for one in imported if one.outcome == "skipped") == "its name is not valid UTF-8"


@pytest.mark.slow
def test_ten_megabytes_of_text_are_kept_and_paged(folder: Path, memory: MemoryStore) -> None:
    """A large text comes back letter for letter, page by page."""
    lines = [f"Line {number} of the register of lockers.\n" for number in range(260_000)]
    (folder / "big.txt").write_text("".join(lines))
    (one,) = memory.import_(folder / "big.txt")
    shown = memory.show(one.id, start_line=200_001, limit_lines=3)
    assert shown.text == "".join(lines[200_000:200_003])
    assert (shown.lines, shown.custody) == ((200_001, 200_003), "kept")
    assert memory.show("big.txt", limit_lines=1).source == one.id


def test_standard_input_is_an_original_too(
    folder: Path, run: Callable[..., Any], memory: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`import -` takes bytes of any kind from a pipe, once for each content."""
    originals = {
        "pump blue": docx("The pump is blue."),
        "推送平台": CHINESE.encode("gbk"),
        "valve": b"# Pipe\n\nThe valve.\n",
        "gasket": b"<!doctype html><title>T</title><p>The gasket is worn.",
    }
    for words, raw in originals.items():
        for expected in ("Kept", "Already there"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
            assert run("import", "-").out.startswith(expected)
        assert memory.search(words, mode="keyword").found
