"""B02, D20: an import of many originals: two at once, taken up where it ended, the same content in two formats."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import zipfile
from typing import TYPE_CHECKING

import pytest

from treering.ingest import ahead
from treering.ingest.readers import apart

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore
    from treering.domain.source import Document
    from treering.ingest.versions import Documents

SAID = [f"Sentence {number} tells how the avocet of pond {number * 7} feeds in the mud." for number in range(12)]


def docx(path: Path, *texts: str) -> None:
    """Write a Word document with these paragraphs."""
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in texts)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>')


def html(path: Path, *texts: str) -> None:
    """Write a page with these paragraphs."""
    path.write_text(f"<html><body>{''.join(f'<p>{text}</p>' for text in texts)}</body></html>", encoding="utf-8")


def test_two_documents_are_read_at_once(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Two readers are at work at the same moment, and what they find comes in the order of the files."""
    memory = remember_files({})
    for number in range(6):
        docx(folder / f"{number}.docx", f"Report {number} of the pond.")
    together = threading.Barrier(2, timeout=30)
    plain = apart.Readings.read

    def read(self: apart.Readings, raw: bytes, name: str) -> Document:
        together.wait()  # passes only when two are here
        return plain(self, raw, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart.Readings, "read", read)
        done = memory.import_(folder)
    kept = [os.path.basename(one.path) for one in done if one.outcome == "accepted"]
    assert kept == [f"{number}.docx" for number in range(6)]


def test_an_import_takes_up_where_it_ended(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """What was kept before an interruption is not read by a reader again; the rest comes in."""
    memory = remember_files({})
    for number in range(4):
        docx(folder / f"{number}.docx", f"Report {number} of the pond.")
    memory.import_([folder / "0.docx", folder / "1.docx"])
    seen: list[str] = []
    plain = apart.Readings.read

    def read(self: apart.Readings, raw: bytes, name: str) -> Document:
        seen.append(name)
        return plain(self, raw, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart.Readings, "read", read)
        done = memory.import_(folder, tags=["pond"])
    kept = [one.outcome for one in done if one.path.endswith(".docx")]
    assert kept == ["exists", "exists", "accepted", "accepted"]
    assert sorted(seen) == ["2.docx", "3.docx"]
    assert memory.search("report pond", tags=["pond"], limit=10).results, "what is said of known ones still counts"


@pytest.mark.slow
@pytest.mark.sqlite
def test_an_interrupted_import_keeps_whole_batches(tmp_path: Path) -> None:
    """Killed in the middle, it leaves each original whole or absent, and the same command finishes it."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(700):
        (notes / f"n{number:03}.md").write_text(f"# Note {number}\n\nThe knot of pond {number}.\n", encoding="utf-8")
    code = (
        "import os, signal, sys, treering\n"
        "with treering.open(store=sys.argv[1]) as memory:\n"
        "    memory.import_(sys.argv[2], progress=lambda done, _: done == 600 and os.kill(os.getpid(), signal.SIGKILL))"
    )
    store = str(tmp_path / "store")
    ended = subprocess.run([sys.executable, "-c", code, store, str(notes)], check=False)
    assert ended.returncode == -signal.SIGKILL
    import treering

    with treering.open(store=store) as memory:
        kept = memory.status().sources
        assert 0 < kept < 700
        done = memory.import_(notes)
        assert sum(one.outcome == "exists" for one in done) == kept
        assert memory.verify().problems == ()


def test_the_same_content_in_two_formats_is_told(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A report as Word and as a page: both are kept, and the second says which one says the same."""
    memory = remember_files({})
    docx(folder / "a.docx", *SAID)
    html(folder / "b.html", *SAID)
    html(
        folder / "c.html",
        *(f"Of whimbrels, {number}: one was seen at lake {number * 3} in the reeds." for number in range(12)),
    )
    told = {os.path.basename(one.path): " ".join(one.notices) for one in memory.import_(folder)}
    assert "a.docx, which is in another format" in told["b.html"]
    assert "another format" not in told["a.docx"] + told["c.html"]


def test_an_interruption_waits_for_no_document() -> None:
    """Whoever stops reading ends the readers at once, and what a reader raises comes in its turn."""
    started = threading.Event()

    def work(value: int, documents: Documents) -> int:
        if value == 1:
            started.set()
            raise ValueError("the second one")
        return value

    results = ahead.in_order(work, [0, 1, 2])
    assert next(results) == 0
    with pytest.raises(ValueError, match="the second one"):
        next(results)
    assert started.is_set()
    assert list(results) == []
